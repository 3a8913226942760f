// Contact modes: which contacts open, stick and slide, which limits of joints push, and which
// motors and dry friction hold.
#pragma once

#include "contact_dynamics/contact_forces.h"
#include "contact_dynamics/step_budget.h"

namespace rigor::contact_dynamics {

/// Decides which contacts open, stick and slide, which limits push and which drives hold, by the
/// complementarity problem of all of them.
/// Precondition: no contact approaches. False when there is no solution: friction drives a sliding
/// contact into the surface faster than any force could separate it (Painleve).
bool decide_modes(const WorldState& state, const Laws& laws, Island& island,
                  StepStatistics& statistics);

/// Forces of contacts and limits that solved the complementarity problem where the modes were last
/// valid, and where they last were not: from one instant to the next they are positive at the same
/// contacts.
struct KnownForces {
    std::vector<Vec3d> valid, invalid;
};

/// Whether the modes still solve the complementarity problem. Also true if the solver does not
/// converge, which costs most. `known` saves time, and decides nothing.
bool modes_are_valid(const WorldState& state, const Laws& laws, const Island& island,
                     BudgetMeter& budget_meter, KnownForces& known);

/// Forces while every contact, limit and drive keeps its mode, such as contacts can give: those of
/// least norm, or if they are none, others of the complementarity problem.
IslandForces admissible_forces(const WorldState& state, const Island& island);

/// Resting contact forces with friction cones, by the complementarity problem; in the order of the
/// island's contacts, along tangents and normal.
std::vector<Vec3d> friction_cone_forces(const WorldState& state, const Laws& laws,
                                        const Island& island);

} // namespace rigor::contact_dynamics
