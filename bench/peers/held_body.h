// Common to the adapters of engines: whether a scene's bodies and joints are supported.
#pragma once

#include "bench/peers/peer.h"

namespace rigor::bench {

/// Whether every body is one that any engine can hold: one shape at the body's own origin, its
/// center of mass there and its principal axes along its own; no body kinematic, locked, damped
/// or filtered; all joints ball joints.
Result<void> check_simple(const PeerSetup& setup);

/// "cannot hold a cylinder": of a shape an adapter does not know.
Error cannot_hold(const ShapeGeometry& geometry);

/// Where the joint's anchor is in the frame of its body, at the start. The world's own frame for
/// SceneJoint::kWorld.
Vec3d local_anchor(const Scene& scene, std::int32_t body, const Vec3d& anchor);

} // namespace rigor::bench
