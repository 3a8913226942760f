#include "collide/box_clip.h"

#include <bit>

namespace rigor {
namespace {

/// Of a point or direction: along the two axes in the face, and along its normal.
template <class S>
struct OverFace {
    OverFace(const BoxFace<S>& f, const Vec3<S>& p) : x(p[f.x]), y(p[f.y]), z(f.sign * p[f.axis]) {}
    S x, y, z;
};

/// `first` or `second`, without a branch.
template <class S>
S select(bool choose_first, S first, S second) {
    using Bits = std::conditional_t<sizeof(S) == 8, std::uint64_t, std::uint32_t>;
    const Bits mask = Bits(0) - static_cast<Bits>(choose_first);
    return std::bit_cast<S>((std::bit_cast<Bits>(first) & mask) |
                            (std::bit_cast<Bits>(second) & ~mask));
}

/// The overlap of two rectangles, one of which is tilted, by its corners: those of the incident
/// face over the reference, those of the reference below the incident face, and where edges cross.
///
/// The same points that cutting along the sides gives, but without a polygon that is cut and cut
/// again: all of them are computed, and those that do not exist are overwritten by the next. That
/// takes no branches, which nobody could predict.
template <class S>
class BoxOverlap {
  public:
    /// Four corners of each, eight crossings, and one that is overwritten in the end.
    static constexpr std::size_t kRoom = 17;

    BoxOverlap(const BoxFace<S>& reference, const OverFace<S>& middle, const OverFace<S>& by_u,
               const OverFace<S>& by_v, std::uint32_t incident_face, S margin, S slack,
               ClipPoint<S>* points)
        : hx_(reference.half_x),
          hy_(reference.half_y),
          m_(middle),
          u_(by_u),
          v_(by_v),
          margin_(margin),
          slack_(slack),
          reference_(kBoxFaces[reference.face]),
          incident_(kBoxFaces[incident_face]),
          face_(FeatureKind::face, reference.face),
          incident_face_(FeatureKind::face, incident_face),
          points_(points) {
        add_incident_corner(0, m_.x + v_.x + u_.x, m_.y + v_.y + u_.y, m_.z + v_.z + u_.z);
        add_incident_corner(1, m_.x + v_.x - u_.x, m_.y + v_.y - u_.y, m_.z + v_.z - u_.z);
        add_incident_corner(2, m_.x - v_.x - u_.x, m_.y - v_.y - u_.y, m_.z - v_.z - u_.z);
        add_incident_corner(3, m_.x - v_.x + u_.x, m_.y - v_.y + u_.y, m_.z - v_.z + u_.z);
        if (!any_out_) return;
        add_reference_corners();
        const Slopes along_u(u_), along_v(v_);
        add_crossings(0, v_, S(1), u_, along_u, corners_[1], corners_[0]);
        add_crossings(1, u_, S(-1), v_, along_v, corners_[2], corners_[1]);
        add_crossings(2, v_, S(-1), u_, along_u, corners_[2], corners_[3]);
        add_crossings(3, u_, S(1), v_, along_v, corners_[3], corners_[0]);
    }


    std::size_t count() const { return count_; }

  private:
    /// Whether a corner of the incident face is beside the reference, along x or along y.
    struct Beside {
        bool x = false, y = false;
    };

    /// Per unit of x and y, how far to go along an edge; finite also for one that runs across.
    struct Slopes {
        explicit Slopes(const OverFace<S>& d)
            : x(S(1) / at_least_tiny(d.x)), y(S(1) / at_least_tiny(d.y)) {}
        static S at_least_tiny(S value) {
            return std::copysign(std::max(std::abs(value), S(1e-30)), value);
        }
        S x, y;
    };

    void add(S x, S y, S height, Feature reference, Feature incident, bool exists) {
        points_[count_] = {x, y, height, reference, incident};
        count_ += static_cast<std::size_t>(exists) & static_cast<std::size_t>(height <= margin_);
    }

    void add_incident_corner(std::size_t i, S x, S y, S height) {
        const S off_x = std::abs(x) - hx_, off_y = std::abs(y) - hy_;
        corners_[i] = {off_x > slack_, off_y > slack_};
        const bool out = std::max(off_x, off_y) > slack_;
        // Next to a corner of the reference it stands for that one too.
        const bool at_corner = std::min(off_x, off_y) >= -slack_;
        const int quadrant = (x < S(0) ? 1 : 0) + (y < S(0) ? 2 : 0);
        taken_ |= static_cast<int>(at_corner & !out) << quadrant;
        any_out_ |= out;
        add(x, y, height, face_, Feature(FeatureKind::vertex, incident_[i].vertex), !out);
    }

