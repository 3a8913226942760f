// Version, numerics version, and compiler of the build.

#include "rigor/version.h"

#include <thread>

namespace rigor {
namespace {

// Increment with every change after which a saved scene, snapshot or hash may give different
// results; CHANGELOG.md lists them.
constexpr int kNumericsVersion = 19;

std::string compiler() {
#if defined(__clang__)
    return "clang " __clang_version__;
#elif defined(__GNUC__)
    return "gcc " __VERSION__;
#else
    return "unknown";
#endif
}

std::string simd_level() {
#if defined(__x86_64__) && defined(__GNUC__)
    if (__builtin_cpu_supports("avx2")) return "avx2";
    return "sse2";
#else
    return "none";
#endif
}

} // namespace

VersionInfo version_info() {
    const unsigned threads = std::thread::hardware_concurrency();
    return {RIGOR_VERSION, kNumericsVersion, compiler(),
            RIGOR_FLAGS,   simd_level(),     threads > 0 ? static_cast<int>(threads) : 1};
}

} // namespace rigor
