#include "collide/face_clip.h"

namespace rigor {
namespace {

/// A corner of the polygon being cut. The edge that leaves it is one of the incident polygon, or
/// of the reference when it was cut along that.
template <class S>
struct CutCorner {
    ClipPoint<S> point;
    std::uint32_t edge = 0;
    bool along_reference = false;
};

template <class S>
using CutPolygon = InlineVector<CutCorner<S>, 24>;

/// The line along an edge of the reference polygon, with inside on the left.
template <class S>
struct CutLine {
    S x, y, dx, dy;
    S slack;             ///< times the length of (dx, dy), or a little more
    std::uint32_t index; ///< of the corner it starts from
    Feature edge;

    S side(const ClipPoint<S>& p) const { return dx * (p.y - y) - dy * (p.x - x); }
};

template <class S>
ClipPoint<S> between(const ClipPoint<S>& p, const ClipPoint<S>& q, S t) {
    return {
        p.x + (q.x - p.x) * t, p.y + (q.y - p.y) * t, p.height + (q.height - p.height) * t, {}, {}};
}

template <class S>
class FaceClip {
  public:
    FaceClip(const FacePolygon<S>& reference, const FacePolygon<S>& incident, const Vec3<S>& origin,
             S slack)
        : reference_(reference), incident_(incident), slack_(slack) {
        plane_.normal = reference.normal;
        plane_.origin = reference.is_face() ? reference.corners[0].p : origin;
        if (reference.is_face()) {
            plane_.u = normalize(reference.corners[1].p - reference.corners[0].p);
        }
        if (plane_.u == Vec3<S>{}) plane_.u = perpendicular(reference.normal);
        plane_.v = cross(plane_.normal, plane_.u);
    }

    const ReferencePlane<S>& plane() const { return plane_; }

    void run(S margin, ClipPoints<S>& out) {
        for (std::size_t i = 0; i < incident_.corners.size(); ++i) {
            const Corner<S>& corner = incident_.corners[i];
            ClipPoint<S> point = project(corner.p);
            point.reference = Feature(FeatureKind::face, reference_.face);
            point.incident = Feature(FeatureKind::vertex, corner.vertex);
            polygon_.push_back({point, corner.edge, false});
        }
        for (std::size_t i = 0; reference_.is_face() && i < reference_.corners.size(); ++i) {
            const CutLine<S> line = line_at(i);
            if (incident_.is_face()) {
                cut(line);
            } else {
                cut_edge(line);
            }
            if (polygon_.is_empty()) return;
        }
        for (const CutCorner<S>& corner : polygon_) {
            if (corner.point.height <= margin) out.push_back(corner.point);
        }
    }

  private:
    ClipPoint<S> project(const Vec3<S>& p) const {
        const Vec3<S> d = p - plane_.origin;
        return {dot(d, plane_.u), dot(d, plane_.v), dot(d, plane_.normal), {}, {}};
    }

    CutLine<S> line_at(std::size_t i) const {
        const Corner<S>& corner = reference_.corners[i];
        const std::size_t next = i + 1 < reference_.corners.size() ? i + 1 : 0;
        const ClipPoint<S> p = project(corner.p), q = project(reference_.corners[next].p);
        const S dx = q.x - p.x, dy = q.y - p.y;
        return {p.x,
                p.y,
                dx,
                dy,
                slack_ * (std::abs(dx) + std::abs(dy)),
                static_cast<std::uint32_t>(i),
                Feature(FeatureKind::edge, corner.edge)};
    }

    /// Where the edge that leaves p crosses the line: two edges, or a corner of the reference
    /// where p's own edge is one of the reference too.
    CutCorner<S> crossing(const CutCorner<S>& p, const ClipPoint<S>& q, const CutLine<S>& line,
                          S side_p, S side_q) const {
        CutCorner<S> out;
        out.point = between(p.point, q, side_p / (side_p - side_q));
        if (p.along_reference) {
            const auto count = static_cast<std::uint32_t>(reference_.corners.size());
            const std::uint32_t corner = (p.edge + 1) % count == line.index ? line.index : p.edge;
            out.point.reference = Feature(FeatureKind::vertex, reference_.corners[corner].vertex);
            out.point.incident = Feature(FeatureKind::face, incident_.face);
        } else {
            out.point.reference = line.edge;
            out.point.incident = Feature(FeatureKind::edge, p.edge);
        }
        return out;
    }

    void cut(const CutLine<S>& line) {
        sides_.clear();
        bool all_inside = true;
        for (const CutCorner<S>& corner : polygon_) {
            sides_.push_back(line.side(corner.point));
            all_inside &= sides_.back() >= -line.slack;
        }
        if (all_inside) return;
        next_.clear();
        for (std::size_t i = 0; i < polygon_.size(); ++i) {
            const std::size_t j = i + 1 < polygon_.size() ? i + 1 : 0;
            const CutCorner<S>& p = polygon_[i];
            const bool p_in = sides_[i] >= -line.slack, q_in = sides_[j] >= -line.slack;
            if (p_in) next_.push_back(p);
            if (p_in && !q_in) {
                if (sides_[i] > S(0)) {
                    next_.push_back(crossing(p, polygon_[j].point, line, sides_[i], sides_[j]));
                }
                next_.back().edge = line.index;
                next_.back().along_reference = true;
            } else if (!p_in && q_in && sides_[j] > S(0)) {
                next_.push_back(crossing(p, polygon_[j].point, line, sides_[i], sides_[j]));
                next_.back().edge = p.edge;
                next_.back().along_reference = p.along_reference;
            }
        }
        std::swap(polygon_, next_);
    }

    /// The same for an edge or a single vertex, which has no inside.
    void cut_edge(const CutLine<S>& line) {
        sides_.clear();
        for (const CutCorner<S>& corner : polygon_) sides_.push_back(line.side(corner.point));
        const std::size_t last = polygon_.size() - 1;
        const bool p_in = sides_[0] >= -line.slack, q_in = sides_[last] >= -line.slack;
        if (!p_in && !q_in) return polygon_.clear();
        if (p_in && q_in) return;
        const std::size_t out = p_in ? last : 0, in = p_in ? 0 : last;
        if (sides_[in] > S(0)) {
            polygon_[out] =
                crossing(polygon_[out], polygon_[in].point, line, sides_[out], sides_[in]);
            polygon_[out].edge = polygon_[in].edge;
        } else {
            if (out == 0) std::swap(polygon_[0], polygon_[1]);
            polygon_.pop_back();
        }
    }

    const FacePolygon<S>& reference_;
    const FacePolygon<S>& incident_;
    S slack_;
    ReferencePlane<S> plane_;
    CutPolygon<S> polygon_, next_;
    InlineVector<S, 24> sides_;
};

} // namespace

template <class S>
ReferencePlane<S> clip_to_face(const FacePolygon<S>& reference, const Vec3<S>& origin,
                               const FacePolygon<S>& incident, S margin, S slack,
                               ClipPoints<S>& out) {
    FaceClip<S> clip(reference, incident, origin, slack);
    clip.run(margin, out);
    return clip.plane();
}

template ReferencePlane<float> clip_to_face(const FacePolygon<float>&, const Vec3<float>&,
                                            const FacePolygon<float>&, float, float,
                                            ClipPoints<float>&);
template ReferencePlane<double> clip_to_face(const FacePolygon<double>&, const Vec3<double>&,
                                             const FacePolygon<double>&, double, double,
                                             ClipPoints<double>&);

} // namespace rigor
