// Penetration depth and direction of two cores: the expanding polytope algorithm (EPA) [van den
// Bergen 2001].
//
// A polytope inside the Minkowski difference A - B grows toward its surface, always at the face
// whose plane is nearest to the origin. That plane's distance is a lower bound of the depth, the
// parallel supporting plane an upper one. When they agree, the face is part of the surface and its
// normal the direction of minimum translation.
//
// It is robust where textbook versions fail:
// - Distances of faces are signed, so the polytope need not contain the origin from the start.
// Cores that just touch, or are separated by rounding, are no special case.
// - It starts from a tetrahedron as large as the difference allows. If there is none, the
// difference is flat, its depth is zero, and the direction is normal to it.
// - If it fails later (faces too thin for a normal, storage exhausted), the result is the nearest
// supporting plane found, improved by a search around its direction: a valid separating translation
// in any case. Storage runs out for curved cores almost centered in each other, where nearly all
// directions are equally short.
#pragma once

#include "collide/gjk.h"

namespace rigor {

inline constexpr int kMaxEpaVertices = 160;

/// All lengths in units of the pair.
template <class S>
struct Epa {
    Vec3<S> normal;         ///< unit, from A to B: moving B by depth along it separates the cores
    S depth{};              ///< may be negative by rounding
    S lower_bound{};        ///< of the depth
    Vec3<S> point_a;        ///< deepest point of A in B, in A's frame
    Vec3<S> point_b;        ///< deepest point of B in A, in A's frame
    int iterations = 0;     ///< support points evaluated
    bool converged = false; ///< both bounds agree; else `depth` is an upper bound
};

/// For cores that overlap or touch. `touching` is the simplex that GJK ended with.
template <class S>
Epa<S> epa(CorePair<S>& pair, const Simplex<S>& touching);

} // namespace rigor
