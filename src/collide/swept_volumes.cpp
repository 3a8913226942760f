#include "collide/swept_volumes.h"

#include "rigor/rotation.h"

namespace rigor {
namespace {

/// The box of a solid's sweep along three orthogonal axes.
template <class S>
struct AxesBox {
    Mat3<S> axes;
    Aabb<S> box; ///< in these axes

    AxesBox(const SweptSolid<S>& solid, const Mat3<S>& along) : axes(along) {
        const Extent<S> x = solid.along(axes.cx), y = solid.along(axes.cy),
                        z = solid.along(axes.cz);
        box = {{x.lo, y.lo, z.lo}, {x.hi, y.hi, z.hi}};
    }

    S volume() const {
        const Vec3<S> size = box.hi - box.lo;
        return size.x * size.y * size.z;
    }
};

/// Axes with the first along a direction, the second as near as can be to one of the given.
template <class S>
Mat3<S> axes_along(const Vec3<S>& direction, const Mat3<S>& given) {
    const Vec3<S> x = normalize(direction);
    const Vec3<S> across = abs(transpose_multiply(given, x));
    const Vec3<S>& helper = across.x <= across.y ? (across.x <= across.z ? given.cx : given.cz)
                                                 : (across.y <= across.z ? given.cy : given.cz);
    const Vec3<S> z = normalize(cross(x, helper));
    return {x, cross(z, x), z};
}

template <class S>
OrientedBox<S> oriented_box_of(const SweptSolid<S>& solid, const Motion<S>& motion) {
    const Mat3<S> own = to_matrix(pose_at(motion, S(0.5)).q);
    AxesBox<S> best(solid, own);
    if (motion.displacement != Vec3<S>{}) {
        const AxesBox<S> other(solid, axes_along(motion.displacement, own));
        if (other.volume() < best.volume()) best = other;
    }
    // The axes are orthogonal but for rounding, by which the box grows.
    const S size = max_component(max(abs(best.box.lo), abs(best.box.hi)));
    const S rounding = S(16) * std::numeric_limits<S>::epsilon() * size;
    return {expand(best.box, rounding), {best.axes, {}}};
}

template <class S>
Aabb<S> box_of(const SweptSolid<S>& solid) {
    return AxesBox<S>(solid, Mat3<S>{{S(1), S(0), S(0)}, {S(0), S(1), S(0)}, {S(0), S(0), S(1)}})
        .box;
}

template <class S>
bool volumes_overlap(SweptVolume volume, const SweptSolid<S>& a, const Motion<S>& motion_a,
                     const SweptSolid<S>& b, const Motion<S>& motion_b) {
    switch (volume) {
        case SweptVolume::none:
            return true;
        case SweptVolume::aabb:
            return overlap(box_of(a), box_of(b));
        case SweptVolume::oriented_box:
            return !oriented_box_of(a, motion_a).misses(oriented_box_of(b, motion_b));
        case SweptVolume::kdop_14:
            return overlap(swept_kdop<S, 14>(a), swept_kdop<S, 14>(b));
        case SweptVolume::kdop_18:
            return overlap(swept_kdop<S, 18>(a), swept_kdop<S, 18>(b));
        case SweptVolume::kdop_26:
            return overlap(swept_kdop<S, 26>(a), swept_kdop<S, 26>(b));
    }
    return true;
}

/// Whether a solid passes below a static plane.
template <class S>
bool comes_below(const Plane<S>& plane, const Pose<S>& pose, const SweptSolid<S>& solid) {
    const Vec3<S> normal = rotate(pose.q, plane.normal);
    const S level = dot(normal, pose.p) + plane.offset;
    return solid.along(normal).lo <= level;
}

} // namespace

template <class S>
OrientedBox<S> swept_oriented_box(const Shape<S>& shape, const Motion<S>& motion) {
    return oriented_box_of(SweptSolid<S>(shape, motion), motion);
}

template <class S>
bool swept_volumes_overlap(SweptVolume volume, const Shape<S>& a, const Motion<S>& motion_a,
                           const Shape<S>& b, const Motion<S>& motion_b) {
    if (volume == SweptVolume::none) return true;
    Motion<S> still = motion_a, moving = motion_b;
    still.displacement = {};
    moving.displacement = motion_b.displacement - motion_a.displacement;
    if (const auto* plane = std::get_if<Plane<S>>(&a.solid); plane && still.rotation == Vec3<S>{})
        return comes_below(*plane, still.start, SweptSolid<S>(b, moving));
    if (const auto* plane = std::get_if<Plane<S>>(&b.solid); plane && moving.rotation == Vec3<S>{})
        return swept_volumes_overlap(volume, b, motion_b, a, motion_a);
    const SweptSolid<S> solid_a(a, still), solid_b(b, moving);
    if (!solid_a.is_bounded() || !solid_b.is_bounded()) return true;
    return volumes_overlap(volume, solid_a, still, solid_b, moving);
}

#define RIGOR_INSTANTIATE(S)                                                            \
    template OrientedBox<S> swept_oriented_box(const Shape<S>&, const Motion<S>&);      \
    template bool swept_volumes_overlap(SweptVolume, const Shape<S>&, const Motion<S>&, \
                                        const Shape<S>&, const Motion<S>&);
RIGOR_INSTANTIATE(float)
RIGOR_INSTANTIATE(double)
#undef RIGOR_INSTANTIATE

} // namespace rigor
