// Extent of a moving solid along a direction: the sides of swept boxes and k-DOPs.
//
// Three bounds, and the least of them:
//
//   ends        Between its two ends a point at the distance p from the axis of a rotation by the
//               angle a deviates from the segment between them by at most p a²/8, normal to the
//               axis: along a direction d by at most that times |d - (d·axis) axis|. Nearly tight
//               for small rotations, exact without one.
//   revolution  The point stays on its circle about the axis. So the solid stays within p of the
//               axis, and within the extent along the axis that it has at the start.
//   sphere      It stays in its bounding sphere about the center [Kavan 2003, 3.2].
//
// p is the largest distance of the solid's points from the axis, as in surface_speed.h.
#pragma once

#include "geometry/shape.h"

namespace rigor {

/// The reach of a solid from lo to hi.
template <class S>
struct Extent {
    S lo{}, hi{};

    friend constexpr bool operator==(const Extent&, const Extent&) = default;
};

/// Touching counts.
template <class S>
constexpr bool overlap(const Extent<S>& a, const Extent<S>& b) {
    return a.lo <= b.hi && b.lo <= a.hi;
}

/// A solid during one motion, which is asked for its extents along several directions.
template <class S>
class SweptSolid {
  public:
    /// Refers to the shape, which must outlive this.
    SweptSolid(const Shape<S>& shape, const Motion<S>& motion);

    /// Along a unit direction; infinite for a solid without bound.
    Extent<S> along(const Vec3<S>& direction) const;

    const Pose<S>& start() const { return first_; }
    const Pose<S>& end() const { return last_; }
    /// False for planes and height fields, and for compounds with one.
    bool is_bounded() const { return radius_ < Aabb<S>::kInfinity; }

  private:
    Extent<S> at(const Pose<S>& pose, const Vec3<S>& direction) const;

    const Shape<S>& shape_;
    Pose<S> first_, last_;
    Vec3<S> center_, displacement_;
    Vec3<S> axis_; ///< unit, or zero without rotation
    S angle_{};
    S radius_{};      ///< about the center
    S axis_radius_{}; ///< about the axis
    Extent<S> axial_; ///< along the axis, from the center
};

} // namespace rigor
