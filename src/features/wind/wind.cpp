// Wind: the velocity of the air, and the drag on the bodies in it.
#include "rigor/wind.h"

#include <algorithm>
#include <cmath>

#include "rigor/world.h"

namespace rigor {
namespace {

constexpr double kLeastToWake = 0.1; // of the weight

Error bad(const char* where, const char* rule) {
    return {ErrorCode::invalid_value, where, rule};
}

bool is_positive(double x) {
    return x > 0 && std::isfinite(x);
}

Vec3d whirl_velocity(const WhirlDef& whirl, const Vec3d& point) {
    const Vec3d axis = normalize(whirl.axis), from_foot = point - whirl.center;
    const double z = dot(from_foot, axis);
    const Vec3d outward = from_foot - axis * z; // its length is r
    const double r = length(outward), share = r / whirl.radius;
    // Around and inward: r/R up to the radius, R/r beyond. What is divided by r is left out.
    const double profile = share < 1 ? 1 / whirl.radius : whirl.radius / (r * r);
    const double up = whirl.updraft / ((1 + share * share) * (1 + share * share));
    const double top = std::clamp(3 - 2 * z / whirl.height, 0.0, 1.0);
    return (cross(axis, outward) * (whirl.speed * profile) - outward * (whirl.inflow * profile) +
            axis * up) *
           top;
}

/// Of a box seen along a direction.
double area_along(const Bounds& box, const Vec3d& direction) {
    const Vec3d size = box.hi - box.lo;
    return std::abs(direction.x) * size.y * size.z + std::abs(direction.y) * size.x * size.z +
           std::abs(direction.z) * size.x * size.y;
}

} // namespace

Result<void> check_wind(const WindDef& wind) {
    if (!is_finite(wind.velocity)) return bad("wind.velocity", "must be finite");
    if (!is_positive(wind.density)) return bad("wind.density", "must be positive");
    if (!is_positive(wind.drag_coefficient))
        return bad("wind.drag_coefficient", "must be positive");
    if (!wind.whirl) return {};
    const WhirlDef& whirl = *wind.whirl;
    if (!is_finite(whirl.center)) return bad("wind.whirl.center", "must be finite");
    if (!is_finite(whirl.axis) || whirl.axis == Vec3d{})
        return bad("wind.whirl.axis", "must be finite and not zero");
    if (!is_positive(whirl.radius)) return bad("wind.whirl.radius", "must be positive");
    if (!is_positive(whirl.height)) return bad("wind.whirl.height", "must be positive");
    for (const double x : {whirl.speed, whirl.inflow, whirl.updraft})
        if (!std::isfinite(x)) return bad("wind.whirl", "must have finite speeds");
    return {};
}

Vec3d wind_velocity(const WindDef& wind, const Vec3d& point) {
    return wind.whirl ? wind.velocity + whirl_velocity(*wind.whirl, point) : wind.velocity;
}

void apply_wind(World& world, const WindDef& wind, double dt) {
    const double gravity = length(world.settings().gravity);
    for (const BodyId id : world.bodies()) {
        if (world.type(id) != BodyType::dynamic_body || world.is_quarantined(id)) continue;
        const BodyState state = world.state(id);
        const Vec3d u = wind_velocity(wind, state.position) - state.velocity;
        const double speed = length(u);
        if (!(speed > 0)) continue;
        const double mass = world.mass_properties(id).mass;
        const double area = area_along(world.bounds(id), u / speed);
        const double rate = 0.5 * wind.density * wind.drag_coefficient * area * speed / mass;
        // Implicit, so that light bodies take the velocity of the air and never more.
        const Vec3d force = u * (mass * rate / (1 + rate * dt));
        if (!world.is_awake(id) && length(force) < kLeastToWake * mass * gravity) continue;
        world.apply_force(id, force);
    }
}

} // namespace rigor
