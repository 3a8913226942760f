#include "viewer/describe.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "common/ledger_json.h"
#include "common/nearest_image.h"
#include "common/settings_json.h"
#include "viewer/deformed_meshes.h"
#include "viewer/driver_input.h"
#include "viewer/look_mesh.h"

namespace rigor::viewer {
namespace {

const char* name_of(BodyType type) {
    switch (type) {
        case BodyType::static_body:
            return "static";
        case BodyType::kinematic_body:
            return "kinematic";
        default:
            return "dynamic";
    }
}

json flat(const std::vector<Vec3d>& points) {
    json all = json::array();
    for (const Vec3d& p : points)
        for (const double x : {p.x, p.y, p.z}) all.push_back(x);
    return all;
}

json describe_mesh(const TriangleSoup& soup) {
    json triangles = json::array();
    for (const auto& t : soup.triangles)
        for (const std::uint32_t v : t) triangles.push_back(v);
    return {{"type", "mesh"}, {"vertices", flat(soup.vertices)}, {"triangles", triangles}};
}

struct GeometryWriter {
    json operator()(const SphereDef& d) const { return {{"type", "sphere"}, {"radius", d.radius}}; }
    json operator()(const BoxDef& d) const { return {{"type", "box"}, {"size", to_json(d.size)}}; }
    json operator()(const CapsuleDef& d) const {
        return {{"type", "capsule"}, {"radius", d.radius}, {"length", d.length}};
    }
    json operator()(const CylinderDef& d) const {
        return {{"type", "cylinder"}, {"radius", d.radius}, {"height", d.height}};
    }
    json operator()(const ConeDef& d) const {
        return {{"type", "cone"}, {"radius", d.radius}, {"height", d.height}};
    }
    json operator()(const HullDef& d) const {
        json points = json::array();
        for (const Vec3d& p : d.points) points.push_back(to_json(p));
        return {{"type", "hull"}, {"points", points}};
    }
    json operator()(const MeshDef& d) const { return describe_mesh(*d.soup); }
    json operator()(const HeightFieldDef& d) const {
        return {{"type", "height_field"},
                {"size", {d.size_x, d.size_y}},
                {"columns", d.columns},
                {"rows", d.rows},
                {"heights", d.heights}};
    }
    json operator()(const PlaneDef& d) const {
        return {{"type", "plane"}, {"normal", to_json(d.normal)}, {"offset", d.offset}};
    }
    json operator()(const CompoundDef&) const { return {}; }
};

std::string color_text(std::uint32_t rgba) {
    char text[8];
    std::snprintf(text, sizeof text, "#%06x", rgba >> 8);
    return text;
}

/// Lists the leaves of compounds, with their poses in the body.
void add_shapes(const ShapeDef& shape, const Posed& parent, bool in_sensor,
                GeometryList& geometries, json& shapes) {
    const Posed pose = parent * Posed{shape.position, shape.orientation};
    const bool sensor = in_sensor || shape.sensor;
    if (const auto* compound = std::get_if<CompoundDef>(&shape.geometry)) {
        for (const ShapeDef& child : compound->shapes)
            add_shapes(child, pose, sensor, geometries, shapes);
        return;
    }
    json entry = {{"geometry", geometries.index_of(shape)}};
    if (pose.p != Vec3d{}) entry["position"] = to_json(pose.p);
    if (pose.q != Quatd{}) entry["orientation"] = to_json(pose.q);
    if (shape.material.color != 0) entry["color"] = color_text(shape.material.color);
    if (shape.material.id >= 0) entry["material"] = shape.material.id;
    if (sensor) entry["sensor"] = true;
    shapes.push_back(std::move(entry));
}

/// The mesh has the color of the look, or else that of the first shape that has one.
json describe_look(const LookDef& look, std::size_t geometry, const json& shapes) {
    json entry = {{"geometry", geometry}};
    if (look.color != 0) entry["color"] = color_text(look.color);
    for (const json& shape : shapes)
        if (!entry.contains("color") && shape.contains("color")) entry["color"] = shape["color"];
    return entry;
}

json describe_joints(const Session& session) {
    json joints = json::array();
    const auto slot_of = [&](std::int32_t body) -> json {
        const BodyId id = session.joint_body(body);
        return id.is_null() ? json() : json(id.index);
    };
    for (std::size_t i = 0; i < session.scene().joints.size(); ++i) {
        const SceneJoint& joint = session.scene().joints[i];
        json entry = {{"index", i},
                      {"name", joint.def.name},
                      {"type", kJointTypeNames[joint.def.kind.index()]},
                      {"a", slot_of(joint.a)},
                      {"b", slot_of(joint.b)}};
        const auto put_limits = [&](const auto& kind) {
            if constexpr (requires { kind.limits; })
                if (kind.limits) entry["limits"] = {kind.limits->lo, kind.limits->hi};
        };
        std::visit(put_limits, joint.def.kind);
        joints.push_back(std::move(entry));
    }
    return joints;
}

double impulse_of(const ContactView& contact) {
    double impulse = 0;
    for (int i = 0; i < contact.count; ++i)
        impulse += contact.points[static_cast<std::size_t>(i)].impulse;
    return impulse;
}

json describe_contacts(const World& world, BodyId id) {
    json contacts = json::array();
    for (const ContactView& contact : world.contacts(id)) {
        const BodyId other = contact.a.body == id ? contact.b.body : contact.a.body;
        if (!world.is_valid(other)) continue;
        contacts.push_back({{"body", other.index},
                            {"name", world.name(other)},
                            {"points", contact.count},
                            {"impulse", impulse_of(contact)}});
    }
    return contacts;
}

std::string quoted(const World& world, BodyId id) {
    return world.is_valid(id) ? "\"" + std::string(world.name(id)) + "\"" : "a removed body";
}

std::string short_text(double x) {
    char text[32];
    std::snprintf(text, sizeof text, "%.3g", x);
    return text;
}

json event(const char* kind, std::string text, std::initializer_list<BodyId> bodies) {
    json slots = json::array();
    for (const BodyId id : bodies) slots.push_back(id.index);
    return {{"kind", kind}, {"text", std::move(text)}, {"bodies", std::move(slots)}};
}

/// Only the hits with the largest impulses: a collapse has too many to read.
void add_hits(const World& world, std::vector<json>& events) {
    constexpr std::size_t kMaxHits = 5;
    std::vector<ContactHit> hits = world.events().hits;
    const std::size_t count = std::min(kMaxHits, hits.size());
    std::partial_sort(
        hits.begin(), hits.begin() + static_cast<std::ptrdiff_t>(count), hits.end(),
        [](const ContactHit& a, const ContactHit& b) { return a.impulse > b.impulse; });
    hits.resize(count);
    for (const ContactHit& hit : hits) {
        json entry = event("hit",
                           quoted(world, hit.a.body) + " hits " + quoted(world, hit.b.body) +
                               " at " + short_text(hit.speed) + " m/s",
                           {hit.a.body, hit.b.body});
        entry["value"] = hit.speed;
        events.push_back(std::move(entry));
    }
}

void add_sleep_event(const World& world, const std::vector<BodyId>& bodies, const char* kind,
                     const char* verb, std::vector<json>& events) {
    if (bodies.empty()) return;
    if (bodies.size() == 1) {
        events.push_back(event(kind, quoted(world, bodies[0]) + " " + verb, {bodies[0]}));
    } else {
        events.push_back(
            event(kind, std::to_string(bodies.size()) + " bodies " + verb, {bodies[0]}));
    }
}

} // namespace

std::size_t GeometryList::index_of(const ShapeDef& shape) {
    const auto* mesh = std::get_if<MeshDef>(&shape.geometry);
    std::string key;
    json description;
    if (mesh) {
        key = "mesh " + std::to_string(reinterpret_cast<std::uintptr_t>(mesh->soup.get()));
    } else {
        description = std::visit(GeometryWriter{}, shape.geometry);
        if (shape.rounding != 0) description["rounding"] = shape.rounding;
        key = description.dump();
    }
    if (const auto known = indices_.find(key); known != indices_.end()) return known->second;
    if (mesh) {
        retained_.push_back(mesh->soup);
        description = std::visit(GeometryWriter{}, shape.geometry);
    }
    return add(std::move(key), std::move(description));
}

std::optional<std::size_t> GeometryList::index_of_look(const std::string& path) {
    const auto [look, is_new] = looks_.emplace(path, std::nullopt);
    if (!is_new) return look->second;
    if (const Result<TriangleSoup> soup = load_look_mesh(path))
        look->second = add("look " + path, describe_mesh(*soup));
    else
        warnings_.push_back("look.mesh is not drawn: " + to_string(soup.error()));
    return look->second;
}

std::size_t GeometryList::add(std::string key, json description) {
    indices_.emplace(std::move(key), all_.size());
    all_.push_back(std::move(description));
    return all_.size() - 1;
}

json describe_body(const Session& session, std::uint32_t slot, GeometryList& geometries) {
    const SessionBody& session_body = (*session.state().bodies)[slot];
    const BodyDef& def = session_body.definition->def;
    json body = {{"index", slot}, {"name", def.name}, {"type", name_of(def.type)}};
    if (def.type == BodyType::dynamic_body)
        body["mass"] = session.world().mass_properties(session_body.id).mass;
    if (!session_body.definition->tag.empty()) body["tag"] = session_body.definition->tag;
    if (session_body.definition->driver && !session_body.definition->driver->input.empty())
        body["driver"] = session_body.definition->driver->input;
    if (deforms(session, session_body.id)) body["deforms"] = true;
    json shapes = json::array();
    for (const ShapeDef& shape : def.shapes) add_shapes(shape, {}, false, geometries, shapes);
    const std::optional<LookDef>& look = session_body.definition->look;
    if (look && look->color != 0)
        for (json& shape : shapes) shape["color"] = color_text(look->color);
    if (look && !look->mesh.empty())
        if (const auto geometry = geometries.index_of_look(look->mesh))
            body["look"] = describe_look(*look, *geometry, shapes);
    body["shapes"] = std::move(shapes);
    return body;
}

json describe_settings(const Session& session) {
    const WorldSettings& s = session.world().settings();
    json settings = {{"gravity", to_json(s.gravity)},
                     {"time_step", session.state().time_step},
                     {"substeps", substeps_of(s)},
                     {"integrator", name(s.integrator)}};
    settings.update(json(app::given_settings_json(s)));
    return settings;
}

json describe_world(const Session& session, GeometryList& geometries) {
    json bodies = json::array();
    const std::vector<SessionBody>& all = *session.state().bodies;
    for (std::uint32_t slot = 0; slot < all.size(); ++slot)
        if (!all[slot].id.is_null()) bodies.push_back(describe_body(session, slot, geometries));
    json materials = json::array();
    for (const NamedMaterial& material : session.scene().materials)
        materials.push_back(material.name);
    json warnings = session.scene().warnings;
    for (const std::string& warning : geometries.warnings()) warnings.push_back(warning);
    const WorldSettings& settings = session.world().settings();
    json world = {{"method", name(settings.method)},    {"settings", describe_settings(session)},
                  {"bodies", std::move(bodies)},        {"geometries", geometries.all()},
                  {"joints", describe_joints(session)}, {"materials", std::move(materials)},
                  {"warnings", std::move(warnings)}};
    if (!session.vehicles().empty()) world["vehicles"] = describe_vehicle_parts(session);
    if (json drivers = describe_drivers(session); !drivers.empty())
        world["drivers"] = std::move(drivers);
    if (json duel = describe_duel(session); !duel.is_null()) world["duel"] = std::move(duel);
    if (settings.periodic)
        world["periodic"] = {to_json(settings.periodic->lo), to_json(settings.periodic->hi)};
    return world;
}

json describe_body_state(const Session& session, std::uint32_t slot) {
    const BodyId id = body_at(session.state(), slot);
    if (id.is_null()) return {{"index", slot}, {"gone", true}};
    const World& world = session.world();
    const BodyState s = world.state(id);
    const MassProperties mass = world.mass_properties(id);
    const PrincipalInertia principal = principal_inertia(mass.inertia);
    const Vec3d w = inverse_rotate(s.orientation, s.angular_velocity);
    const Vec3d l = mass.inertia * w;
    json body = {{"index", slot},
                 {"name", world.name(id)},
                 {"body_type", name_of(world.type(id))},
                 {"mass", mass.mass},
                 {"position", to_json(s.position)},
                 {"orientation", to_json(s.orientation)},
                 {"velocity", to_json(s.velocity)},
                 {"angular_velocity", to_json(s.angular_velocity)},
                 {"momentum", to_json(s.velocity * mass.mass)},
                 {"angular_momentum", to_json(rotate(s.orientation, l))},
                 {"kinetic_energy", 0.5 * (mass.mass * length_squared(s.velocity) + dot(w, l))},
                 {"principal_moments", to_json(principal.moments)},
                 {"awake", world.is_awake(id)},
                 {"frozen", world.type(id) != BodyType::static_body && world.is_quarantined(id)},
                 {"contacts", describe_contacts(world, id)}};
    json axes = json::array();
    for (int i = 0; i < 3; ++i)
        axes.push_back(to_json(rotate(s.orientation, principal.axes.column(i))));
    body["principal_axes"] = std::move(axes);
    if (const std::vector<ShapeId> shapes = world.shapes(id); !shapes.empty()) {
        const Material material = world.material(shapes[0]);
        body["friction"] = material.kinetic_friction;
        body["restitution"] = material.restitution;
        body["density"] = material.density;
    }
    json joints = json::array();
    for (const JointId joint : world.joints(id)) joints.push_back(world.name(joint));
    body["joints"] = std::move(joints);
    if (const auto island = world.island_ledger(id))
        body["island"] = {{"bodies", island->bodies.size()},
                          {"ledger", app::ledger_json<json>(island->ledger)}};
    return body;
}

json describe_stats(const Session& session) {
    const World& world = session.world();
    const Energy energy = world.energy();
    const Momentum momentum = world.momentum();
    const StepReport& report = session.report();
    json stages = json::array();
    for (const StageTime& time : report.stages)
        stages.push_back({std::string(time.name), time.seconds * 1e3});
    return {
        {"energy",
         {{"kinetic", energy.kinetic}, {"potential", energy.potential}, {"total", energy.total()}}},
        {"momentum", to_json(momentum.linear)},
        {"angular_momentum", to_json(momentum.angular)},
        {"ledger", app::ledger_json<json>(world.ledger())},
        {"contacts", report.contacts},
        {"penetration", report.penetration},
        {"bodies", world.body_count()},
        {"awake", world.awake_count()},
        {"step_ms", session.step_seconds() * 1e3},
        {"stages", std::move(stages)},
        {"finished", report.finished},
        {"unsolved", report.unsolved_count},
        {"residual", report.residual}};
}

std::optional<double> quantity(const Session& session, std::uint32_t slot,
                               const std::string& what) {
    const BodyId id = body_at(session.state(), slot);
    if (id.is_null()) return std::nullopt;
    const World& world = session.world();
    const BodyState s = world.state(id);
    const MassProperties mass = world.mass_properties(id);
    const Vec3d w = inverse_rotate(s.orientation, s.angular_velocity);
    const auto axis = [&](const Vec3d& v, char message) { return v[message - 'x']; };
    if (what.size() == 1 && what[0] >= 'x' && what[0] <= 'z') return axis(s.position, what[0]);
    if (what.size() == 2 && what[1] >= 'x' && what[1] <= 'z') {
        if (what[0] == 'v') return axis(s.velocity, what[1]);
        if (what[0] == 'w') return axis(s.angular_velocity, what[1]);
    }
    if (what == "speed") return length(s.velocity);
    if (what == "spin") return length(s.angular_velocity);
    if (what == "momentum") return mass.mass * length(s.velocity);
    if (what == "kinetic_energy")
        return 0.5 * (mass.mass * length_squared(s.velocity) + dot(w, mass.inertia * w));
    if (what == "potential_energy") return -mass.mass * dot(world.settings().gravity, s.position);
    if (what == "contact_force") {
        double impulse = 0;
        for (const ContactView& contact : world.contacts(id)) impulse += impulse_of(contact);
        return impulse / session.state().time_step;
    }
    return std::nullopt;
}

std::vector<json> describe_events(const Session& session) {
    const World& world = session.world();
    const Events& happened = world.events();
    std::vector<json> events;
    add_hits(world, events);
    for (const FractureEvent& broken : session.fractures()) {
        const std::string what =
            broken.pieces.empty()
                ? " cannot break: " + broken.failure
                : " broke into " + std::to_string(broken.pieces.size()) + " pieces";
        events.push_back(event("fracture", "\"" + broken.name + "\"" + what, {broken.broken}));
    }
    for (const JointId id : session.report().broken)
        events.push_back(event("joint_broken", "joint " + std::to_string(id.index) + " broke", {}));
    for (const BodyId id : session.report().quarantined)
        events.push_back(event("quarantined",
                               quoted(world, id) + " became non-finite and was quarantined", {id}));
    for (const SensorEvent& change : happened.entered)
        events.push_back(event(
            "sensor_entered",
            quoted(world, change.visitor.body) + " enters " + quoted(world, change.sensor.body),
            {change.visitor.body, change.sensor.body}));
    for (const SensorEvent& change : happened.left)
        events.push_back(event(
            "sensor_left",
            quoted(world, change.visitor.body) + " leaves " + quoted(world, change.sensor.body),
            {change.visitor.body, change.sensor.body}));
    add_sleep_event(world, happened.slept, "slept", "fell asleep", events);
    add_sleep_event(world, happened.woken, "woken", "woke", events);
    for (const FractureEvent& broken : session.fractures())
        if (!broken.failure.empty())
            events.push_back(
                event("whole", "\"" + broken.name + "\" did not break: " + broken.failure, {}));
    if (session.report().over_memory)
        events.push_back(event("unfinished", "the world has used up its max_memory_mb", {}));
    else if (!session.report().finished)
        events.push_back(event("unfinished", "the step exceeded its budget and ended early", {}));
    return events;
}

json describe_distance(const Session& session, const Session& other) {
    double sum = 0, largest = 0;
    std::size_t count = 0;
    const std::vector<SessionBody>& bodies = *session.state().bodies;
    for (std::uint32_t slot = 0; slot < bodies.size(); ++slot) {
        const BodyId a = bodies[slot].id, b = body_at(other.state(), slot);
        if (a.is_null() || b.is_null()) continue;
        if (bodies[slot].definition->def.type != BodyType::dynamic_body) continue;
        const Vec3d offset = session.world().state(a).position - other.world().state(b).position;
        const double d = length(app::nearest_image(session.world(), offset));
        sum += d * d, largest = std::max(largest, d), ++count;
    }
    return {{"rms", count > 0 ? std::sqrt(sum / static_cast<double>(count)) : 0}, {"max", largest}};
}

} // namespace rigor::viewer
