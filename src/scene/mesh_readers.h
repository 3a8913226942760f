// One reader for each kind of mesh file. All take the whole file and the name it has in
// messages, never throw, never read beyond the bytes, and use memory in proportion to them.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "rigor/result.h"
#include "rigor/shape.h"

namespace rigor {

/// Wavefront OBJ: v and f; everything else is left aside.
Result<TriangleSoup> read_obj(std::string_view text, std::string_view name);

/// STL, as text or binary. Equal corners become one vertex.
Result<TriangleSoup> read_stl(std::string_view bytes, std::string_view name);

/// Stanford PLY, as text or binary of either byte order.
Result<TriangleSoup> read_ply(std::string_view bytes, std::string_view name);

/// The bytes of a file that a mesh file refers to, by its path from there.
using FilesBeside = std::function<Result<std::string>(const std::string& path)>;

/// glTF 2, as text or binary: the triangles of all nodes of its scene, each in its place.
/// Materials, skins and animations are left aside.
Result<TriangleSoup> read_gltf(std::string_view bytes, std::string_view name,
                               const FilesBeside& beside);

/// Whether files of this ending (without the dot) are left to Assimp.
bool is_for_assimp(std::string_view format);

/// What Assimp makes of a file: the triangles of all nodes of its scene, each in its place.
/// Positions are in single precision.
Result<TriangleSoup> read_with_assimp(std::string_view bytes, std::string_view format,
                                      std::string_view name);

/// Cuts a face into triangles: a fan when it is convex, ear by ear when it is not. Fails for
/// faces that are not convex and have more than a thousand corners: those take cubic time.
Result<void> add_polygon(TriangleSoup& soup, const std::vector<std::uint32_t>& corners);

} // namespace rigor
