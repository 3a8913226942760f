#include "collide/box_clip.h"

namespace rigor {
namespace {

/// A point or direction: along the two axes in the face, and along its normal.
template <class S>
struct OverFace {
    S x, y, z;

    friend OverFace operator+(const OverFace& p, const OverFace& q) {
        return {p.x + q.x, p.y + q.y, p.z + q.z};
    }
    friend OverFace operator-(const OverFace& p, const OverFace& q) {
        return {p.x - q.x, p.y - q.y, p.z - q.z};
    }
    friend OverFace operator*(const OverFace& p, S s) { return {p.x * s, p.y * s, p.z * s}; }
};

template <class S>
OverFace<S> over_face(const BoxFace<S>& f, const Vec3<S>& p) {
    return {p[f.x], p[f.y], f.sign * p[f.axis]};
}

/// The overlap of two rectangles, one of which is tilted, by its vertices: those of the incident
/// face over the reference, those of the reference below the incident face, and edge crossings.
///
/// The same points as clipping along the sides, but each computed directly from the positions of
/// the vertices, without repeated clipping.
template <class S>
class BoxOverlap {
  public:
    BoxOverlap(const BoxFace<S>& reference, std::uint32_t incident_face, S margin, S slack,
               ClipPoints<S>& out)
        : half_x_(reference.half_x),
          half_y_(reference.half_y),
          margin_(margin),
          slack_(slack),
          reference_(kBoxFaces[reference.face]),
          incident_(kBoxFaces[incident_face]),
          face_(FeatureKind::face, reference.face),
          incident_face_(FeatureKind::face, incident_face),
          out_(out) {}

    /// The incident face is m + a u + b v, with a and b from -1 to 1.
    void run(const OverFace<S>& m, const OverFace<S>& u, const OverFace<S>& v) {
        const OverFace<S> above = m + v, below = m - v;
        const std::array<Sides, 4> beside{
            incident_corner(0, above + u), incident_corner(1, above - u),
            incident_corner(2, below - u), incident_corner(3, below + u)};
        if ((beside[0] | beside[1] | beside[2] | beside[3]) == 0) return;
        reference_corners(m, u, v);
        crossings(0, above, u, beside[1], beside[0]);
        crossings(1, m - u, v, beside[2], beside[1]);
        crossings(2, below, u, beside[2], beside[3]);
        crossings(3, m + u, v, beside[3], beside[0]);
    }

  private:
    /// Sides of the reference, as bits, in the order of kBoxFaces: +y, -x, -y, +x.
    using Sides = std::uint32_t;
    static constexpr Sides kX = 2 | 8, kY = 1 | 4, kPlusX = 8, kPlusY = 1;

    void add(const OverFace<S>& p, Feature reference, Feature incident) {
        if (p.z <= margin_) out_.push_back({p.x, p.y, p.z, reference, incident});
    }

    /// Adds a vertex that is over the reference; else returns the sides it is outside of.
    Sides incident_corner(std::size_t i, const OverFace<S>& p) {
        const S off_x = std::abs(p.x) - half_x_, off_y = std::abs(p.y) - half_y_;
        if (off_x > slack_ || off_y > slack_) {
            return (off_x > slack_ ? (p.x < S(0) ? 2u : 8u) : 0u) |
                   (off_y > slack_ ? (p.y < S(0) ? 4u : 1u) : 0u);
        }
        // Next to a vertex of the reference it replaces that one too.
        if (off_x >= -slack_ && off_y >= -slack_)
            taken_ |= 1u << ((p.x < S(0) ? 1 : 0) + (p.y < S(0) ? 2 : 0));
        add(p, face_, Feature(FeatureKind::vertex, incident_[i].vertex));
        return 0;
    }

    void reference_corners(const OverFace<S>& m, const OverFace<S>& u, const OverFace<S>& v) {
        const S whole = u.x * v.y - u.y * v.x, size = std::abs(whole);
        const auto corner = [&](std::size_t k, S x, S y, int quadrant) {
            const S dx = x - m.x, dy = y - m.y;
            const S a = dx * v.y - dy * v.x, b = u.x * dy - u.y * dx;
            if (!(std::abs(a) < size) || !(std::abs(b) < size)) return;
            if ((taken_ >> quadrant & 1u) != 0) return;
            add({x, y, m.z + (u.z * a + v.z * b) / whole},
                Feature(FeatureKind::vertex, reference_[k].vertex), incident_face_);
        };
        corner(0, half_x_, half_y_, 0);
        corner(1, -half_x_, half_y_, 1);
        corner(2, -half_x_, -half_y_, 3);
        corner(3, half_x_, -half_y_, 2);
    }

