// Time of impact of a moving convex solid and the triangles of a moving mesh or height field.
//
// Where the swept box of the solid, in the frame of the surface, touches no triangle there is no
// impact. A sweep much longer than the solid itself is bisected, the earlier half first, and ends
// at the first part with an impact.
#pragma once

#include "collide/time_of_impact_convex.h"
#include "geometry/height_field.h"
#include "geometry/mesh.h"

namespace rigor {

/// A core with a local frame near it: coordinates of a triangle far from the mesh's origin lose
/// digits. The center of the motion stays where it is in the world.
template <class S>
struct LocalTriangle {
    Vec3<S> origin; ///< of the new frame in the old one
    Core<S> core;

    explicit LocalTriangle(const Triangle<S>& t)
        : origin(t.a), core(core_of(Triangle<S>{Vec3<S>{}, t.b - t.a, t.c - t.a})) {}
};

/// The surface is A.
template <class S, class Surface>
class SurfaceSweep {
  public:
    SurfaceSweep(const Surface& surface, const Core<S>& b, const PairMotion<S>& motion);

    /// The nearest triangle at a time, if one is within `max_distance`; else infinitely far.
    /// Triangles have no inside here.
    Distance<S> nearest_at(S t, S max_distance) const;

    /// Whether B is completely inside the solid that the surface bounds.
    bool holds_at_start() const;

    TimeOfImpact<S> first_impact(const Interval<S>& interval, const ImpactGaps<S>& gaps,
                                 int max_iterations);

  private:
    Aabb<S> swept_box(const Interval<S>& interval, S margin) const;
    bool is_long(const Aabb<S>& swept, S time) const;
    void sweep(const Interval<S>& interval, const ImpactGaps<S>& gaps, int depth);
    void test_triangle(std::uint32_t t, const Triangle<S>& triangle, const Interval<S>& interval,
                       const ImpactGaps<S>& gaps);

    const Surface& surface_;
    const Core<S>& b_;
    const PairMotion<S>& motion_;
    Aabb<S> surface_box_;
    S reach_b_, bend_;
    int max_iterations_ = 0;
    TimeOfImpact<S> best_;
};

} // namespace rigor
