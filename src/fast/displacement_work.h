// Work of displacements: energy that constraints add by moving bodies beyond the motion of their
// momenta.
//
// The impulses P of a substep take a body from the velocity v⁻ to v⁺ and work P·(v⁻ + v⁺)/2, which
// is exact for all of them together. But the body moves by the velocity v° that it has in between,
// with the part P₁ of the impulses, those that correct penetration and drift among them. Gravity g
// works by that motion. Where it acts before the motion, as on bodies with contacts,
//
//     m g·h (v⁻ + v⁺)/2 - m g·h v° = h g·(P - P₁) + m g·h (v⁻ - v⁺)/2 ,
//
// and where half of it acts after, as on bodies with smooth joints alone, = h g·(P/2 - P₁). So the
// lift -h g·P₁ + h g·P, or half of that, is work of the constraint. The rest adds up to a bound:
// it is the first order of the method, and stays in the remainder of the ledger.
//
// Likewise a turning body has the angular velocity w° before it turns and w° + c after, by its free
// rotation: (P/2 - P₁)·c is work of the constraint.
#pragma once

#include "fast/contact_block.h"
#include "fast/gear_constraints.h"
#include "fast/joint_block.h"
#include "fast/solver_bodies.h"

namespace rigor::fast {

/// Call before_motion with the impulses P₁ of the substep, and end_of_substep with all, P. For
/// contacts the kernels do the lift.
enum class SubstepPlace { before_motion, end_of_substep };

template <int W>
void add_displacement_work(ContactBlock<W>& block, const PointBlock<W>* points,
                           const SolverBodies& bodies, SubstepPlace place);
template <int W>
void add_displacement_work(JointBlock<W>* blocks, std::size_t count, const SolverBodies& bodies,
                           float h, SubstepPlace place);
void add_displacement_work(GearConstraint& gear, const SolverBodies& bodies, float h,
                           SubstepPlace place);

} // namespace rigor::fast
