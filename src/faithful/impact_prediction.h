// Gap and time of impact of a pair of shapes on the trajectories of their bodies.
//
// Reads    the trajectories of both bodies and the bounds of both shapes.
// Writes   nothing.
// Order    a prediction depends on its own pair only.
//
// Two balls in free flight with the same acceleration, and a ball in free flight over a static
// plane, have closed forms (ball_impact.h). Every other pair is searched by conservative
// advancement (pair_time_of_impact.h).
#pragma once

#include "contact_dynamics/pair_prediction.h"
#include "faithful/ball_impact.h"
#include "faithful/body_trajectories.h"

namespace rigor::faithful {

class ImpactPredictor {
  public:
    ImpactPredictor(const WorldState& state, const Tolerances& tolerances,
                    const PairPredictor& pair_predictor, const BodyTrajectories& trajectories)
        : state_(state),
          tolerances_(tolerances),
          pair_predictor_(pair_predictor),
          trajectories_(trajectories) {}

    /// The gap of the motions in the world state; negative: penetration.
    double gap_at_start(const ShapePair& pair) const;
    double gap_at(const ShapePair& pair, double time) const;
    bool are_touching_at(const ShapePair& pair, double time) const {
        return gap_at(pair, time) <= tolerances_.touch_distance;
    }

    /// The first impact in the interval in which both trajectories are known.
    std::optional<double> time_of_impact(const ShapePair& pair) const;

  private:
    std::uint32_t body_of(std::uint32_t shape) const { return pair_predictor_.bound(shape).body; }
    /// Whether the gap has a closed form.
    bool has_closed_form(const ShapePair& pair) const;
    double closed_form_gap(const ShapePair& pair, const Vec3d& center_a,
                           const Vec3d& center_b) const;
    /// Seconds after `begin`.
    std::optional<double> closed_form_impact(const ShapePair& pair, double begin) const;
    BallFlight ball_flight(std::uint32_t shape, const Vec3d& image, double begin) const;
    Trajectory trajectory(std::uint32_t shape) const;

    const WorldState& state_;
    const Tolerances& tolerances_;
    const PairPredictor& pair_predictor_;
    const BodyTrajectories& trajectories_;
};

} // namespace rigor::faithful
