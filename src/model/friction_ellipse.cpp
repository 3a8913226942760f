#include "model/friction_ellipse.h"

#include <cmath>

namespace rigor {
namespace {

/// A symmetric 2x2 matrix over the plane with the axes t and s.
struct Sym2 {
    double tt = 0, ss = 0, ts = 0;

    double determinant() const { return tt * ss - ts * ts; }
};

/// The grain in the contact plane, unit; zero where it is along the normal.
Vec3d in_plane(const Grain& grain, const Vec3d& normal) {
    constexpr double kAlongNormal = 1e-6;
    if (grain.ratio == 1) return {};
    const Vec3d projected = grain.direction - normal * dot(normal, grain.direction);
    return length(projected) > kAlongNormal ? normalize(projected) : Vec3d{};
}

/// D² over the ratio, whose determinant is 1: ratio along the grain, its inverse across.
Sym2 normalized_square(const Vec3d& grain, double ratio, const Vec3d& t, const Vec3d& s) {
    const double x = dot(grain, t), y = dot(grain, s);
    const double across = 1 / ratio, beyond = ratio - across;
    return {across + beyond * x * x, across + beyond * y * y, beyond * x * y};
}

} // namespace

FrictionEllipse friction_ellipse(const Vec3d& normal, const Grain& a, const Grain& b) {
    const Vec3d grain_a = in_plane(a, normal), grain_b = in_plane(b, normal);
    if (grain_a == Vec3d{} && grain_b == Vec3d{}) return {perpendicular(normal), 1, 1};
    if (grain_b == Vec3d{}) return {grain_a, a.ratio, 1};
    if (grain_a == Vec3d{}) return {grain_b, b.ratio, 1};
    const Vec3d t = grain_a, s = cross(normal, t);
    const Sym2 of_a = normalized_square(grain_a, a.ratio, t, s);
    const Sym2 of_b = normalized_square(grain_b, b.ratio, t, s);
    // The geometric mean of 2x2 matrices of determinant 1 is their sum, scaled to determinant 1.
    const Sym2 sum{of_a.tt + of_b.tt, of_a.ss + of_b.ss, of_a.ts + of_b.ts};
    const double scale = std::sqrt(a.ratio * b.ratio / sum.determinant());
    const double mean = 0.5 * (sum.tt + sum.ss), half = 0.5 * (sum.tt - sum.ss);
    const double radius = std::sqrt(half * half + sum.ts * sum.ts);
    // Eigenvector of the larger eigenvalue mean + radius: of two formulas, the one without
    // cancellation.
    const double x = half >= 0 ? half + radius : sum.ts, y = half >= 0 ? sum.ts : radius - half;
    const Vec3d axis = x == 0 && y == 0 ? t : normalize(t * x + s * y);
    const double along = scale * (mean + radius);
    return {axis, along, a.ratio * b.ratio / along};
}

} // namespace rigor
