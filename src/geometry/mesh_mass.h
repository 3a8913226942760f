// Mass properties of a mesh at density 1, computed once for all bodies of the mesh.
#pragma once

#include <optional>

#include "rigor/mass.h"
#include "rigor/result.h"

namespace rigor {

struct MeshTopology;
struct TriangleSoup;

/// The mass of the skin is the area, that of the solid the volume: 0 when it is not closed.
struct UnitDensityMass {
    MassProperties skin, solid;
    std::optional<Error> no_skin, no_solid; ///< why it is missing
};

/// Two passes over the triangles for each of the two.
UnitDensityMass unit_density_mass(const MeshTopology& topology);
/// Of triangles whose topology is known: `not_closed` says why they bound no solid, if they do not.
UnitDensityMass unit_density_mass(const TriangleSoup& soup, const std::optional<Error>& not_closed);

/// Constant time, for any size of the mesh. The density must be positive.
Result<MassProperties> mass_properties(const UnitDensityMass& unit_mass, double density,
                                       bool hollow);

} // namespace rigor
