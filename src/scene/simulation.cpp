// Simulation: a world made from a scene, with its forces and keyframes.

#include "rigor/simulation.h"

#include <algorithm>
#include <cmath>

#include "rigor/rotation.h"
#include "scene/unused_properties.h"
#include "world/pipelines.h"

namespace rigor {
namespace {

// How much of the step [t, t + dt] a load that acts from..to covers.
double share_of_step(const SceneForce& force, double t, double dt) {
    const double overlap = std::min(force.to, t + dt) - std::max(force.from, t);
    return std::clamp(overlap / dt, 0.0, 1.0);
}

// Straight between positions, along the shorter great arc between orientations. Before the
// first and after the last keyframe the pose stays, unless the driver loops.
Posed pose_at(const DriverDef& driver, double t) {
    const std::vector<Keyframe>& keys = driver.keyframes;
    const double first = keys.front().time, last = keys.back().time;
    if (driver.loop && last > first) {
        t = first + (t - first) - (last - first) * std::floor((t - first) / (last - first));
    }
    const auto next = std::upper_bound(
        keys.begin(), keys.end(), t, [](double time, const Keyframe& k) { return time < k.time; });
    if (next == keys.begin()) return keys.front().pose;
    if (next == keys.end()) return keys.back().pose;
    const Keyframe& a = *(next - 1);
    const Keyframe& b = *next;
    const double s = (t - a.time) / (b.time - a.time);
    return {a.pose.p + (b.pose.p - a.pose.p) * s, slerp(a.pose.q, b.pose.q, s)};
}

// A keyframed body is where its keyframes say from the start; it must not have to rush there.
void start_at_keyframe(SceneBody& body) {
    const Posed start = pose_at(*body.driver, 0);
    body.def.position = start.p;
    body.def.orientation = start.q;
}

std::string count_text(std::ptrdiff_t bodies) {
    return bodies == 1 ? "1 body" : std::to_string(bodies) + " bodies";
}

// What a scene asks for and this build, or the scene's method, does not have is said.
void warn_of_what_is_not_simulated(Scene& scene) {
    const auto warn = [&](const std::string& text) { scene.warnings.push_back(text); };
    const std::optional<Method> method = method_named(scene.method);
    if (!method) {
        warn("method \"" + scene.method +
             "\" is not in this build: bodies move freely, without contacts");
    }
    if (!scene.joints.empty() && method.value_or(Method::free) == Method::free) {
        warn("joints do not act under \"free\": choose another method, such as \"fast\"");
    }
    if (!scene.vehicles.empty() && method.value_or(Method::free) == Method::free) {
        warn("vehicles do not drive under \"free\": choose another method, such as \"fast\"");
    }
    if (method)
        for (std::string& text : unused_properties(scene, *method)) warn(text);
    const auto count = [&](const auto& has) {
        return std::count_if(scene.bodies.begin(), scene.bodies.end(), has);
    };
    const auto breaks = [](const SceneBody& b) { return b.fracture.has_value(); };
    if (const auto n = count(breaks); n > 0) {
        warn("fracture is not simulated yet: ignored on " + count_text(n));
    }
    const auto is_steered = [](const SceneBody& b) { return b.driver && !b.driver->input.empty(); };
    if (const auto n = count(is_steered); n > 0) {
        warn("input drivers act in rigor view alone: " + count_text(n) + " will not move");
    }
}

WorldSettings world_settings(const Scene& scene, const SimulationOptions& options) {
    WorldSettings settings;
    settings.gravity = scene.gravity;
    settings.threads = options.threads;
    settings.lanes = options.lanes;
    settings.method = method_named(scene.method).value_or(Method::free);
    settings.periodic = scene.periodic;
    scene.settings.apply_to(settings);
    return settings;
}

} // namespace

Simulation::Simulation(Scene scene, World world)
    : scene_(std::move(scene)), world_(std::move(world)) {}

Result<Simulation> Simulation::make(Scene scene, const SimulationOptions& options) {
    const auto warnings_of_reader = static_cast<std::ptrdiff_t>(scene.warnings.size());
    warn_of_what_is_not_simulated(scene);
    const WorldSettings settings = world_settings(scene, options);
    if (const auto checked = check_pipeline(settings); !checked) return checked.error();
    for (std::string& warning : scene.settings.warnings(settings))
        scene.warnings.push_back(std::move(warning));
    World world(settings);
    if (options.record) world.start_recording();
    Simulation simulation(std::move(scene), std::move(world));
    simulation.method_ = name(simulation.world_.settings().method);
    simulation.warnings_of_reader_ = warnings_of_reader;
    for (const MaterialPair& pair : simulation.scene_.pairs)
        simulation.world_.set_material_pair(pair);
    simulation.bodies_.reserve(simulation.scene_.bodies.size());
    simulation.world_.reserve_bodies(simulation.scene_.bodies.size());
    for (SceneBody& body : simulation.scene_.bodies) {
        if (body.driver && !body.driver->keyframes.empty()) {
            start_at_keyframe(body);
            simulation.keyframed_.push_back(simulation.bodies_.size());
        }
        Result<BodyId> id = simulation.world_.add_body(body.def);
        if (!id) {
            Error error = id.error();
            error.where =
                "body \"" + body.def.name + "\"" + (error.where.empty() ? "" : ", " + error.where);
            return error;
        }
        simulation.bodies_.push_back(*id);
    }
    if (auto joined = simulation.add_joints(); !joined) return joined.error();
    if (auto added = simulation.add_vehicles(); !added) return added.error();
    return simulation;
}

Result<void> Simulation::add_joints() {
    const auto body = [&](std::int32_t i) {
        return i == SceneJoint::kWorld ? BodyId{} : bodies_[static_cast<std::size_t>(i)];
    };
    const auto joint = [&](std::int32_t i) {
        return i < 0 ? JointId{} : joints_[static_cast<std::size_t>(i)];
    };
    for (const SceneJoint& scene_joint : scene_.joints) {
        JointDef def = scene_joint.def;
        if (def.type() == JointType::track) {
            scene_.warnings.push_back("joint \"" + def.name +
                                      "\": track joints are not simulated yet: ignored");
            joints_.emplace_back();
            continue;
        }
        def.a = body(scene_joint.a);
        def.b = body(scene_joint.b);
        if (auto* gear = std::get_if<GearJoint>(&def.kind)) {
            gear->a = joint(scene_joint.gear_a);
            gear->b = joint(scene_joint.gear_b);
        }
        Result<JointId> id = world_.add_joint(def);
        if (!id) {
            Error error = id.error();
            error.where =
                "joint \"" + def.name + "\"" + (error.where.empty() ? "" : ", " + error.where);
            return error;
        }
        joints_.push_back(*id);
    }
    return {};
}

StepReport Simulation::step(double dt) {
    apply_forces(dt);
    follow_keyframes(dt);
    drive_vehicles(dt);
    return world_.step(dt);
}

void Simulation::apply_forces(double dt) {
    for (const SceneForce& load : scene_.forces) {
        const double share = share_of_step(load, world_.time(), dt);
        const BodyId id = bodies_[static_cast<std::size_t>(load.body)];
        if (share == 0 || !world_.is_valid(id)) continue;
        if (load.torque) world_.apply_torque(id, *load.torque * share);
        if (load.acceleration) {
            world_.apply_force(id, *load.acceleration * (share * world_.mass_properties(id).mass));
        }
        if (!load.force) continue;
        if (load.point) {
            world_.apply_force_at(id, *load.force * share, transform(world_.pose(id), *load.point));
        } else {
            world_.apply_force(id, *load.force * share);
        }
    }
}

// A keyframed body is given the velocities that take it to where it must be at the end of the
// step, so that whatever it touches feels it move. Each step aims anew: errors do not add up.
void Simulation::follow_keyframes(double dt) {
    for (const std::size_t i : keyframed_) {
        if (!world_.is_valid(bodies_[i])) continue;
        const Posed now = world_.pose(bodies_[i]);
        const Posed then = pose_at(*scene_.bodies[i].driver, world_.time() + dt);
        world_.set_velocity(bodies_[i], (then.p - now.p) / dt);
        world_.set_angular_velocity(bodies_[i], to_rotation_vector(then.q * conjugate(now.q)) / dt);
    }
}

void Simulation::restore(const SimulationSnapshot& snapshot) {
    world_.restore(snapshot.world);
    vehicles_ = snapshot.vehicles;
    driven_by_scene_ = snapshot.driven_by_scene;
}

} // namespace rigor
