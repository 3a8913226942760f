// Appearance (`look`), fracture and forces of bodies, and the wind of a scene file.
#include <algorithm>
#include <filesystem>

#include "scene/scene_draft.h"
#include "scene/scene_files.h"

namespace rigor {

LookDef read_look(const Field& field, FileScope& scope) {
    LookDef look;
    ObjectReader o(field, "look");
    const Field mesh = o.optional("mesh");
    look.color = o.optional("color").color();
    if (!mesh.given()) return look;
    const Result<std::filesystem::path> path = find_file(scope, mesh.name());
    std::error_code failed;
    if (!path) {
        mesh.fail(path.error().message);
    } else if (!std::filesystem::is_regular_file(*path, failed)) {
        mesh.fail("names a file that is not there: \"" + mesh.text() + "\"", ErrorCode::not_found);
    } else {
        look.mesh = path->string();
    }
    return look;
}

FractureDef read_fracture(const Field& field) {
    FractureDef def;
    ObjectReader o(field, "fracture");
    def.pieces =
        static_cast<int>(o.optional("pieces").integer(2, FractureDef::kMaxPieces, def.pieces));
    def.seed = static_cast<std::uint64_t>(o.optional("seed").integer(0, 1LL << 53, 1));
    if (const Field f = o.optional("impulse"); f.given()) def.impulse = f.positive();
    if (const Field f = o.optional("force"); f.given()) def.force = f.positive();
    if (const Field f = o.optional("momentum"); f.given()) def.momentum = f.positive();
    if (const Field f = o.optional("bonds"); f.given()) def.bonds = f.positive();
    o.exactly_one({"impulse", "force", "momentum", "bonds"});
    def.at_impact = o.optional("at_impact").boolean(def.at_impact);
    def.min_size = o.optional("min_size").non_negative();
    def.energy = o.optional("energy").non_negative();
    const Field max_pieces = o.optional("max_pieces");
    def.max_pieces = static_cast<int>(
        max_pieces.integer(2, Fracture::kMaxBodies, std::max(def.max_pieces, def.pieces)));
    for (const char* unused : {"at_impact", "min_size", "energy", "max_pieces"})
        o.at_most_one({"bonds", unused});
    if (!o.failed() && def.max_pieces < def.pieces)
        max_pieces.fail_got("must not be less than pieces, " + std::to_string(def.pieces));
    return def;
}

namespace {

WhirlDef read_whirl(const Field& field) {
    WhirlDef whirl;
    ObjectReader o(field, "whirl");
    whirl.center = o.optional("center").vec3();
    whirl.axis = o.optional("axis").direction(whirl.axis);
    whirl.radius = o.required("radius").positive(1);
    whirl.speed = o.required("speed").number();
    whirl.inflow = o.optional("inflow").number(0);
    whirl.updraft = o.optional("updraft").number(0);
    whirl.height = o.optional("height").positive(whirl.height);
    o.done();
    return whirl;
}

} // namespace

std::optional<WindDef> read_wind(const Field& field) {
    if (!field.given()) return std::nullopt;
    WindDef wind;
    ObjectReader o(field, "wind");
    const Field velocity = o.optional("velocity"), whirl = o.optional("whirl");
    wind.velocity = velocity.vec3();
    if (whirl.given()) wind.whirl = read_whirl(whirl);
    if (!velocity.given() && !whirl.given()) field.fail("must have a velocity or a whirl");
    wind.density = o.optional("density").positive(wind.density);
    wind.drag_coefficient = o.optional("drag_coefficient").positive(wind.drag_coefficient);
    o.done();
    return wind;
}

namespace {

/// A force on a body whose motion others decide does nothing.
void warn_of_useless_force(const Field& item, std::int32_t index, Scene& scene) {
    if (index < 0 || item.failed()) return;
    const SceneBody& body = scene.bodies[static_cast<std::size_t>(index)];
    const std::string start =
        item.path() + ": does not act on the body \"" + body.def.name + "\", ";
    if (body.def.type != BodyType::dynamic_body)
        scene.warnings.push_back(start + "which is " +
                                 (body.def.type == BodyType::static_body ? "static" : "kinematic"));
    else if (body.driver)
        scene.warnings.push_back(start + "whose driver decides how fast it is");
}

} // namespace

void read_forces(const Field& field, FileScope& scope) {
    if (!field.given()) return;
    for (const Field& item : field.items()) {
        SceneForce load;
        ObjectReader o(item, "force");
        const Field body = o.required("body");
        const Field force = o.optional("force"), torque = o.optional("torque");
        const Field acceleration = o.optional("acceleration"), point = o.optional("point");
        o.exactly_one({"force", "torque", "acceleration"});
        const auto vector = [&](const Field& f) { return rotate(scope.pose.q, f.vec3()); };
        if (force.given()) load.force = vector(force);
        if (torque.given()) load.torque = vector(torque);
        if (acceleration.given()) load.acceleration = vector(acceleration);
        if (point.given()) load.point = point.vec3();
        if (point.given() && !force.given()) point.fail("can only be given for a force");
        load.from = o.optional("from").number(0);
        const Field to = o.optional("to");
        load.to = to.number(load.to);
        if (to.given() && !(load.to > load.from)) to.fail_got("must be later than from");
        o.done();
        if (body.given()) load.body = find_body(body, scope);
        if (load.body == SceneJoint::kWorld) body.fail("must name a body, got \"world\"");
        warn_of_useless_force(item, load.body, scope.draft.scene);
        scope.draft.scene.forces.push_back(load);
    }
}

} // namespace rigor
