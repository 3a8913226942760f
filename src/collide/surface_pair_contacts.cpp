#include "collide/surface_pair_contacts.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "collide/convex_distance.h"
#include "collide/crossing_edges.h"
#include "collide/feature_contacts.h"
#include "collide/near_triangles.h"
#include "collide/nearest_triangles.h"
#include "collide/query_work.h"

namespace rigor {
namespace {

template <class S>
constexpr S kReach = S(0.02); ///< of the size: the depth that is sought first
template <class S>
constexpr S kDeepest = S(0.25); ///< of the size: once sought so deep, what was found is enough
template <class S>
constexpr S kThin = S(0.03); ///< of the depth: an overlap thinner than this is not so deep
template <class S>
constexpr S kShallower = S(0.95); ///< of the depth: what is left sooner

template <class S, class A, class B>
class SurfacePairContacts {
    using Contacts = std::vector<FeatureContact<S>>;

  public:
    SurfacePairContacts(const A& a, const B& b, const Pose<S>& b_in_a,
                        const ContactSettings<S>& wanted, std::vector<Manifold<S>>& out)
        : a_(a), b_(b), pose_(b_in_a), wanted_(wanted), out_(out), features_(a, b, b_in_a) {
        exact_ = !(wanted.flat_cosine < S(1));
        const Vec3<S> size_a = box_of(a).hi - box_of(a).lo, size_b = box_of(b).hi - box_of(b).lo;
        size_ = std::min(max_component(size_a), max_component(size_b));
        largest_ = std::max(max_component(size_a), max_component(size_b));
    }

    void run() {
        // Farther behind a face than it is sought, a feature is not found: then it is sought
        // deeper.
        S reach = std::max({wanted_.margin, S(4) * wanted_.tolerance, kReach<S> * size_});
        for (;; reach *= S(2)) {
            find_pairs(reach);
            if (exact_ && !nearest_) measure_nearest();
            find_features(reach);
            has_deepest_point_ = false;
            const S deepest = deepest_of(contacts_);
            const bool may_be_deeper = deepest > S(0)
                                           ? deepest > S(0.75) * reach || hides_deeper_than(reach)
                                           : crosses_deeper_than(S(0.5) * reach);
            if (!may_be_deeper || reach > (deepest > S(0) ? kDeepest<S> : S(1)) * size_) break;
        }
        judge_depths();
        if (exact_ || contacts_.empty()) add_nearest();
        if (!(deepest_of(contacts_) > S(0))) {
            if (const auto& deepest = deepest_point()) contacts_.push_back(*deepest);
        } else {
            add_deepest_end();
        }
        make_manifolds();
    }

  private:
    static S deepest_of(const Contacts& contacts) {
        S deepest = S(0);
        for (const FeatureContact<S>& c : contacts) deepest = std::max(deepest, -c.separation);
        return deepest;
    }

    /// The triangles whose boxes are near each other.
    void find_pairs(S reach) {
        pairs_.clear();
        find_near_triangles(a_, b_, Transform<S>{to_matrix(pose_.q), pose_.p}, reach, pairs_);
    }

    void find_features(S reach) {
        constexpr S kEps = std::numeric_limits<S>::epsilon();
        const S lean = std::sqrt(std::max(S(0), S(1) - wanted_.flat_cosine * wanted_.flat_cosine));
        const S rounding = S(64) * kEps * (size_ + length(pose_.p));
        FeatureLimits<S> limits;
        limits.margin = wanted_.margin;
        limits.reach = reach;
        limits.slack = std::max(wanted_.tolerance, rounding);
        limits.lean = std::max(lean, sizeof(S) == sizeof(double) ? S(1e-7) : S(1e-3));
        limits.turn = wanted_.turn;
        limits.ahead = wanted_.sees_valleys ? wanted_.margin : S(0);
        limits.parallel_edges = !exact_;
        query_work() += kWorkOfNearTriangles * static_cast<double>(pairs_.size());
        contacts_.clear();
        crossing_.clear();
        for (const TrianglePair& pair : pairs_)
            if (features_.find(pair.a, pair.b, limits, contacts_)) crossing_.push_back(pair);
    }

