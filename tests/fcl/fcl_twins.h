// The same convex solid twice, as ours and as FCL's.
#pragma once

#include <fcl/geometry/shape/box.h>
#include <fcl/geometry/shape/capsule.h>
#include <fcl/geometry/shape/cone.h>
#include <fcl/geometry/shape/convex.h>
#include <fcl/geometry/shape/cylinder.h>
#include <fcl/geometry/shape/sphere.h>

#include "geometry/sample_shapes.h"

namespace rigor::test {

using FclShape = std::variant<fcl::Sphered, fcl::Boxd, fcl::Capsuled, fcl::Cylinderd, fcl::Coned,
                              std::shared_ptr<fcl::Convexd>>;

template <class T>
const T& geometry(const T& shape) {
    return shape;
}
inline const fcl::Convexd& geometry(const std::shared_ptr<fcl::Convexd>& shape) {
    return *shape;
}

inline fcl::Vector3d to_fcl(const Vec3d& v) {
    return {v.x, v.y, v.z};
}

inline fcl::Transform3d to_fcl(const Posed& pose) {
    fcl::Transform3d t = fcl::Transform3d::Identity();
    t.linear() = fcl::Quaterniond(pose.q.w, pose.q.x, pose.q.y, pose.q.z).toRotationMatrix();
    t.translation() = to_fcl(pose.p);
    return t;
}

inline std::shared_ptr<fcl::Convexd> to_fcl(const Hull<double>& hull) {
    auto vertices = std::make_shared<std::vector<fcl::Vector3d>>();
    for (const Vec3d& v : hull.vertices) vertices->push_back(to_fcl(v));
    auto faces = std::make_shared<std::vector<int>>();
    for (const HullFace<double>& face : hull.faces) {
        faces->push_back(static_cast<int>(face.count));
        for (std::uint32_t h = face.first; h < face.first + face.count; ++h) {
            faces->push_back(static_cast<int>(hull.half_edges[h].origin));
        }
    }
    return std::make_shared<fcl::Convexd>(vertices, static_cast<int>(hull.faces.size()), faces,
                                          true);
}

struct Twin {
    Shape<double> ours;
    FclShape theirs;
};

inline constexpr int kTwinKinds = 6;
inline constexpr const char* kTwinNames[kTwinKinds] = {"sphere",   "box",  "capsule",
                                                       "cylinder", "cone", "hull"};

/// Half as long as `size` or a bit less; `slim` shrinks the extent across z.
inline Twin make_twin(int kind, double size, double slim, Random& random) {
    const auto some = [&] { return size * random.uniform(0.3, 1); };
    const auto ours = [](ShapeGeometry g) { return make_shape(define(std::move(g))).value(); };
    const double x = some() * slim, y = some() * slim, z = some();
    switch (kind) {
        case 0:
            return {ours(SphereDef{z}), fcl::Sphered(z)};
        case 1:
            return {ours(BoxDef{{2 * x, 2 * y, 2 * z}}), fcl::Boxd(2 * x, 2 * y, 2 * z)};
        case 2:
            return {ours(CapsuleDef{x, z}), fcl::Capsuled(x, z)};
        case 3:
            return {ours(CylinderDef{x, 2 * z}), fcl::Cylinderd(x, 2 * z)};
        case 4:
            return {ours(ConeDef{x, 2 * z}), fcl::Coned(x, 2 * z)};
        default: {
            std::vector<Vec3d> points;
            for (int i = 0; i < 14; ++i) points.push_back(multiply(random.direction(), {x, y, z}));
            const Shape<double> hull = ours(HullDef{points});
            return {hull, to_fcl(*std::get<std::shared_ptr<const Hull<double>>>(hull.solid))};
        }
    }
}

/// Every two kinds once, for tests with parameters.
using TwinPair = std::pair<int, int>;
inline std::vector<TwinPair> twin_pairs() {
    std::vector<TwinPair> pairs;
    for (int a = 0; a < kTwinKinds; ++a) {
        for (int b = 0; b <= a; ++b) pairs.emplace_back(a, b);
    }
    return pairs;
}
inline std::string twin_pair_name(const testing::TestParamInfo<TwinPair>& pair) {
    return message(kTwinNames[pair.param.first], "_", kTwinNames[pair.param.second]);
}

} // namespace rigor::test
