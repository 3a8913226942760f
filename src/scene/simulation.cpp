// Simulation: a world made from a scene, with its forces, drivers, vehicles and fractures.

#include "rigor/simulation.h"

#include <algorithm>
#include <cmath>

#include "base/hash.h"
#include "math/number_text.h"
#include "rigor/settings_table.h"
#include "scene/unused_properties.h"
#include "world/pipelines.h"

namespace rigor {
namespace {

// How much of the step [t, t + dt] a load that acts from..to covers.
double share_of_step(const SceneForce& force, double t, double dt) {
    const double overlap = std::min(force.to, t + dt) - std::max(force.from, t);
    return std::clamp(overlap / dt, 0.0, 1.0);
}

// A driven body is where its driver wants it from the start; it must not have to rush there.
void start_where_driven(SceneBody& body) {
    const Posed start = start_pose(*body.driver, 0, {body.def.position, body.def.orientation});
    body.def.position = start.p;
    body.def.orientation = start.q;
}

/// Whether a device alone could move the body.
bool needs_device(const Scene& scene, std::size_t i) {
    const std::optional<DriverDef>& driver = scene.bodies[i].driver;
    if (!driver || driver->input.empty() || !driver->script.empty()) return false;
    if (!scene.duel) return true;
    return std::none_of(scene.duel->fencers.begin(), scene.duel->fencers.end(),
                        [&](const SceneFencer& fencer) {
                            return fencer.opponent && fencer.weapon == static_cast<int>(i);
                        });
}

std::string count_text(std::ptrdiff_t bodies) {
    return bodies == 1 ? "1 body" : std::to_string(bodies) + " bodies";
}

// What a scene asks for and this build, or the scene's method, does not have is said.
void warn_of_what_is_not_simulated(Scene& scene, bool has_input) {
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
    if (scene.duel && method.value_or(Method::free) == Method::free)
        warn("the duel has no hits under \"free\", which has no contacts");
    if (method)
        for (std::string& text : unused_properties(scene, *method)) warn(text);
    const auto count = [&](const auto& has) {
        return std::count_if(scene.bodies.begin(), scene.bodies.end(), has);
    };
    const auto breaks = [](const SceneBody& b) { return b.fracture.has_value(); };
    if (const auto n = count(breaks); n > 0 && !has_fracture()) {
        warn("fracture needs voro++, which this program is built without: ignored on " +
             count_text(n));
    } else if (n > 0 && method.value_or(Method::free) == Method::free) {
        warn("fracture does not act under \"free\", which has no contacts: ignored on " +
             count_text(n));
    }
    if (has_input) return;
    std::ptrdiff_t waiting = 0;
    for (std::size_t i = 0; i < scene.bodies.size(); ++i) waiting += needs_device(scene, i);
    if (waiting > 0)
        warn("input drivers without a script act in rigor view alone: " + count_text(waiting) +
             " will not move");
}

// The point of the curve that is nearest to the anchor is held: one far from it is hardly meant.
void warn_of_anchor_off_curve(const World& world, JointId id, const JointDef& def, Scene& scene) {
    const auto& curve = std::get<TrackJoint>(def.kind).curve;
    double size = 0;
    for (const Vec3d& point : curve) size = std::max(size, length(point - curve[0]));
    const double off = length(world.joint_state(id).anchor_a - def.anchor);
    if (off <= 1e-2 * size) return;
    scene.warnings.push_back("joint \"" + def.name + "\": its anchor is " + text_short(off) +
                             " m off the curve, and the body is held where the curve is nearest");
}

Error at_body(const SceneBody& body, Error error, const char* field = "") {
    std::string place = field;
    if (!error.where.empty() && error.where != place)
        place += (place.empty() ? "" : ".") + error.where;
    error.where = "body \"" + body.def.name + "\"" + (place.empty() ? "" : ", " + place);
    return error;
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
    warn_of_what_is_not_simulated(scene, options.has_input);
    const WorldSettings settings = world_settings(scene, options);
    if (const auto checked = check_pipeline(settings); !checked) return checked.error();
    for (std::string& warning : scene.settings.warnings(settings))
        scene.warnings.push_back(std::move(warning));
    if (const std::string why = why_unused(*find_setting("lanes"), settings);
        options.lanes != 0 && !why.empty())
        scene.warnings.push_back("lanes " + why);
    World world(settings);
    if (options.record) world.start_recording();
    Simulation simulation(std::move(scene), std::move(world));
    simulation.method_ = name(simulation.world_.settings().method);
    simulation.warnings_of_reader_ = warnings_of_reader;
    for (const MaterialPair& pair : simulation.scene_.pairs)
        simulation.world_.set_material_pair(pair);
    if (auto added = simulation.add_bodies(); !added) return added.error();
    if (auto joined = simulation.add_joints(); !joined) return joined.error();
    if (auto added = simulation.add_vehicles(); !added) return added.error();
    if (auto added = simulation.add_duel(); !added) return added.error();
    return simulation;
}

Result<void> Simulation::add_bodies() {
    bodies_.reserve(scene_.bodies.size());
    world_.reserve_bodies(scene_.bodies.size());
    for (std::size_t i = 0; i < scene_.bodies.size(); ++i) {
        SceneBody& body = scene_.bodies[i];
        if (body.driver) {
            if (auto checked = check_driver(*body.driver); !checked)
                return at_body(body, checked.error());
            start_where_driven(body);
        }
        const Result<BodyId> id = add_body(i);
        if (!id) return id.error();
        bodies_.push_back(*id);
        if (!body.driver) continue;
        if (auto driven = drivers_.add(world_, *id, *body.driver); !driven)
            return at_body(body, driven.error());
    }
    for (const SceneForce& force : scene_.forces)
        for (const Bonded& bonded : bonded_)
            if (static_cast<std::size_t>(force.body) == bonded.body)
                return at_body(scene_.bodies[bonded.body],
                               {ErrorCode::unsupported, "",
                                "a force cannot act on a body with bonds, which is many bodies"});
    return {};
}

Result<BodyId> Simulation::add_body(std::size_t i) {
    const SceneBody& body = scene_.bodies[i];
    const bool breaks = body.fracture && has_fracture() && world_.settings().method != Method::free;
    if (breaks && body.fracture->bonds) {
        Result<BondedBody> made = add_bonded_body(world_, body.def, *body.fracture);
        if (!made) return at_body(body, made.error(), "fracture");
        bonded_.push_back({i, std::move(*made)});
        return bonded_.back().made.pieces[0];
    }
    const Result<BodyId> id = world_.add_body(body.def);
    if (!id) return at_body(body, id.error());
    if (!breaks) return id;
    if (auto watched = fracture_.watch(world_, *id, body.def, *body.fracture); !watched)
        return at_body(body, watched.error(), "fracture");
    return id;
}

// Of a body with bonds the piece whose center is nearest to the anchor.
BodyId Simulation::joint_body(std::int32_t body, const Vec3d& anchor) const {
    if (body == SceneJoint::kWorld) return {};
    BodyId nearest = bodies_[static_cast<std::size_t>(body)];
    for (const Bonded& bonded : bonded_) {
        if (bonded.body != static_cast<std::size_t>(body)) continue;
        for (const BodyId piece : bonded.made.pieces)
            if (length_squared(world_.state(piece).position - anchor) <
                length_squared(world_.state(nearest).position - anchor))
                nearest = piece;
    }
    return nearest;
}

Result<void> Simulation::add_duel() {
    if (!scene_.duel) return {};
    DuelDef def;
    def.rounds = scene_.duel->rounds;
    def.pause = scene_.duel->pause;
    for (std::size_t i = 0; i < 2; ++i) {
        const SceneFencer& fencer = scene_.duel->fencers[i];
        def.fencers[i] = {fencer.name, bodies_[static_cast<std::size_t>(fencer.weapon)],
                          bodies_[static_cast<std::size_t>(fencer.body)], fencer.opponent,
                          fencer.bend};
    }
    Result<Duel> duel = Duel::make(world_, drivers_, std::move(def));
    if (!duel) return duel.error();
    duel_ = std::move(*duel);
    return {};
}

Result<void> Simulation::add_joints() {
    const auto joint = [&](std::int32_t i) {
        return i < 0 ? JointId{} : joints_[static_cast<std::size_t>(i)];
    };
    for (const SceneJoint& scene_joint : scene_.joints) {
        JointDef def = scene_joint.def;
        const auto* distance = std::get_if<DistanceJoint>(&def.kind);
        def.a = joint_body(scene_joint.a, def.anchor);
        def.b = joint_body(scene_joint.b, distance ? distance->anchor_b : def.anchor);
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
        if (def.type() == JointType::track) warn_of_anchor_off_curve(world_, *id, def, scene_);
    }
    return {};
}

std::vector<BodyId> Simulation::bodies() const {
    std::vector<BodyId> all;
    std::vector<bool> is_listed;
    for (const BodyId id : bodies_) {
        if (!world_.is_valid(id)) continue;
        all.push_back(id);
        if (is_listed.size() <= id.index) is_listed.resize(id.index + 1);
        is_listed[id.index] = true;
    }
    if (all.size() == world_.body_count()) return all;
    for (const BodyId id : world_.bodies())
        if (id.index >= is_listed.size() || !is_listed[id.index]) all.push_back(id);
    return all;
}

StepReport Simulation::step(double dt) {
    apply_forces(dt);
    if (scene_.wind) apply_wind(world_, *scene_.wind, dt);
    if (duel_) duel_->before_step(world_, drivers_, dt);
    drivers_.before_step(world_, dt);
    drive_vehicles(dt);
    fracture_.before_step(world_);
    StepReport report = world_.step(dt);
    drivers_.after_step(world_);
    if (duel_) duel_->after_step(world_);
    fracture_.after_step(world_, dt);
    return report;
}

void Simulation::restore(const SimulationSnapshot& snapshot) {
    world_.restore(snapshot.world);
    fracture_ = snapshot.fracture;
    vehicles_ = snapshot.vehicles;
    driven_by_scene_ = snapshot.driven_by_scene;
    drivers_ = snapshot.drivers;
    duel_ = snapshot.duel;
}

std::uint64_t Simulation::state_hash() const {
    const std::uint64_t world = world_.state_hash();
    const bool has_fracture = fracture_.watched_count() > 0;
    if (drivers_.empty() && !duel_ && vehicles_.empty() && !has_fracture) return world;
    Hasher hasher;
    hasher.add(world);
    if (!drivers_.empty()) hasher.add(drivers_.state_hash());
    if (duel_) hasher.add(duel_->state_hash());
    if (has_fracture) hasher.add(fracture_.state_hash());
    for (std::size_t i = 0; i < vehicles_.size(); ++i) {
        hasher.add(vehicles_[i].state_hash());
        hasher.add(std::uint64_t{driven_by_scene_[i]});
    }
    return hasher.value();
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

} // namespace rigor
