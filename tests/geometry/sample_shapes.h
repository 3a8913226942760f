// The solids that the tests of geometry run through: each kind, sharp and rounded, and the
// borderline cases where a core has no extent.
#pragma once

#include <string>
#include <vector>

#include "geometry/motion_bounds.h"
#include "geometry/shape.h"
#include "test_support.h"

namespace rigor::test {

template <class S>
struct Specimen {
    std::string name;
    Shape<S> shape;
};

/// That turns by `angle` about any axis, through a center near the solid.
template <class S>
Motion<S> random_motion(Random& random, double way, double angle) {
    return {random.pose<S>(1), random.vec<S>(-0.3, 0.3), random.vec<S>(-way, way),
            random.direction<S>() * static_cast<S>(angle)};
}

inline std::vector<Vec3d> random_points(int count, std::uint64_t seed, const Vec3d& size) {
    Random random(seed);
    std::vector<Vec3d> points;
    for (int i = 0; i < count; ++i) points.push_back(multiply(random.vec(), size));
    return points;
}

inline std::vector<Vec3d> points_on_sphere(int count, std::uint64_t seed) {
    Random random(seed);
    std::vector<Vec3d> points;
    for (int i = 0; i < count; ++i) points.push_back(random.direction());
    return points;
}

inline ShapeDef define(ShapeGeometry geometry, double rounding = 0) {
    ShapeDef def;
    def.geometry = std::move(geometry);
    def.rounding = rounding;
    return def;
}

/// All of about unit size, all containing the origin or close to it.
inline std::vector<Specimen<double>> convex_samples_in_double() {
    std::vector<Specimen<double>> samples;
    const auto add = [&](const char* name, ShapeGeometry geometry, double rounding = 0) {
        samples.push_back({name, make_shape(define(std::move(geometry), rounding)).value()});
    };
    const std::vector<Vec3d> octahedron{{1, 0, 0},  {-1, 0, 0}, {0, 1, 0},
                                        {0, -1, 0}, {0, 0, 1},  {0, 0, -1}};
    add("sphere", SphereDef{0.7});
    add("box", BoxDef{{1, 0.6, 1.4}});
    add("rounded box", BoxDef{{1, 0.6, 1.4}}, 0.1);
    add("box rounded to a plate", BoxDef{{1, 0.6, 1.4}}, 0.3);
    add("box rounded to a ball", BoxDef{{1, 1, 1}}, 0.5);
    add("capsule", CapsuleDef{0.3, 1.1});
    add("capsule of no length", CapsuleDef{0.5, 0});
    add("cylinder", CylinderDef{0.5, 1.2});
    add("rounded cylinder", CylinderDef{0.5, 1.2}, 0.15);
    add("cylinder rounded to a capsule", CylinderDef{0.5, 1.2}, 0.5);
    add("cylinder rounded to a disk", CylinderDef{0.8, 0.4}, 0.2);
    add("cone", ConeDef{0.6, 1.3});
    add("flat cone", ConeDef{1.2, 0.4});
    add("rounded cone", ConeDef{0.6, 1.3}, 0.2);
    add("hull of few", HullDef{random_points(12, 3, {1, 0.6, 0.8})});
    add("hull of many", HullDef{points_on_sphere(200, 5)});
    add("octahedron", HullDef{octahedron});
    add("rounded octahedron", HullDef{octahedron}, 0.15);
    add("rounded hull", HullDef{random_points(14, 7, {1, 0.8, 0.9})}, 0.12);
    return samples;
}

template <class S>
std::vector<Specimen<S>> convex_samples() {
    std::vector<Specimen<S>> samples;
    for (const Specimen<double>& s : convex_samples_in_double()) {
        if constexpr (std::is_same_v<S, double>) {
            samples.push_back(s);
        } else {
            samples.push_back({s.name, to_float(s.shape)});
        }
    }
    return samples;
}

} // namespace rigor::test
