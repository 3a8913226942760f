// Four bodies whose inertia tensor follows their rotation within a step, in SIMD lanes.
#pragma once

#include <array>
#include <cstdint>

#include "model/body_store.h"

namespace rigor::fast {

/// Component by component; world axes but for the moments. Unused lanes rest.
struct alignas(32) GyroscopicGroup {
    static constexpr std::size_t kWidth = 4;
    using Row = std::array<double, kWidth>;
    using Vector = std::array<Row, 3>;
    using Quaternion = std::array<Row, 4>; ///< w x y z
    using FloatRow = std::array<float, kWidth>;
    using FloatVector = std::array<FloatRow, 3>;

    GyroscopicGroup() { q[0] = start[0] = next[0] = {1, 1, 1, 1}; }

    /// Principal axes to world, the axis of the intermediate moment last: now, as the step began,
    /// and after the substep.
    Quaternion q{}, start{}, next{};
    Vector moments{}, inv_moments{};       ///< in the same order
    Vector l{};                            ///< angular momentum
    Vector free{};                         ///< 0 along locked axes, else 1
    FloatVector w{};                       ///< angular velocity of the solver bodies
    FloatVector rate{};                    ///< the one of when all impulses were in l
    FloatVector rate_before{};             ///< of the momentum it has, before it turned
    std::array<FloatRow, 4> turn{};        ///< from `start` to `next` or `q`, w x y z
    FloatRow inv_mass{};                   ///< of the solver bodies
    std::array<FloatRow, 6> inv_inertia{}; ///< xx yy zz xy xz yz
    Row squared_turn{}; ///< of the substep, of the body and of its axis about l, rad²
    std::array<std::uint32_t, kWidth> solver_body{}; ///< of an unused lane 0
    std::array<std::uint8_t, kWidth> middle{};       ///< index of the intermediate moment
    std::array<bool, kWidth> is_locked{};            ///< whether rotation about an axis is
};

} // namespace rigor::fast
