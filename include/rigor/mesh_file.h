// Triangle meshes from files.
#pragma once

#include <string>
#include <string_view>

#include "rigor/export.h"
#include "rigor/result.h"
#include "rigor/shape.h"

namespace rigor {

/// Reads an OBJ, STL, PLY or glTF 2 file in full double precision, or a COLLADA or OFF file in
/// single. The file name extension determines the format. Faces with more than three corners are
/// triangulated; corners of an STL file at exactly the same position become one vertex; everything
/// but positions and faces is ignored.
///
/// Fails with the position in the file, the rule and the value found; a file above 2 GiB is
/// rejected. Memory grows with the size of the file, never with the counts in its header. A glTF
/// file may refer to files in its own folder or below, and to no others.
RIGOR_API Result<TriangleSoup> load_mesh(const std::string& path);

/// The same from memory. `format` is the extension that the file would have: "obj", "stl", "ply",
/// "glb" and so on. `name` stands for the file in messages.
RIGOR_API Result<TriangleSoup> parse_mesh(std::string_view bytes, std::string_view format,
                                          std::string_view name);

/// The text of an OBJ file from which parse_mesh reads back exactly the same numbers. The
/// lines of the comment come first.
RIGOR_API std::string to_obj(const TriangleSoup& soup, std::string_view comment = {});

} // namespace rigor
