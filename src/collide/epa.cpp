#include "collide/epa.h"

#include "collide/polytope.h"
#include "geometry/convex.h"

namespace rigor {
namespace {

/// Sizes below this, in units of the pair, are zero.
template <class S>
constexpr S kFlat = S(32) * kEpsilon<S>;

constexpr int kMaxSearch = 400;

/// An initial polytope, as large as a few support points allow. `rank` is the number of vertices
/// that are not in the affine span of the ones before: 4 for a tetrahedron.
template <class S>
struct Seed {
    std::array<DifferencePoint<S>, 4> corners;
    int rank = 0;
    Vec3<S> normal; ///< of a flat difference: normal to it
};

/// The farther of the two support points along a line, seen from `from`.
template <class S>
DifferencePoint<S> farther(CorePair<S>& pair, const Vec3<S>& direction, const Vec3<S>& from) {
    const DifferencePoint<S> up = pair.support(direction), down = pair.support(-direction);
    return dot(direction, up.w - from) >= dot(direction, from - down.w) ? up : down;
}

template <class S>
Seed<S> make_seed(CorePair<S>& pair) {
    Seed<S> seed;
    auto& c = seed.corners;
    S widest = S(-1);
    for (int axis = 0; axis < 3; ++axis) {
        Vec3<S> e;
        e[axis] = S(1);
        const DifferencePoint<S> up = pair.support(e), down = pair.support(-e);
        const S width = up.w[axis] - down.w[axis];
        if (!(width > widest)) continue;
        widest = width;
        c[0] = down;
        c[1] = up;
    }
    seed.rank = 1;
    seed.normal = unit_or(pair.offset(), Vec3<S>{S(1), S(0), S(0)});
    if (!(widest > kFlat<S>)) return seed;

    // There are two directions normal to a line; the wider of the two is enough.
    seed.rank = 2;
    const Vec3<S> along = normalize(c[1].w - c[0].w);
    const Vec3<S> u = perpendicular(along), v = cross(along, u);
    const DifferencePoint<S> by_u = farther(pair, u, c[0].w), by_v = farther(pair, v, c[0].w);
    const S width_u = std::abs(dot(u, by_u.w - c[0].w)),
            width_v = std::abs(dot(v, by_v.w - c[0].w));
    c[2] = width_u >= width_v ? by_u : by_v;
    const Vec3<S> beside = pair.offset() - along * dot(along, pair.offset());
    seed.normal = unit_or(beside, u);
    if (!(std::max(width_u, width_v) > kFlat<S>)) return seed;

    seed.rank = 3;
    seed.normal = normalize(cross(c[1].w - c[0].w, c[2].w - c[0].w));
    c[3] = farther(pair, seed.normal, c[0].w);
    if (std::abs(dot(seed.normal, c[3].w - c[0].w)) > kFlat<S>) seed.rank = 4;
    return seed;
}

/// The depth of a flat difference: zero, and the direction is normal to it, to the side of B.
template <class S>
Epa<S> across(CorePair<S>& pair, const Simplex<S>& touching, const Vec3<S>& normal) {
    Epa<S> result;
    result.normal = dot(normal, pair.offset()) < S(0) ? -normal : normal;
    result.point_a = point_on_a(touching);
    result.point_b = pair.from_b(local_point_on_b(touching));
    result.depth = dot(result.normal, pair.support(result.normal).w);
    result.converged = true;
    return result;
}

template <class S>
using Corners = std::array<DifferencePoint<S>, 3>;

/// The barycentric weights of the origin's projection on the plane of the vertices.
template <class S>
std::array<S, 3> projection_weights(const Corners<S>& c, const Vec3<S>& normal) {
    const S wa = dot(normal, cross(c[1].w, c[2].w - c[1].w));
    const S wb = dot(normal, cross(c[2].w, c[0].w - c[2].w));
    const S wc = dot(normal, cross(c[0].w, c[1].w - c[0].w));
    const S sum = wa + wb + wc;
    return {wa / sum, wb / sum, wc / sum};
}

template <class S>
S least(const std::array<S, 3>& weights) {
    return std::min({weights[0], weights[1], weights[2]});
}

/// The face that contains the origin's projection: the nearest one, except for rounding. Another in
/// the same plane may have been found first, and would give a point of that plane outside the
/// surface.
template <class S>
std::uint16_t face_around_projection(const Polytope<S>& polytope, std::uint16_t found) {
    const auto inmost_of = [&](std::uint16_t f) {
        return least(projection_weights(polytope.corners(f), polytope.face(f).normal));
    };
    std::uint16_t best = found;
    S inmost = inmost_of(found);
    if (inmost >= S(0)) return found;
    const Vec3<S>& normal = polytope.face(found).normal;
    const S limit = polytope.face(found).distance + kFlat<S>;
    for (int i = 0; i < polytope.face_end(); ++i) {
        const auto f = static_cast<std::uint16_t>(i);
        const auto& face = polytope.face(f);
        // Where the origin is on the surface many faces are near; only those in the plane found to
        // support the difference are valid.
        const bool same_plane = dot(face.normal, normal) > S(1) - kFlat<S>;
        if (!face.used || face.thin || face.distance > limit || !same_plane) continue;
        const S within = inmost_of(f);
        if (!(within > inmost)) continue;
        inmost = within;
        best = f;
    }
    return best;
}

/// The nearest supporting plane so far, and the face it was found over.
template <class S>
struct Best {
    Vec3<S> normal;
    S height = std::numeric_limits<S>::infinity();
    Corners<S> corners;
};

template <class S>
void set_points(Epa<S>& result, const CorePair<S>& pair, const Best<S>& best) {
    std::array<S, 3> weight = projection_weights(best.corners, best.normal);
    S sum = S(0);
    for (S& w : weight) sum += w = std::max(w, S(0));
    if (!(sum > S(0))) return;
    Vec3<S> a, b;
    for (std::size_t i = 0; i < 3; ++i) {
        a += best.corners[i].a * (weight[i] / sum);
        b += best.corners[i].local_b * (weight[i] / sum);
    }
    result.point_a = a;
    result.point_b = pair.from_b(b);
}

/// Pattern search for a nearer supporting plane around the best one: steps in four directions, a
/// longer one after a success, a shorter one when all fail. The plane's distance changes with the
/// square of the angle, so that steps of sqrt(epsilon) are small enough.
template <class S>
void refine(Epa<S>& best, CorePair<S>& pair) {
    const S finest = std::sqrt(kEpsilon<S>) / S(8);
    const int budget = best.iterations + kMaxSearch;
    const auto improves = [&](const Vec3<S>& direction) {
        const Vec3<S> n = normalize(direction);
        const S height = dot(n, pair.support(n).w);
        ++best.iterations;
        if (!(height < best.depth)) return false;
        best.depth = height;
        best.normal = n;
        return true;
    };
    for (S step = S(0.1); step > finest && best.iterations < budget;) {
        const Vec3<S> n = best.normal;
        const Vec3<S> u = perpendicular(n) * step, v = cross(n, u);
        const bool moved = improves(n + u) || improves(n - u) || improves(n + v) || improves(n - v);
        step *= moved ? S(1.5) : S(0.5);
    }
    best.point_b = best.point_a - best.normal * best.depth;
}

/// Convergence tolerance of the bounds.
template <class S>
S rest_gap(const CorePair<S>& pair) {
    const bool curved = is_curved(pair.a()) || is_curved(pair.b());
    return curved ? S(0.1) * kConverged<S> : S(8) * kEpsilon<S>;
}

/// Grows the polytope until the plane of its nearest face supports the difference, and returns that
/// plane; when it gets stuck, the nearest plane found.
template <class S>
Best<S> grow(Epa<S>& result, CorePair<S>& pair, Polytope<S>& polytope) {
    const S gap = rest_gap(pair);
    Best<S> best;
    for (;;) {
        const std::uint16_t f = polytope.nearest_face();
        if (f == Polytope<S>::kNone) return best;
        const typename Polytope<S>::Face& face = polytope.face(f);
        const DifferencePoint<S> point = pair.support(face.normal);
        ++result.iterations;
        result.lower_bound = std::max(result.lower_bound, face.distance);
        const S height = dot(face.normal, point.w);
        if (!(height - face.distance > gap)) {
            const std::uint16_t around = face_around_projection(polytope, f);
            return {face.normal, height, polytope.corners(around)};
        }
        if (height < best.height) best = {face.normal, height, polytope.corners(f)};
        if (!polytope.add(point, f)) return best;
    }
}

} // namespace

template <class S>
Epa<S> epa(CorePair<S>& pair, const Simplex<S>& touching) {
    const Seed<S> seed = make_seed(pair);
    if (seed.rank < 4) return across(pair, touching, seed.normal);

    Epa<S> result;
    result.lower_bound = -std::numeric_limits<S>::infinity();
    result.point_a = point_on_a(touching);
    result.point_b = pair.from_b(local_point_on_b(touching));
    Polytope<S> polytope(seed.corners);
    const Best<S> best = grow(result, pair, polytope);
    if (!std::isfinite(best.height)) return across(pair, touching, seed.normal);
    result.normal = best.normal;
    result.depth = best.height;
    set_points(result, pair, best);
    result.converged = result.depth - result.lower_bound <= kConverged<S>;
    if (!result.converged) refine(result, pair);
    return result;
}
template Epa<float> epa(CorePair<float>&, const Simplex<float>&);
template Epa<double> epa(CorePair<double>&, const Simplex<double>&);

} // namespace rigor
