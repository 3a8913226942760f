#include "scene/gltf_elements.h"

#include <algorithm>
#include <cstdint>
#include <limits>

#include "scene/mesh_bytes.h"

namespace rigor {
namespace {

// Normalized integers stand for fractions of the largest [Khronos 2021, 3.11].
template <class Integer>
double integer_at(const char* at, bool normalized) {
    const auto value = static_cast<double>(load<Integer>(at, ByteOrder::little));
    const auto most = static_cast<double>(std::numeric_limits<Integer>::max());
    return normalized ? std::max(value / most, -1.0) : value;
}

} // namespace

std::size_t size_of(int type) {
    switch (type) {
        case 5120:
        case 5121:
            return 1;
        case 5122:
        case 5123:
            return 2;
        case 5125:
        case 5126:
            return 4;
        default:
            return 0;
    }
}

double number_at(const GltfElements& e, std::size_t i, std::size_t component) {
    const char* at = e.bytes.data() + i * e.stride + component * size_of(e.type);
    switch (e.type) {
        case 5120:
            return integer_at<std::int8_t>(at, e.normalized);
        case 5121:
            return integer_at<std::uint8_t>(at, e.normalized);
        case 5122:
            return integer_at<std::int16_t>(at, e.normalized);
        case 5123:
            return integer_at<std::uint16_t>(at, e.normalized);
        case 5125:
            return integer_at<std::uint32_t>(at, e.normalized);
        default:
            return static_cast<double>(load<float>(at, ByteOrder::little));
    }
}

} // namespace rigor
