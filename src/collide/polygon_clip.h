// Polygon clipping: a polygon, edge or vertex against the sides of a convex polygon [Sutherland and
// Hodgman 1974].
//
// All are projected onto one plane: x and y in it, and a height above. Most of the time of a
// contact is spent here, so the vertices are plain records in plain arrays.
#pragma once

#include "collide/contact_types.h"
#include "collide/inline_storage.h"

namespace rigor {

/// A point of the overlap of two faces, seen from the reference face.
template <class S>
struct ClipPoint {
    S x{}, y{};
    S height{}; ///< of the incident face there
    Feature reference, incident;
};

template <class S>
using ClipPoints = InlineVector<ClipPoint<S>, 24>;

/// A side of the reference polygon: inside is nx x + ny y <= offset. Outside by at most `slack`, in
/// units of the offset, counts as inside.
template <class S>
struct CutLine {
    S nx, ny, offset, slack;
};

/// The numbers of a side of a polygon and of the vertex where it begins.
struct SideNames {
    std::uint32_t vertex = 0, edge = 0;
};

/// Usage: add the vertices of the incident polygon in order, clip along the sides of the reference
/// in order, collect the result. Sides that clip nothing may be left out.
template <class S>
class PolygonCut {
  public:
    /// `sides` are those of the reference; they must outlive this.
    PolygonCut(std::size_t corners, const SideNames* sides, std::size_t side_count,
               std::uint32_t reference_face, std::uint32_t incident_face)
        : sides_(sides),
          side_count_(side_count),
          face_(FeatureKind::face, reference_face),
          incident_face_(FeatureKind::face, incident_face) {
        // A cut adds one vertex to a convex polygon. If rounding made it nonconvex, vertices beyond
        // the capacity are dropped.
        most_ = std::max(corners + side_count, kUsual);
        corners_ = array_for(2 * most_, storage_);
        next_ = corners_ + most_;
    }
    PolygonCut(const PolygonCut&) = delete;
    PolygonCut& operator=(const PolygonCut&) = delete;

    /// A vertex of the incident polygon and its edge to the next one.
    void add(S x, S y, S height, SideNames names) {
        corners_[count_++] = {
            x, y, height, S(0), face_, Feature(FeatureKind::vertex, names.vertex), names.edge};
        is_face_ = count_ > 2;
    }

    void cut(std::uint32_t side, const CutLine<S>& line) {
        if (all_inside(line)) return;
        if (is_face_) {
            cut_face(side, -line.slack);
        } else {
            cut_edge(side, -line.slack);
        }
    }

    /// The remaining points not higher than `margin`.
    void collect(S margin, ClipPoints<S>& out) const {
        for (const Corner* p = corners_; p != corners_ + count_; ++p) {
            if (p->height <= margin)
                out.push_back({p->x, p->y, p->height, p->reference, p->incident});
        }
    }

  private:
    struct Corner {
        S x{}, y{}, height{};
        S inside{}; ///< of the line of the cut
        Feature reference, incident;
        /// The outgoing edge: one of the incident polygon, or kAlongReference and the number of a
        /// side when it was cut along that.
        std::uint32_t edge = 0;
    };
    static constexpr std::uint32_t kAlongReference = 0x80000000u;
    /// Polygons of up to half as many vertices need no heap memory.
    static constexpr std::size_t kUsual = 32;

    bool all_inside(const CutLine<S>& line) {
        bool all = true;
        for (Corner* p = corners_; p != corners_ + count_; ++p) {
            p->inside = line.offset - (line.nx * p->x + line.ny * p->y);
            all &= p->inside >= -line.slack;
        }
        return all;
    }

    /// Where the edge that leaves p toward q crosses a side: two edges, or a vertex of the
    /// reference where p's own edge is one of the reference too.
    Corner crossing(const Corner& p, const Corner& q, std::uint32_t side) const {
        const S t = p.inside / (p.inside - q.inside);
        Corner at{p.x + (q.x - p.x) * t,
                  p.y + (q.y - p.y) * t,
                  p.height + (q.height - p.height) * t,
                  S(0),
                  {},
                  {},
                  p.edge};
        if ((p.edge & kAlongReference) != 0) {
            const std::uint32_t own = p.edge ^ kAlongReference;
            const std::uint32_t after = own + 1 < side_count_ ? own + 1 : 0;
            const std::uint32_t corner = after == side ? side : own;
            at.reference = Feature(FeatureKind::vertex, sides_[corner].vertex);
            at.incident = incident_face_;
        } else {
            at.reference = Feature(FeatureKind::edge, sides_[side].edge);
            at.incident = Feature(FeatureKind::edge, p.edge);
        }
        return at;
    }

    void cut_face(std::uint32_t side, S least) {
        const Corner* const end = corners_ + count_;
        Corner* out = next_;
        const Corner* const full = next_ + most_ - 1;
        for (const Corner* p = corners_; p != end && out < full; ++p) {
            const Corner* q = p + 1 != end ? p + 1 : corners_;
            const bool p_in = p->inside >= least, q_in = q->inside >= least;
            if (p_in && q_in) {
                *out++ = *p;
            } else if (p_in) {
                // Outside by at most the slack: it stays, and continues along the line.
                if (p->inside > S(0)) {
                    *out++ = *p;
                    *out = crossing(*p, *q, side);
                } else {
                    *out = *p;
                }
                out++->edge = side | kAlongReference;
            } else if (q_in && q->inside > S(0)) {
                *out++ = crossing(*p, *q, side);
            }
        }
        std::swap(corners_, next_);
        count_ = static_cast<std::size_t>(out - corners_);
    }

    /// The same for an edge or a single vertex, which has no interior.
    void cut_edge(std::uint32_t side, S least) {
        const bool p_in = corners_[0].inside >= least, q_in = corners_[count_ - 1].inside >= least;
        if (!p_in && !q_in) count_ = 0;
        if (count_ < 2) return;
        Corner &out = corners_[p_in ? 1 : 0], &in = corners_[p_in ? 0 : 1];
        if (in.inside > S(0)) {
            out = crossing(out, in, side);
        } else {
            corners_[0] = in;
            count_ = 1;
        }
    }

    const SideNames* sides_;
    std::size_t side_count_;
    Feature face_, incident_face_;
    bool is_face_ = false;
    Corner *corners_ = nullptr,
           *next_ = nullptr; ///< current polygon, and buffer for the next cut
    std::size_t count_ = 0, most_ = 0;
    InlineVector<Corner, 2 * kUsual> storage_;
};

} // namespace rigor