    /// The nearest points of any two triangles.
    Distance<S> nearest() const {
        if constexpr (std::same_as<A, TriangleMesh<S>> && std::same_as<B, TriangleMesh<S>>)
            return nearest_triangles(a_, b_, pose_, wanted_.margin);
        Distance<S> nearest;
        nearest.distance = std::numeric_limits<S>::infinity();
        for (const TrianglePair& pair : pairs_) {
            const Core<S> a = core_of(triangle_at(a_, pair.a)),
                          b = core_of(triangle_at(b_, pair.b));
            const Distance<S> d =
                convex_distance<S>(a, b, pose_, nullptr, std::max(nearest.distance, S(0)));
            if (!(d.distance < nearest.distance)) continue;
            nearest = d;
            nearest.part_a.triangle = pair.a;
            nearest.part_b.triangle = pair.b;
        }
        return nearest;
    }

    /// How deep a point is inside, negative outside. A sheet has no inside.
    S depth_in_a(const Vec3<S>& p) const {
        return is_solid(a_) ? -closest_point(a_, p).distance : -Aabb<S>::kInfinity;
    }
    S depth_in_b(const Vec3<S>& p) const {
        return is_solid(b_) ? -closest_point(b_, inverse_transform(pose_, p)).distance
                            : -Aabb<S>::kInfinity;
    }

    template <class Surface, class TriangleOf, class Turn>
    static SharpEdge<S> edge_at(const Surface& surface, std::uint32_t index,
                                const TriangleOf& triangle_of, const Turn& turn) {
        const std::uint32_t t = index / 3, e = index % 3, mate = across(surface, t, e);
        const Triangle<S> own = triangle_of(t);
        const Vec3<S> face = normal(own);
        return {turn(normalize(corner(own, (e + 1) % 3) - corner(own, e))), turn(face),
                turn(mate == kNone ? face : normal(triangle_of(mate)))};
    }
    SharpEdge<S> edge_of_a(Feature feature) const {
        return edge_at(
            a_, feature.index(), [&](std::uint32_t t) { return triangle_at(a_, t); },
            [](const Vec3<S>& v) { return v; });
    }
    SharpEdge<S> edge_of_b(Feature feature) const {
        return edge_at(
            b_, feature.index(), [&](std::uint32_t t) { return triangle_at(b_, t); },
            [&](const Vec3<S>& v) { return rotate(pose_.q, v); });
    }

    /// How deep the feature of B is in A once B was moved, and that of A in B.
    S feature_depth_in_a(const FeatureContact<S>& c, const Vec3<S>& move = {}) const {
        const Vec3<S> p = c.point_a + c.normal * c.separation;
        const S depth = depth_in_a(p + move);
        if (c.feature_a.kind() != FeatureKind::edge) return depth;
        const Vec3<S> along = edge_of_b(c.feature_b).along;
        const S s = middle_between_faces(along, p - c.point_a, edge_of_a(c.feature_a));
        return std::max(depth, depth_in_a(p + along * s + move));
    }
    S feature_depth_in_b(const FeatureContact<S>& c, const Vec3<S>& move = {}) const {
        const S depth = depth_in_b(c.point_a - move);
        if (c.feature_b.kind() != FeatureKind::edge) return depth;
        const Vec3<S> along = edge_of_a(c.feature_a).along, apart = c.normal * -c.separation;
        const S s = middle_between_faces(along, apart, edge_of_b(c.feature_b));
        return std::max(depth, depth_in_b(c.point_a + along * s - move));
    }

    /// How deep a point is in the solid whose face is touched; of edges in either.
    S depth_of(const FeatureContact<S>& c, const Vec3<S>& p) const {
        if (c.feature_a.kind() == FeatureKind::face)
            return is_solid(a_) ? depth_in_a(p) : -c.separation;
        if (c.feature_b.kind() == FeatureKind::face)
            return is_solid(b_) ? depth_in_b(p) : -c.separation;
        return std::max(depth_in_a(p), depth_in_b(p));
    }

    /// Whether the points of a contact are inside the other solid. Behind a face they may also be
    /// out on the far side.
    bool is_overlap(const FeatureContact<S>& c) const {
        const bool in_a = !is_solid(a_) || c.feature_a.kind() == FeatureKind::vertex ||
                          feature_depth_in_a(c) > -wanted_.tolerance;
        return in_a && (!is_solid(b_) || c.feature_b.kind() == FeatureKind::vertex ||
                        feature_depth_in_b(c) > -wanted_.tolerance);
    }

