// From manifolds to blocks of rows, and their impulses back.
#pragma once

#include <span>

#include "fast/body_rows.h"
#include "fast/contact_block.h"
#include "fast/contact_pair.h"
#include "fast/soft.h"

namespace rigor::fast {

/// A manifold that is to be solved, in world axes, with the bodies that it pushes.
struct ContactRow {
    Touch* touch = nullptr;
    const ContactPair* pair = nullptr;
    std::uint32_t row_a = 0, row_b = 0;
    int count = 0;                       ///< of points
    float friction = 0, restitution = 0; ///< as they are in this step
    Vec3f drag;                          ///< of the surface of a against that of b, in the world
};

/// What came of it: for events.
struct ContactResult {
    float impulse = 0;       ///< along the normal, of the whole step
    float approach = 0;      ///< the fastest of the points that pushed, m/s
    std::uint32_t point = 0; ///< which
    float normal_work = 0, friction_work = 0, impact_work = 0; ///< J
};

/// What is the same for all contacts of a step.
struct ContactSoftness {
    Softness moving; ///< both answer to impulses
    Softness fixed;  ///< only one does
    float ahead = 0; ///< half of the step, s
};

/// Fills lane `lane` of a block, but for what finish_blocks() computes for all lanes at once.
/// `points` are those of all blocks.
template <int W>
void fill_lane(ContactBlock<W>& block, PointBlock<W>* points, std::size_t lane,
               const ContactRow& contact, const BodyRows& bodies, const ContactSoftness& softness);

/// A block of which no lane does anything, with room for points from `first_point` on.
template <int W>
void start_block(ContactBlock<W>& block, PointBlock<W>* points, std::uint32_t first_point,
                 int point_count);

/// Puts the impulses of a lane back where the next step finds them.
template <int W>
ContactResult keep_impulses(const ContactBlock<W>& block, const PointBlock<W>* points,
                            std::size_t lane, const ContactRow& contact);

} // namespace rigor::fast
