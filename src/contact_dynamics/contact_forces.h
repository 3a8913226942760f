// The forces of an island: what keeps every contact in its mode and every joint together.
#pragma once

#include "contact_dynamics/island.h"
#include "contact_dynamics/step_budget.h"

namespace rigor::contact_dynamics {

/// Of gravity, the caller and damping.
std::vector<Push> outer_forces(const WorldState& state, const Island& island,
                               std::span<const BodyMotion> motion);

struct Forces {
    std::vector<Push> on_bodies; ///< outer ones included
    std::vector<Vec3d> contacts; ///< along tangents and normal, on b
    double friction_power = 0, contact_power = 0,
           joint_power = 0; ///< of all normals, of all joints
    /// How far the contacts are from leaving their modes, relative to the largest force: negative
    /// where one would have to pull, or friction to hold more than it can.
    double slack = 0;
    std::vector<double> slacks; ///< by contact
};

/// While every contact keeps its mode: one linear system [Baber 2006, equation 18]. Where several
/// answers exist, as on four legs, the shortest.
Forces forces_in_modes(const WorldState& state, const Island& island);

/// Which contacts push, stick and slide: the complementarity problem of all. Velocities are such
/// that no contact approaches. False when there is no solution: friction drives a sliding contact
/// into the surface faster than any force could push it out (Painleve).
bool decide_modes(const WorldState& state, const Laws& laws, Island& island, Story& story);

/// Whether the modes still solve the complementarity problem; also where that cannot be told, which
/// costs most.
bool modes_hold(const WorldState& state, const Laws& laws, const Island& island, Meter& meter);

/// The forces of contacts that are to stay, by the complementarity problem, friction and all; in
/// the order of the island's contacts, along tangents and normal.
std::vector<Vec3d> cone_forces(const WorldState& state, const Laws& laws, const Island& island);

/// How the two sides of a contact slip, in the world.
Vec3d slip_velocity(const ContactFrame& frame, const BodyMoment& a, const BodyMoment& b);

} // namespace rigor::contact_dynamics