    /// Whether the overlap at a contact is thin compared with the depth claimed: at its own middle,
    /// and where that is at the rim of the overlap, also between it and others with its normal.
    bool is_thin(const FeatureContact<S>& c) const {
        constexpr S kSimilar = S(0.9);
        constexpr int kMost = 12;
        const S least = -kThin<S> * c.separation;
        if (depth_of(c, c.middle()) > least) return false;
        if (c.feature_a.kind() == FeatureKind::edge &&
            std::max(feature_depth_in_a(c), feature_depth_in_b(c)) > least)
            return false;
        int asked = 0;
        for (const FeatureContact<S>& other : contacts_) {
            if (&other == &c || dot(other.normal, c.normal) < kSimilar) continue;
            if (++asked > kMost) break;
            if (depth_of(c, (c.middle() + other.middle()) * S(0.5)) > least) return false;
        }
        return true;
    }

    /// Whether a contact is no more once B was moved out of a shallower one at the same place. So
    /// an edge of a solid is left on one side of it, but a dent holds on all sides.
    bool is_resolved_by(const FeatureContact<S>& c, const FeatureContact<S>& other) const {
        const S depth = -c.separation;
        if (!(-other.separation < kShallower<S> * depth) || other.separation > wanted_.tolerance)
            return false;
        if (length_squared(other.middle() - c.middle()) > S(4) * depth * depth) return false;
        const Vec3<S> move = other.normal * std::max(-other.separation, S(0));
        const bool in_a = is_solid(a_) && c.feature_a.kind() != FeatureKind::vertex &&
                          feature_depth_in_a(c, move) <= wanted_.tolerance;
        return in_a || (is_solid(b_) && c.feature_b.kind() != FeatureKind::vertex &&
                        feature_depth_in_b(c, move) <= wanted_.tolerance);
    }

    /// Drops contacts that claim a depth which the solids do not have there, the shallow ones
    /// first.
    void judge_depths() {
        std::sort(contacts_.begin(), contacts_.end(), [](const auto& x, const auto& y) {
            const auto key = [](const FeatureContact<S>& c) {
                return std::pair(c.feature_a.value(), c.feature_b.value());
            };
            return x.separation != y.separation ? x.separation > y.separation : key(x) < key(y);
        });
        Contacts kept;
        for (const FeatureContact<S>& c : contacts_) {
            const bool is_deep = -c.separation > S(2) * wanted_.tolerance;
            const auto resolves = [&](const FeatureContact<S>& other) {
                return is_resolved_by(c, other);
            };
            if (is_deep &&
                (!is_overlap(c) || std::any_of(kept.begin(), kept.end(), resolves) || is_thin(c)))
                continue;
            kept.push_back(c);
        }
        contacts_ = std::move(kept);
    }

    void measure_nearest() {
        if (pairs_.empty() || !(wanted_.margin > S(0))) return;
        nearest_ = nearest();
        are_apart_ = nearest_->distance > rounding();
    }
    /// Of the distance of triangles, which may be found by iteration.
    S rounding() const { return (sizeof(S) == sizeof(double) ? S(4e-12) : S(1e-5)) * largest_; }

    /// Vertices and edges that are nearest, but not over a face: as they come near.
    void add_nearest() {
        if (!nearest_) measure_nearest();
        if (!are_apart_ || !(nearest_->distance < wanted_.margin)) return;
        const Distance<S>& d = *nearest_;
        for (const FeatureContact<S>& c : contacts_)
            if (!(c.separation > d.distance + rounding())) return;
        contacts_.push_back({d.point_a, d.normal, d.distance,
                             Feature(FeatureKind::vertex, 3 * d.part_a.triangle),
                             Feature(FeatureKind::vertex, 3 * d.part_b.triangle)});
    }

    /// Calls visit(t, k) once for each vertex of the near triangles of a surface.
    template <class Surface, class Visit>
    void visit_vertices(const Surface& surface, std::uint32_t TrianglePair::*side,
                        const Visit& visit) const {
        std::vector<std::array<std::uint32_t, 3>> corners; // vertex, triangle, number in it
        for (const TrianglePair& pair : pairs_)
            for (std::uint32_t k = 0; k < 3; ++k)
                corners.push_back({corners_of(surface, pair.*side)[k], pair.*side, k});
        std::sort(corners.begin(), corners.end());
        for (std::size_t i = 0; i < corners.size(); ++i)
            if (i == 0 || corners[i][0] != corners[i - 1][0]) visit(corners[i][1], corners[i][2]);
    }

