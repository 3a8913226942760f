// Convex pieces kept beside the mesh file they come from.
//
// The pieces of `cup.obj` at a concavity of 0.05 are in `cup.obj.0.05.pieces`, a text file with a
// key made from the mesh, the concavity and the version of the algorithm, and a checksum at its
// end. A file that is damaged, of another mesh or of another version is as good as none.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "geometry/decompose.h"
#include "rigor/result.h"
#include "rigor/shape.h"

namespace rigor {

std::filesystem::path pieces_file(const std::filesystem::path& mesh_file, double concavity);

/// Of what the pieces depend on.
std::uint64_t pieces_key(const TriangleSoup& soup, double concavity);

std::string to_text(const Decomposition& decomposition, std::uint64_t key);
/// None unless the text is whole and has this key.
std::optional<Decomposition> pieces_from_text(const std::string& text, std::uint64_t key);

/// Makes the convex pieces of a mesh known, so that shapes of it are made at once: from the file
/// beside it, or else by decomposing, and then writes the file for the next time. That it cannot be
/// written, as in a folder that is read-only, is no failure. Returns the warning that goes with the
/// pieces; empty when there is none or when they were known already.
Result<std::string> prepare_pieces(const std::filesystem::path& mesh_file,
                                   const std::shared_ptr<const TriangleSoup>& soup,
                                   double concavity);

} // namespace rigor
