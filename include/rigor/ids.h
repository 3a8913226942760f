// Typed ids (handles) of bodies, shapes and joints, with generations.
#pragma once

#include <compare>
#include <cstdint>

namespace rigor {

/// An index into a store and the generation of the slot it names. A slot's generation grows
/// when its thing is removed, so an old id is recognized as stale. `{}` is null.
template <class Tag>
struct Id {
    std::uint32_t index = UINT32_MAX;
    std::uint32_t generation = 0;

    bool is_null() const { return index == UINT32_MAX; }
    auto operator<=>(const Id&) const = default;
};

using BodyId = Id<struct BodyTag>;
using ShapeId = Id<struct ShapeTag>;
using JointId = Id<struct JointTag>;

} // namespace rigor
