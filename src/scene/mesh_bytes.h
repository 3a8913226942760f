// Decoding of binary numbers of either byte order.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace rigor {

enum class ByteOrder { little, big };

/// The value whose bytes begin at `from`; they must all be there.
template <class T>
T load(const char* from, ByteOrder order) {
    static_assert(std::is_arithmetic_v<T>);
    char bytes[sizeof(T)];
    const bool same = (order == ByteOrder::little) == (std::endian::native == std::endian::little);
    for (std::size_t i = 0; i < sizeof(T); ++i) bytes[i] = from[same ? i : sizeof(T) - 1 - i];
    T value;
    std::memcpy(&value, bytes, sizeof(T));
    return value;
}

} // namespace rigor
