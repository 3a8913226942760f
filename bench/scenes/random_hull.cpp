#include "bench/scenes/random_hull.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "math/trig.h"
#include "rigor/world.h"

namespace rigor::bench {
namespace {

// A direction, by taking points of the cube until one is in the ball, and not so near its middle
// that rounding would choose.
Vec3d draw_direction(Random& random) {
    for (;;) {
        const Vec3d v = random.cube();
        const double r = length(v);
        if (r <= 1 && r >= 0.1) return v / r;
    }
}

std::vector<Vec3d> draw_spread_directions(Random& random, std::size_t count) {
    constexpr double kLeastDistance = 0.25 / 0.6; // a quarter meter on the largest ellipsoid
    std::vector<Vec3d> directions;
    while (directions.size() < count) {
        const Vec3d v = draw_direction(random);
        const bool is_apart =
            std::all_of(directions.begin(), directions.end(),
                        [&](const Vec3d& d) { return length(d - v) >= kLeastDistance; });
        if (is_apart) directions.push_back(v);
    }
    return directions;
}

MassProperties solid_mass(const std::vector<Vec3d>& points) {
    World world;
    BodyDef def;
    def.shapes.push_back({.geometry = HullDef{points}});
    return world.mass_properties(world.add_body(def).value());
}

// The rotation that makes a symmetric matrix diagonal, entries ascending: Jacobi's method, on the
// largest entry beside the diagonal each time, always turning the way that also puts the two
// diagonal entries in order. So the axes are found without exchanging any, and their signs
// follow from the matrix alone.
Mat3d ordered_principal_axes(Mat3d a) {
    constexpr std::array<std::array<int, 2>, 3> kPairs{{{0, 1}, {0, 2}, {1, 2}}};
    constexpr int kMaxTurns = 50;
    Mat3d axes;
    for (int turn = 0; turn < kMaxTurns; ++turn) {
        const auto [p, q] = *std::max_element(
            kPairs.begin(), kPairs.end(), [&](const auto& left, const auto& right) {
                return std::abs(a(left[0], left[1])) < std::abs(a(right[0], right[1]));
            });
        if (std::abs(a(p, q)) < 1e-17 * std::abs(a(p, p))) break;
        const SinCos<double> t = sin_cos(0.5 * atan2(2 * a(p, q), a(q, q) - a(p, p)));
        Mat3d rotation;
        rotation(p, p) = rotation(q, q) = t.cos;
        rotation(p, q) = t.sin;
        rotation(q, p) = -t.sin;
        a = transpose(rotation) * a * rotation;
        axes = axes * rotation;
    }
    return axes;
}

} // namespace

std::vector<Vec3d> random_hull(Random& random) {
    const std::size_t count = 12 + random.below(5);
    const double x = random.uniform(0.45, 0.6), up = random.uniform(0.45, 0.6),
                 back = random.uniform(0.45, 0.6);
    std::vector<Vec3d> points = draw_spread_directions(random, count);
    for (Vec3d& p : points) p = {p.x * x, p.y * up, p.z * back};
    const MassProperties mass = solid_mass(points);
    const Mat3d axes = ordered_principal_axes(mass.inertia.matrix());
    for (Vec3d& p : points) p = z_up(transpose_multiply(axes, p - mass.center));
    return points;
}

} // namespace rigor::bench
