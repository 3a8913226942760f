// Support functions of the cores of convex solids, for GJK and EPA.
//
// One small tagged record rather than a template on the pair of solids: the branch on the kind is
// constant during a query and predicted, while 49 pairs in two precisions would be 98 copies of
// each loop.
#pragma once

#include <cmath>
#include <cstdint>

#include "geometry/shape.h"
#include "geometry/triangle.h"

namespace rigor {

enum class CoreKind : std::uint8_t { point, segment, triangle, box, cylinder, cone, hull };

/// Refers to its hull, which must outlive it; stores all else.
template <class S>
struct Core {
    CoreKind kind = CoreKind::point;
    /// Segment: (0, 0, half length). Box: half edges. Cylinder: (radius, 0, half height). Cone:
    /// (radius, base, apex).
    Vec3<S> size;
    S radius{}; ///< of the ball around the core
    const Hull<S>* hull = nullptr;
    Triangle<S> triangle;
};

template <class S>
Core<S> core_of(const Sphere<S>& sphere) {
    return {CoreKind::point, {}, sphere.radius, nullptr, {}};
}
template <class S>
Core<S> core_of(const Capsule<S>& capsule) {
    return {CoreKind::segment, {S(0), S(0), capsule.half_length}, capsule.radius, nullptr, {}};
}
template <class S>
Core<S> core_of(const Box<S>& box) {
    return {CoreKind::box, box.half, box.rounding, nullptr, {}};
}
template <class S>
Core<S> core_of(const Cylinder<S>& c) {
    return {CoreKind::cylinder, {c.radius, S(0), c.half_height}, c.rounding, nullptr, {}};
}
template <class S>
Core<S> core_of(const Cone<S>& cone) {
    return {CoreKind::cone, {cone.radius, cone.base, cone.apex}, cone.rounding, nullptr, {}};
}
template <class S>
Core<S> core_of(const Hull<S>& hull) {
    return {CoreKind::hull, {}, hull.rounding, &hull, {}};
}
template <class S>
Core<S> core_of(const Triangle<S>& triangle) {
    return {CoreKind::triangle, {}, S(0), nullptr, triangle};
}

/// Whether the surface has curved parts, on which a polytope does not terminate.
template <class S>
bool is_curved(const Core<S>& core) {
    return core.kind == CoreKind::cylinder || core.kind == CoreKind::cone;
}

/// Upper bound of the coordinates of the core.
template <class S>
S extent(const Core<S>& core) {
    if (core.kind == CoreKind::hull) {
        S largest = S(0);
        for (int i = 0; i < 6; ++i) {
            const std::uint32_t v = core.hull->extremes[static_cast<std::size_t>(i)];
            largest = std::max(largest, std::abs(core.hull->vertices[v][i / 2]));
        }
        return largest;
    }
    if (core.kind == CoreKind::triangle) {
        const Triangle<S>& t = core.triangle;
        return max_component(max(max(abs(t.a), abs(t.b)), abs(t.c)));
    }
    return max_component(abs(core.size));
}

/// An interior point.
template <class S>
Vec3<S> middle(const Core<S>& core) {
    if (core.kind == CoreKind::hull) return core.hull->center;
    const Triangle<S>& t = core.triangle;
    // Divided first: the sum of the largest numbers would overflow.
    if (core.kind == CoreKind::triangle) return t.a / S(3) + t.b / S(3) + t.c / S(3);
    return {};
}

/// On the circle of a rim, or its center where the direction is along the axis.
template <class S>
Vec3<S> rim_support(S radius, S height, const Vec3<S>& direction) {
    const S across = std::sqrt(direction.x * direction.x + direction.y * direction.y);
    const S scale = across > S(0) ? radius / across : S(0);
    return {direction.x * scale, direction.y * scale, height};
}

template <class S>
Vec3<S> triangle_support(const Triangle<S>& t, const Vec3<S>& direction) {
    const S a = dot(t.a, direction), b = dot(t.b, direction), c = dot(t.c, direction);
    return a >= b ? (a >= c ? t.a : t.c) : (b >= c ? t.b : t.c);
}

/// The extreme vertex of the hull along the axis nearest to a direction.
template <class S>
std::uint32_t extreme_along(const Hull<S>& hull, const Vec3<S>& direction) {
    const Vec3<S> size = abs(direction);
    const int axis = size.x >= size.y ? (size.x >= size.z ? 0 : 2) : (size.y >= size.z ? 1 : 2);
    return hull.extremes[static_cast<std::size_t>(2 * axis + (direction[axis] < S(0) ? 1 : 0))];
}

/// Linear search over all vertices from a good initial one.
template <class S>
std::uint32_t highest_vertex(const std::vector<Vec3<S>>& vertices, const Vec3<S>& direction,
                             std::uint32_t hint) {
    S height = dot(vertices[hint], direction);
    const auto count = static_cast<std::uint32_t>(vertices.size());
    for (std::uint32_t i = 0; i < count; ++i) {
        const S h = dot(vertices[i], direction);
        if (!(h > height)) continue;
        height = h;
        hint = i;
    }
    return hint;
}

/// `hint` is the vertex found last time. Hill climbing starts there or at an extreme vertex,
/// whichever is higher: GJK's successive directions are close, EPA's are not. A hull without
/// adjacency is a point cloud.
template <class S>
Vec3<S> hull_support(const Hull<S>& hull, const Vec3<S>& direction, std::uint32_t& hint) {
    constexpr std::size_t kClimbFrom = 12; // below, a linear search is faster
    const std::vector<Vec3<S>>& vertices = hull.vertices;
    if (vertices.size() < kClimbFrom || hull.neighbors.empty()) {
        hint = highest_vertex(vertices, direction, hint);
        return vertices[hint];
    }
    S height = dot(vertices[hint], direction);
    const std::uint32_t extreme = extreme_along(hull, direction);
    if (const S h = dot(vertices[extreme], direction); h > height) {
        height = h;
        hint = extreme;
    }
    for (bool higher = true; higher;) {
        higher = false;
        for (const std::uint32_t v : hull.neighbors_of(hint)) {
            const S h = dot(vertices[v], direction);
            if (!(h > height)) continue;
            height = h;
            hint = v;
            higher = true;
        }
    }
    return vertices[hint];
}

/// The support point of the core along a direction, which need not be a unit.
template <class S>
Vec3<S> support(const Core<S>& core, const Vec3<S>& direction, std::uint32_t& hint) {
    const Vec3<S>& size = core.size;
    switch (core.kind) {
        case CoreKind::point:
            return {};
        case CoreKind::segment:
            return {S(0), S(0), direction.z < S(0) ? -size.z : size.z};
        case CoreKind::triangle:
            return triangle_support(core.triangle, direction);
        case CoreKind::box:
            return {std::copysign(size.x, direction.x), std::copysign(size.y, direction.y),
                    std::copysign(size.z, direction.z)};
        case CoreKind::cylinder:
            return rim_support(size.x, std::copysign(size.z, direction.z), direction);
        case CoreKind::cone: {
            const Vec3<S> rim = rim_support(size.x, size.y, direction);
            const Vec3<S> apex{S(0), S(0), size.z};
            return dot(direction, apex - rim) > S(0) ? apex : rim;
        }
        case CoreKind::hull:
            return hull_support(*core.hull, direction, hint);
    }
    return {};
}

/// Of the core with the ball around it.
template <class S>
Aabb<S> bounds(const Core<S>& core, const Pose<S>& pose) {
    Aabb<S> box;
    std::uint32_t hint = 0;
    for (int i = 0; i < 3; ++i) {
        Vec3<S> e;
        e[i] = S(1);
        const Vec3<S> local = inverse_rotate(pose.q, e);
        box.hi[i] = transform(pose, support(core, local, hint))[i];
        box.lo[i] = transform(pose, support(core, -local, hint))[i];
    }
    return expand(box, core.radius);
}

} // namespace rigor
