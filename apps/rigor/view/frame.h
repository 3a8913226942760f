// Frames: where all bodies are, 14 bytes each, and only those that moved.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "rigor/pose.h"

namespace rigor::view {

/// Positions are whole counts of `unit` from the middle, 21 bits in each direction.
struct Grid {
    static constexpr std::int32_t kMost = (1 << 20) - 1;

    Vec3d middle;
    float unit = 1e-4f;
};

/// Two words, of which 14 bytes go over the wire.
struct PackedPose {
    std::uint64_t position = 0;    ///< 3 x 21 bits, x lowest; bit 63: asleep
    std::uint64_t orientation = 0; ///< 2 bits which is left out, 3 x 15 bits the others
    friend bool operator==(const PackedPose&, const PackedPose&) = default;
};

inline constexpr std::uint64_t kAsleep = std::uint64_t{1} << 63;

/// What lies outside the grid is put at its rim.
PackedPose pack(const Posed& pose, bool asleep, const Grid& grid);
Posed unpack(const PackedPose& packed, const Grid& grid);
bool fits(const Vec3d& position, const Grid& grid);

/// What one color shows of each body.
struct ValueTrack {
    std::vector<std::uint8_t> values;   ///< by slot
    std::vector<std::uint32_t> changed; ///< by slot: the picture in which it last did
};

/// The bodies of one world as they are shown.
struct Poses {
    std::uint64_t step = 0;
    double time = 0;
    Grid grid;
    std::uint32_t grid_since = 0;       ///< the first picture with this grid
    std::vector<PackedPose> packed;     ///< by slot
    std::vector<std::uint32_t> changed; ///< by slot: the picture of the last change; 0: no body
};

/// The binary message for a client that was last shown picture `since`; 0: it knows nothing yet.
/// Values may be null.
std::string encode_frame(const Poses& poses, const ValueTrack* values, std::uint8_t world,
                         std::uint32_t sequence, std::uint32_t since);

/// Writing little-endian binary messages.
class BytesOut {
  public:
    explicit BytesOut(std::size_t room = 0) { text_.reserve(room); }
    template <class T>
    void put(const T& value) {
        text_.append(reinterpret_cast<const char*>(&value), sizeof value);
    }
    void put_point(const Vec3d& v) { put(cast<float>(v)); }
    void put_bytes(const void* from, std::size_t count) {
        text_.append(static_cast<const char*>(from), count);
    }
    template <class T>
    void overwrite(std::size_t at, const T& value) {
        text_.replace(at, sizeof value, reinterpret_cast<const char*>(&value), sizeof value);
    }
    std::size_t size() const { return text_.size(); }
    std::string take() { return std::move(text_); }

  private:
    std::string text_;
};

} // namespace rigor::view
