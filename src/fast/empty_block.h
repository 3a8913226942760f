// Empty constraint block: all lanes inactive.
#pragma once

#include "fast/solver_bodies.h"

namespace rigor::fast {

/// To be copied whole, which is cheaper than setting every column.
template <class Block>
const Block& empty_block() {
    static const Block kEmpty = [] {
        Block empty{};
        empty.body_a.fill(kStaticSolverBody);
        empty.body_b.fill(kStaticSolverBody);
        return empty;
    }();
    return kEmpty;
}

} // namespace rigor::fast
