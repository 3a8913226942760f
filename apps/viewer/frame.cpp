#include "viewer/frame.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numbers>

#include "viewer/byte_writer.h"

namespace rigor::viewer {
namespace {

constexpr std::uint64_t kMask21 = (1u << 21) - 1, kMask15 = (1u << 15) - 1;
constexpr std::size_t kPoseBytes = 14;

std::uint64_t count_of(double offset, double unit) {
    const double count = std::clamp(std::nearbyint(offset / unit), -double(Grid::kMaxCount),
                                    double(Grid::kMaxCount));
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(count)) & kMask21;
}

double offset_of(std::uint64_t bits, double unit) {
    auto count = static_cast<std::int64_t>(bits & kMask21);
    if (count > Grid::kMaxCount) count -= std::int64_t{1} << 21;
    return static_cast<double>(count) * unit;
}

/// Smallest three: the largest component is omitted and made positive, so the others are at most
/// 1/sqrt 2.
std::uint64_t pack(const Quatd& q) {
    const double parts[4] = {q.w, q.x, q.y, q.z};
    int largest = 0;
    for (int i = 1; i < 4; ++i)
        if (std::abs(parts[i]) > std::abs(parts[largest])) largest = i;
    const double sign = parts[largest] < 0 ? -1 : 1;
    auto bits = static_cast<std::uint64_t>(largest);
    int shift = 2;
    for (int i = 0; i < 4; ++i) {
        if (i == largest) continue;
        const double unit = (sign * parts[i] * std::numbers::sqrt2 + 1) / 2;
        bits |= static_cast<std::uint64_t>(std::clamp(unit, 0.0, 1.0) * kMask15 + 0.5) << shift;
        shift += 15;
    }
    return bits;
}

Quatd unpack(std::uint64_t bits) {
    double parts[4] = {};
    const auto largest = static_cast<int>(bits & 3);
    double rest = 1;
    int shift = 2;
    for (int i = 0; i < 4; ++i) {
        if (i == largest) continue;
        parts[i] =
            (static_cast<double>(bits >> shift & kMask15) / kMask15 * 2 - 1) / std::numbers::sqrt2;
        rest -= parts[i] * parts[i];
        shift += 15;
    }
    parts[largest] = std::sqrt(std::max(rest, 0.0));
    return {parts[0], parts[1], parts[2], parts[3]};
}

} // namespace

PackedPose pack(const Posed& pose, bool asleep, const Grid& grid) {
    const Vec3d offset = pose.p - grid.center;
    const double unit = static_cast<double>(grid.unit);
    return {count_of(offset.x, unit) | count_of(offset.y, unit) << 21 |
                count_of(offset.z, unit) << 42 | (asleep ? kAsleep : 0),
            pack(pose.q)};
}

Posed unpack(const PackedPose& packed, const Grid& grid) {
    const double unit = static_cast<double>(grid.unit);
    return {grid.center + Vec3d{offset_of(packed.position, unit),
                                offset_of(packed.position >> 21, unit),
                                offset_of(packed.position >> 42, unit)},
            unpack(packed.orientation)};
}

bool fits(const Vec3d& position, const Grid& grid) {
    const double reach = static_cast<double>(grid.unit) * Grid::kMaxCount;
    return max_component(abs(position - grid.center)) <= reach;
}

std::string encode_frame(const QuantizedPoses& poses, const ColorValues* values, std::uint8_t world,
                         std::uint32_t sequence, std::uint32_t since) {
    const bool whole = since < poses.grid_since;
    if (whole) since = 0;
    const auto is_in = [&](std::size_t slot) {
        if (poses.changed[slot] == 0) return false;
        return poses.changed[slot] > since || (values && values->changed[slot] > since);
    };
    const std::size_t slots = poses.packed.size();
    ByteWriter out(64 + slots * kPoseBytes);
    out.put(std::uint8_t{1});
    out.put(world);
    out.put(static_cast<std::uint8_t>((since == 0 ? 1 : 0) | (values ? 2 : 0)));
    out.put(std::uint8_t{0});
    out.put(sequence);
    out.put(poses.step);
    out.put(poses.time);
    out.put(poses.grid.center);
    out.put(poses.grid.unit);
    const std::size_t runs_at = out.size();
    std::uint32_t runs = 0;
    out.put(runs);
    for (std::size_t slot = 0; slot < slots;) {
        if (!is_in(slot)) {
            ++slot;
            continue;
        }
        std::size_t end = slot + 1;
        while (end < slots && is_in(end)) ++end;
        out.put(static_cast<std::uint32_t>(slot));
        out.put(static_cast<std::uint32_t>(end - slot));
        ++runs;
        slot = end;
    }
    out.overwrite(runs_at, runs);
    for (std::size_t slot = 0; slot < slots; ++slot) {
        if (!is_in(slot)) continue;
        out.put(poses.packed[slot].position);
        out.put_bytes(&poses.packed[slot].orientation, 6);
    }
    if (!values) return out.take();
    for (std::size_t slot = 0; slot < slots; ++slot)
        if (is_in(slot)) out.put(values->values[slot]);
    return out.take();
}

} // namespace rigor::viewer
