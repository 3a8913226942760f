// Swept bounding volumes, and the pairs of solids that they prove separated [Kavan 2003, 3.2].
//
// A swept (dynamic) volume holds all points of a solid at all times of a motion, translation and
// rotation. Where those of two solids do not overlap, the solids do not collide. The tighter the
// volume the fewer false overlaps, and the more it costs: bench/detection_bench.cpp compares them.
#pragma once

#include "collide/oriented_box.h"
#include "geometry/kdop.h"

namespace rigor {

/// Which volume keeps two solids apart.
enum class SweptVolume : std::uint8_t { none, aabb, oriented_box, kdop_14, kdop_18, kdop_26 };

/// The part of a motion between two fractions of it.
template <class S>
Motion<S> part_of(const Motion<S>& motion, S from, S to) {
    return {pose_at(motion, from), motion.local_center, motion.displacement * (to - from),
            motion.rotation * (to - from)};
}

/// The smaller one of two boxes: along the axes of the solid halfway, and along its displacement.
/// The solid must be bounded.
template <class S>
OrientedBox<S> swept_oriented_box(const Shape<S>& shape, const Motion<S>& motion);

/// Whether the volumes of two moving solids overlap. True also where there is nothing to compare:
/// with `none`, and for solids without bound, except a plane that does not rotate, which is
/// compared along its normal. Only relative translation counts, so that what flies side by side is
/// apart.
template <class S>
bool swept_volumes_overlap(SweptVolume volume, const Shape<S>& a, const Motion<S>& motion_a,
                           const Shape<S>& b, const Motion<S>& motion_b);

} // namespace rigor
