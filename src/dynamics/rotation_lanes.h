// The symplectic rotation of four bodies at a time: most of the time of a world with very many.
#pragma once

#include <array>

#include "model/body_store.h"

namespace rigor {

/// Collects bodies and turns them together, to the same bits as symplectic_rotation one by one.
class RotationLanes {
  public:
    bool is_full() const { return size_ == kWidth; }

    /// Takes in a body. Returns false, and takes nothing, when its step is not a small one
    /// (is_small_step).
    bool add(std::uint32_t body, const BodyMotion& motion, const BodyInertia& inertia, double dt);

    /// Turns the bodies taken in by one step, and is empty again.
    void turn(std::vector<BodyMotion>& motion, double dt);

  private:
    static constexpr std::size_t kWidth = 4;
    using Row = std::array<double, kWidth>;

    void turn_lanes(double dt);

    // Component by component, in an order of axes of the body's own (MiddleLast). What is left
    // in lanes that are not filled is turned along and forgotten.
    struct alignas(32) Lanes {
        std::array<Row, 4> q{};
        std::array<Row, 3> l{}, inv_moments{};
    } lanes_;
    std::array<std::uint32_t, kWidth> bodies_{};
    std::array<std::int64_t, kWidth> middle_{};
    std::size_t size_ = 0;
};

} // namespace rigor
