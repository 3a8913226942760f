// Symplectic rotation of four bodies at a time in SIMD lanes: most of the time of a world with very
// many.
#pragma once

#include <array>

#include "model/body_store.h"

namespace rigor {

/// Collects bodies and rotates them together, to the same bits as symplectic_rotation one by one.
class RotationLanes {
  public:
    bool is_full() const { return size_ == kWidth; }

    /// Adds a body. Returns false, and adds nothing, when its step is not a small one
    /// (is_small_step).
    bool add(std::uint32_t body, const BodyMotion& motion, const BodyInertia& inertia, double dt);

    /// Rotates the added bodies by one step, and is empty again.
    void rotate_all(std::vector<BodyMotion>& motion, double dt);

  private:
    static constexpr std::size_t kWidth = 4;
    using Row = std::array<double, kWidth>;

    void turn_lanes(double dt);

    // Component by component, in a body-specific order of axes (MiddleLast). Values left in
    // unfilled lanes are computed and ignored.
    struct alignas(32) Lanes {
        std::array<Row, 4> q{};
        std::array<Row, 3> l{}, inv_moments{};
    } lanes_;
    std::array<std::uint32_t, kWidth> bodies_{};
    std::array<std::int64_t, kWidth> middle_{};
    std::size_t size_ = 0;
};

} // namespace rigor
