// Any bytes as a mesh file of each format: a mesh or a sentence. What loads is weighed.

#include <cstdint>
#include <cstdlib>

#include "rigor/rigor.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    static constexpr const char* kFormats[] = {"obj", "stl", "ply", "gltf", "glb"};
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    for (const char* format : kFormats) {
        const rigor::Result<rigor::TriangleSoup> soup = rigor::parse_mesh(bytes, format, "fuzz");
        if (!soup) {
            if (soup.error().message.empty()) std::abort();
            continue;
        }
        for (const bool hollow : {false, true}) {
            const auto mass = rigor::mesh_mass(*soup, {.density = 1, .mass = {}, .hollow = hollow});
            if (!mass && mass.error().message.empty()) std::abort();
        }
    }
    return 0;
}
