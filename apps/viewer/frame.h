// Frames: quantized poses of the bodies that changed, 14 bytes each. The layout is in
// docs/design/viewer.md.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "rigor/pose.h"

namespace rigor::viewer {

/// The quantization of positions: whole multiples of `unit` from the center, 21 bits signed.
struct Grid {
    static constexpr std::int32_t kMaxCount = (1 << 20) - 1;

    Vec3d center;
    float unit = 1e-4f; ///< m
};

/// Two words, of which 14 bytes are sent.
struct PackedPose {
    std::uint64_t position = 0;    ///< 3 x 21 bits, x lowest; bit 63: asleep
    std::uint64_t orientation = 0; ///< smallest three: 2 bits index of the omitted, 3 x 15 bits
    friend bool operator==(const PackedPose&, const PackedPose&) = default;
};

inline constexpr std::uint64_t kAsleep = std::uint64_t{1} << 63;

/// Positions outside the grid are clamped to its edge.
PackedPose pack(const Posed& pose, bool asleep, const Grid& grid);
Posed unpack(const PackedPose& packed, const Grid& grid);
bool fits(const Vec3d& position, const Grid& grid);

/// The values of one color mode.
struct ColorValues {
    std::vector<std::uint8_t> values;   ///< by slot
    std::vector<std::uint32_t> changed; ///< by slot: sequence of the frame of the last change
};

/// The poses of one world.
struct QuantizedPoses {
    std::uint64_t step = 0;
    double time = 0;
    Grid grid;
    std::uint32_t grid_since = 0;       ///< sequence of the first frame with this grid
    std::vector<PackedPose> packed;     ///< by slot
    std::vector<std::uint32_t> changed; ///< by slot: likewise; 0: no body
};

/// The binary message with what changed after frame `since`, the last that the client received; 0:
/// with everything. `values` may be null.
std::string encode_frame(const QuantizedPoses& poses, const ColorValues* values, std::uint8_t world,
                         std::uint32_t sequence, std::uint32_t since);

} // namespace rigor::viewer
