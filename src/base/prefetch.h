// Prefetching of memory into the cache.
#pragma once

#include <cstddef>

namespace rigor {

/// Prefetches the first `bytes` of an object. Loops over scattered records spend most of their time
/// on cache misses; prefetching a few records ahead overlaps these misses.
template <class T>
inline void prefetch(const T& object, std::size_t bytes = sizeof(T)) {
    constexpr std::size_t kLine = 64;
    const char* at = reinterpret_cast<const char*>(&object);
    for (std::size_t i = 0; i < bytes; i += kLine) __builtin_prefetch(at + i);
}

} // namespace rigor
