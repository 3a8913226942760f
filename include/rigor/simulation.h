// Simulation: a world made from a scene, with its forces, drivers, vehicles and fractures.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "rigor/export.h"
#include "rigor/fracture.h"
#include "rigor/scene.h"
#include "rigor/world.h"

namespace rigor {

/// Options in addition to those of the scene.
struct SimulationOptions {
    int threads = 1;
    bool record = false; ///< record the world from its first body on (World::start_recording)
    int lanes = 0;       ///< as WorldSettings::lanes
    /// The caller provides device input (Drivers::set_input): no warning about missing input.
    bool has_input = false;
};

/// Snapshot of a simulation: its world and the state of its features.
struct SimulationSnapshot {
    Snapshot world;
    Fracture fracture;
    std::vector<Vehicle> vehicles;
    std::vector<bool> driven_by_scene; ///< for each vehicle
    Drivers drivers;
    std::optional<Duel> duel;
};

class RIGOR_API Simulation {
  public:
    /// Builds the world. Fails with the body's name and the field when a body cannot be built;
    /// requests of the scene that this build does not support are in warnings().
    static Result<Simulation> make(Scene scene, const SimulationOptions& options = {});

    const Scene& scene() const { return scene_; }
    World& world() { return world_; }
    const World& world() const { return world_; }

    /// The body of scene().bodies[i]: stale after it has broken; for a body with bonds, its first
    /// piece.
    BodyId body(std::size_t i) const { return bodies_[i]; }
    /// All existing bodies: those of the scene in its order, then those added since, by slot.
    std::vector<BodyId> bodies() const;
    /// The joint of scene().joints[i]; null when the method has no joints, stale when it has
    /// broken.
    JointId joint(std::size_t i) const { return i < joints_.size() ? joints_[i] : JointId{}; }

    /// The method in use, which may differ from that of the scene (see warnings()).
    const std::string& method() const { return method_; }
    const std::vector<std::string>& warnings() const { return scene_.warnings; }
    /// The warnings about parts of the scene that the method or this build ignores.
    std::vector<std::string> unhonored() const {
        return {scene_.warnings.begin() + warnings_of_reader_, scene_.warnings.end()};
    }

    /// The drivers of the scene's bodies. More may be added; device input is set here.
    Drivers& drivers() { return drivers_; }
    const Drivers& drivers() const { return drivers_; }
    /// The duel of the scene, if it has one.
    const std::optional<Duel>& duel() const { return duel_; }

    /// The vehicles, in the order of scene().vehicles. Empty under "free".
    const std::vector<Vehicle>& vehicles() const { return vehicles_; }
    /// Sets the input of vehicle i, which from then on ignores the scene's `drive`.
    void set_vehicle_input(std::size_t i, const VehicleInput& input);
    /// Whether the input of vehicle i still comes from the scene's `drive`.
    bool is_driven_by_scene(std::size_t i) const { return driven_by_scene_[i]; }

    /// Applies the forces of the scene, updates drivers and vehicles, steps the world, breaks
    /// bodies that were loaded beyond their threshold, and reports collisions to the drivers:
    /// drivers().events().
    StepReport step(double dt);

    /// The bodies that broke in the last step, with their pieces.
    const std::vector<FractureEvent>& fractures() const { return fracture_.events(); }
    /// To make bodies breakable that are added later: Fracture::watch().
    Fracture& fracture() { return fracture_; }
    const Fracture& fracture() const { return fracture_; }

    /// Bodies of the scene that are made of pieces from the start (FractureDef::bonds).
    struct Bonded {
        std::size_t body = 0; ///< into scene().bodies
        BondedBody made;
    };
    const std::vector<Bonded>& bonded() const { return bonded_; }

    /// As World::snapshot and World::restore, for the features of the scene as well.
    SimulationSnapshot snapshot() const {
        return {world_.snapshot(), fracture_, vehicles_, driven_by_scene_, drivers_, duel_};
    }
    void restore(const SimulationSnapshot& snapshot);
    /// As World::state_hash, for the features of the scene as well; that of the world when there
    /// are none.
    std::uint64_t state_hash() const;

  private:
    Simulation(Scene scene, World world);

    Result<void> add_bodies();
    Result<BodyId> add_body(std::size_t i);
    Result<void> add_joints();
    BodyId joint_body(std::int32_t body, const Vec3d& anchor) const;
    Result<void> add_duel();
    Result<void> add_vehicles();
    void drive_vehicles(double dt);
    void apply_forces(double dt);

    Scene scene_;
    World world_;
    std::vector<BodyId> bodies_;
    std::vector<JointId> joints_;
    Fracture fracture_;
    std::vector<Bonded> bonded_;
    std::vector<Vehicle> vehicles_;
    std::vector<bool> driven_by_scene_; ///< for each of them
    Drivers drivers_;
    std::optional<Duel> duel_;
    std::string method_ = "free";
    std::ptrdiff_t warnings_of_reader_ = 0; ///< the first ones
};

} // namespace rigor
