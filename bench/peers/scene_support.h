// Scene support: which bodies and joints every engine in the benchmark can simulate.
#pragma once

#include "bench/peers/peer.h"

namespace rigor::bench {

/// Whether every body is one that all engines support: one shape at the body's own origin, its
/// center of mass there and its principal axes along its own; no body kinematic, locked, damped
/// or filtered; all joints ball joints.
Result<void> check_supported(const PeerSetup& setup);

/// "a cylinder is not supported": of a shape an adapter does not know.
Error unsupported_shape(const ShapeGeometry& geometry);

/// Where the joint's anchor is in the frame of its body, at the start. The world's own frame for
/// SceneJoint::kWorld.
Vec3d local_anchor(const Scene& scene, std::int32_t body, const Vec3d& anchor);

} // namespace rigor::bench
