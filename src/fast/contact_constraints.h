// Fills contact blocks from manifolds, and stores their impulses back.
#pragma once

#include "fast/contact_block.h"
#include "fast/contact_pair.h"
#include "fast/soft_constraint.h"
#include "fast/solver_bodies.h"

namespace rigor::fast {

/// A manifold in this step, with the solver bodies it acts on, and what came of it.
struct ContactConstraint {
    ContactManifold* manifold = nullptr;
    const ContactPair* pair = nullptr;
    SolverBodyIndex body_a, body_b;
    int count = 0;                       ///< of points
    float friction = 0, restitution = 0; ///< in this step
    float kinetic_friction = 0;          ///< while it slides; `friction` while it sticks
    Vec3f surface_velocity;              ///< of A relative to B, world axes
    Vec3f tangent;                       ///< of friction with a grain: its first axis
    float tangent_scale = 1;             ///< its factor along that axis

    // Set by store_impulses(), for events and ledgers.
    float total_impulse = 0;         ///< along the normal, of the whole step
    float approach_speed = 0;        ///< the fastest of the points with an impulse, m/s
    std::uint32_t fastest_point = 0; ///< of those
    float normal_work = 0, friction_work = 0, impact_work = 0; ///< J
};

/// What is the same for all contacts of a part.
struct ContactSoftness {
    Softness dynamic;        ///< both bodies respond to impulses
    Softness immovable;      ///< only one does
    float predict_ahead = 0; ///< half of the step, s: see AnchorPrediction
    float divisions = 1;     ///< of each substep: impulses are kept for whole ones
};

/// Whether a contact needs a SurfaceBlock.
inline bool has_surface(const ContactConstraint& contact) {
    return contact.tangent_scale != 1 || contact.manifold->surface.rolling != 0 ||
           contact.kinetic_friction != contact.friction;
}

/// A block of which no lane does anything, with points from `first_point` on. A `surface` is needed
/// if has_surface() of a contact.
template <int W>
void reset_block(ContactBlock<W>& block, PointBlock<W>* points, std::uint32_t first_point,
                 int point_count, SurfaceBlock<W>* surface = nullptr);

/// Fills a lane of a block, but for what prepare_blocks() computes for all lanes at once.
/// `points` are those of all blocks.
template <int W>
void fill_lane(ContactBlock<W>& block, PointBlock<W>* points, std::size_t lane,
               const ContactConstraint& contact, const SolverBodies& bodies,
               const ContactSoftness& softness);

/// Copies the inertia of turning bodies as it is now.
template <int W>
void update_inertia(ContactBlock<W>& block, const SolverBodies& bodies);

/// Stores the impulses of a lane in its manifold, for the next warm start, and the results in its
/// constraint. `divisions` are those of each substep.
template <int W>
void store_impulses(const ContactBlock<W>& block, const PointBlock<W>* points, std::size_t lane,
                    ContactConstraint& contact, float divisions = 1);

} // namespace rigor::fast
