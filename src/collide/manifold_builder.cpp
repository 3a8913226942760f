#include "collide/manifold_builder.h"

#include "collide/box_clip.h"

namespace rigor {
namespace {

/// The sine below which two edges count as running in parallel.
template <class S>
constexpr S kParallelEdges = S(0.005);

template <class S>
struct LinePair {
    S s, t; ///< from 0 to 1 along each
};

/// The nearest points of two segments that are not parallel, ends included.
template <class S>
LinePair<S> nearest_on_edges(const Vec3<S>& p, const Vec3<S>& d, const Vec3<S>& q,
                             const Vec3<S>& e) {
    const Vec3<S> r = p - q;
    const S dd = dot(d, d), ee = dot(e, e), de = dot(d, e), dr = dot(d, r), er = dot(e, r);
    const S across = dd * ee - de * de;
    const S s = across > S(0) ? std::clamp((de * er - dr * ee) / across, S(0), S(1)) : S(0.5);
    const S t = ee > S(0) ? std::clamp((de * s + er) / ee, S(0), S(1)) : S(0);
    return {dd > S(0) ? std::clamp((de * t - dr) / dd, S(0), S(1)) : S(0), t};
}

} // namespace

template <class S>
void ManifoldBuilder<S>::take_last() {
    S least = std::numeric_limits<S>::infinity();
    for (std::size_t i = 0; i < static_cast<std::size_t>(out_.count); ++i) {
        const ContactPoint<S>& p = out_.points[i];
        known_[i] = key(p.feature_a, p.feature_b);
        if (!(p.separation < least)) continue;
        least = p.separation;
        const S halfway = S(0.5) * (p.separation + b_.radius - a_.radius);
        last_middle_ = p.point_a + out_.normal * halfway;
    }
}

template <class S>
template <typename ManifoldBuilder<S>::Owner owner, class Reference>
bool ManifoldBuilder<S>::add_clipped(const Reference& reference, const Vec3<S>& normal,
                                     ClipPoints<S>& points) {
    if (points.is_empty()) return false;
    constexpr bool kOfA = owner == Owner::a;
    const auto feature_a = [](const ClipPoint<S>& p) { return kOfA ? p.reference : p.incident; };
    const auto feature_b = [](const ClipPoint<S>& p) { return kOfA ? p.incident : p.reference; };
    const auto core_a = [&](const ClipPoint<S>& p) {
        return kOfA ? reference.at(p.x, p.y, S(0))
                    : b_in_a_.point(reference.at(p.x, p.y, p.height));
    };
    out_.normal = normal;
    out_.count = 0;
    if (all_) {
        for (const ClipPoint<S>& p : points)
            all_->push_back(point_of(core_a(p), p.height, feature_a(p), feature_b(p)));
        return true;
    }
    reduce_to_four(points, wanted_.tolerance,
                   [&](const ClipPoint<S>& p) { return is_known(feature_a(p), feature_b(p)); });
    for (const ClipPoint<S>& p : points) add(core_a(p), p.height, feature_a(p), feature_b(p));
    return true;
}

template <class S>
template <typename ManifoldBuilder<S>::Owner owner>
bool ManifoldBuilder<S>::clip_polygon(const FacePolygon<S>& reference, const Vec3<S>& normal,
                                      const FacePolygon<S>& incident) {
    ClipPoints<S> points;
    const ReferencePlane<S> plane = clip_to_face(reference, reference.corners[0].p, incident,
                                                 margin(), wanted_.tolerance, points);
    return add_clipped<owner>(plane, normal, points);
}

template <class S>
bool ManifoldBuilder<S>::over_face_of_a(std::uint32_t face) {
    if (is_full_box(a_)) return over_box_of_a(face, box_normal<S>(face));
    FacePolygon<S> reference;
    face_polygon(a_, face, reference);
    return reference.is_face() && over_polygon_of_a(reference, reference.normal);
}

template <class S>
bool ManifoldBuilder<S>::over_face_of_b(std::uint32_t face) {
    if (is_full_box(b_)) return over_box_of_b(face, -b_in_a_.direction(box_normal<S>(face)));
    FacePolygon<S> reference;
    face_polygon(b_, face, reference);
    return reference.is_face() &&
           over_polygon_of_b(reference, -b_in_a_.direction(reference.normal));
}

/// The face of `other` that looks along a direction of its own, laid over a face of a full box.
template <class S>
void lay_over_box(const BoxFace<S>& reference, const Core<S>& other, const Transform<S>& place,
                  const Vec3<S>& along, S margin, S slack, ClipPoints<S>& points) {
    if (is_full_box(other)) {
        clip_to_box(reference, other.size, place, box_face_along(along), margin, slack, points);
        return;
    }
    FacePolygon<S> incident;
    face_along(other, along, incident);
    for (Corner<S>& corner : incident.corners) corner.p = place.point(corner.p);
    clip_to_box(reference, incident, margin, slack, points);
}

template <class S>
bool ManifoldBuilder<S>::over_box_of_a(std::uint32_t face, const Vec3<S>& normal) {
    const BoxFace<S> reference(a_.size, face);
    ClipPoints<S> points;
    lay_over_box(reference, b_, b_in_a_, -b_in_a_.local_direction(normal), margin(),
                 wanted_.tolerance, points);
    return add_clipped<Owner::a>(reference, normal, points);
}

template <class S>
bool ManifoldBuilder<S>::over_box_of_b(std::uint32_t face, const Vec3<S>& normal) {
    const BoxFace<S> reference(b_.size, face);
    ClipPoints<S> points;
    lay_over_box(reference, a_, inverse(b_in_a_), normal, margin(), wanted_.tolerance, points);
    return add_clipped<Owner::b>(reference, normal, points);
}

template <class S>
bool ManifoldBuilder<S>::over_plane(const Plane<S>& plane) {
    FacePolygon<S> reference;
    reference.normal = plane.normal;
    reference.corners.push_back({plane.normal * plane.offset, 0, 0});
    return over_polygon_of_a(reference, plane.normal);
}

template <class S>
bool ManifoldBuilder<S>::over_polygon_of_a(const FacePolygon<S>& reference, const Vec3<S>& normal) {
    if (is_full_box(a_)) return over_box_of_a(reference.face, normal);
    FacePolygon<S> incident;
    face_along(b_, -b_in_a_.local_direction(normal), incident);
    for (Corner<S>& corner : incident.corners) corner.p = b_in_a_.point(corner.p);
    return clip_polygon<Owner::a>(reference, normal, incident);
}

template <class S>
bool ManifoldBuilder<S>::over_polygon_of_b(const FacePolygon<S>& reference, const Vec3<S>& normal) {
    if (is_full_box(b_)) return over_box_of_b(reference.face, normal);
    FacePolygon<S> incident;
    face_along(a_, normal, incident);
    for (Corner<S>& corner : incident.corners) corner.p = b_in_a_.local_point(corner.p);
    return clip_polygon<Owner::b>(reference, normal, incident);
}

template <class S>
S ManifoldBuilder<S>::least_separation() const {
    S least = std::numeric_limits<S>::infinity();
    for (std::size_t i = 0; i < static_cast<std::size_t>(out_.count); ++i)
        least = std::min(least, out_.points[i].separation);
    return least + a_.radius + b_.radius;
}

template <class S>
bool ManifoldBuilder<S>::across_edges(const SeparatingAxis<S>& axis) {
    const EdgeEnds<S> a = edge_ends(a_, axis.a.index()), b = edge_ends(b_, axis.b.index());
    const Vec3<S> p = a.from.p, d = a.to.p - p;
    const Vec3<S> q = b_in_a_.point(b.from.p), e = b_in_a_.point(b.to.p) - q;
    const LinePair<S> near = nearest_on_edges(p, d, q, e);
    const Vec3<S> on_a = p + d * near.s, on_b = q + e * near.t;
    out_.normal = axis.normal;
    out_.count = 0;
    add(on_a, dot(axis.normal, on_b - on_a), axis.a, axis.b);
    return near.s > S(0) && near.s < S(1) && near.t > S(0) && near.t < S(1);
}

template <class S>
EdgeEnds<S> ManifoldBuilder<S>::straight_edge(const Core<S>& core, const Vec3<S>& d) const {
    if (is_polyhedron(core)) return edge_ends(core, edge_along(core, d));
    FacePolygon<S> line;
    face_along(core, d, line);
    return {line.corners[0], line.corners[line.is_face() ? 0 : line.corners.size() - 1]};
}

/// A vertex, or an edge both ends of which are equally far along the direction.
template <class S>
Feature ManifoldBuilder<S>::feature_along(const Core<S>& core, const Vec3<S>& d) const {
    const EdgeEnds<S> edge = straight_edge(core, d);
    const Vec3<S> along = edge.to.p - edge.from.p;
    const S drop = dot(along, d);
    if (drop * drop <= S(1e-6) * length_squared(along))
        return Feature(FeatureKind::edge, edge.from.edge);
    return Feature(FeatureKind::vertex, drop > S(0) ? edge.to.vertex : edge.from.vertex);
}

/// An edge seen along a common direction: where it begins and ends, and which vertices these are.
template <class S>
struct Stretch {
    Vec3<S> p, d; ///< a point of it, and how it goes on per unit of the common direction
    S at{};       ///< of p
    S low{}, high{};
    Feature first, last, edge;

