// Broadphase proxy of a shape: its box, collision filter, and a payload of the caller.
#pragma once

#include <compare>
#include <cstdint>
#include <span>
#include <vector>

#include "geometry/query_types.h"

namespace rigor {

using Aabbf = Aabb<float>;

/// Coordinates beyond it are clamped to it, so that no surface area overflows a float. Clamping is
/// monotone, hence overlapping boxes still overlap.
inline constexpr float kFarthest = 1e17f;

/// The smallest box of floats around a box of doubles: no overlap is missed, and false overlaps are
/// within one unit in the last place, 1 mm at 10 km from the origin. NaN becomes the whole axis.
Aabbf round_outward(const Aabb<double>& box);

inline Aabb<double> widen(const Aabbf& box) {
    return {cast<double>(box.lo), cast<double>(box.hi)};
}

/// Collision filter: each group must be in the other's mask.
struct Filter {
    std::uint32_t group = 1;  ///< bits: the groups it belongs to
    std::uint32_t mask = ~0u; ///< bits: the groups it collides with
};

constexpr bool should_collide(const Filter& a, const Filter& b) {
    return (a.group & b.mask) != 0 && (b.group & a.mask) != 0;
}

/// Fixed proxies are never paired with each other.
enum class ProxyKind : std::uint8_t { moving, fixed };

/// Identifies a proxy until it is removed. The last bit is its kind, which determines the tree of
/// the proxy, and the kind of a pair without access to the proxies.
class ProxyId {
  public:
    ProxyId() = default;
    ProxyId(ProxyKind kind, std::uint32_t index)
        : value_(2 * index + (kind == ProxyKind::fixed ? 1u : 0u)) {}

    static ProxyId from_value(std::uint32_t value) {
        ProxyId id;
        id.value_ = value;
        return id;
    }

    std::uint32_t index() const { return value_ / 2; }
    ProxyKind kind() const { return value_ % 2 == 1 ? ProxyKind::fixed : ProxyKind::moving; }
    /// Dense: for arrays parallel to the broadphase.
    std::uint32_t value() const { return value_; }
    bool is_null() const { return value_ == UINT32_MAX; }
    auto operator<=>(const ProxyId&) const = default;

  private:
    std::uint32_t value_ = UINT32_MAX;
};

/// a < b, always.
struct ProxyPair {
    ProxyId a, b;
    auto operator<=>(const ProxyPair&) const = default;
};

inline ProxyPair ordered_pair(ProxyId a, ProxyId b) {
    return a < b ? ProxyPair{a, b} : ProxyPair{b, a};
}

/// Ascending. Linear when there are about as many pairs as ids, as when all proxies move.
void sort_pairs(std::vector<ProxyPair>& pairs);

} // namespace rigor
