// Definitions of shapes, each in its own frame.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <variant>
#include <vector>

#include "rigor/material.h"
#include "rigor/quat.h"

namespace rigor {

struct SphereDef {
    double radius = 0.5;
};

struct BoxDef {
    Vec3d size{1, 1, 1}; ///< full edge lengths
};

/// Along z; `length` is between the centers of the caps.
struct CapsuleDef {
    double radius = 0.5;
    double length = 1;
};

/// Along z, the origin at half height.
struct CylinderDef {
    double radius = 0.5;
    double height = 1;
};

/// Along z, apex up, the origin at half height.
struct ConeDef {
    double radius = 0.5;
    double height = 1;
};

/// The convex hull of points.
struct HullDef {
    std::vector<Vec3d> points;
};

/// Triangles over shared vertices, anticlockwise seen from outside.
struct TriangleSoup {
    std::vector<Vec3d> vertices;
    std::vector<std::array<std::uint32_t, 3>> triangles;
};

/// A triangle mesh; the triangles are shared by all bodies that use them.
struct MeshDef {
    std::shared_ptr<const TriangleSoup> soup;
    /// When given, the mesh is decomposed into convex pieces, each less concave than this fraction
    /// of the mesh's diagonal.
    std::optional<double> concavity = {};
    /// Of an open mesh: it holds from its front only, where triangles are seen anticlockwise. What
    /// comes from behind passes, as a whole, until it is apart from the mesh.
    bool one_sided = false;
};

/// Heights over a grid centered on the origin, solid below. `heights` runs along x first:
/// the height at column i, row j is heights[j * columns + i].
struct HeightFieldDef {
    double size_x = 1;
    double size_y = 1;
    int columns = 0;
    int rows = 0;
    std::vector<double> heights;
};

/// Solid where normal·x <= offset. For static bodies only.
struct PlaneDef {
    Vec3d normal{0, 0, 1};
    double offset = 0;
};

struct ShapeDef;

/// Several shapes that move as one.
struct CompoundDef {
    std::vector<ShapeDef> shapes;
};

using ShapeGeometry = std::variant<SphereDef, BoxDef, CapsuleDef, CylinderDef, ConeDef, HullDef,
                                   MeshDef, HeightFieldDef, PlaneDef, CompoundDef>;

/// A shape: geometry, pose in the frame of its body, and material.
struct ShapeDef {
    ShapeGeometry geometry;
    Vec3d position = {};    ///< in the body's frame
    Quatd orientation = {}; ///< in the body's frame
    double rounding = 0;    ///< radius of rounded edges and corners, inside the given size
    bool hollow = false;    ///< a uniform shell; its density is per area
    bool sensor = false;    ///< reports overlaps; no contact response, no mass
    Material material = {};
};

} // namespace rigor