    Stretch(const Vec3<S>& from, const Vec3<S>& to, const EdgeEnds<S>& ends, const Vec3<S>& common)
        : p(from), at(dot(from, common)), edge(FeatureKind::edge, ends.from.edge) {
        const S end = dot(to, common);
        d = (to - from) / (end - at);
        const bool forward = end > at;
        low = forward ? at : end;
        high = forward ? end : at;
        first = Feature(FeatureKind::vertex, forward ? ends.from.vertex : ends.to.vertex);
        last = Feature(FeatureKind::vertex, forward ? ends.to.vertex : ends.from.vertex);
    }

    Vec3<S> point(S t) const { return p + d * (t - at); }
};

/// The two ends of the stretch that parallel edges have in common.
template <class S>
bool ManifoldBuilder<S>::lie_in_parallel(const Vec3<S>& normal) {
    const EdgeEnds<S> a = straight_edge(a_, normal);
    const EdgeEnds<S> b = straight_edge(b_, -b_in_a_.local_direction(normal));
    const Vec3<S> q0 = b_in_a_.point(b.from.p), q1 = b_in_a_.point(b.to.p);
    const Vec3<S> d = normalize(a.to.p - a.from.p), e = normalize(q1 - q0);
    const S bend = length_squared(cross(d, e));
    if (d == Vec3<S>{} || e == Vec3<S>{} || bend > kParallelEdges<S> * kParallelEdges<S>)
        return false;
    const Vec3<S> common = normalize(dot(d, e) > S(0) ? d + e : d - e);
    const Stretch<S> on_a(a.from.p, a.to.p, a, common), on_b(q0, q1, b, common);
    const S low = std::max(on_a.low, on_b.low), high = std::min(on_a.high, on_b.high);
    if (!(high - low > S(2) * wanted_.tolerance)) return false;

    out_.normal = normal;
    out_.count = 0;
    const auto add_at = [&](S t, Feature vertex_a, Feature vertex_b, bool of_a) {
        const Vec3<S> p = on_a.point(t), q = on_b.point(t);
        const S separation = dot(normal, q - p);
        if (separation > margin()) return;
        // Between the two, which are not quite one above the other.
        add((p + q - normal * separation) * S(0.5), separation, of_a ? vertex_a : on_a.edge,
            of_a ? on_b.edge : vertex_b);
    };
    add_at(low, on_a.first, on_b.first, on_a.low > on_b.low);
    add_at(high, on_a.last, on_b.last, on_a.high < on_b.high);
    return out_.count > 0;
}

template <class S>
void ManifoldBuilder<S>::along_normal(const Vec3<S>& normal, const Vec3<S>& core_a,
                                      const Vec3<S>& core_b) {
    if (a_.kind != CoreKind::point && b_.kind != CoreKind::point && lie_in_parallel(normal)) return;
    out_.normal = normal;
    out_.count = 0;
    add(core_a, dot(normal, core_b - core_a), feature_along(a_, normal),
        feature_along(b_, -b_in_a_.local_direction(normal)));
}

template class ManifoldBuilder<float>;
template class ManifoldBuilder<double>;

} // namespace rigor
