// The cells that a body can break into, in the frame of the body.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "rigor/convex.h"
#include "rigor/fracture.h"

namespace rigor {

/// A convex polyhedron of a piece, and the shape of the body it was cut from.
struct CellHull {
    std::uint32_t leaf = 0; ///< as World::shapes() counts
    BuiltHull hull;         ///< about the center of its cell
};

/// A piece before it is a body.
struct FractureCell {
    Vec3d center;                         ///< of its volume, body frame
    std::vector<CellHull> hulls;          ///< they hang together
    MassProperties mass;                  ///< by the densities of the shapes, body frame
    double size = 0;                      ///< the longest edge of its box in the body's axes
    std::vector<std::uint32_t> neighbors; ///< cells with a face in common, ascending
};

using FractureCells = std::vector<FractureCell>;

/// The parts of a body that cells are cut from, and the cells when they are made ahead.
struct Fracture::Solid {
    std::vector<ConvexPart> parts;
    std::vector<std::uint32_t> leaves; ///< of each part
    std::vector<double> densities;     ///< of each part: mass of its shape by volume
    std::optional<FractureCells> even;
};

/// Fails when a shape that pushes has no convex parts, or when there is no such shape.
Result<Fracture::Solid> make_solid(const BodyDef& def);

/// Cells gathered at a point of the body frame, or spread evenly without one. Fails when fewer than
/// two of them have a volume.
Result<FractureCells> make_cells(const Fracture::Solid& solid, int pieces, std::uint64_t seed,
                                 const std::optional<Vec3d>& impact);

} // namespace rigor
