#include "collide/gjk.h"

namespace rigor {
namespace {

template <class S>
Simplex<S> first_simplex(CorePair<S>& pair) {
    const Vec3<S> toward = pair.between_middles();
    Simplex<S> simplex;
    simplex.add(pair.support(toward == Vec3<S>{} ? Vec3<S>{S(1), S(0), S(0)} : toward));
    return simplex;
}

template <class S>
bool holds(const Simplex<S>& simplex, const Vec3<S>& w) {
    for (std::size_t i = 0; i < static_cast<std::size_t>(simplex.count); ++i) {
        if (simplex.points[i].w == w) return true;
    }
    return false;
}

template <class S>
void move_to(Gjk<S>& state, const NearestPart<S>& part, S distance) {
    keep(state.simplex, part);
    state.v = part.v;
    state.distance = distance;
}

/// Adds a point and computes the new nearest one. False, and nothing changed, when that is no
/// nearer: then the limit of rounding is reached. An error of the direction changes the distance
/// only by its square, so a few steps that improve only the direction are allowed.
template <class S>
bool advance(Gjk<S>& state, const DifferencePoint<S>& point, int& idle_steps) {
    if (holds(state.simplex, point.w)) return false;
    state.simplex.add(point);
    const NearestPart<S> part = nearest_part(state.simplex);
    const S distance = std::sqrt(part.distance_squared);
    // A simplex around the origin contradicts a plane that separates the origin.
    const bool contradiction = part.count == 4 && state.lower_bound > kTouching<S>;
    if (!(distance < state.distance)) --idle_steps;
    if (contradiction || idle_steps < 0 || distance > state.distance + kEpsilon<S>) {
        --state.simplex.count;
        return false;
    }
    move_to(state, part, distance);
    return true;
}

/// Error of the lower bound when the direction of v is only known to rounding: a plane rotated by
/// an angle loses that angle times the extent.
template <class S>
S direction_noise(S distance) {
    return S(2) * kEpsilon<S> / distance;
}

template <class S>
Gjk<S> iterate(CorePair<S>& pair, const Simplex<S>& start, S far) {
    Gjk<S> state;
    state.simplex = start;
    const NearestPart<S> first = nearest_part(start);
    move_to(state, first, std::sqrt(first.distance_squared));
    state.lower_bound = -std::numeric_limits<S>::infinity();
    int idle_steps = 3;
    while (state.iterations < kMaxGjkIterations) {
        if (!(state.distance > kTouching<S>)) {
            state.overlap = state.converged = true;
            return state;
        }
        const DifferencePoint<S> point = pair.support(-state.v);
        ++state.iterations;
        // The best bound so far proves the distance; that of v itself proves its direction.
        const S bound = dot(state.v, point.w) / state.distance;
        state.lower_bound = std::max(state.lower_bound, bound);
        if (state.lower_bound > far) return state;
        if (!(state.distance - bound > S(4) * kEpsilon<S>) || !advance(state, point, idle_steps))
            break;
    }
    state.converged =
        state.distance - state.lower_bound <= kConverged<S> + direction_noise(state.distance);
    // Stuck so close that no plane proves them separated: counts as touching.
    state.overlap = !(state.lower_bound > S(0)) && state.distance < kConverged<S>;
    return state;
}

// On curved cores a simplex can get too thin to continue before the bounds converge. Restarting
// from the support point along its normal nearly always helps.
template <class S>
void try_again(CorePair<S>& pair, S far, Gjk<S>& best) {
    Simplex<S> start;
    start.add(pair.support(-best.v));
    Gjk<S> second = iterate(pair, start, far);
    second.iterations += best.iterations;
    if (second.converged || second.distance < best.distance) best = second;
}

} // namespace

template <class S>
Gjk<S> gjk(CorePair<S>& pair, const Simplex<S>& start, S far) {
    Gjk<S> best =
        start.count > 0 ? iterate(pair, start, far) : iterate(pair, first_simplex(pair), far);
    if (!best.converged && !(best.lower_bound > far)) try_again(pair, far, best);
    return best;
}
template Gjk<float> gjk(CorePair<float>&, const Simplex<float>&, float);
template Gjk<double> gjk(CorePair<double>&, const Simplex<double>&, double);

} // namespace rigor
