#include "scene/template_bounds.h"

#include "rigor/rotation.h"

namespace rigor {

namespace {

/// The shortest turn that takes the unit vector `from` to the x axis.
Quatd turn_to_x(const Vec3d& from) {
    const Vec3d x{1, 0, 0};
    const Vec3d half = from + x;
    if (length_squared(half) < 1e-12) return {0, 0, 0, 1}; // -x: half a turn about z
    const Vec3d axis = cross(from, x);
    return normalize(Quatd{1 + from.x, axis.x, axis.y, axis.z});
}

} // namespace

Aabb<double> bounds(std::span<const ShapeRecord> shapes, const Quatd& orientation) {
    Aabb<double> box;
    for (const ShapeRecord& shape : shapes)
        box = join(box, bounds(shape.geometry, Posed{{}, orientation} * shape.local));
    return box;
}

Range extent_along(std::span<const ShapeRecord> shapes, const Quatd& orientation,
                   const Vec3d& direction) {
    const Aabb<double> box = bounds(shapes, turn_to_x(direction) * orientation);
    return {box.lo.x, box.hi.x};
}

} // namespace rigor
