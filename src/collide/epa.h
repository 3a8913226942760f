// How deep two cores overlap: the expanding polytope algorithm [van den Bergen 2001].
//
// A polytope inside the difference A - B grows toward its surface, always at the face whose plane
// is nearest to the origin. That plane's distance is a lower bound of the depth, the parallel
// plane that supports the difference an upper one. When they meet, the face is part of the
// surface and its normal the shortest way out.
//
// Three things keep it from failing where textbooks' versions do:
// - Distances of faces are signed, so the polytope need not hold the origin from the start. Cores
//   that just touch, or miss each other by rounding, are nothing special.
// - It starts from a tetrahedron as wide as the difference allows. Is there none, the difference
//   is flat, its depth is zero, and the way out is across it.
// - Whatever goes wrong later (faces too thin for a normal, no room for more), the answer is the
//   nearest supporting plane met so far, brought nearer still by a search around its direction: a
//   way out in any case. No room is left for curved cores almost centered in each other, where
//   nearly all directions are equally short.
#pragma once

#include "collide/gjk.h"

namespace rigor {

inline constexpr int kMaxEpaVertices = 160;

/// All lengths in units of the pair.
template <class S>
struct Epa {
    Vec3<S> normal;         ///< unit, from A to B: moving B by depth along it parts the cores
    S depth{};              ///< may be negative by rounding
    S lower_bound{};        ///< of the depth
    Vec3<S> point_a;        ///< deepest point of A in B, in A's frame
    Vec3<S> point_b;        ///< deepest point of B in A, in A's frame
    int iterations = 0;     ///< support points asked for
    bool converged = false; ///< both bounds have met; else `depth` is a bound from above
};

/// For cores that overlap or touch. `touching` is the simplex that GJK ended with.
template <class S>
Epa<S> epa(CorePair<S>& pair, const Simplex<S>& touching);

} // namespace rigor
