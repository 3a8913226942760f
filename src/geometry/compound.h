// Compound: several solids that move as one, the leaves of a definition at any depth of nesting.
#pragma once

#include <memory>
#include <optional>
#include <variant>
#include <vector>

#include "geometry/box.h"
#include "geometry/capsule.h"
#include "geometry/cone.h"
#include "geometry/cylinder.h"
#include "geometry/height_field.h"
#include "geometry/hull.h"
#include "geometry/mesh.h"
#include "geometry/plane.h"
#include "geometry/sphere.h"

namespace rigor {

/// A shape that is not a compound. Large data are shared.
template <class S>
using LeafShape =
    std::variant<Sphere<S>, Box<S>, Capsule<S>, Cylinder<S>, Cone<S>, Plane<S>,
                 std::shared_ptr<const Hull<S>>, std::shared_ptr<const TriangleMesh<S>>,
                 std::shared_ptr<const HeightField<S>>>;

/// The solid itself, whether it is stored inline or shared.
template <class T>
const T& solid_of(const T& solid) {
    return solid;
}
template <class T>
const T& solid_of(const std::shared_ptr<const T>& solid) {
    return *solid;
}

template <class S>
struct CompoundChild {
    Pose<S> pose; ///< in the compound's frame
    LeafShape<S> shape;
};

/// Children that replace a mesh: its convex pieces. They overlap and fill concavities, so their
/// mass is that of the mesh.
struct DecomposedMesh {
    std::size_t first = 0, count = 0; ///< of its children
    Posed pose;                       ///< of the mesh, in the compound's frame
    std::shared_ptr<const TriangleMesh<double>> mesh;
};

template <class S>
struct Compound {
    std::vector<CompoundChild<S>> children; ///< at least one
    std::vector<DecomposedMesh> meshes{};   ///< in the order of their children; in double only
};

// The `feature` of a result is the index of a child.

template <class S>
Vec3<S> support(const Compound<S>& compound, const Vec3<S>& direction);
/// Tight.
template <class S>
Aabb<S> bounds(const Compound<S>& compound, const Pose<S>& pose);
template <class S>
S bounding_radius(const Compound<S>& compound, const Vec3<S>& center);
template <class S>
std::optional<RayHit<S>> cast_ray(const Compound<S>& compound, const Ray<S>& ray);
/// Of the child nearest by signed distance. For a point inside overlapping children this may be a
/// surface inside another child, nearer than the surface of the union.
template <class S>
SurfacePoint<S> closest_point(const Compound<S>& compound, const Vec3<S>& point);

} // namespace rigor
