// Connected components (shells) of a mesh and their orientation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "geometry/mesh_topology.h"
#include "rigor/shape.h"

namespace rigor {

struct ShellWinding {
    std::vector<bool> flip; ///< triangles to be flipped
    std::size_t shells = 0;
    std::size_t cavities = 0;
    std::size_t flipped = 0;         ///< triangles whose winding disagrees with most of their shell
    std::size_t inverted_shells = 0; ///< closed shells that faced the wrong way
    bool consistent = true;          ///< all neighbors agreed as given
    bool orientable = true;          ///< all neighbors can agree
};

/// Within a shell the minority follows the majority. A closed shell then faces outward when an even
/// number of other shells enclose it, and inward, as the wall of a cavity, when an odd number does:
/// a cube with a cavity stays as it is, and one inside out is flipped in both its walls. Open
/// shells have no inside; they keep the winding of the majority.
///
/// `mates` of half edges as in MeshTopology, kNone at boundary and non-manifold edges: shells are
/// not connected across those.
ShellWinding decide_winding(const TriangleSoup& soup, const std::vector<std::uint32_t>& mates,
                            const CrowdedEdges& crowded);

} // namespace rigor
