// Gears as rows of the system of the joints that they couple.
//
// A gear acts on up to four bodies, so it is no node of the elimination plan, whose joints have
// two. Its row G borders the matrix K = J M⁻¹ Jᵀ of the joints instead:
//
//     | K  Cᵀ | | λ |   | r |        C = G M⁻¹ Jᵀ ,    D = G M⁻¹ Gᵀ ,
//     | C  D  | | μ | = | s | ,      S = D - C K⁻¹ Cᵀ ,  S μ = s - C K⁻¹ r ,  λ = K⁻¹ (r - Cᵀ μ) .
//
// S is how gears respond with all joints held; it has as many rows as the group has gears. A group
// with gears is alone in its bundle: in the first lane. Solved one by one after the joints, gears
// made energy: 22 of 40 random mechanisms gained more than 1e-3 of theirs, and 5 more than all.
#pragma once

#include <span>

#include "fast/elimination_plan.h"
#include "fast/gear_constraints.h"
#include "fast/joint_kernels.h"

namespace rigor::fast {

/// Sets the velocities of `bodies` to those by a unit impulse along the row. Those of all bodies of
/// its system must be zero.
void push(const GearConstraint& gear, const SolverBodies& masses, SolverBody* bodies);

/// Factors the row of S of gear i, once `coupled` and `carried` of it and of those before it are
/// known: its row of C, and that times K⁻¹. `pushed` are the velocities by push().
void factor_gear(std::span<GearConstraint> gears, std::size_t i, const SolverBody* pushed);
/// Residuals, less what the joints will change of them, become impulses.
void solve_gears(std::span<GearConstraint> gears);

/// The rates that the gears should lose, as find_residuals().
void find_gear_residuals(std::span<GearConstraint> gears, const SolverBody* bodies,
                         const JointSolveSettings& settings);
/// And those by which redundant ones give way.
void add_compliance(std::span<GearConstraint> gears, const JointSolveSettings& settings);
/// As find_errors_ahead(). Returns the largest as the square of an angle.
float find_gear_errors_ahead(std::span<GearConstraint> gears, const SolverBodies& bodies,
                             const SolverBody* ahead, const JointSolveSettings& settings);
/// Applies the impulses that were found, with the opposite sign.
void subtract_gear_impulses(std::span<GearConstraint> gears, SolverBodies& bodies);

} // namespace rigor::fast
