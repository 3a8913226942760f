// Bodies whose inertia tensor turns with them while joints and contacts act.
//
// Each keeps its orientation q and angular momentum L in double. A substep of one is
//
//     L += impulses at q,   q := Φ(q, L),   w := I(q)⁻¹ L,   L += impulses at the new q ,
//
// where Φ is the free rotation by splitting (dynamics/symplectic_rotation.h). So a constraint that
// does nothing leaves the free motion as it is, and impulses are kicks between symplectic maps.
#pragma once

#include "fast/solver_bodies.h"

namespace rigor::fast {

/// Finds the bodies that turn in this step: those with a few joints, and those that turn fast.
/// Others keep their tensor, and their solver bodies get the mean_rate(). `h` is the length of a
/// substep.
void find_turning_bodies(const WorldState& state, double h, double dt, SolverBodies& bodies);

/// The angular velocity of the free rotation in the middle of the step: w' = I⁻¹ (L x w).
Vec3f mean_rate(const BodyStore& store, std::uint32_t slot, double dt);

/// After forces and the impulses known so far have changed its velocity, gives each turning body
/// the steady rate that takes it to the orientation of its free rotation. So what constraints find
/// in this substep is the rotation that the body will make.
void predict_rotation(const WorldState& state, double h, SolverBodies& bodies);

/// Adds the impulses since to the angular momentum, rotates by one substep, and sets the angular
/// velocity and inertia tensor of the new orientation.
void turn_bodies(const WorldState& state, double h, SolverBodies& bodies);

/// Adds the impulses since the last call of these functions to the angular momentum.
void absorb_impulses(const WorldState& state, const SolverBody& body, std::uint32_t slot,
                     TurningBody& turning);

} // namespace rigor::fast
