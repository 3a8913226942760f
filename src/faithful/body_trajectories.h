// Trajectories of all bodies of a step, which give the motion of a body now and as predicted.
//
// A body is either in free flight, with a closed form from its last event to the end of the step,
// or in an island, with the dense output of the island's prediction up to its horizon.
#pragma once

#include <optional>
#include <vector>

#include "faithful/pair_time_of_impact.h"
#include "faithful/predicted_motion.h"

namespace rigor::faithful {

struct BodyTrajectories {
    /// All bodies are in free flight at first.
    BodyTrajectories(const WorldState& state, double dt);

    bool is_in_island(std::uint32_t body) const { return island_of[body] != kNone; }
    const PredictedMotion& prediction_of(std::uint32_t body) const {
        return *predictions[island_of[body]];
    }

    BodyMotion motion_at(std::uint32_t body, double time) const;
    Vec3d center_at(std::uint32_t body, double time) const;
    /// The last event of the body, or the start of the step.
    double start_time(std::uint32_t body) const;
    /// The time up to which the trajectory is known.
    double end_time(std::uint32_t body) const;

    /// Bounds the path of the center of mass from now to end_time().
    Aabb<double> center_bounds(std::uint32_t body) const;
    /// Motion with bounds on its velocity. `radius` is the distance from the center of mass to the
    /// farthest surface point that rotation moves.
    Trajectory trajectory(std::uint32_t body, double radius) const;

    const WorldState& state; ///< holds the motion of every body in free flight at flight_start
    double dt;
    bool records_motion = false; ///< new islands keep a trace
    // By slot of the body:
    std::vector<std::uint32_t> island_of; ///< index in predictions, or kNone in free flight
    std::vector<double> flight_start;     ///< s: start of the free flight
    std::vector<Vec3d> acceleration;      ///< in free flight
    /// Empty entries were merged into another island, or released to free flight.
    std::vector<std::optional<PredictedMotion>> predictions;
};

} // namespace rigor::faithful
