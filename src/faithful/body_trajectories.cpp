#include "faithful/body_trajectories.h"

#include <algorithm>

#include "contact_dynamics/free_flight.h"
#include "faithful/static_body.h"

namespace rigor::faithful {
namespace {

std::size_t index_in(const Island& island, std::uint32_t body) {
    return static_cast<std::size_t>(std::find(island.bodies.begin(), island.bodies.end(), body) -
                                    island.bodies.begin());
}

/// Bound of the angular velocity: |w| <= |L| / (smallest principal moment).
double angular_speed_bound(const BodyInertia& inertia, const BodyMotion& m) {
    return length(m.l) * max_component(inertia.inv_moments);
}

struct MotionBounds {
    double angular_speed = 0;   ///< rad/s
    double velocity_change = 0; ///< m/s: between any two times of the prediction
    Aabb<double> centers;
};

/// Bounds from the nodes of the dense output, enlarged by half for the motion between them.
MotionBounds motion_bounds(const BodyInertia& inertia, std::uint32_t body,
                           const PredictedMotion& prediction) {
    const std::size_t index = index_in(prediction.end, body);
    const BodyMotion& start = prediction.start.motion[index];
    MotionBounds bounds{0, 0, {start.x, start.x}};
    Aabb<double> velocities{start.p * inertia.inv_mass, start.p * inertia.inv_mass};
    const auto include_motion = [&](const BodyMotion& m) {
        bounds.angular_speed =
            std::max(bounds.angular_speed, 1.5 * angular_speed_bound(inertia, m));
        bounds.centers = {min(bounds.centers.lo, m.x), max(bounds.centers.hi, m.x)};
        const Vec3d v = m.p * inertia.inv_mass;
        velocities = {min(velocities.lo, v), max(velocities.hi, v)};
    };
    include_motion(start);
    for (const DenseOutputSegment& segment : prediction.dense_output) {
        include_motion(motion_at(segment, index, segment.begin));
        include_motion(motion_at(segment, index, segment.end));
    }
    include_motion(prediction.end.motion[index]);
    bounds.velocity_change = 1.5 * length(velocities.hi - velocities.lo);
    const double spread = length(bounds.centers.hi - bounds.centers.lo);
    bounds.centers = expand(bounds.centers, 0.5 * spread + 1e-6);
    return bounds;
}

/// Bounds of a parabola: those of its chord, enlarged by its sagitta a t²/8.
Aabb<double> flight_bounds(const BodyMotion& m, double inv_mass, const Vec3d& acceleration,
                           double duration) {
    const Vec3d v = m.p * inv_mass;
    const Vec3d end = m.x + v * duration + acceleration * (0.5 * duration * duration);
    const Vec3d sagitta = abs(acceleration) * (0.125 * duration * duration);
    return {min(m.x, end) - sagitta, max(m.x, end) + sagitta};
}

} // namespace

BodyTrajectories::BodyTrajectories(const WorldState& world, double step)
    : state(world),
      dt(step),
      island_of(world.bodies.slot_count(), kNone),
      flight_start(world.bodies.slot_count(), 0),
      acceleration(world.bodies.slot_count()) {
    for (std::uint32_t body = 0; body < acceleration.size(); ++body)
        acceleration[body] = free_flight_acceleration(state, body);
}

BodyMotion BodyTrajectories::motion_at(std::uint32_t body, double time) const {
    if (!is_in_island(body))
        return free_flight_motion(state, body, state.bodies.motion[body],
                                  time - flight_start[body]);
    const PredictedMotion& prediction = prediction_of(body);
    const std::size_t index = index_in(prediction.end, body);
    if (prediction.dense_output.empty() || time >= prediction.end.time)
        return prediction.end.motion[index];
    return faithful::motion_at(prediction.dense_output, index, time);
}

Vec3d BodyTrajectories::center_at(std::uint32_t body, double time) const {
    if (is_in_island(body)) return motion_at(body, time).x;
    return free_flight_center(state.bodies.motion[body], state.bodies.inertia[body].inv_mass,
                              acceleration[body], time - flight_start[body]);
}

double BodyTrajectories::start_time(std::uint32_t body) const {
    return is_in_island(body) ? prediction_of(body).start.time : flight_start[body];
}

double BodyTrajectories::end_time(std::uint32_t body) const {
    return is_in_island(body) ? prediction_of(body).end.time : dt;
}

Aabb<double> BodyTrajectories::center_bounds(std::uint32_t body) const {
    const BodyInertia& inertia = state.bodies.inertia[body];
    if (is_in_island(body)) return motion_bounds(inertia, body, prediction_of(body)).centers;
    return flight_bounds(state.bodies.motion[body], inertia.inv_mass, acceleration[body],
                         dt - flight_start[body]);
}

Trajectory BodyTrajectories::trajectory(std::uint32_t body, double radius) const {
    const BodyInertia& inertia = state.bodies.inertia[body];
    Trajectory trajectory;
    trajectory.at = [this, body](double time) { return motion_at(body, time); };
    trajectory.inv_mass = inertia.inv_mass;
    if (is_static(state, body)) return trajectory;
    if (!is_in_island(body)) {
        trajectory.acceleration = acceleration[body];
        trajectory.rotation_speed =
            angular_speed_bound(inertia, state.bodies.motion[body]) * radius;
        return trajectory;
    }
    const MotionBounds bounds = motion_bounds(inertia, body, prediction_of(body));
    trajectory.rotation_speed = bounds.angular_speed * radius;
    trajectory.velocity_change = bounds.velocity_change;
    return trajectory;
}

} // namespace rigor::faithful
