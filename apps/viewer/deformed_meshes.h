// Meshes that deform: their vertices as binary messages, made when they change.
#pragma once

#include <map>

#include "viewer/frame_set.h"
#include "viewer/session.h"

namespace rigor::viewer {

/// Whether the meshes of a body may deform: it is a fencer's, and bends.
bool deforms(const Session& session, BodyId body);

class DeformedMeshes {
  public:
    /// The meshes that are or were deformed, as they are now. `sequence`: of the frame.
    std::vector<MeshFrame> update(const Session& session, std::uint8_t world,
                                  std::uint32_t sequence);

  private:
    std::map<ShapeId, MeshFrame> known_;
};

} // namespace rigor::viewer