    /// Where the line m + s d crosses one of the given sides, which one end is outside of: the end
    /// at -1 for `from` 1, that at 1 for -1. Of two sides the one that is crossed last from there.
    struct Crossing {
        S s;
        std::size_t side;
    };
    Crossing crossing(const OverFace<S>& m, const OverFace<S>& d, Sides sides, S from) const {
        Crossing at{-from, 0};
        if ((sides & kX) != 0) {
            const bool plus = (sides & kPlusX) != 0;
            at = {((plus ? half_x_ : -half_x_) - m.x) / d.x, plus ? 3u : 1u};
        }
        if ((sides & kY) != 0) {
            const bool plus = (sides & kPlusY) != 0;
            const S s = ((plus ? half_y_ : -half_y_) - m.y) / d.y;
            if (!(from * s < from * at.s)) at = {s, plus ? 0u : 2u};
        }
        return at;
    }

    /// Crossings of the edge m + s d, for s from -1, where it is outside the sides `low`, to 1.
    void crossings(std::size_t edge, const OverFace<S>& m, const OverFace<S>& d, Sides low,
                   Sides high) {
        if ((low | high) == 0 || (low & high) != 0) return;
        const Crossing in = crossing(m, d, low, S(1)), out = crossing(m, d, high, S(-1));
        if (!(in.s < out.s)) return;
        const Feature own(FeatureKind::edge, incident_[edge].edge);
        if (low != 0) add(m + d * in.s, Feature(FeatureKind::edge, reference_[in.side].edge), own);
        if (high != 0)
            add(m + d * out.s, Feature(FeatureKind::edge, reference_[out.side].edge), own);
    }

    S half_x_, half_y_, margin_, slack_;
    const std::array<SideNames, 4>&reference_, &incident_;
    Feature face_, incident_face_;
    std::uint32_t taken_ = 0; ///< vertices of the reference, by quadrant
    ClipPoints<S>& out_;
};

} // namespace

template <class S>
void clip_to_box(const BoxFace<S>& reference, const FacePolygon<S>& incident, S margin, S slack,
                 ClipPoints<S>& out) {
    PolygonCut<S> cut(incident.corners.size(), kBoxFaces[reference.face].data(), 4, reference.face,
                      incident.face);
    for (const Corner<S>& corner : incident.corners) {
        const OverFace<S> p = over_face(reference, corner.p);
        cut.add(p.x, p.y, p.z - reference.top, {corner.vertex, corner.edge});
    }
    cut.cut(0, {S(0), S(1), reference.half_y, slack});
    cut.cut(1, {S(-1), S(0), reference.half_x, slack});
    cut.cut(2, {S(0), S(-1), reference.half_y, slack});
    cut.cut(3, {S(1), S(0), reference.half_x, slack});
    cut.collect(margin, out);
}

template <class S>
void clip_to_box(const BoxFace<S>& reference, const Vec3<S>& incident_half,
                 const Transform<S>& incident, std::uint32_t incident_face, S margin, S slack,
                 ClipPoints<S>& out) {
    const BoxFace<S> own(incident_half, incident_face);
    OverFace<S> middle = over_face(
        reference, incident.offset + incident.turn.column(own.axis) * (own.sign * own.top));
    middle.z -= reference.top;
    const OverFace<S> by_u = over_face(reference, incident.turn.column(own.x) * own.half_x);
    const OverFace<S> by_v = over_face(reference, incident.turn.column(own.y) * own.half_y);
    BoxOverlap<S>(reference, incident_face, margin, slack, out).run(middle, by_u, by_v);
}

#define RIGOR_INSTANTIATE(S)                                                                   \
    template void clip_to_box(const BoxFace<S>&, const FacePolygon<S>&, S, S, ClipPoints<S>&); \
    template void clip_to_box(const BoxFace<S>&, const Vec3<S>&, const Transform<S>&,          \
                              std::uint32_t, S, S, ClipPoints<S>&);
RIGOR_INSTANTIATE(float)
RIGOR_INSTANTIATE(double)
#undef RIGOR_INSTANTIATE

} // namespace rigor
