// Asks for memory before it is needed.
#pragma once

#include <cstddef>

namespace rigor {

/// The first `bytes` of an object that will be read soon. Loops over records that lie scattered
/// wait for memory most of their time; asking a few records ahead, they wait for it together.
template <class T>
inline void prefetch(const T& object, std::size_t bytes = sizeof(T)) {
    constexpr std::size_t kLine = 64;
    const char* at = reinterpret_cast<const char*>(&object);
    for (std::size_t i = 0; i < bytes; i += kLine) __builtin_prefetch(at + i);
}

} // namespace rigor
