// Positions of the bodies of a pattern: the centers of their bounds, relative to the middle of the
// bottom face of the whole, in the order of their names. Pure geometry.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "rigor/pose.h"

namespace rigor {

/// Random numbers that are the same on every machine: [Steele 2014].
class SplitMix64 {
  public:
    explicit SplitMix64(std::uint64_t seed) : state_(seed) {}

    std::uint64_t bits();
    /// Uniform in [-1, 1).
    double signed_unit() { return static_cast<double>(bits() >> 11) * 0x1p-52 - 1; }
    /// A turn about an axis uniform on the sphere by an angle uniform in [0, most].
    Quatd turn(double most);

  private:
    std::uint64_t state_;
};

/// How many bodies a count in each direction makes; more than fit an integer is infinity.
double product(const std::array<std::int64_t, 3>& count);

/// One on another, each shifted by `offset` from the one below.
std::vector<Vec3d> stack_layout(std::int64_t count, const Vec3d& size, const Vec3d& offset);

/// x runs first, then y, then z.
std::vector<Vec3d> grid_layout(const std::array<std::int64_t, 3>& count, const Vec3d& size,
                               const Vec3d& spacing);

/// Rows of base, base - 1, ..., 1 along x, each centered; upside down when inverted.
std::vector<Vec3d> pyramid_layout(std::int64_t base, const Vec3d& size, double gap, bool inverted);

/// `count` rows of `length` bricks, shifted by -1/4 and +1/4 of the pitch in turn.
std::vector<Vec3d> wall_layout(std::int64_t count, std::int64_t length, const Vec3d& size,
                               double gap);

/// Rows of 1, 2, ..., side, ..., 2, 1 bricks: [Baber 2006], after [Paterson 2009].
std::vector<Vec3d> diamond_layout(std::int64_t side, const Vec3d& size);

/// End to end along `axis`, `length` apart.
std::vector<Vec3d> chain_layout(std::int64_t count, const Vec3d& size, const Vec3d& axis,
                                double length);

/// The numbers of cells along each axis by which `count` bodies fill a region most evenly, no
/// cell smaller than `size`; zeros when they do not fit.
std::array<std::int64_t, 3> pile_cells(std::int64_t count, const Vec3d& region, const Vec3d& size);

} // namespace rigor
