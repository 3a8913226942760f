// Makes the frames of one world, one after another, and tracks which bodies changed.
#pragma once

#include "viewer/deformed_meshes.h"
#include "viewer/frame_set.h"
#include "viewer/session.h"

namespace rigor::viewer {

class FrameBuilder {
  public:
    explicit FrameBuilder(const Session& session);

    /// Makes the next frame look at all bodies, not only at those that are awake.
    void invalidate() { invalid_ = true; }
    WorldFrame build(const Session& session, std::uint8_t world, std::uint32_t sequence,
                     const Subscriptions& subscriptions);
    /// Of the color modes in use.
    const std::map<ColorMode, ColorScale>& scales() const { return scales_; }

  private:
    void update_poses(const Session& session, std::uint32_t sequence);
    void choose_grid(const Session& session, std::uint32_t sequence);
    void update_colors(const Session& session, std::uint32_t sequence, const ColorSet& colors);

    QuantizedPoses poses_;
    std::map<ColorMode, ColorValues> colors_;
    std::map<ColorMode, ColorScale> scales_;
    DeformedMeshes meshes_;
    double max_distance_; ///< m: bodies farther from the origin are shown at the edge of the grid
    int frames_built_ = 0;
    bool invalid_ = true;
};

} // namespace rigor::viewer
