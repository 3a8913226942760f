// What the simulation thread publishes: an immutable set of frames, one for each world. The network
// thread encodes from it for every client what that client has not received yet.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "viewer/frame.h"
#include "viewer/subscription.h"

namespace rigor::viewer {

/// A mesh that deforms.
struct MeshFrame {
    std::uint32_t changed = 0;                  ///< sequence of the frame of the last change
    std::shared_ptr<const std::string> message; ///< binary
};

struct WorldFrame {
    QuantizedPoses poses;
    std::map<ColorMode, ColorValues> colors;
    std::map<Overlay, std::shared_ptr<const std::string>> overlays; ///< binary messages
    std::vector<MeshFrame> meshes;
};

struct FrameSet {
    std::uint32_t sequence = 0;   ///< from 1
    std::uint64_t generation = 0; ///< of the scene: counts opened scenes
    std::vector<WorldFrame> worlds;
};

} // namespace rigor::viewer
