// Simulation: a world made from a scene, with the scene's forces, keyframes and fractures.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "rigor/export.h"
#include "rigor/fracture.h"
#include "rigor/scene.h"
#include "rigor/world.h"

namespace rigor {

/// What a caller may choose beside what the scene says.
struct SimulationOptions {
    int threads = 1;
    bool record = false; ///< the world, from its first body on (World::start_recording)
    int lanes = 0;       ///< as WorldSettings::lanes
};

/// The state of a simulation at one time: its world, and what its features remember.
struct SimulationSnapshot {
    Snapshot world;
    Fracture fracture;
};

class RIGOR_API Simulation {
  public:
    /// Builds the world. Fails with the body's name and the field when a body cannot be built;
    /// what the scene asks for and this build cannot do is in warnings().
    static Result<Simulation> make(Scene scene, const SimulationOptions& options = {});

    const Scene& scene() const { return scene_; }
    World& world() { return world_; }
    const World& world() const { return world_; }

    /// The body of scene().bodies[i]: stale once it has broken. Of a body with bonds its first
    /// piece.
    BodyId body(std::size_t i) const { return bodies_[i]; }
    /// All bodies there are: those of the scene in its order, then those born since, by slot.
    std::vector<BodyId> bodies() const;
    /// The joint of scene().joints[i]; null when the method knows no joints. It may have broken.
    JointId joint(std::size_t i) const { return i < joints_.size() ? joints_[i] : JointId{}; }

    /// The method that really runs.
    const std::string& method() const { return method_; }
    const std::vector<std::string>& warnings() const { return scene_.warnings; }
    /// Those warnings that say what of the scene the method or this build does not honor.
    std::vector<std::string> unhonored() const {
        return {scene_.warnings.begin() + warnings_of_reader_, scene_.warnings.end()};
    }

    /// Applies the scene's forces and moves its keyframed bodies, steps the world, and breaks what
    /// the step has loaded too much.
    StepReport step(double dt);

    /// Which bodies broke in the last step, and into what.
    const std::vector<FractureEvent>& fractures() const { return fracture_.events(); }
    /// For bodies that are added to the world later: watch() them.
    Fracture& fracture() { return fracture_; }
    const Fracture& fracture() const { return fracture_; }

    /// Bodies of the scene that are made of pieces from the start (FractureDef::bonds).
    struct Bonded {
        std::size_t body = 0; ///< into scene().bodies
        BondedBody made;
    };
    const std::vector<Bonded>& bonded() const { return bonded_; }

    /// As World::snapshot and World::restore, for the features of the scene as well.
    SimulationSnapshot snapshot() const { return {world_.snapshot(), fracture_}; }
    void restore(const SimulationSnapshot& snapshot) {
        world_.restore(snapshot.world);
        fracture_ = snapshot.fracture;
    }

  private:
    Simulation(Scene scene, World world);

    Result<void> add_bodies();
    Result<BodyId> add_body(std::size_t i);
    Result<void> add_joints();
    BodyId joint_body(std::int32_t body, const Vec3d& anchor) const;
    void apply_forces(double dt);
    void follow_keyframes(double dt);

    Scene scene_;
    World world_;
    std::vector<BodyId> bodies_;
    std::vector<JointId> joints_;
    Fracture fracture_;
    std::vector<Bonded> bonded_;
    std::vector<std::size_t> keyframed_; ///< into bodies_: few, so that a step asks no others
    std::string method_ = "free";
    std::ptrdiff_t warnings_of_reader_ = 0; ///< the first ones
};

} // namespace rigor
