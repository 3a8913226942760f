// What the broadphase knows of a shape: its box, whom it may meet, and a number of the caller's.
#pragma once

#include <compare>
#include <cstdint>
#include <span>
#include <vector>

#include "geometry/query_types.h"

namespace rigor {

using Aabbf = Aabb<float>;

/// Coordinates beyond it are pulled back to it, so that no surface overflows a float. Clamping
/// keeps the order of coordinates, hence boxes that overlap still do.
inline constexpr float kFarthest = 1e17f;

/// The smallest box of floats around a box of doubles: nothing that overlaps is ever missed,
/// and what is found in vain lies within one unit in the last place, 1 mm at 10 km from the
/// origin. NaN becomes the whole axis.
Aabbf round_outward(const Aabb<double>& box);

inline Aabb<double> widen(const Aabbf& box) {
    return {cast<double>(box.lo), cast<double>(box.hi)};
}

/// Both must want the other.
struct Filter {
    std::uint32_t group = 1;  ///< bits: the groups it belongs to
    std::uint32_t mask = ~0u; ///< bits: the groups it meets
};

constexpr bool may_meet(const Filter& a, const Filter& b) {
    return (a.group & b.mask) != 0 && (b.group & a.mask) != 0;
}

/// Fixed proxies are never paired with each other.
enum class ProxyKind : std::uint8_t { moving, fixed };

/// Names a proxy until it is removed. The last bit is its kind: it says in which tree the
/// proxy stands, and lets pairs be told apart without a look at the proxies.
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
    /// Dense: for arrays beside the broadphase.
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

/// Ascending. Linear when there are about as many pairs as ids, as there are when all move.
void sort_pairs(std::vector<ProxyPair>& pairs);

} // namespace rigor
