#include "viewer/assets.h"

#include <cstdint>

#include "viewer/files.h"

// Written by cmake/embed_page: name, content and size of each file, and an empty name at the end.
struct RigorPageFile {
    const char* name;
    const char* content;
    std::uint64_t size;
};
extern "C" const RigorPageFile rigor_page_files[];

namespace rigor::viewer {

bool Assets::has_embedded_page() {
    return rigor_page_files[0].name != nullptr;
}

std::optional<std::string> Assets::find(const std::string& path) const {
    if (!folder_.empty()) {
        const auto file = file_inside(folder_, path, {});
        return file ? read_file(*file) : std::nullopt;
    }
    for (const RigorPageFile* file = rigor_page_files; file->name; ++file)
        if (path == file->name) return std::string(file->content, file->size);
    return std::nullopt;
}

} // namespace rigor::viewer
