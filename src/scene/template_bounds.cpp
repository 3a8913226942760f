#include "scene/template_bounds.h"

#include <algorithm>
#include <cmath>

namespace rigor {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

double support_of_points(const std::vector<Vec3d>& points, const Vec3d& d) {
    double most = -kInfinity;
    for (const Vec3d& p : points) most = std::max(most, dot(p, d));
    return most;
}

/// The largest d·x over the shape, in its own frame: its support function.
struct Support {
    Vec3d d;
    double rounding;

    double across() const { return std::sqrt(d.x * d.x + d.y * d.y); }

    double operator()(const SphereDef& s) const { return s.radius * length(d); }
    double operator()(const BoxDef& s) const {
        const Vec3d core = s.size * 0.5 - Vec3d{rounding, rounding, rounding};
        return dot(core, abs(d)) + rounding * length(d);
    }
    double operator()(const CapsuleDef& s) const {
        return s.length / 2 * std::abs(d.z) + s.radius * length(d);
    }
    double operator()(const CylinderDef& s) const {
        return (s.height / 2 - rounding) * std::abs(d.z) + (s.radius - rounding) * across() +
               rounding * length(d);
    }
    double operator()(const ConeDef& s) const {
        return std::max(s.height / 2 * d.z, s.radius * across() - s.height / 2 * d.z);
    }
    double operator()(const HullDef& s) const { return support_of_points(s.points, d); }
    double operator()(const MeshDef& s) const { return support_of_points(s.soup->vertices, d); }
    double operator()(const HeightFieldDef& s) const {
        const auto [lo, hi] = std::minmax_element(s.heights.begin(), s.heights.end());
        return (s.size_x * std::abs(d.x) + s.size_y * std::abs(d.y)) / 2 +
               std::max(*lo * d.z, *hi * d.z);
    }
    double operator()(const PlaneDef&) const { return kInfinity; }
    double operator()(const CompoundDef& s) const {
        double most = -kInfinity;
        for (const ShapeDef& part : s.shapes) most = std::max(most, of(part, d));
        return most;
    }

    static double of(const ShapeDef& shape, const Vec3d& d) {
        const Support support{inverse_rotate(shape.orientation, d), shape.rounding};
        return dot(shape.position, d) + std::visit(support, shape.geometry);
    }
};

double support(const BodyDef& body, const Vec3d& direction) {
    const Vec3d local = inverse_rotate(body.orientation, direction);
    double most = -kInfinity;
    for (const ShapeDef& shape : body.shapes) most = std::max(most, Support::of(shape, local));
    return most;
}

} // namespace

Range extent_along(const BodyDef& body, const Vec3d& direction) {
    return {-support(body, -direction), support(body, direction)};
}

Aabb<double> bounds(const BodyDef& body) {
    const Range x = extent_along(body, {1, 0, 0}), y = extent_along(body, {0, 1, 0}),
                z = extent_along(body, {0, 0, 1});
    return {{x.lo, y.lo, z.lo}, {x.hi, y.hi, z.hi}};
}

} // namespace rigor
