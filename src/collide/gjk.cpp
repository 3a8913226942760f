#include "collide/gjk.h"

namespace rigor {
namespace {

template <class S>
Simplex<S> first_simplex(CorePair<S>& pair) {
    const Vec3<S>& offset = pair.offset();
    Simplex<S> simplex;
    simplex.add(pair.support(offset == Vec3<S>{} ? Vec3<S>{S(1), S(0), S(0)} : offset));
    return simplex;
}

template <class S>
bool holds(const Simplex<S>& simplex, const Vec3<S>& w) {
    for (std::size_t i = 0; i < static_cast<std::size_t>(simplex.count); ++i) {
        if (simplex.points[i].w == w) return true;
    }
    return false;
}

/// Adds a point and moves on to the new nearest one. False, and nothing changed, when that is no
/// nearer: then rounding has the last word.
template <class S>
bool advance(Gjk<S>& state, const DifferencePoint<S>& point) {
    if (holds(state.simplex, point.w)) return false;
    Simplex<S> next = state.simplex;
    next.add(point);
    const Vec3<S> v = reduce_to_nearest(next);
    const S distance = length(v);
    // A solid around the origin contradicts a plane that keeps the origin out.
    const bool contradiction = next.count == 4 && state.lower_bound > kTouching<S>;
    if (contradiction || !(distance < state.distance)) return false;
    state.simplex = next;
    state.v = v;
    state.distance = distance;
    return true;
}

} // namespace

template <class S>
Gjk<S> gjk(CorePair<S>& pair, const Simplex<S>& start, S far) {
    Gjk<S> state;
    state.simplex = start.count > 0 ? start : first_simplex(pair);
    state.v = reduce_to_nearest(state.simplex);
    state.distance = length(state.v);
    state.lower_bound = -std::numeric_limits<S>::infinity();
    while (state.iterations < kMaxGjkIterations) {
        if (!(state.distance > kTouching<S>)) {
            state.overlap = state.converged = true;
            return state;
        }
        const DifferencePoint<S> point = pair.support(-state.v);
        ++state.iterations;
        state.lower_bound = std::max(state.lower_bound, dot(state.v, point.w) / state.distance);
        if (state.lower_bound > far) return state;
        const S gap = state.distance - state.lower_bound;
        if (!(gap > S(4) * kEpsilon<S>) || !advance(state, point)) break;
    }
    state.converged = state.distance - state.lower_bound <= kConverged<S>;
    return state;
}
template Gjk<float> gjk(CorePair<float>&, const Simplex<float>&, float);
template Gjk<double> gjk(CorePair<double>&, const Simplex<double>&, double);

} // namespace rigor
