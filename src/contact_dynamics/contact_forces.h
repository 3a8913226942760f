// Contact and joint forces of an island: the forces that maintain every contact mode and joint.
#pragma once

#include "base/function_ref.h"
#include "contact_dynamics/island.h"

namespace rigor::contact_dynamics {

/// m/s: up to here a slip that ends keeps the last direction of a faster one, beyond twice as much
/// it has that of its velocity.
inline constexpr double kEndingSlip = 2.5e-9;
/// m/s: up to here a new slip has the direction of its acceleration (slip_begin.h). The two differ
/// by less than 1e-10 m/s, and to follow slower velocities the integrator would need steps of the
/// inverse of the slip.
inline constexpr double kNewSlip = 4e-6;

inline double slow_slip(const Contact& contact) {
    return contact.slip_is_new ? kNewSlip : kEndingSlip;
}

/// Forces of gravity, the caller and damping.
std::vector<SpatialVector> external_forces(const WorldState& state, const Island& island,
                                           std::span<const BodyMotion> motion);

/// The same with the forces of springs, and of drives and couples that do not hold.
std::vector<SpatialVector> known_forces(const WorldState& state, const Island& island);

struct IslandForces {
    std::vector<SpatialVector> on_bodies; ///< external ones included
    std::vector<SpatialVector> accelerations;
    std::vector<Vec3d> contacts; ///< along tangents and normal, on b
    std::vector<Vec3d> contacts_in_world;
    std::vector<double> limits;        ///< by reached limit
    std::vector<Vec3d> drives;         ///< by drive
    std::vector<Vec3d> couples;        ///< that hold, by contact, along couple_rows()
    std::vector<SpatialVector> joints; ///< by joint: on b, about its anchor
    double friction_power = 0, contact_power = 0,
           joint_power = 0; ///< of all contact normals, of all joints
    /// How far the contacts and limits are from leaving their modes, relative to the largest force:
    /// negative if one would have to pull, or friction would exceed its cone.
    double slack = 0;
    std::vector<double> slacks; ///< by contact, then by limit
    /// The same of drives and couples that hold, whose force would exceed its bound, and of joints
    /// that would break.
    double drive_slack = 0;
    /// Of admissible_forces(), relative: how far they are from keeping the modes, or outside of
    /// their cones.
    double error = 0;
};

/// Forces while every contact, limit and drive keeps its mode: one linear system [Baber 2006,
/// equation 18]. If it is underdetermined, as for a table on four legs, the least-norm solution. It
/// may pull although others do not.
IslandForces forces_in_modes(const WorldState& state, const Island& island);

/// The same where forces of least norm are such as contacts can give. Where they are not, those
/// nearest to known ones of contacts and limits, by default those that they have (Contact::force):
/// other forces of a system that is redundant, with the same effect on the bodies.
IslandForces forces_near_known(const WorldState& state, const Island& island,
                               std::span<const Vec3d> known = {});

inline constexpr double kSolved = 1e-12; ///< IslandForces::error of forces that are right

/// The same where forces of least norm are such as contacts can give. Where they are not, others
/// that are, next to those that contacts have, or else to those of the complementarity problem.
IslandForces admissible_forces(const WorldState& state, const Island& island,
                               FunctionRef<std::vector<Vec3d>()> solve_contacts);

/// Tangential relative velocity of the surfaces at a contact, b relative to a, world axes.
Vec3d slip_velocity(const ContactFrame& frame, const BodyKinematics& a, const BodyKinematics& b);

} // namespace rigor::contact_dynamics
