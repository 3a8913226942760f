// Convex parts of shapes, and hulls that are built once for many bodies.
#pragma once

#include <memory>
#include <vector>

#include "rigor/export.h"
#include "rigor/mass.h"
#include "rigor/result.h"
#include "rigor/shape.h"

namespace rigor {

/// A convex polyhedron, as the hull of points and as the intersection of half-spaces.
struct ConvexPart {
    std::vector<Vec3d> points;
    std::vector<PlaneDef> planes; ///< unit normals outward
    double volume = 0;
};

/// A prebuilt hull. While it or a body made from it exists, add_body reuses it for the same points;
/// building takes some 40 us for 16 points.
struct BuiltHull {
    HullDef def;
    std::shared_ptr<const void> geometry;
};

/// Fails as add_body does for a HullDef.
RIGOR_API Result<BuiltHull> build_hull(std::vector<Vec3d> points);

/// The convex polyhedra that a shape without children is made of, in the frame in which the shape
/// is placed. Curved and rounded surfaces become facets of a fine hull inside the shape; a mesh is
/// decomposed, with the concavity it is given or 0.05. Parts of one mesh may overlap. Fails for
/// shapes that add_body rejects, for compounds, and for planes, height fields and open meshes.
RIGOR_API Result<std::vector<ConvexPart>> convex_parts(const ShapeDef& shape);

/// Mass properties of one shape as add_body computes them, in the frame in which the shape is
/// placed. Fails as add_body does.
RIGOR_API Result<MassProperties> shape_mass(const ShapeDef& shape);

/// The leaves of a shape, each with its pose in the frame in which `shape` is placed: the shape
/// itself, or what a compound is made of at any depth. A child of a sensor is a sensor.
RIGOR_API std::vector<ShapeDef> leaf_shapes(const ShapeDef& shape);

} // namespace rigor
