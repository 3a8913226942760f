#include "viewer/look_mesh.h"

#include <algorithm>
#include <filesystem>

namespace rigor::viewer {
namespace {

constexpr std::uintmax_t kMaxBytes = 64u << 20;
constexpr std::size_t kMaxTriangles = 200'000;

} // namespace

Result<TriangleSoup> load_look_mesh(const std::string& path) {
    const auto fail = [&](ErrorCode code, std::string message) {
        return Error{code, path, std::move(message)};
    };
    std::error_code failed;
    const std::uintmax_t size = std::filesystem::file_size(path, failed);
    if (failed) return fail(ErrorCode::io, "the file cannot be read");
    if (size > kMaxBytes)
        return fail(ErrorCode::limit, "a mesh that is drawn must be at most 64 MiB, got " +
                                          std::to_string(size) + " bytes");
    Result<TriangleSoup> soup = load_mesh(path);
    if (!soup) return soup;
    if (soup->triangles.empty())
        return fail(ErrorCode::invalid_value, "a mesh that is drawn must have triangles");
    if (soup->triangles.size() > kMaxTriangles)
        return fail(ErrorCode::limit,
                    "a mesh that is drawn must have at most 200000 triangles, got " +
                        std::to_string(soup->triangles.size()));
    for (const auto& triangle : soup->triangles)
        if (*std::max_element(triangle.begin(), triangle.end()) >= soup->vertices.size())
            return fail(ErrorCode::invalid_value, "a triangle names a vertex that is not there");
    return soup;
}

} // namespace rigor::viewer
