// Work of impulses along constraint rows, and of corrections of position.
//
// The work of an impulse is its product with the mean of the velocities before and after it, at its
// own points. That of a correction is what moving the bodies takes against gravity and against
// their rotation. Neither looks at the energy, so that a ledger of them can disagree with it.
#pragma once

#include "contact_dynamics/island.h"

namespace rigor::contact_dynamics {

/// An impulse along a row, and the entry of the ledger to which its work belongs.
struct RowImpulse {
    ConstraintRow row;
    double impulse = 0;
    double WorkLedger::*entry = &WorkLedger::joints;
};

/// The entry of the friction of a contact whose normal has this one: an impact takes both.
inline double WorkLedger::*friction_entry(double WorkLedger::*normal) {
    return normal == &WorkLedger::impact ? normal : &WorkLedger::contact_friction;
}

/// J v over the bodies that respond to impulses: the work per unit of impulse that reaches them. A
/// moving body with infinite mass takes work without keeping it.
double working_rate(const ConstraintRow& row, std::span<const BodyKinematics> bodies);

/// Work by body of impulses that act together between two instants: each at the mean of its rates.
std::vector<WorkLedger> work_of(std::span<const RowImpulse> impulses,
                                std::span<const BodyKinematics> before,
                                std::span<const BodyKinematics> after);

void apply(Island& island, const WorldState& state, std::span<const RowImpulse> impulses);
/// Applies all impulses at once. Returns their work by body.
std::vector<WorkLedger> apply_impulses(const WorldState& state,
                                       std::span<const RowImpulse> impulses, Island& island);

/// Work of displacements with momenta unchanged, from `before` to the motion of the island, by
/// body. Bodies are lifted against gravity, and a new orientation changes the velocity that belongs
/// to an angular momentum: dE = (w x L)·dθ.
std::vector<double> displacement_work(const WorldState& state, std::span<const BodyMotion> before,
                                      const Island& island);

/// Adds work by body to the ledger of the island.
void record_work(std::span<const WorkLedger> by_body, Island& island);

} // namespace rigor::contact_dynamics
