// Distance of two convex cores by the Gilbert-Johnson-Keerthi algorithm (GJK) [Gilbert 1988].
//
// A simplex of points of the Minkowski difference A - B moves toward the origin. Its nearest point
// v gives an upper bound |v| of the distance, the supporting plane normal to v a lower one,
// v·w/|v|; when they agree to rounding, both are the distance. So a result carries its own proof,
// and an iteration that rounding stops knows its error.
#pragma once

#include <limits>

#include "collide/simplex.h"
#include "math/tolerances.h"

namespace rigor {

/// Cores nearer than this, in units of the pair, count as touching: the direction between them has
/// an error of epsilon over this. EPA takes it from faces, with an error of at most this distance
/// when the cores do not quite touch. 1e-12 in double, 8e-6 in float.
template <class S>
inline constexpr S kTouching = (sizeof(S) == sizeof(double) ? S(4096) : S(64)) * kEpsilon<S>;

/// Bounds that differ by less, in units of the pair, have converged: 1e-11 in double, 3e-5 in
/// float. Polytopes end within a few rounding errors; on curved cores the simplex gets so small
/// that the last digits of the lower bound are lost, though not those of the distance.
template <class S>
inline constexpr S kConverged = sizeof(S) == sizeof(double) ? S(1e-11) : S(3e-5);

/// All lengths in units of the pair.
template <class S>
struct Gjk {
    Simplex<S> simplex; ///< reduced; four points when it contains the origin
    Vec3<S> v;          ///< nearest point of the difference, from B's witness to A's
    S distance{};       ///< |v|
    S lower_bound{};    ///< of the distance, proved by a separating plane when positive
    int iterations = 0; ///< support points evaluated
    bool overlap = false;
    bool converged = false; ///< false also when it stopped early, beyond `far`
};

inline constexpr int kMaxGjkIterations = 128;

/// Starts from the given points of the difference, if there are any. Stops early when the distance
/// is certainly more than `far`.
template <class S>
Gjk<S> gjk(CorePair<S>& pair, const Simplex<S>& start = {},
           S far = std::numeric_limits<S>::infinity());

} // namespace rigor
