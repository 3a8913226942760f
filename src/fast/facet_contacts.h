// Contacts of one vertex, or of the ball around it, with several facets of a surface.
//
// A ball that rolls in a bowl of triangles touches a few of them at a time, and their normals
// hardly differ. Sweeps transfer the load from the facet behind to the facet ahead only by the
// difference of two small velocities, which takes many sweeps: meanwhile the facet behind
// accelerates the ball, and facets that share the load are stiffer than one. So where the normals
// are nearly parallel, before every substep:
//
// - the deepest facet alone is a spring; the others are rigid, at the same depth;
// - load on a facet that the vertex leaves goes to the deepest one, as much as converged sweeps
//   would transfer.
#pragma once

#include "fast/block_plan.h"
#include "fast/contact_block.h"
#include "fast/contact_events.h"
#include "fast/solver_parts.h"

namespace rigor::fast {

/// Made anew in every step, and reused to avoid allocation.
struct FacetContacts {
    struct Point {
        std::uint32_t contact = 0; ///< in the order of the contact constraints
        std::uint32_t point = 0;   ///< of its manifold
        std::uint64_t vertex = 0;  ///< identifies the side, the child and the vertex
        std::uint32_t block = 0, lane = 0;
        float separation = 0; ///< as found at the beginning of the step
    };
    /// Points [begin, end) are those of one vertex, at least two.
    struct Group {
        std::uint32_t begin = 0, end = 0;
    };

    std::vector<Point> points;
    std::vector<Group> groups;
};

/// Finds the vertices that touch several facets of one surface.
///
/// Reads    pairs, contact constraints and the places of these in blocks.
/// Writes   `facets`.
/// Order    serial, in the order of the pairs.
void find_facet_contacts(std::span<const PairConstraints> pairs,
                         std::span<const ContactConstraint> contacts, const BlockPlan& plan,
                         FacetContacts& facets);

/// Before a substep of length `h`, in the blocks of `part`.
///
/// Reads    solver bodies at the end of the last one.
/// Writes   separations and impulses of contact blocks.
/// Order    serial; groups are independent.
template <int W>
void update_facet_contacts(const FacetContacts& facets, const SolverPart& part,
                           const SolverBodies& bodies, float h, ContactBlock<W>* blocks,
                           PointBlock<W>* points);

} // namespace rigor::fast
