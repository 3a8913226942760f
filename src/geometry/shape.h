// Shape: a variant of all solids, the type that the layers above use.
#pragma once

#include <concepts>
#include <span>

#include "base/hash.h"
#include "geometry/compound.h"
#include "geometry/motion_bounds.h"
#include "rigor/mass.h"
#include "rigor/result.h"
#include "rigor/shape.h"

namespace rigor {

/// Cheap to copy: large data are shared and immutable.
template <class S>
struct Shape {
    using Solid =
        std::variant<Sphere<S>, Box<S>, Capsule<S>, Cylinder<S>, Cone<S>, Plane<S>,
                     std::shared_ptr<const Hull<S>>, std::shared_ptr<const TriangleMesh<S>>,
                     std::shared_ptr<const HeightField<S>>, std::shared_ptr<const Compound<S>>>;
    Solid solid;
};

/// Solids that are a convex core and a ball around it: those with a `core_support`.
template <class Solid, class S>
concept RoundedConvex = requires(const Solid& solid, const Vec3<S>& direction) {
    { core_support(solid, direction) } -> std::same_as<Vec3<S>>;
    { radius_of(solid) } -> std::same_as<S>;
};

/// Calls function(solid) with the solid's own type.
template <class S, class Function>
decltype(auto) visit_solid(const Shape<S>& shape, Function&& function) {
    return std::visit([&](const auto& held) -> decltype(auto) { return function(solid_of(held)); },
                      shape.solid);
}

/// "sphere", "box" and so on, as in scene files.
template <class S>
const char* name(const Shape<S>& shape);

/// Also of a mesh that has a hull.
template <class S>
bool is_convex(const Shape<S>& shape);

template <class S>
Vec3<S> support(const Shape<S>& shape, const Vec3<S>& direction);
template <class S>
Aabb<S> bounds(const Shape<S>& shape, const Pose<S>& pose);
template <class S>
S bounding_radius(const Shape<S>& shape, const Vec3<S>& center);
template <class S>
std::optional<RayHit<S>> cast_ray(const Shape<S>& shape, const Ray<S>& ray);
template <class S>
SurfacePoint<S> closest_point(const Shape<S>& shape, const Vec3<S>& point);

/// The core of a convex shape and the radius of the ball around it. Other shapes are their own
/// core, with radius 0.
template <class S>
Vec3<S> core_support(const Shape<S>& shape, const Vec3<S>& direction);
template <class S>
S radius_of(const Shape<S>& shape);

/// Checks a definition and builds its shape, in the shape's own frame: `position` and `orientation`
/// are checked and left to the caller, except for the children of a compound, which is flattened. A
/// mesh with a concavity becomes a compound of its convex pieces, with the mass of the mesh.
///
/// Fails with the field's name as `where` ("radius", "shapes[2].size"). A plane's normal and an
/// orientation must be unit to within 1e-3 and are then normalized; other lengths are refused,
/// because scaling a normal would move the plane.
Result<Shape<double>> make_shape(const ShapeDef& def);

/// The leaves of a definition, in the order of a compound's children (a decomposed mesh is one leaf
/// of several children), each with its pose in the frame in which `def` itself is placed; the
/// definition alone when it is not a compound. For definitions that make_shape accepts.
std::vector<ShapeDef> flatten(const ShapeDef& def);

/// The hull of a convex mesh; any other shape as it is.
Shape<double> collision_shape(const Shape<double>& shape);

Shape<float> to_float(const Shape<double>& shape);

/// By content, not by address: equal shapes give equal hashes in every run.
void add_to_hash(Hasher& hasher, const Shape<double>& shape);

/// Infinite for planes and height fields, 0 for open meshes; children of a compound add up.
double volume(const Shape<double>& shape);
double area(const Shape<double>& shape);

/// Density of a shape, and whether it is hollow.
struct Substance {
    double density = 1000; ///< per volume; of a hollow shape per area
    bool hollow = false;
};

/// Fails for planes and height fields, which are unbounded, and for solids of an open mesh. The
/// children of a compound add up, also where they overlap; the pieces of a decomposed mesh count as
/// the mesh.
Result<MassProperties> mass_properties(const Shape<double>& shape, double density,
                                       bool hollow = false);
/// One density for each child.
Result<MassProperties> mass_properties(const Compound<double>& compound,
                                       std::span<const Substance> substances);

} // namespace rigor
