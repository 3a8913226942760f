// Gyroscopic torque: bodies whose inertia tensor rotates with them within a step, under joints and
// contacts.
//
// Each keeps its orientation q and angular momentum L in double. A substep of one is
//
//     L += impulses at q,   q := Φ(q, L),   w := I(q)⁻¹ L,   L += impulses at the new q ,
//
// where Φ is the free rotation by splitting (dynamics/symplectic_rotation.h). So a constraint that
// does nothing leaves the free motion as it is, and impulses are kicks between symplectic maps.
#pragma once

#include "fast/solver_bodies.h"
#include "fast/solver_parts.h"

namespace rigor::fast {

// Each function
//
// Reads    velocities of solver bodies, moments of inertia.
// Writes   turning groups; velocities, displacements and inertia of their solver bodies.
// Order    groups are independent and may run on any worker.

/// Finds the bodies that turn in this step: those with joints, and those that turn fast enough on
/// immovable bodies for a constant tensor to matter. Slow ones with different moments begin with
/// their mean_rate. `h` is the length of a substep. No group has bodies of two parts.
void find_gyroscopic_bodies(const WorldState& state, double h, double dt,
                            std::span<SolverPart> parts, SolverBodies& bodies);

/// The angular velocity of the free rotation in the middle of a step, by w' = I⁻¹ (L x w).
Vec3f mean_rate(const BodyStore& store, std::uint32_t slot, double dt);

/// The orientation near `wanted` at which a body with its angular momentum has the energy that it
/// has where it is.
Quatd with_same_energy(const BodyStore& store, std::uint32_t slot, const Quatd& wanted);

/// After forces and the impulses known so far have changed its velocity, gives each turning body
/// the steady rate that takes it to the orientation of its free rotation. So what constraints find
/// in this substep is the rotation that the body will make.
void predict_rotation(const WorldState& state, const SolverPart& part, double h,
                      SolverBodies& bodies);
/// With the impulses since, where turning bodies will be at the end of the substep.
void predict_displacements(const WorldState& state, const SolverPart& part, double h,
                           SolverBodies& bodies, SolverBody* ahead);

/// Adds the impulses since to the angular momentum, rotates by one substep, and sets the angular
/// velocity and inertia tensor of the new orientation.
void turn_bodies(const WorldState& state, const SolverPart& part, double h, SolverBodies& bodies);

/// Orientation and angular momentum of a turning body, by SolverMass::turning_number.
struct TurnedBody {
    Quatd q;
    Vec3d angular_momentum;
};
/// With the impulses since the last call of these functions.
void absorb_impulses(SolverBodies& bodies);
TurnedBody turned_body(const SolverBodies& bodies, std::size_t number);

} // namespace rigor::fast