    /// In the incident face a corner has coordinates between -1 and 1 along its two half edges.
    void add_reference_corners() {
        const S det = u_.x * v_.y - u_.y * v_.x, per_det = S(1) / det;
        const auto add_corner = [&](std::size_t k, S x, S y, int quadrant) {
            const S dx = x - m_.x, dy = y - m_.y;
            const S a = (dx * v_.y - dy * v_.x) * per_det, b = (u_.x * dy - u_.y * dx) * per_det;
            const bool inside = std::max(std::abs(a), std::abs(b)) < S(1);
            add(x, y, m_.z + u_.z * a + v_.z * b, Feature(FeatureKind::vertex, reference_[k].vertex),
                incident_face_, inside & ((taken_ >> quadrant & 1) == 0));
        };
        add_corner(0, hx_, hy_, 0);
        add_corner(1, -hx_, hy_, 1);
        add_corner(2, -hx_, -hy_, 3);
        add_corner(3, hx_, -hy_, 2);
    }

    /// An edge runs from -1 to 1 along a half edge d, beside the middle by `side` times the other.
    /// Where it enters the reference and where it leaves, if its ends are out.
    void add_crossings(std::size_t edge, const OverFace<S>& other, S side, const OverFace<S>& d,
                       const Slopes& per, Beside low, Beside high) {
        const S cx = m_.x + other.x * side, cy = m_.y + other.y * side, cz = m_.z + other.z * side;
        const S middle_x = -cx * per.x, middle_y = -cy * per.y;
        const S reach_x = hx_ * std::abs(per.x), reach_y = hy_ * std::abs(per.y);
        const S in_x = select(low.x, middle_x - reach_x, S(-1));
        const S in_y = select(low.y, middle_y - reach_y, S(-1));
        const S out_x = select(high.x, middle_x + reach_x, S(1));
        const S out_y = select(high.y, middle_y + reach_y, S(1));
        const S in = std::max(in_x, in_y), out = std::min(out_x, out_y);
        const bool meets = in < out;
        // Sides are numbered +y, -x, -y, +x.
        const std::size_t low_x = d.x > S(0) ? 1 : 3, low_y = d.y > S(0) ? 2 : 0;
        const std::size_t side_in = in_x > in_y ? low_x : low_y;
        const std::size_t side_out = out_x < out_y ? 4 - low_x : 2 - low_y;
        const Feature own(FeatureKind::edge, incident_[edge].edge);
        add(cx + d.x * in, cy + d.y * in, cz + d.z * in,
            Feature(FeatureKind::edge, reference_[side_in].edge), own, meets & (low.x | low.y));
        add(cx + d.x * out, cy + d.y * out, cz + d.z * out,
            Feature(FeatureKind::edge, reference_[side_out].edge), own,
            meets & (high.x | high.y));
    }

    S hx_, hy_;
    OverFace<S> m_, u_, v_;
    S margin_, slack_;
    const std::array<SideNames, 4>&reference_, &incident_;
    Feature face_, incident_face_;
    std::array<Beside, 4> corners_;
    int taken_ = 0;
    bool any_out_ = false;
    std::size_t count_ = 0;
    ClipPoint<S>* points_;
};

} // namespace

template <class S>
void clip_to_box(const BoxFace<S>& reference, const FacePolygon<S>& incident, S margin, S slack,
                 ClipPoints<S>& out) {
    PolygonCut<S> cut(incident.corners.size(), kBoxFaces[reference.face].data(), 4, reference.face,
                      incident.face);
    for (const Corner<S>& corner : incident.corners) {
        const OverFace<S> p(reference, corner.p);
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
                 const Placement<S>& incident, std::uint32_t incident_face, S margin, S slack,
                 ClipPoints<S>& out) {
    const BoxFace<S> own(incident_half, incident_face);
    OverFace<S> middle(reference,
                       incident.offset + incident.turn.column(own.axis) * (own.sign * own.top));
    middle.z -= reference.top;
    const OverFace<S> by_u(reference, incident.turn.column(own.x) * own.half_x);
    const OverFace<S> by_v(reference, incident.turn.column(own.y) * own.half_y);
    static_assert(BoxOverlap<S>::kRoom <= kUsualClipPoints);
    const BoxOverlap<S> overlap(reference, middle, by_u, by_v, incident_face, margin, slack,
                                out.data());
    while (out.size() < overlap.count()) out.push_back(out.data()[out.size()]);
}

#define RIGOR_INSTANTIATE(S)                                                                       \
    template void clip_to_box(const BoxFace<S>&, const FacePolygon<S>&, S, S, ClipPoints<S>&);     \
    template void clip_to_box(const BoxFace<S>&, const Vec3<S>&, const Placement<S>&,              \
                              std::uint32_t, S, S, ClipPoints<S>&);
RIGOR_INSTANTIATE(float)
RIGOR_INSTANTIATE(double)
#undef RIGOR_INSTANTIATE

} // namespace rigor
