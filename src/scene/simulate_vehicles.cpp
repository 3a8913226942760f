// The vehicles of a simulation.

#include <algorithm>

#include "math/number_text.h"
#include "rigor/simulation.h"

namespace rigor {
namespace {

void warn_of_soft_rays(const Vehicle& vehicle, const std::string& name, Scene& scene) {
    const SpringDef given = vehicle.def().suspension;
    const SpringDef got = vehicle.suspension_at(scene.time_step);
    const std::string at_step = " by ray_cast at a time_step of " + text_short(scene.time_step) +
                                " s; a smaller step or wheel bodies keep it";
    if (got.frequency_hz < given.frequency_hz)
        scene.warnings.push_back("vehicle \"" + name + "\": suspension.frequency_hz " +
                                 text_short(given.frequency_hz) + " is lowered to " +
                                 text_short(got.frequency_hz) + at_step);
    else if (got.damping_ratio < given.damping_ratio)
        scene.warnings.push_back("vehicle \"" + name + "\": suspension.damping_ratio " +
                                 text_short(given.damping_ratio) + " is lowered to " +
                                 text_short(got.damping_ratio) + at_step);
}

} // namespace

Result<void> Simulation::add_vehicles() {
    if (world_.settings().method == Method::free) return {}; // nothing touches: see the warning
    for (const SceneVehicle& from : scene_.vehicles) {
        VehicleDef def = from.def;
        def.chassis = bodies_[static_cast<std::size_t>(from.chassis)];
        for (std::size_t i = 0; i < from.wheels.size(); ++i) {
            const auto joint = static_cast<std::size_t>(from.wheels[i]);
            def.wheels[i].joint = joints_[joint];
            def.wheels[i].body = bodies_[static_cast<std::size_t>(scene_.joints[joint].b)];
        }
        for (const MaterialPair& pair : scene_.pairs)
            if (pair.a == def.tire_material || pair.b == def.tire_material)
                def.pairs.push_back(pair);
        Result<Vehicle> made = Vehicle::make(world_, std::move(def));
        if (!made) {
            Error error = made.error();
            error.where = "vehicle \"" + from.name + "\", " + error.where;
            return error;
        }
        warn_of_soft_rays(*made, from.name, scene_);
        vehicles_.push_back(std::move(*made));
        driven_by_scene_.push_back(!from.drive.empty());
    }
    return {};
}

void Simulation::set_vehicle_input(std::size_t i, const VehicleInput& input) {
    vehicles_.at(i).set_input(input);
    driven_by_scene_[i] = false;
}

// What a keyframe says holds until the next one.
void Simulation::drive_vehicles(double dt) {
    for (std::size_t i = 0; i < vehicles_.size(); ++i) {
        const std::vector<DriveKeyframe>& drive = scene_.vehicles[i].drive;
        const auto next =
            std::upper_bound(drive.begin(), drive.end(), world_.time(),
                             [](double time, const DriveKeyframe& key) { return time < key.time; });
        if (driven_by_scene_[i] && next != drive.begin()) vehicles_[i].set_input((next - 1)->input);
        vehicles_[i].update(world_, dt);
    }
}

} // namespace rigor
