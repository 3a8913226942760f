// Simulation: a world made from a scene, with the scene's forces and keyframed bodies.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "rigor/export.h"
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
    std::vector<Vehicle> vehicles;
    std::vector<bool> driven_by_scene; ///< for each vehicle
};

class RIGOR_API Simulation {
  public:
    /// Builds the world. Fails with the body's name and the field when a body cannot be built;
    /// what the scene asks for and this build cannot do is in warnings().
    static Result<Simulation> make(Scene scene, const SimulationOptions& options = {});

    const Scene& scene() const { return scene_; }
    World& world() { return world_; }
    const World& world() const { return world_; }

    /// The body of scene().bodies[i].
    BodyId body(std::size_t i) const { return bodies_[i]; }
    /// The joint of scene().joints[i]; null when the method knows no joints. It may have broken.
    JointId joint(std::size_t i) const { return i < joints_.size() ? joints_[i] : JointId{}; }

    /// The method that really runs.
    const std::string& method() const { return method_; }
    const std::vector<std::string>& warnings() const { return scene_.warnings; }
    /// Those warnings that say what of the scene the method or this build does not honor.
    std::vector<std::string> unhonored() const {
        return {scene_.warnings.begin() + warnings_of_reader_, scene_.warnings.end()};
    }

    /// That of scene().vehicles[i]. None under "free".
    const std::vector<Vehicle>& vehicles() const { return vehicles_; }
    /// From now on the caller drives vehicle i, and not the scene's `drive`.
    void set_vehicle_input(std::size_t i, const VehicleInput& input);
    /// Whether the scene's `drive` still drives it.
    bool is_driven_by_scene(std::size_t i) const { return driven_by_scene_[i]; }

    /// Applies the scene's forces, moves its keyframed bodies and drives its vehicles, then steps
    /// the world.
    StepReport step(double dt);

    /// As World::snapshot and World::restore, for the features of the scene as well.
    SimulationSnapshot snapshot() const { return {world_.snapshot(), vehicles_, driven_by_scene_}; }
    void restore(const SimulationSnapshot& snapshot);

  private:
    Simulation(Scene scene, World world);

    Result<void> add_joints();
    Result<void> add_vehicles();
    void drive_vehicles(double dt);
    void apply_forces(double dt);
    void follow_keyframes(double dt);

    Scene scene_;
    World world_;
    std::vector<BodyId> bodies_;
    std::vector<JointId> joints_;
    std::vector<Vehicle> vehicles_;
    std::vector<bool> driven_by_scene_;  ///< for each of them
    std::vector<std::size_t> keyframed_; ///< into bodies_: few, so that a step asks no others
    std::string method_ = "free";
    std::ptrdiff_t warnings_of_reader_ = 0; ///< the first ones
};

} // namespace rigor
