#include "faithful/impact_prediction.h"

#include <algorithm>

#include "contact_dynamics/contact_detection.h"

namespace rigor::faithful {

using ShapeBound = PairPredictor::ShapeBound;

double ImpactPredictor::gap_at_start(const ShapePair& pair) const {
    const BodyMotion &a = state_.bodies.motion[body_of(pair.a)],
                     &b = state_.bodies.motion[body_of(pair.b)];
    return has_closed_form(pair) ? closed_form_gap(pair, a.x, b.x)
                                 : separation(state_, pair, a, b).gap;
}

double ImpactPredictor::gap_at(const ShapePair& pair, double time) const {
    const std::uint32_t a = body_of(pair.a), b = body_of(pair.b);
    if (has_closed_form(pair))
        return closed_form_gap(pair, trajectories_.center_at(a, time),
                               trajectories_.center_at(b, time));
    return separation(state_, pair, trajectories_.motion_at(a, time),
                      trajectories_.motion_at(b, time))
        .gap;
}

std::optional<double> ImpactPredictor::time_of_impact(const ShapePair& pair) const {
    const std::uint32_t a = body_of(pair.a), b = body_of(pair.b);
    const double begin = std::max(trajectories_.start_time(a), trajectories_.start_time(b));
    const double end = std::min(trajectories_.end_time(a), trajectories_.end_time(b));
    if (begin >= end) return std::nullopt;
    if (has_closed_form(pair) && !trajectories_.is_in_island(a) && !trajectories_.is_in_island(b)) {
        const std::optional<double> after = closed_form_impact(pair, begin);
        if (!after || begin + *after >= end) return std::nullopt;
        return begin + *after;
    }
    return first_time_of_impact(state_, pair, trajectory(pair.a), trajectory(pair.b), begin, end,
                                tolerances_.touch_distance);
}

bool ImpactPredictor::has_closed_form(const ShapePair& pair) const {
    const ShapeBound &a = pair_predictor_.bound(pair.a), &b = pair_predictor_.bound(pair.b);
    if (!a.is_ball) return a.plane && b.is_ball;
    if (!b.is_ball) return b.plane.has_value();
    return trajectories_.acceleration[a.body] == trajectories_.acceleration[b.body];
}

double ImpactPredictor::closed_form_gap(const ShapePair& pair, const Vec3d& center_a,
                                        const Vec3d& center_b) const {
    const ShapeBound &a = pair_predictor_.bound(pair.a), &b = pair_predictor_.bound(pair.b);
    const Vec3d image = image_of(state_, pair);
    if (a.plane) return height_over(*a.plane, center_b + image) - b.radius;
    if (b.plane) return height_over(*b.plane, center_a - image) - a.radius;
    return length(center_b + image - center_a) - a.radius - b.radius;
}

std::optional<double> ImpactPredictor::closed_form_impact(const ShapePair& pair,
                                                          double begin) const {
    const double touch = tolerances_.touch_distance, slow = tolerances_.slip_speed;
    const Vec3d image = image_of(state_, pair);
    if (const auto& plane = pair_predictor_.bound(pair.a).plane)
        return plane_impact_time(ball_flight(pair.b, image, begin), *plane, touch, slow);
    if (const auto& plane = pair_predictor_.bound(pair.b).plane)
        return plane_impact_time(ball_flight(pair.a, -image, begin), *plane, touch, slow);
    return ball_impact_time(ball_flight(pair.a, {}, begin), ball_flight(pair.b, image, begin),
                            touch, slow);
}

BallFlight ImpactPredictor::ball_flight(std::uint32_t shape, const Vec3d& image,
                                        double begin) const {
    const std::uint32_t body = body_of(shape);
    const BodyMotion& m = state_.bodies.motion[body];
    const Vec3d a = trajectories_.acceleration[body];
    const double elapsed = begin - trajectories_.flight_start[body];
    return {trajectories_.center_at(body, begin) + image,
            m.p * state_.bodies.inertia[body].inv_mass + a * elapsed, a,
            pair_predictor_.bound(shape).radius};
}

Trajectory ImpactPredictor::trajectory(std::uint32_t shape) const {
    const ShapeBound& bound = pair_predictor_.bound(shape);
    return trajectories_.trajectory(bound.body, bound.is_ball ? 0 : bound.radius);
}

} // namespace rigor::faithful
