// Triangle meshes: validity checks and mass properties.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "rigor/export.h"
#include "rigor/mass.h"
#include "rigor/result.h"
#include "rigor/shape.h"

namespace rigor {

/// Result of checking a mesh. Edges are counted after coincident vertices are merged.
struct MeshReport {
    bool closed = false;             ///< a boundary of a solid: each edge is passed as often
                                     ///< one way as the other
    bool consistently_wound = false; ///< as given: neighbors agree on the outside
    bool orientable = false;         ///< neighbors can be made to agree
    bool self_touching = false;      ///< surfaces meet in edges or vertices

    std::size_t duplicate_vertices = 0;      ///< at exactly the position of an earlier one
    std::size_t degenerate_triangles = 0;    ///< without area
    std::size_t open_edges = 0;              ///< with a triangle on one side only
    std::size_t non_manifold_edges = 0;      ///< shared by more than two triangles
    std::size_t non_manifold_vertices = 0;   ///< where separate fans of triangles meet
    std::size_t shells = 0;                  ///< parts connected across edges
    std::size_t cavities = 0;                ///< closed shells that bound a hole within another
    std::size_t flipped_triangles = 0;       ///< turned to agree with their neighbors
    std::size_t inverted_shells = 0;         ///< turned inside out
    std::ptrdiff_t euler_characteristic = 0; ///< vertices - edges + triangles
    std::optional<std::size_t> genus;        ///< handles, when closed, orientable and not touching

    std::vector<std::string> warnings; ///< one sentence for each thing worth knowing
};

/// How the mass of a mesh is computed.
struct MeshMassDef {
    double density = 1;              ///< per volume; per area when hollow
    std::optional<double> mass = {}; ///< the total, instead of the density
    bool hollow = false;             ///< a uniform shell instead of a solid
};

struct MeshMass {
    double volume = 0; ///< enclosed; 0 when the mesh is not closed
    double area = 0;
    MassProperties properties;
    bool closed = false;
    std::vector<std::string> warnings;
};

/// Volume, area, center of mass and inertia of a uniform solid, convex or not, with holes and
/// cavities, for any origin; or of its shell. The winding is checked and, where there is one right
/// answer, corrected with a warning. principal_inertia() gives the axes.
///
/// Fails when an index or a coordinate is invalid, when a solid is not closed or encloses no
/// volume, or when the density or mass is not positive. Linear time: about half a second for a
/// million triangles. Self-intersections of a solid are searched for up to 100,000 triangles and
/// with bounded effort; a warning says when not all pairs were tested.
RIGOR_API Result<MeshMass> mesh_mass(const TriangleSoup& soup, const MeshMassDef& def = {});

/// The checks that mesh_mass makes before it computes the mass, without the search for
/// self-intersections. Fails when an index or a coordinate is invalid.
RIGOR_API Result<MeshReport> check_mesh(const TriangleSoup& soup);

/// A solid made of an open mesh: its faces, half of the thickness to either side, and walls along
/// its boundary. A body of it can be dynamic.
///
/// Fails when the mesh is closed already, has one side only (a Moebius strip) or edges and vertices
/// that join more than two faces, or when the thickness is not positive.
RIGOR_API Result<TriangleSoup> thicken(const TriangleSoup& sheet, double thickness);

} // namespace rigor
