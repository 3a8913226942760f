// Common to all tests: messages, random values, tolerances, and the folder of measured data.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <limits>
#include <random>
#include <sstream>
#include <string>

#include "../validation/data_folder.h"
#include "rigor/math.h"

namespace rigor::test {

/// All arguments, one after another, as text: for SCOPED_TRACE.
template <class... Args>
std::string message(const Args&... args) {
    std::ostringstream out;
    out.precision(17);
    (out << ... << args);
    return out.str();
}

/// Sixteen units in the last place of a number of the size of `scale`: what a handful of
/// roundings may add up to.
template <class S>
S round_off(S scale) {
    return S(16) * std::numeric_limits<S>::epsilon() * std::abs(scale);
}

/// What tests of code that is templated on the scalar are run with.
using Scalars = testing::Types<float, double>;

/// Random numbers that are the same on every machine: the distributions of the standard
/// library are not, its generators are.
class Random {
  public:
    explicit Random(std::uint64_t seed = 1) : engine_(seed) {}

    std::uint64_t bits() { return engine_(); }
    /// Uniform in [0, 1).
    double unit() { return static_cast<double>(engine_() >> 11) * 0x1p-53; }
    double uniform(double lo, double hi) { return lo + (hi - lo) * unit(); }
    int integer(int lo, int hi) { // both ends included
        return lo + static_cast<int>(engine_() % static_cast<std::uint64_t>(hi - lo + 1));
    }
    /// Uniform in a cube.
    template <class S = double>
    Vec3<S> vec(double lo = -1, double hi = 1) {
        const double x = uniform(lo, hi), y = uniform(lo, hi), z = uniform(lo, hi);
        return cast<S>(Vec3d{x, y, z});
    }
    /// Uniform on the unit sphere.
    template <class S = double>
    Vec3<S> direction() {
        for (;;) {
            const Vec3d v = vec();
            const double d = length_squared(v);
            if (d > 1e-4 && d <= 1) return cast<S>(v / std::sqrt(d));
        }
    }
    /// Uniform over all rotations.
    template <class S = double>
    Quat<S> rotation() {
        for (;;) {
            const Quatd q{uniform(-1, 1), uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)};
            const double d = dot(q, q);
            if (d > 1e-4 && d <= 1) return cast<S>(normalize(q));
        }
    }
    template <class S = double>
    Pose<S> pose(double reach = 1) {
        const Vec3<S> p = vec<S>(-reach, reach);
        return {p, rotation<S>()};
    }

  private:
    std::mt19937_64 engine_;
};

inline std::string read_file(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// The folder of reference answers and measured data, or an empty path. Tests that need it say
/// SKIPPED when it is not there.
inline std::filesystem::path data_dir() {
    const std::filesystem::path dir = validation::find_data_folder(RIGOR_SOURCE_DIR);
    return std::filesystem::is_directory(dir / "reference") ? dir : std::filesystem::path();
}

#define RIGOR_NEEDS_DATA() \
    if (::rigor::test::data_dir().empty()) GTEST_SKIP() << "needs the data folder (RIGOR_DATA)"

} // namespace rigor::test

namespace rigor {
template <class S>
std::ostream& operator<<(std::ostream& out, const Vec3<S>& v) {
    return out << '(' << v.x << ", " << v.y << ", " << v.z << ')';
}
template <class S>
std::ostream& operator<<(std::ostream& out, const Quat<S>& q) {
    return out << '[' << q.w << ", " << q.x << ", " << q.y << ", " << q.z << ']';
}
} // namespace rigor
