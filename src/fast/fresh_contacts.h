// Contacts of fast rotating bodies, detected again in every substep.
//
// The contact of a rolling disk moves along its rim, and a rolling faceted egg lands on vertices
// that were not near at the beginning of the step. With the contact points of that time the load
// acts behind the body and accelerates it, or there is no contact where it lands. So for a body
// that rotates by more than a small angle in a step, and touches a single immovable shape only,
// points and normal are those of the middle of each substep.
#pragma once

#include "fast/block_plan.h"
#include "fast/collision_shape_cache.h"
#include "fast/contact_block.h"
#include "fast/contact_constraints.h"

namespace rigor::fast {

/// Made anew in every step, and reused to avoid allocation.
struct FreshContacts {
    struct Contact {
        std::uint32_t contact = 0; ///< in the order of the contact constraints
        std::uint32_t block = 0, lane = 0;
        int capacity = 0; ///< points that its lane has
    };
    std::vector<Contact> contacts;
    std::vector<std::uint8_t> counts; ///< of contacts, by solver body
};

/// Finds the contacts of bodies that turn fast.
///
/// Reads    contact constraints, solver bodies, the places of contacts in blocks.
/// Writes   `fresh`.
/// Order    serial.
void find_fresh_contacts(std::span<const ContactConstraint> contacts, const SolverBodies& bodies,
                         const BlockPlan& plan, double dt, FreshContacts& fresh);

/// Before a substep of length `h`.
///
/// Reads    shapes, and solver bodies at the end of the last substep.
/// Writes   manifolds, and their lanes of contact blocks.
/// Order    serial; contacts are independent.
template <int W>
void update_fresh_contacts(const FreshContacts& fresh, const CollisionShapeCache& shapes,
                           std::span<ContactConstraint> contacts, const SolverBodies& bodies,
                           float h, ContactBlock<W>* blocks, PointBlock<W>* points);

} // namespace rigor::fast