    /// A point of one solid, pushed out of the other along the normal that is nearest.
    FeatureContact<S> push_out_of_a(const Vec3<S>& p, Feature feature) const {
        const SurfacePoint<S> on = closest_point(a_, p);
        return {on.point, on.normal, on.distance, Feature(FeatureKind::face, on.feature), feature};
    }
    FeatureContact<S> push_out_of_b(const Vec3<S>& p, Feature feature) const {
        const SurfacePoint<S> on = closest_point(b_, inverse_transform(pose_, p));
        return {p, -rotate(pose_.q, on.normal), on.distance, feature,
                Feature(FeatureKind::face, on.feature)};
    }

    std::vector<EdgePoint<S>> piercings() const {
        if (are_apart_) return {};
        const auto of_b = [&](std::uint32_t t) { return features_.triangle_of_b(t); };
        return find_piercings(a_, b_, of_b, crossing_, wanted_.tolerance);
    }

    /// The deepest vertex, or middle of an edge that passes through the other solid, of the near
    /// triangles: where the solids overlap and yet no features face each other, as deep inside.
    const std::optional<FeatureContact<S>>& deepest_point() {
        if (!has_deepest_point_) deepest_point_ = find_deepest_point();
        has_deepest_point_ = true;
        return deepest_point_;
    }
    std::optional<FeatureContact<S>> find_deepest_point() const {
        std::optional<FeatureContact<S>> deepest;
        const auto consider = [&](const FeatureContact<S>& c) {
            if (c.separation < S(0) && (!deepest || c.separation < deepest->separation))
                deepest = c;
        };
        const auto in_a = [&](std::uint32_t t, std::uint32_t k) {
            consider(push_out_of_a(corner(features_.triangle_of_b(t), k),
                                   Feature(FeatureKind::vertex, corners_of(b_, t)[k])));
        };
        const auto in_b = [&](std::uint32_t t, std::uint32_t k) {
            consider(push_out_of_b(corner(triangle_at(a_, t), k),
                                   Feature(FeatureKind::vertex, corners_of(a_, t)[k])));
        };
        if (pairs_.empty()) { // one inside the other, or neither
            const Transform<S> place{to_matrix(pose_.q), pose_.p};
            if (is_solid(a_) && contains(box_of(a_), placed_box(box_of(b_), place))) in_a(0, 0);
            if (is_solid(b_) && contains(box_of(b_), placed_box(box_of(a_), inverse(place))))
                in_b(0, 0);
        }
        const auto found = piercings();
        if (found.empty()) return deepest;
        if (is_solid(a_)) visit_vertices(b_, &TrianglePair::b, in_a);
        if (is_solid(b_)) visit_vertices(a_, &TrianglePair::a, in_b);
        for (const EdgePoint<S>& on : middles_between(found)) {
            const Feature feature(FeatureKind::edge, on.edge);
            const Triangle<S> t =
                on.of_a ? triangle_at(a_, on.edge / 3) : features_.triangle_of_b(on.edge / 3);
            const Vec3<S> from = corner(t, on.edge % 3), to = corner(t, (on.edge % 3 + 1) % 3);
            const Vec3<S> p = from + (to - from) * on.at;
            if (on.of_a && is_solid(b_)) consider(push_out_of_b(p, feature));
            if (!on.of_a && is_solid(a_)) consider(push_out_of_a(p, feature));
        }
        return deepest;
    }

    /// Whether the surfaces cross, and solids by more than a depth. A sheet has no depth by itself.
    bool crosses_deeper_than(S depth) {
        if (!is_solid(a_) || !is_solid(b_)) return !piercings().empty();
        const auto& deepest = deepest_point();
        return deepest && -deepest->separation > depth;
    }

    /// Whether an edge enters a solid and ends in it deeper than features were sought, though
    /// others were found: of two teeth of a gear only the shallow one, say.
    bool hides_deeper_than(S reach) const {
        const auto hidden = deepest_end(reach);
        return hidden && -hidden->separation > reach;
    }

