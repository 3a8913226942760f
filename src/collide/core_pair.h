// Minkowski difference of two posed cores: the convex set of the differences a - b of their points.
//
// The set contains the origin where the cores overlap, its point nearest to the origin gives their
// distance, and for overlapping ones the nearest point of its surface their depth.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <type_traits>

#include "collide/core.h"
#include "rigor/mat.h"
#include "rigor/rotation.h"

namespace rigor {

/// A support point a - b of the difference, in A's frame and in units of the pair, with its two
/// points. These are fixed in the solids, so they can start a later query.
template <class S>
struct DifferencePoint {
    Vec3<S> w;
    Vec3<S> a;       ///< in A's frame
    Vec3<S> local_b; ///< in B's frame
};

// frexp and ldexp of the library are calls, and half the setup time of a pair.

template <class S>
using BitsOf = std::conditional_t<sizeof(S) == 8, std::uint64_t, std::uint32_t>;

template <class S>
inline constexpr int kMantissaBits = std::numeric_limits<S>::digits - 1;

/// The least e with x < 2^e for x >= 0; denormals count as the least normal.
template <class S>
int exponent_above(S x) {
    const auto bits = std::bit_cast<BitsOf<S>>(std::max(x, std::numeric_limits<S>::min()));
    return static_cast<int>(bits >> kMantissaBits<S>) - std::numeric_limits<S>::max_exponent + 2;
}

/// For exponents of normal numbers.
template <class S>
S power_of_two(int exponent) {
    const int biased = exponent + std::numeric_limits<S>::max_exponent - 1;
    return std::bit_cast<S>(static_cast<BitsOf<S>>(biased) << kMantissaBits<S>);
}

/// Lengths are measured in `unit`, a power of two chosen so that every coordinate is at most 1.
/// Scaling is then exact, tolerances are absolute, and products of many lengths neither overflow
/// nor underflow, for solids of 1e-20 or 1e20 meters. Refers to the cores.
template <class S>
class CorePair {
  public:
    CorePair(const Core<S>& a, const Core<S>& b, const Pose<S>& b_in_a)
        : a_(a), b_(b), turn_(to_matrix(b_in_a.q)) {
        // A quarter of the extent: the sum of the largest numbers would overflow.
        const S quarter = S(0.25) * (max_component(abs(b_in_a.p)) + extent(a)) + S(0.5) * extent(b);
        const int largest = std::numeric_limits<S>::max_exponent - 2;
        const int exponent = std::clamp(exponent_above(quarter) + 2, -largest, largest);
        unit_ = power_of_two<S>(exponent);
        per_unit_ = power_of_two<S>(-exponent);
        offset_ = b_in_a.p * per_unit_;
    }

    S unit() const { return unit_; }
    const Vec3<S>& offset() const { return offset_; }
    const Core<S>& a() const { return a_; }
    const Core<S>& b() const { return b_; }

    /// Roughly from the center of A to that of B, in units.
    Vec3<S> between_middles() const {
        return from_b(middle(b_) * per_unit_) - middle(a_) * per_unit_;
    }

    /// The support point of the difference along a direction.
    DifferencePoint<S> support(const Vec3<S>& direction) {
        const Vec3<S> a = rigor::support(a_, direction, hint_a_);
        const Vec3<S> local = -transpose_multiply(turn_, direction);
        return difference(a, rigor::support(b_, local, hint_b_));
    }

    /// Of two points in meters, each in its own frame.
    DifferencePoint<S> difference(const Vec3<S>& a, const Vec3<S>& local_b) const {
        const Vec3<S> in_a = a * per_unit_, in_b = local_b * per_unit_;
        return {in_a - (turn_ * in_b + offset_), in_a, in_b};
    }

    /// From B's frame to A's, both in units.
    Vec3<S> from_b(const Vec3<S>& local_b) const { return turn_ * local_b + offset_; }

  private:
    const Core<S>&a_, &b_;
    Mat3<S> turn_;
    Vec3<S> offset_;
    S unit_ = S(1), per_unit_ = S(1);
    std::uint32_t hint_a_ = 0, hint_b_ = 0;
};

} // namespace rigor
