// When a moving convex solid first meets the triangles of a moving mesh or height field.
//
// Where the swept box of the solid, in the frame of the surface, meets no triangle there is no
// impact. A sweep much longer than the solid itself is cut in halves, the earlier one first, and
// ends at the first piece with an impact.
#pragma once

#include "collide/time_of_impact_convex.h"
#include "geometry/height_field.h"
#include "geometry/mesh.h"

namespace rigor {

/// A core whose frame is brought near to it: coordinates of a triangle far out in its mesh cost
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

    /// The nearest triangle at a time, as far as one is within `reach`; else infinitely far.
    /// Triangles have no inside here.
    Distance<S> nearest_at(S t, S reach) const;

    /// Whether the solid that the surface bounds has B inside, of which it touches nothing.
    bool holds_at_start() const;

    TimeOfImpact<S> first_impact(const Stretch<S>& stretch, const ImpactGaps<S>& gaps,
                                 int max_iterations);

  private:
    Aabb<S> swept_box(const Stretch<S>& stretch, S margin) const;
    bool is_long(const Aabb<S>& swept, S time) const;
    void sweep(const Stretch<S>& stretch, const ImpactGaps<S>& gaps, int depth);
    void meet(std::uint32_t t, const Triangle<S>& triangle, const Stretch<S>& stretch,
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
