#include "geometry/motion_bounds.h"

#include <limits>

namespace rigor {
namespace {

// Rounding error of a few operations on coordinates of this size.
template <class S>
S rounding_margin(const Aabb<S>& box, S radius) {
    const S size = max_component(max(abs(box.lo), abs(box.hi))) + radius;
    return S(8) * std::numeric_limits<S>::epsilon() * size;
}

} // namespace

template <class S>
Aabb<S> swept_bounds(const Aabb<S>& first, const Aabb<S>& last, const Motion<S>& motion, S radius) {
    const Aabb<S> ends = join(first, last);
    const S angle_squared = length_squared(motion.rotation);
    const S infinity = std::numeric_limits<S>::infinity();
    if (!(radius < infinity)) { // a half-space
        const Vec3<S> all{infinity, infinity, infinity};
        return angle_squared > S(0) ? Aabb<S>{-all, all} : ends;
    }
    const Vec3<S> center = transform(motion.start, motion.local_center);
    const Vec3<S> moved = center + motion.displacement;
    const Vec3<S> r{radius, radius, radius};
    const Aabb<S> sphere{min(center, moved) - r, max(center, moved) + r};

    Aabb<S> box = ends;
    if (angle_squared > S(0)) {
        for (int i = 0; i < 3; ++i) {
            // The curve deviates normal to the rotation axis: along coordinate i by at most sqrt(1
            // - axis_i²) of the whole.
            const S axis_squared = motion.rotation[i] * motion.rotation[i] / angle_squared;
            const S share = std::sqrt(std::max(S(0), S(1) - axis_squared) +
                                      S(4) * std::numeric_limits<S>::epsilon());
            const S bend = radius * angle_squared / S(8) * share;
            box.lo[i] = std::max(box.lo[i] - bend, sphere.lo[i]);
            box.hi[i] = std::min(box.hi[i] + bend, sphere.hi[i]);
        }
    }
    return expand(box, rounding_margin(box, radius));
}

template Aabb<float> swept_bounds(const Aabb<float>&, const Aabb<float>&, const Motion<float>&,
                                  float);
template Aabb<double> swept_bounds(const Aabb<double>&, const Aabb<double>&, const Motion<double>&,
                                   double);

} // namespace rigor
