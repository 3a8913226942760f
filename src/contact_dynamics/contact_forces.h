// Contact and joint forces of an island: the forces that maintain every contact mode and joint.
#pragma once

#include "contact_dynamics/island.h"
#include "contact_dynamics/step_budget.h"

namespace rigor::contact_dynamics {

/// Forces of gravity, the caller and damping.
std::vector<SpatialVector> external_forces(const WorldState& state, const Island& island,
                                           std::span<const BodyMotion> motion);

struct IslandForces {
    std::vector<SpatialVector> on_bodies; ///< external ones included
    std::vector<Vec3d> contacts;          ///< along tangents and normal, on b
    double friction_power = 0, contact_power = 0,
           joint_power = 0; ///< of all contact normals, of all joints
    /// How far the contacts are from leaving their modes, relative to the largest force: negative
    /// if one would have to pull, or friction would exceed its cone.
    double slack = 0;
    std::vector<double> slacks; ///< by contact
};

/// Forces while every contact keeps its mode: one linear system [Baber 2006, equation 18]. If it is
/// underdetermined, as for a table on four legs, the least-norm solution.
IslandForces forces_in_modes(const WorldState& state, const Island& island);

/// Decides which contacts open, stick and slide by the complementarity problem of all contacts.
/// Precondition: no contact approaches. False when there is no solution: friction drives a sliding
/// contact into the surface faster than any force could separate it (Painleve).
bool decide_modes(const WorldState& state, const Laws& laws, Island& island,
                  StepStatistics& statistics);

/// Whether the modes still solve the complementarity problem. Also true if the solver does not
/// converge, which costs most.
bool modes_are_valid(const WorldState& state, const Laws& laws, const Island& island,
                     BudgetMeter& budget_meter);

/// Resting contact forces with friction cones, by the complementarity problem; in the order of the
/// island's contacts, along tangents and normal.
std::vector<Vec3d> friction_cone_forces(const WorldState& state, const Laws& laws,
                                        const Island& island);

/// Tangential relative velocity at a contact, b relative to a, world axes.
Vec3d slip_velocity(const ContactFrame& frame, const BodyKinematics& a, const BodyKinematics& b);

} // namespace rigor::contact_dynamics
