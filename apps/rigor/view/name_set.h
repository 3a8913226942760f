// Small sets of named things, as bits.
#pragma once

#include <cstdint>

namespace rigor::view {

template <class Enum>
struct NameSet {
    std::uint32_t bits = 0;

    bool has(Enum value) const { return (bits >> static_cast<int>(value) & 1) != 0; }
    void add(Enum value) { bits |= 1u << static_cast<int>(value); }
    void add(const NameSet& others) { bits |= others.bits; }
    friend bool operator==(const NameSet&, const NameSet&) = default;
};

} // namespace rigor::view
