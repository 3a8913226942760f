// A set of enumerators as bits.
#pragma once

#include <cstdint>

namespace rigor::viewer {

template <class Enum>
struct EnumSet {
    std::uint32_t bits = 0;

    bool has(Enum value) const { return (bits >> static_cast<int>(value) & 1) != 0; }
    void add(Enum value) { bits |= 1u << static_cast<int>(value); }
    void add(const EnumSet& others) { bits |= others.bits; }
    friend bool operator==(const EnumSet&, const EnumSet&) = default;
};

} // namespace rigor::viewer
