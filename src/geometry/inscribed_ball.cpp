#include "geometry/inscribed_ball.h"

#include <algorithm>

namespace rigor {
namespace {

InscribedBall ball_of(const Sphere<double>& sphere) {
    return {{}, sphere.radius};
}

InscribedBall ball_of(const Box<double>& box) {
    return {{}, std::min({box.half.x, box.half.y, box.half.z}) + box.rounding};
}

InscribedBall ball_of(const Capsule<double>& capsule) {
    return {{}, capsule.radius};
}

InscribedBall ball_of(const Cylinder<double>& cylinder) {
    return {{}, std::min(cylinder.radius, cylinder.half_height) + cylinder.rounding};
}

InscribedBall ball_of(const Cone<double>& cone) {
    const double radius = cone_inradius(cone.radius, cone.apex - cone.base);
    return {{0, 0, cone.base + radius}, radius + cone.rounding};
}

InscribedBall ball_of(const Hull<double>& hull) {
    return {hull.center, hull.inner_radius + hull.rounding};
}

InscribedBall ball_of(const Plane<double>&) {
    return {};
}

InscribedBall ball_of(const HeightField<double>&) {
    return {};
}

/// The ball about a point that is inside, if it is larger than the best so far.
void try_center(const TriangleMesh<double>& mesh, const Vec3d& center, InscribedBall& best) {
    const double depth = -closest_point(mesh, center).distance;
    if (depth > best.radius) best = {center, depth};
}

/// About the middle of the mesh, or a point below a triangle.
InscribedBall ball_of(const TriangleMesh<double>& mesh) {
    if (mesh.hull) return ball_of(*mesh.hull);
    InscribedBall best;
    if (!mesh.closed) return best;
    constexpr std::uint32_t kTriangles = 4;
    try_center(mesh, 0.5 * (mesh.box.lo + mesh.box.hi), best);
    const double size = max_component(mesh.box.hi - mesh.box.lo);
    const auto count = static_cast<std::uint32_t>(mesh.triangles.size());
    for (std::uint32_t i = 0; i < count; i += std::max(count / kTriangles, 1u)) {
        const auto& [a, b, c] = triangle_at(mesh, i);
        const Vec3d inward = -normalize(cross(b - a, c - a));
        for (const double depth : {0.05, 0.1, 0.2})
            try_center(mesh, (a + b + c) / 3.0 + inward * (depth * size), best);
    }
    return best;
}

InscribedBall ball_of(const Compound<double>& compound) {
    InscribedBall best;
    for (const CompoundChild<double>& child : compound.children) {
        const InscribedBall ball =
            std::visit([](const auto& held) { return ball_of(solid_of(held)); }, child.shape);
        if (ball.radius > best.radius) best = {transform(child.pose, ball.center), ball.radius};
    }
    return best;
}

} // namespace

InscribedBall inscribed_ball(const Shape<double>& shape) {
    return visit_solid(shape, [](const auto& solid) { return ball_of(solid); });
}

} // namespace rigor
