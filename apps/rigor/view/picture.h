// What the show publishes: an immutable picture of all its worlds, from which the network makes for
// every client just what that client has not seen yet.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <string_view>

#include "view/color.h"
#include "view/frame.h"
#include "view/overlay.h"
#include "view/stage.h"

namespace rigor::view {

/// What at least one client wants to see.
struct Wishes {
    OverlaySet overlays;
    ColorSet colors;
    friend bool operator==(const Wishes&, const Wishes&) = default;
};

struct WorldPicture {
    Poses poses;
    std::map<Color, ValueTrack> values;
    std::map<Overlay, std::shared_ptr<const std::string>> overlays; ///< binary messages
};

struct Picture {
    std::uint32_t sequence = 0;   ///< from 1
    std::uint64_t generation = 0; ///< of the scene it shows
    std::vector<WorldPicture> worlds;
};

/// Paints one world, picture after picture, and remembers what changed.
class Painter {
  public:
    explicit Painter(const Stage& stage);

    /// All bodies may be somewhere else, not only those that are awake.
    void repaint() { repaint_ = true; }
    WorldPicture paint(const Stage& stage, std::uint8_t world, std::uint32_t sequence,
                       const Wishes& wishes);
    /// Of the colors in use.
    const std::map<Color, ColorScale>& scales() const { return scales_; }

  private:
    void paint_poses(const Stage& stage, std::uint32_t sequence);
    void choose_grid(const Stage& stage, std::uint32_t sequence);
    void paint_values(const Stage& stage, std::uint32_t sequence, const ColorSet& colors);

    Poses poses_;
    std::map<Color, ValueTrack> values_;
    std::map<Color, ColorScale> scales_;
    double farthest_; ///< m: what is farther from the middle is shown at the rim
    int painted_ = 0;
    bool repaint_ = true;
};

} // namespace rigor::view