    /// The deepest end of an edge that enters a solid, if it is deeper than `depth`.
    std::optional<FeatureContact<S>> deepest_end(S depth) const {
        std::optional<FeatureContact<S>> deepest;
        if (are_apart_) return deepest;
        const auto consider = [&](const FeatureContact<S>& c) {
            if (!(-c.separation > depth)) return;
            depth = -c.separation;
            deepest = c;
        };
        for (const TrianglePair& pair : crossing_) {
            const Triangle<S> x = triangle_at(a_, pair.a), y = features_.triangle_of_b(pair.b);
            if (is_solid(a_))
                visit_ends_behind(x, y, wanted_.tolerance, depth, [&](std::uint32_t k) {
                    const Feature vertex(FeatureKind::vertex, corners_of(b_, pair.b)[k]);
                    consider(push_out_of_a(corner(y, k), vertex));
                });
            if (is_solid(b_))
                visit_ends_behind(y, x, wanted_.tolerance, depth, [&](std::uint32_t k) {
                    const Feature vertex(FeatureKind::vertex, corners_of(a_, pair.a)[k]);
                    consider(push_out_of_b(corner(x, k), vertex));
                });
        }
        return deepest;
    }
    /// A vertex that is deeper inside than all contacts are deep: no feature that it faces was
    /// found, or none that is there. In a dent the walls hold it together.
    void add_deepest_end() {
        constexpr S kDeeper = S(1.05);
        const auto end = deepest_end(kDeeper * deepest_of(contacts_) + S(2) * wanted_.tolerance);
        if (!end) return;
        S squares = S(0);
        for (const FeatureContact<S>& c : contacts_)
            if (has_vertex_of(*end, c)) squares += c.separation * c.separation;
        if (end->separation * end->separation > kDeeper * kDeeper * squares)
            contacts_.push_back(*end);
    }
    static bool has_vertex_of(const FeatureContact<S>& end, const FeatureContact<S>& c) {
        return end.feature_a.kind() == FeatureKind::vertex ? c.feature_a == end.feature_a
                                                           : c.feature_b == end.feature_b;
    }

    void make_manifolds() {
        GroupSettings<S> settings;
        settings.one_normal =
            exact_ ? S(1) - S(1e-14) : std::min(kOneNormal<S>, wanted_.flat_cosine);
        settings.same_place =
            exact_ ? S(1e-10) * size_ : std::max(wanted_.tolerance, S(1e-5) * size_);
        settings.tolerance = wanted_.tolerance;
        settings.all = exact_;
        group_by_normal(contacts_, settings, out_);
    }

    const A& a_;
    const B& b_;
    const Pose<S>& pose_;
    const ContactSettings<S>& wanted_;
    std::vector<Manifold<S>>& out_;
    FeaturePair<S, A, B> features_;
    bool exact_ = false;
    bool are_apart_ = false;             ///< known not to cross
    std::optional<Distance<S>> nearest_; ///< of all triangles, once measured
    bool has_deepest_point_ = false;     ///< of the near triangles as they are now
    std::optional<FeatureContact<S>> deepest_point_;
    S size_{}, largest_{}; ///< of the smaller and the larger surface
    std::vector<TrianglePair>&pairs_ = reused<std::vector<TrianglePair>, 0>(),
    &crossing_ =
        reused<std::vector<TrianglePair>, 1>(); ///< near triangles, and those that may cross
    Contacts& contacts_ = reused<Contacts, 0>();

    /// From query to query, to avoid allocation.
    template <class T, int Which>
    static T& reused() {
        thread_local T list;
        list.clear();
        return list;
    }
};

} // namespace

template <class S, class SurfaceA, class SurfaceB>
void surface_pair_contacts(const SurfaceA& a, const SurfaceB& b, const Pose<S>& b_in_a,
                           const ContactSettings<S>& wanted, std::vector<Manifold<S>>& out) {
    SurfacePairContacts<S, SurfaceA, SurfaceB>(a, b, b_in_a, wanted, out).run();
}

#define RIGOR_INSTANTIATE_PAIR(S, A, B)                                           \
    template void surface_pair_contacts(const A<S>&, const B<S>&, const Pose<S>&, \
                                        const ContactSettings<S>&, std::vector<Manifold<S>>&);
#define RIGOR_INSTANTIATE(S)                              \
    RIGOR_INSTANTIATE_PAIR(S, TriangleMesh, TriangleMesh) \
    RIGOR_INSTANTIATE_PAIR(S, TriangleMesh, HeightField)  \
    RIGOR_INSTANTIATE_PAIR(S, HeightField, TriangleMesh)  \
    RIGOR_INSTANTIATE_PAIR(S, HeightField, HeightField)
RIGOR_INSTANTIATE(float)
RIGOR_INSTANTIATE(double)
#undef RIGOR_INSTANTIATE
#undef RIGOR_INSTANTIATE_PAIR

} // namespace rigor
