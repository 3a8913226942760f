// glTF accessors: the elements of a buffer, and their numbers.
#pragma once

#include <cstddef>
#include <string_view>

namespace rigor {

/// Elements of a buffer: vectors of one kind of number, one every `stride` bytes.
struct GltfElements {
    std::string_view bytes;
    std::size_t count = 0, stride = 0, components = 0;
    int type = 0; ///< 5120 to 5126, as in OpenGL
    bool normalized = false;
};

/// Of a number of this type in bytes; 0 when there is no such type.
std::size_t size_of(int type);

double number_at(const GltfElements& e, std::size_t i, std::size_t component);

} // namespace rigor
