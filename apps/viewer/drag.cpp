#include "viewer/drag.h"

#include <cmath>
#include <numbers>

#include "common/nearest_image.h"
#include "rigor/rotation.h"

namespace rigor::viewer {
namespace {

constexpr double kMaxDragAcceleration = 200; // m/s2: limits the force on a body
constexpr double kDragDamping = 10;          // 1/s: of the rotation of a dragged body
constexpr double kDragFrequency = 4;         // Hz: quick, yet one can see the spring stretch

/// The force of a critically damped spring from the dragged point to the target. It is a soft
/// constraint [Catto 2011] solved implicitly, so it is stable at any stiffness.
Vec3d spring_force(const World& world, const Drag& drag, double h) {
    const BodyState s = world.state(drag.body);
    const MassProperties mass = world.mass_properties(drag.body);
    const Vec3d r = rotate(s.orientation, drag.point - mass.center);
    const Mat3d rotation = to_matrix(s.orientation), arm = skew(r);
    const Mat3d inverse_inertia = inverse(rotate(rotation, mass.inertia)).matrix();
    const double k = drag.stiffness, c = 2 * std::sqrt(k * mass.mass);
    const double gamma = 1 / (h * (c + h * k));
    const Mat3d inverse_effective_mass =
        Mat3d::diagonal(Vec3d{1, 1, 1} * (1 / mass.mass + gamma)) - arm * inverse_inertia * arm;
    const Vec3d error = app::nearest_image(world, s.position + r - drag.target);
    const Vec3d velocity = s.velocity + world.settings().gravity * h + cross(s.angular_velocity, r);
    const Vec3d force =
        inverse(inverse_effective_mass) * (velocity + error * (h * k * gamma)) * (-1 / h);
    const double max_force = kMaxDragAcceleration * mass.mass, magnitude = length(force);
    if (!std::isfinite(magnitude)) return {};
    return magnitude > max_force ? force * (max_force / magnitude) : force;
}

} // namespace

double default_drag_stiffness(double mass) {
    const double omega = 2 * std::numbers::pi * kDragFrequency;
    return mass * omega * omega;
}

void apply_drag_forces(Simulation& simulation, SessionState& state) {
    World& world = simulation.world();
    std::erase_if(state.drags, [&](const Drag& drag) { return !world.is_valid(drag.body); });
    for (Drag& drag : state.drags) {
        drag.force = spring_force(world, drag, state.time_step);
        world.apply_force_at(drag.body, drag.force, transform(world.pose(drag.body), drag.point));
        const BodyState s = world.state(drag.body);
        const Sym3d inertia =
            rotate(to_matrix(s.orientation), world.mass_properties(drag.body).inertia);
        world.apply_torque(drag.body, inertia * s.angular_velocity * -kDragDamping);
    }
}

} // namespace rigor::viewer
