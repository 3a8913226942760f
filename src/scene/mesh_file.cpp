// Mesh files: chooses the reader by format, and reads the bytes.

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>

#include "rigor/mesh_file.h"
#include "scene/mesh_readers.h"
#include "scene/mesh_text.h"

namespace rigor {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t kMostBytes = std::uintmax_t(1) << 31;

std::string lower_case(std::string_view text) {
    std::string result(text);
    for (char& c : result) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
    return result;
}

bool starts_with_any(std::string_view bytes, std::initializer_list<std::string_view> heads) {
    return std::any_of(heads.begin(), heads.end(),
                       [&](std::string_view head) { return bytes.substr(0, head.size()) == head; });
}

// The beginning of a file outweighs the ending of its name, where it leaves no doubt.
std::string true_format(std::string_view bytes, std::string_view format) {
    if (starts_with_any(bytes, {"ply\n", "ply\r"})) return "ply";
    if (starts_with_any(bytes, {"glTF"})) return "glb";
    return lower_case(format);
}

Error unknown_format(std::string_view format, std::string_view name) {
    const std::string found =
        format.empty() ? "the name has no ending" : "got " + quoted_word(format);
    return {ErrorCode::unsupported, std::string(name),
            "a mesh file must be obj, stl, ply, gltf, glb, dae or off, " + found};
}

std::optional<Error> find_problem(const fs::path& path) {
    const auto fail = [&](ErrorCode code, std::string message) {
        return Error{code, path.string(), std::move(message)};
    };
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (status.type() == fs::file_type::not_found)
        return fail(ErrorCode::not_found, "there is no such file");
    if (error) return fail(ErrorCode::io, "cannot be read: " + error.message());
    if (fs::is_directory(status)) return fail(ErrorCode::io, "is a directory, not a mesh file");
    if (!fs::is_regular_file(status)) return fail(ErrorCode::io, "is not a regular file");
    const std::uintmax_t size = fs::file_size(path, error);
    if (error) return fail(ErrorCode::io, "cannot be read: " + error.message());
    if (size > kMostBytes) {
        return fail(ErrorCode::limit,
                    "a mesh file may have at most 2147483648 bytes, got " + std::to_string(size));
    }
    return {};
}

Result<std::string> read_bytes(const fs::path& path) {
    const auto close = [](std::FILE* file) { std::fclose(file); };
    const std::unique_ptr<std::FILE, decltype(close)> file(std::fopen(path.c_str(), "rb"), close);
    const Error unreadable{ErrorCode::io, path.string(), "cannot be read"};
    if (!file) return unreadable;
    std::error_code error;
    std::string bytes(fs::file_size(path, error), '\0');
    if (error) return unreadable;
    // A file that shrinks meanwhile gives what is left of it; the readers say what is missing.
    bytes.resize(std::fread(bytes.data(), 1, bytes.size(), file.get()));
    return bytes;
}

// Whether a path stays in a folder, after all symbolic links.
bool is_within(const fs::path& folder, const fs::path& path) {
    std::error_code error;
    const fs::path top = fs::weakly_canonical(folder, error);
    if (error) return false;
    const fs::path full = fs::weakly_canonical(path, error);
    if (error) return false;
    return std::mismatch(top.begin(), top.end(), full.begin(), full.end()).first == top.end();
}

// A mesh may come from anyone: it gets no say about files anywhere else.
Result<std::string> read_beside(const fs::path& mesh, const std::string& name) {
    const fs::path folder = mesh.has_parent_path() ? mesh.parent_path() : fs::path(".");
    const fs::path path = folder / name;
    if (name.find('\0') != name.npos || fs::path(name).is_absolute() || !is_within(folder, path)) {
        return Error{
            ErrorCode::unsupported, "",
            "must name a file in the folder of the mesh file or below, got " + quoted_word(name)};
    }
    if (const std::optional<Error> error = find_problem(path)) return *error;
    return read_bytes(path);
}

Result<std::string> nothing_beside(const std::string& name) {
    return Error{ErrorCode::unsupported, "",
                 "a mesh in memory cannot refer to a file, got " + quoted_word(name)};
}

Result<TriangleSoup> parse(std::string_view bytes, std::string_view format, std::string_view name,
                           const FilesBeside& beside) {
    const std::string kind = true_format(bytes, format);
    if (kind == "obj") return read_obj(bytes, name);
    if (kind == "stl") return read_stl(bytes, name);
    if (kind == "ply") return read_ply(bytes, name);
    if (kind == "gltf" || kind == "glb") return read_gltf(bytes, name, beside);
    if (is_for_assimp(kind)) return read_with_assimp(bytes, kind, name);
    return unknown_format(kind, name);
}

} // namespace

Result<TriangleSoup> parse_mesh(std::string_view bytes, std::string_view format,
                                std::string_view name) {
    return parse(bytes, format, name, nothing_beside);
}

Result<TriangleSoup> load_mesh(const std::string& given) {
    const fs::path path(given);
    if (const std::optional<Error> error = find_problem(path)) return *error;
    const std::string ending = path.extension().string();
    const Result<std::string> bytes = read_bytes(path);
    if (!bytes) return bytes.error();
    return parse(*bytes, ending.empty() ? "" : ending.substr(1), given,
                 [&](const std::string& name) { return read_beside(path, name); });
}

} // namespace rigor
