#include "geometry/surface_speed.h"

#include <cmath>
#include <limits>

namespace rigor {
namespace {

template <class S>
constexpr S kEpsilon = std::numeric_limits<S>::epsilon();

/// A line through the origin of a solid's coordinates relative to the center.
template <class S>
struct Axis {
    Vec3<S> center, direction;

    S distance(const Vec3<S>& point) const { return length(cross(direction, point - center)); }
};

/// The largest distance from an axis of points of the circle about (0, 0, height), normal to z.
///
/// Seen along the axis the circle is an ellipse with the half axes R, along e1 normal to both the
/// axis and z, and k = R |axis z|, along e2. With its center at (d1, d2) the farthest point
/// maximizes |d + (R x, k y)|² over x² + y² <= 1. Its Lagrange dual
///
///     h(m) = m + d1² m/(m - R²) + d2² m/(m - k²) ,   m > R² ,
///
/// is convex, is at least the maximum for every m, and equals it at its own minimum (a trust region
/// problem has no duality gap). h' = 1 - (d1 R)²/(m - R²)² - (d2 k)²/(m - k²)² is not negative at
/// m = R² + R |d1| + k |d2|. The bisection keeps the upper end of the bracket: every value of it is
/// an upper bound, however early it ends.
template <class S>
S circle_distance(const Axis<S>& axis, S radius, S height) {
    const Vec3<S> middle = Vec3<S>{S(0), S(0), height} - axis.center;
    const Vec3<S>& u = axis.direction;
    const Vec3<S> e1 = normalize(Vec3<S>{-u.y, u.x, S(0)});
    if (e1 == Vec3<S>{} || radius == S(0)) return length(cross(u, middle)) + radius;
    const Vec3<S> e2 = cross(u, e1);
    const S k = radius * std::abs(u.z), d1 = std::abs(dot(middle, e1)),
            d2 = std::abs(dot(middle, e2));
    const S rr = radius * radius, kk = k * k;
    const auto slope_is_negative = [&](S m) {
        const S x = d1 * radius / (m - rr), y = d2 * k / (m - kk);
        return x * x + y * y > S(1);
    };
    S low = rr, high = rr + radius * d1 + k * d2;
    for (int i = 0; i < 200; ++i) {
        const S m = S(0.5) * (low + high);
        if (!(low < m && m < high)) break;
        (slope_is_negative(m) ? low : high) = m;
    }
    const S first = d1 > S(0) ? d1 * d1 * (high / (high - rr)) : S(0);
    const S second = d2 > S(0) ? d2 * d2 * (high / (high - kk)) : S(0);
    const S bound = std::sqrt(high + first + second);
    // Where the bracket is one number wide the quotients are rounding alone.
    return std::isfinite(bound) ? std::min(bound, length(cross(u, middle)) + radius)
                                : length(cross(u, middle)) + radius;
}

template <class S>
S largest(const Sphere<S>& sphere, const Axis<S>& axis) {
    return axis.distance({}) + sphere.radius;
}
template <class S>
S largest(const Capsule<S>& c, const Axis<S>& axis) {
    return std::max(axis.distance({S(0), S(0), c.half_length}),
                    axis.distance({S(0), S(0), -c.half_length})) +
           c.radius;
}
template <class S>
S largest(const Box<S>& box, const Axis<S>& axis) {
    S most = S(0);
    for (int i = 0; i < 8; ++i) {
        const Vec3<S> corner{i & 1 ? box.half.x : -box.half.x, i & 2 ? box.half.y : -box.half.y,
                             i & 4 ? box.half.z : -box.half.z};
        most = std::max(most, axis.distance(corner));
    }
    return most + box.rounding;
}
template <class S>
S largest(const Cylinder<S>& c, const Axis<S>& axis) {
    return std::max(circle_distance(axis, c.radius, c.half_height),
                    circle_distance(axis, c.radius, -c.half_height)) +
           c.rounding;
}
template <class S>
S largest(const Cone<S>& c, const Axis<S>& axis) {
    return std::max(circle_distance(axis, c.radius, c.base), axis.distance({S(0), S(0), c.apex})) +
           c.rounding;
}
template <class S>
S largest(const Plane<S>&, const Axis<S>&) {
    return std::numeric_limits<S>::infinity();
}
template <class S>
S largest(const std::vector<Vec3<S>>& vertices, const Axis<S>& axis) {
    S most = S(0);
    for (const Vec3<S>& v : vertices) most = std::max(most, axis.distance(v));
    return most;
}
template <class S>
S largest(const Hull<S>& hull, const Axis<S>& axis) {
    return largest(hull.vertices, axis) + hull.rounding;
}
template <class S>
S largest(const TriangleMesh<S>& mesh, const Axis<S>& axis) {
    return largest(mesh.vertices, axis);
}
template <class S>
S largest(const HeightField<S>& field, const Axis<S>& axis) {
    S most = S(0);
    for (int j = 0; j < field.rows; ++j) {
        for (int i = 0; i < field.columns; ++i) {
            const S height = field.heights[static_cast<std::size_t>(j * field.columns + i)];
            most = std::max(
                most, axis.distance({field.left + static_cast<S>(i) * field.step_x,
                                     field.front + static_cast<S>(j) * field.step_y, height}));
        }
    }
    return most;
}
template <class S>
S largest(const Compound<S>& compound, const Axis<S>& axis) {
    S most = S(0);
    for (const CompoundChild<S>& child : compound.children) {
        const Axis<S> local{inverse_transform(child.pose, axis.center),
                            inverse_rotate(child.pose.q, axis.direction)};
        const S here = std::visit([&](const auto& held) { return largest(solid_of(held), local); },
                                  child.shape);
        most = std::max(most, here);
    }
    return most;
}

} // namespace

template <class S>
S axis_radius(const Shape<S>& shape, const Vec3<S>& center, const Vec3<S>& axis) {
    const Axis<S> line{center, axis};
    const S most = visit_solid(shape, [&](const auto& solid) { return largest(solid, line); });
    // Rounding of a few operations, relative to the coordinates that were subtracted.
    const S size = most + max_component(abs(center));
    return most + S(16) * kEpsilon<S> * size;
}

template <class S>
S surface_speed(const Shape<S>& shape, const Motion<S>& motion) {
    const S angle = length(motion.rotation);
    if (angle == S(0)) return length(motion.displacement);
    const Vec3<S> axis = inverse_rotate(motion.start.q, motion.rotation) / angle;
    return length(motion.displacement) + angle * axis_radius(shape, motion.local_center, axis);
}

#define RIGOR_INSTANTIATE(S)                                                 \
    template S axis_radius(const Shape<S>&, const Vec3<S>&, const Vec3<S>&); \
    template S surface_speed(const Shape<S>&, const Motion<S>&);
RIGOR_INSTANTIATE(float)
RIGOR_INSTANTIATE(double)
#undef RIGOR_INSTANTIATE

} // namespace rigor
