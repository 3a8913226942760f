// The work that the solver did on bodies, and the energy ledgers it goes into.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "fast/contact_constraints.h"

namespace rigor::fast {

/// Work on one body in a step, J. Constraints are what else its kinetic energy changed by.
struct BodyWork {
    std::uint32_t body = 0; ///< slot
    double gravity = 0, forces = 0, damping = 0, constraints = 0;
};

/// Work on all dynamic bodies that have solver bodies, J.
struct SolverWork {
    double gravity = 0, forces = 0, damping = 0, constraints = 0;
    double constraints_of_jointed = 0; ///< on bodies with joints
    std::vector<BodyWork> each;        ///< when there is a ledger for every island

    void add(const BodyWork& body, bool has_joints) {
        gravity += body.gravity;
        forces += body.forces;
        damping += body.damping;
        constraints += body.constraints;
        if (has_joints) constraints_of_jointed += body.constraints;
    }
};

/// Contacts are measured one by one. The work of joints is what else constraints did to bodies with
/// joints. Where contacts act on these, it is what constraints did to all bodies less the contacts.
void update_ledger(const SolverWork& work, std::span<const ContactConstraint> contacts,
                   bool contacts_on_joints, Ledger& ledger);

/// Joins the islands of bodies that contacts or joints connect, and adds the work to their ledgers.
/// The work of joints is what else constraints did to the islands that have some.
void update_island_ledgers(const SolverWork& work, std::span<const ContactConstraint> contacts,
                           std::span<const std::uint32_t> joints, WorldState& state);

} // namespace rigor::fast
