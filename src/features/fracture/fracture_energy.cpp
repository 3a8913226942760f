#include "features/fracture/fracture_energy.h"

#include <algorithm>
#include <cmath>

namespace rigor {
namespace {

bool is_movable(const World& world, BodyId id) {
    return world.type(id) == BodyType::dynamic_body && !world.is_quarantined(id);
}

double kinetic_energy(const World& world, BodyId id) {
    if (!is_movable(world, id)) return 0;
    const BodyState s = world.state(id);
    const MassProperties mass = world.mass_properties(id);
    const Vec3d w = inverse_rotate(s.orientation, s.angular_velocity);
    return 0.5 * (mass.mass * length_squared(s.velocity) + dot(w, mass.inertia * w));
}

// How the velocity of a point answers to an impulse there: 1/m - [r] I⁻¹ [r].
Mat3d point_mobility(const World& world, BodyId id, const Vec3d& point) {
    if (!is_movable(world, id)) return Mat3d::zero();
    const BodyState s = world.state(id);
    const MassProperties mass = world.mass_properties(id);
    const double inv = 1 / mass.mass;
    const Mat3d r = skew(point - s.position);
    const Mat3d turn = {rotate(s.orientation, Vec3d{1, 0, 0}), rotate(s.orientation, {0, 1, 0}),
                        rotate(s.orientation, {0, 0, 1})};
    const Mat3d inverse_inertia = rotate(turn, inverse(mass.inertia)).matrix();
    return Mat3d::diagonal({inv, inv, inv}) - r * inverse_inertia * r;
}

} // namespace

double take_energy(World& world, BodyId body, BodyId other, const Vec3d& point, double wanted) {
    if (!(wanted > 0) || !world.is_valid(other)) return 0;
    const Vec3d u = world.velocity_at(body, point) - world.velocity_at(other, point);
    const Mat3d mobility = point_mobility(world, body, point) + point_mobility(world, other, point);
    const Vec3d stop = inverse(mobility) * -u; // the impulse that ends the relative motion
    const double available = -0.5 * dot(u, stop);
    if (!(available > 0) || !std::isfinite(available)) return 0;
    // The share s of it takes (2 s - s²) of what is available.
    const double share = 1 - std::sqrt(1 - std::min(1.0, wanted / available));
    const double before = kinetic_energy(world, body) + kinetic_energy(world, other);
    const auto apply = [&](const Vec3d& impulse) {
        world.apply_impulse_at(body, impulse, point);
        if (is_movable(world, other)) world.apply_impulse_at(other, -impulse, point);
    };
    apply(stop * share);
    const double taken = before - kinetic_energy(world, body) - kinetic_energy(world, other);
    if (taken >= 0) return std::min(taken, wanted);
    apply(stop * -share); // locked axes: they answer in another way than K says
    return 0;
}

} // namespace rigor
