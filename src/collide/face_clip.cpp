#include "collide/face_clip.h"

#include "collide/room.h"

namespace rigor {
namespace {

/// A corner of the polygon being cut: the number of its point, and the edge that leaves it, one of
/// the incident polygon, or of the reference when it was cut along that. Small, since corners are
/// copied at every cut; the points stay where they are.
struct CutCorner {
    std::uint32_t point = 0;
    std::uint32_t edge : 31 = 0;
    std::uint32_t along_reference : 1 = 0;
};

/// Faces of up to half as many corners need no memory from the heap.
constexpr std::size_t kUsual = 32;

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
        make_room();
    }

    const ReferencePlane<S>& plane() const { return plane_; }

    void run(S margin, ClipPoints<S>& out) {
        const Feature face(FeatureKind::face, reference_.face);
        for (const Corner<S>& corner : incident_.corners) {
            ClipPoint<S> point = project(corner.p);
            point.reference = face;
            point.incident = Feature(FeatureKind::vertex, corner.vertex);
            corners_[count_++] = {add(point), corner.edge & 0x7fffffffu, 0u};
        }
        if (reference_.is_face()) cut_along_all();
        for (std::size_t i = 0; i < count_; ++i) {
            const ClipPoint<S>& point = points_[corners_[i].point];
            if (point.height <= margin) out.push_back(point);
        }
    }

  private:
    ClipPoint<S> project(const Vec3<S>& p) const {
        const Vec3<S> d = p - plane_.origin;
        return {dot(d, plane_.u), dot(d, plane_.v), dot(d, plane_.normal), {}, {}};
    }

    /// A cut adds one corner to a convex polygon, and two points. One that rounding has made
    /// otherwise loses what there is no room for.
    void make_room() {
        const std::size_t cuts = reference_.corners.size();
        most_corners_ = std::max(incident_.corners.size() + cuts, kUsual);
        most_points_ = most_corners_ + std::max(cuts, kUsual / 2);
        corners_ = room_for(most_corners_, corner_room_);
        next_ = room_for(most_corners_, next_room_);
        sides_ = room_for(most_corners_, side_room_);
        points_ = room_for(most_points_, point_room_);
    }

    void cut_along_all() {
        const std::size_t count = reference_.corners.size();
        const bool face = incident_.is_face();
        const ClipPoint<S> first = project(reference_.corners[0].p);
        ClipPoint<S> p = first;
        for (std::size_t i = 0; i < count && count_ > 0; ++i) {
            const ClipPoint<S> q = i + 1 < count ? project(reference_.corners[i + 1].p) : first;
            const CutLine<S> line = line_between(p, q, i);
            if (face) {
                cut(line);
            } else {
                cut_edge(line);
            }
            p = q;
        }
    }

    CutLine<S> line_between(const ClipPoint<S>& p, const ClipPoint<S>& q, std::size_t i) const {
        const S dx = q.x - p.x, dy = q.y - p.y;
        return {p.x,
                p.y,
                dx,
                dy,
                slack_ * (std::abs(dx) + std::abs(dy)),
                static_cast<std::uint32_t>(i),
                Feature(FeatureKind::edge, reference_.corners[i].edge)};
    }

    std::uint32_t add(const ClipPoint<S>& point) {
        points_[point_count_] = point;
        return point_count_++;
    }

    /// Where the edge that leaves p toward q crosses the line: two edges, or a corner of the
    /// reference where p's own edge is one of the reference too.
    std::uint32_t crossing(const CutCorner& p, const CutCorner& q, const CutLine<S>& line, S side_p,
                           S side_q) {
        if (point_count_ == most_points_) return p.point;
        ClipPoint<S> at = between(points_[p.point], points_[q.point], side_p / (side_p - side_q));
        if (p.along_reference) {
            const auto count = static_cast<std::uint32_t>(reference_.corners.size());
            const std::uint32_t own = p.edge, after = own + 1 < count ? own + 1 : 0;
            const std::uint32_t corner = after == line.index ? line.index : own;
            at.reference = Feature(FeatureKind::vertex, reference_.corners[corner].vertex);
            at.incident = Feature(FeatureKind::face, incident_.face);
        } else {
            at.reference = line.edge;
            at.incident = Feature(FeatureKind::edge, p.edge);
        }
        return add(at);
    }

    /// How far each corner is inside a line; false when all are.
    bool measure_sides(const CutLine<S>& line) {
        bool any_outside = false;
        for (std::size_t i = 0; i < count_; ++i) {
            sides_[i] = line.side(points_[corners_[i].point]);
            any_outside |= !(sides_[i] >= -line.slack);
        }
        return any_outside;
    }

    void cut(const CutLine<S>& line) {
        if (!measure_sides(line)) return;
        std::size_t kept = 0;
        for (std::size_t i = 0; i < count_ && kept + 2 <= most_corners_; ++i) {
            const std::size_t j = i + 1 < count_ ? i + 1 : 0;
            const CutCorner p = corners_[i];
            const bool p_in = sides_[i] >= -line.slack, q_in = sides_[j] >= -line.slack;
            const bool crosses = p_in != q_in && (p_in ? sides_[i] : sides_[j]) > S(0);
            const std::uint32_t at =
                crosses ? crossing(p, corners_[j], line, sides_[i], sides_[j]) : p.point;
            if (p_in && (q_in || crosses)) next_[kept++] = p;
            if (p_in && !q_in) next_[kept++] = {at, line.index & 0x7fffffffu, 1u};
            if (!p_in && crosses) next_[kept++] = {at, p.edge, p.along_reference};
        }
        std::swap(corners_, next_);
        count_ = kept;
    }

    /// The same for an edge or a single vertex, which has no inside.
    void cut_edge(const CutLine<S>& line) {
        if (!measure_sides(line)) return;
        const std::size_t last = count_ - 1;
        const bool p_in = sides_[0] >= -line.slack, q_in = sides_[last] >= -line.slack;
        count_ = p_in || q_in ? count_ : 0;
        if (count_ < 2) return;
        CutCorner &out = corners_[p_in ? 1 : 0], &in = corners_[p_in ? 0 : 1];
        const S side_out = sides_[p_in ? 1 : 0], side_in = sides_[p_in ? 0 : 1];
        if (side_in > S(0)) {
            out = {crossing(out, in, line, side_out, side_in), in.edge, 0u};
        } else {
            corners_[0] = in;
            count_ = 1;
        }
    }

    const FacePolygon<S>& reference_;
    const FacePolygon<S>& incident_;
    S slack_;
    ReferencePlane<S> plane_;
    // Plain arrays: what is left of the polygon, room for what the next cut leaves, how far the
    // corners are inside the line, and all points that ever were.
    CutCorner *corners_ = nullptr, *next_ = nullptr;
    S* sides_ = nullptr;
    ClipPoint<S>* points_ = nullptr;
    std::size_t count_ = 0, most_corners_ = 0, most_points_ = 0;
    std::uint32_t point_count_ = 0;
    InlineVector<CutCorner, kUsual> corner_room_, next_room_;
    InlineVector<S, kUsual> side_room_;
    InlineVector<ClipPoint<S>, kUsual + kUsual / 2> point_room_;
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
