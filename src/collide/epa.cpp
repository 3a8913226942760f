#include "collide/epa.h"

#include "collide/polytope.h"
#include "geometry/convex.h"

namespace rigor {
namespace {

/// Sizes below this, in units of the pair, are none.
template <class S>
constexpr S kFlat = S(32) * kEpsilon<S>;

/// A start for the polytope, as wide as a few support points find it. `rank` is how many
/// corners do not lie in the span of the ones before: 4 for a tetrahedron.
template <class S>
struct Seed {
    std::array<DifferencePoint<S>, 4> corners;
    int rank = 0;
    Vec3<S> normal; ///< of a flat difference: across it
};

/// The farther of the two points that support the difference along a line, seen from `from`.
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
    seed.normal = unit_or(pair.offset(), Vec3<S>{S(0), S(0), S(1)});
    if (!(widest > kFlat<S>)) return seed;

    // Across a line there are two directions to try; the wider of the two is enough.
    seed.rank = 2;
    const Vec3<S> along = normalize(c[1].w - c[0].w);
    const Vec3<S> u = perpendicular(along), v = cross(along, u);
    const DifferencePoint<S> by_u = farther(pair, u, c[0].w), by_v = farther(pair, v, c[0].w);
    const S width_u = std::abs(dot(u, by_u.w - c[0].w)), width_v = std::abs(dot(v, by_v.w - c[0].w));
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

/// The depth of a difference without inside: none, and the way out is across it, to the side
/// where B is.
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

/// Of the faces in the plane of the one found, the one the origin projects into: another would
/// give a point of its plane beside the surface.
template <class S>
std::uint16_t face_around_projection(const Polytope<S>& polytope, std::uint16_t found) {
    std::uint16_t best = found;
    S inmost = -std::numeric_limits<S>::infinity();
    const S limit = polytope.face(found).distance + kConverged<S>;
    for (int i = 0; i < polytope.face_end(); ++i) {
        const auto f = static_cast<std::uint16_t>(i);
        const auto& face = polytope.face(f);
        if (!face.used || face.thin || face.distance > limit) continue;
        const std::array<S, 3> weight = polytope.weights(f);
        const S least = std::min({weight[0], weight[1], weight[2]});
        if (!(least > inmost)) continue;
        inmost = least;
        best = f;
    }
    return best;
}

template <class S>
void set_points(Epa<S>& result, const CorePair<S>& pair, const Polytope<S>& polytope,
                std::uint16_t f) {
    std::array<S, 3> weight = polytope.weights(f);
    S sum = S(0);
    for (S& w : weight) sum += w = std::max(w, S(0));
    if (!(sum > S(0))) return;
    Vec3<S> a, b;
    for (std::size_t i = 0; i < 3; ++i) {
        const DifferencePoint<S>& corner = polytope.vertex(polytope.face(f).vertex[i]);
        a += corner.a * (weight[i] / sum);
        b += corner.local_b * (weight[i] / sum);
    }
    result.point_a = a;
    result.point_b = pair.from_b(b);
}

} // namespace

template <class S>
Epa<S> epa(CorePair<S>& pair, const Simplex<S>& touching) {
    const Seed<S> seed = make_seed(pair);
    if (seed.rank < 4) return across(pair, touching, seed.normal);

    Epa<S> best;
    best.depth = std::numeric_limits<S>::infinity();
    best.lower_bound = -std::numeric_limits<S>::infinity();
    best.point_a = point_on_a(touching);
    best.point_b = pair.from_b(local_point_on_b(touching));
    Polytope<S> polytope(seed.corners);
    std::uint16_t best_face = Polytope<S>::kNone;
    for (;;) {
        const std::uint16_t f = polytope.nearest_face();
        if (f == Polytope<S>::kNone) break;
        const typename Polytope<S>::Face& face = polytope.face(f);
        const DifferencePoint<S> point = pair.support(face.normal);
        ++best.iterations;
        best.lower_bound = std::max(best.lower_bound, face.distance);
        const S height = dot(face.normal, point.w);
        if (height < best.depth) {
            best.depth = height;
            best.normal = face.normal;
        }
        best_face = f;
        if (!(height - face.distance > S(8) * kEpsilon<S>)) break;
        set_points(best, pair, polytope, f);
        if (!polytope.add(point, f)) {
            best_face = Polytope<S>::kNone;
            break;
        }
    }
    if (best_face != Polytope<S>::kNone) {
        set_points(best, pair, polytope, face_around_projection(polytope, best_face));
    }
    best.converged = best.depth - best.lower_bound <= kConverged<S>;
    return best;
}
template Epa<float> epa(CorePair<float>&, const Simplex<float>&);
template Epa<double> epa(CorePair<double>&, const Simplex<double>&);

} // namespace rigor
