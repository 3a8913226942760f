// Four bodies whose inertia tensor follows their rotation within a step, in SIMD lanes.
#pragma once

#include <array>
#include <cstdint>

#include "model/body_store.h"

namespace rigor::fast {

/// Component by component, in an order of axes, alike for body and world, that puts the
/// intermediate moment of each body last (MiddleLast). Unused lanes rest.
struct alignas(32) TurningGroup {
    static constexpr std::size_t kWidth = 4;
    using Row = std::array<double, kWidth>;
    using Vector = std::array<Row, 3>;
    using Quaternion = std::array<Row, 4>; ///< w x y z

    TurningGroup() { q[0] = start[0] = next[0] = {1, 1, 1, 1}; }

    Quaternion q{}, start{};           ///< principal axes to world: now, and as the step began
    Quaternion next{};                 ///< after the substep
    Vector l{};                        ///< angular momentum
    Vector w{};                        ///< angular velocity of the solver bodies
    Vector rate{};                     ///< the one of when all impulses were in l
    Vector moments{}, inv_moments{};
    Vector free{};                     ///< 0 along world axes that are locked, else 1
    Row max_inv_moment{};
    std::array<std::uint32_t, kWidth> solver_body{}; ///< of an unused lane 0
    std::array<std::int64_t, kWidth> middle{};
    std::array<std::uint8_t, kWidth> lock{};         ///< kRotationLocks of the body
};

} // namespace rigor::fast
