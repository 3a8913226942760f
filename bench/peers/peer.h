// An engine in the benchmark: built from a scene, stepped, and queried for the poses of its bodies.
//
// Each runs at its own default settings; only what the scene says (gravity, friction, masses, no
// sleep, no damping) is set. Each adapter is one file, and all an engine needs to be measured is
// here: quality is computed from poses, by one and the same code for all.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "rigor/mass.h"
#include "rigor/report.h"
#include "rigor/result.h"
#include "rigor/scene.h"

namespace rigor::bench {

/// Of a body: the pose of its frame, and the velocities of its center of mass, in world axes.
struct Motion {
    Posed pose;
    Vec3d velocity;
    Vec3d angular_velocity;
};

class Peer {
  public:
    Peer() = default;
    Peer(const Peer&) = delete;
    Peer& operator=(const Peer&) = delete;
    virtual ~Peer() = default;

    /// Throws std::exception when the engine gives up.
    virtual void step(double dt) = 0;
    /// Of scene.bodies[i]; for a body that does not move, anything.
    virtual Motion motion(std::size_t i) const = 0;
    /// Of the last step, if the engine tells.
    virtual std::vector<StageTime> stages() const { return {}; }
    /// What a reader of its numbers should know, one clause each.
    virtual std::vector<std::string> notes() const { return {}; }
};

struct PeerSetup {
    const Scene& scene;
    std::span<const MassProperties> masses; ///< of each body; zero for those that do not move
    int threads = 1;
};

struct Engine {
    std::string name;
    std::string package = {}; ///< of Debian; empty for ourselves
    std::string version = {}; ///< the rest is empty when the engine is not in this build
    std::string flags = {};   ///< as far as the library tells
    int max_threads = 1;
    /// Fails with the reason when the engine does not support the scene. Null when not in this
    /// build.
    Result<std::unique_ptr<Peer>> (*make)(const PeerSetup& setup) = nullptr;
};

/// All that are known, ourselves first, in this build or not.
const std::vector<Engine>& engines();

Engine rigor_engine();
Engine bullet_engine();
Engine ode_engine();
Engine mujoco_engine();

} // namespace rigor::bench
