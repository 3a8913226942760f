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

/// Finds the bodies that turn in this step: those with joints, and those that turn fast enough for
/// a constant tensor to matter.
void find_turning_bodies(const WorldState& state, SolverBodies& bodies);

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
