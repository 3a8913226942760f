// Visual mesh of a body, drawn instead of its shapes: `look.mesh` of a scene.
#pragma once

#include <string>

#include "rigor/mesh_file.h"

namespace rigor::viewer {

/// Reads a mesh for drawing. It need not be closed, and its triangles may cross each other.
///
/// Fails with one sentence when the file cannot be read, has no triangles, or is too large to be
/// sent to every page: more than 64 MiB or 200,000 triangles.
Result<TriangleSoup> load_look_mesh(const std::string& path);

} // namespace rigor::viewer
