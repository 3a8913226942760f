// Advances an island in time through the events between its own bodies.
#pragma once

#include <memory>

#include "contact_dynamics/island.h"
#include "contact_dynamics/step_budget.h"
#include "faithful/reference_rotation.h"
#include "numeric/ode.h"

namespace rigor::faithful {

using namespace contact_dynamics;

/// Dense output of one integrator step: the motion of all bodies of an island as polynomials.
struct DenseOutputSegment {
    double begin = 0, end = 0;
    DenseStep dense;
    std::shared_ptr<const ReferenceRotation> reference; ///< from which rotations are counted
};
using DenseOutput = std::vector<DenseOutputSegment>;

/// The motion of body `index` of the island at a time of its dense output.
BodyMotion motion_at(const DenseOutput& dense_output, std::size_t index, double time);
BodyMotion motion_at(const DenseOutputSegment& segment, std::size_t index, double time);

/// Adds what the forces of contacts at rest transmit in a time.
void add_resting_impulses(const WorldState& state, double duration, Island& island);

/// Integrates an island to a time and resolves the events between its own bodies. Dense output is
/// appended on request. Ends early when the budget is exhausted.
void advance_island(const WorldState& state, const Laws& laws, double until, Island& island,
                    StepStatistics& statistics, BudgetMeter& budget_meter,
                    DenseOutput* dense_output = nullptr);

} // namespace rigor::faithful
