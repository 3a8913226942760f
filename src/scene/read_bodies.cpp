// Bodies of a scene file.

#include <algorithm>
#include <cmath>

#include "math/number_text.h"
#include "model/body_builder.h"
#include "rigor/mass.h"
#include "scene/scene_draft.h"
#include "scene/scene_files.h"
#include "scene/suggestion.h"

namespace rigor {

namespace {

std::uint8_t read_lock(const Field& lock, const Field& plane) {
    static const std::vector<std::string_view> kAxes = {"tx", "ty", "tz", "rx", "ry", "rz"};
    static const std::vector<std::string_view> kPlanes = {"xy", "xz", "yz"};
    // Motion in a plane keeps two translations and the rotation about the plane's normal.
    static constexpr std::uint8_t kPlaneLocks[] = {
        lock_tz | lock_rx | lock_ry, lock_ty | lock_rx | lock_rz, lock_tx | lock_ry | lock_rz};
    if (plane.given()) return kPlaneLocks[plane.one_of(kPlanes, 0)];
    unsigned bits = 0;
    for (const Field& axis : lock.items()) bits |= 1u << axis.one_of(kAxes, 0);
    return static_cast<std::uint8_t>(bits);
}

// What else an inertia must be is the model's business, which sees only one half of it.
void check_symmetry(const Field& field, const Mat3d& m) {
    if (field.failed()) return;
    double largest = 0;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) largest = std::max(largest, std::abs(m(i, j)));
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < i; ++j)
            if (std::abs(m(i, j) - m(j, i)) > 1e-9 * largest)
                return field.fail("must be symmetric, got " + rigor::text(m(j, i)) + " and " +
                                  rigor::text(m(i, j)) + " on the two sides of the diagonal");
}

MassProperties read_mass_properties(const Field& field) {
    MassProperties result;
    ObjectReader o(field, "mass_properties");
    result.mass = o.required("mass").positive();
    result.center = o.optional("center_of_mass").vec3();
    const Field inertia = o.required("inertia");
    o.done();
    const std::vector<Field> rows = inertia.items(3, 3);
    if (o.failed()) return result;
    const Mat3d m = Mat3d::from_rows(rows[0].vec3(), rows[1].vec3(), rows[2].vec3());
    check_symmetry(inertia, m);
    result.inertia = Sym3d::from(m);
    return result;
}

using MeshUse = decltype(SceneDraft::good_meshes)::value_type;

/// How a body uses each of its meshes, compounds included. `visit` may change the shape.
template <class Visit>
void visit_meshes(const BodyDef& body, std::vector<ShapeDef>& shapes, const Visit& visit) {
    for (ShapeDef& shape : shapes) {
        if (auto* compound = std::get_if<CompoundDef>(&shape.geometry))
            visit_meshes(body, compound->shapes, visit);
        else if (const auto* mesh = std::get_if<MeshDef>(&shape.geometry))
            visit(shape, MeshUse{mesh->soup, body.type, shape.hollow, shape.sensor,
                                 body.mass_properties.has_value(), mesh->one_sided});
    }
}

// The model has the rules about bodies and their shapes, and knows them best by building. A
// mesh that was found good before is not built again: a ball stands in for it.
void check_body(const Field& field, BodyDef& def, FileScope& scope,
                std::vector<ShapeRecord>* shapes) {
    if (field.failed()) return;
    if (def.type == BodyType::static_body &&
        (def.velocity != Vec3d{} || def.angular_velocity != Vec3d{}))
        return field.fail("is static and cannot have a velocity");
    auto& good = scope.draft.good_meshes;
    bool has_good_mesh = false;
    visit_meshes(def, def.shapes, [&](ShapeDef&, const MeshUse& use) {
        has_good_mesh = has_good_mesh || good.contains(use);
    });
    Result<BuiltBody> built = Error{};
    if (has_good_mesh && !shapes) {
        BodyDef probe = def;
        visit_meshes(def, probe.shapes, [&](ShapeDef& shape, const MeshUse& use) {
            if (good.contains(use)) shape.geometry = SphereDef{};
        });
        built = build_body(probe);
    } else {
        built = build_body(def);
    }
    if (!built) return field.fail_below(built.error());
    visit_meshes(def, def.shapes, [&](ShapeDef&, const MeshUse& use) { good.insert(use); });
    if (shapes) *shapes = std::move(built->shapes);
}

} // namespace

namespace {

/// What only forces act on has no meaning for bodies that obey none.
void warn_of_useless_keys(ObjectReader& o, BodyType type, Scene& scene) {
    if (o.optional("driver").given())
        for (const char* key : {"velocity", "angular_velocity"})
            if (o.optional(key).given())
                scene.warnings.push_back(o.field().path() + ": " + key +
                                         " does not apply to a driven body: its driver decides "
                                         "how fast it is");
    if (type == BodyType::dynamic_body) return;
    const std::string kind = type == BodyType::static_body ? "static" : "kinematic";
    for (const char* key : {"mass", "mass_properties", "lock", "plane", "linear_damping",
                            "angular_damping", "gravity_scale"})
        if (o.optional(key).given())
            scene.warnings.push_back(o.field().path() + ": " + key + " does not apply to a " +
                                     kind + " body");
}

} // namespace

SceneBody read_body(const Field& field, FileScope& scope, BodyRole role,
                    std::vector<ShapeRecord>* shapes) {
    static const std::vector<std::string_view> kTypes = {"static", "kinematic", "dynamic"};
    SceneBody body;
    BodyDef& def = body.def;
    ObjectReader o(field, role == BodyRole::listed ? "body" : "body template");
    if (role == BodyRole::listed) {
        def.name = o.optional("name").name();
        def.position = o.optional("position").vec3();
    }
    def.type = static_cast<BodyType>(o.optional("type").one_of(kTypes, 2));
    def.orientation = o.optional("orientation").orientation();
    def.velocity = o.optional("velocity").vec3();
    def.angular_velocity = o.optional("angular_velocity").vec3();

    for (const Field& shape : o.optional("shapes").items())
        def.shapes.push_back(read_shape(shape, scope, def.type));
    if (const Field f = o.optional("mass"); f.given()) def.mass = f.positive();
    if (const Field f = o.optional("mass_properties"); f.given())
        def.mass_properties = read_mass_properties(f);
    o.at_most_one({"mass", "mass_properties"});

    const Field lock = o.optional("lock"), plane = o.optional("plane");
    o.at_most_one({"lock", "plane"});
    def.lock = read_lock(lock, plane);
    def.linear_damping = o.optional("linear_damping").non_negative();
    def.angular_damping = o.optional("angular_damping").non_negative();
    def.gravity_scale = o.optional("gravity_scale").number(1);
    def.can_sleep = o.optional("can_sleep").boolean(true);
    def.continuous = o.optional("continuous").boolean(false);
    def.group = static_cast<std::uint32_t>(o.optional("group").integer(0, UINT32_MAX, 1));
    def.mask = static_cast<std::uint32_t>(o.optional("mask").integer(0, UINT32_MAX, UINT32_MAX));

    body.tag = o.optional("tag").text();
    if (const Field f = o.optional("look"); f.given()) body.look = read_look(f, scope);
    if (const Field f = o.optional("fracture"); f.given()) {
        body.fracture = read_fracture(f);
        if (def.type != BodyType::dynamic_body) f.fail("can only be given for a dynamic body");
    }
    if (const Field f = o.optional("driver"); f.given()) {
        body.driver = read_driver(f);
        if (def.type == BodyType::static_body)
            f.fail("can only be given for a kinematic or dynamic body");
        if (def.linear_damping > 0 || def.angular_damping > 0)
            f.fail("cannot be combined with damping: the driver decides how fast the body is");
        body.driver->gravity_scale = def.gravity_scale;
    }
    o.done();
    if (!o.failed()) warn_of_useless_keys(o, def.type, scope.draft.scene);
    check_body(field, def, scope, shapes);
    return body;
}

void read_bodies(const Field& field, FileScope& scope) {
    if (!field.given()) return;
    for (const Field& item : field.items()) {
        SceneBody body = read_body(item, scope, BodyRole::listed);
        if (item.failed()) return;
        std::string name = body.def.name;
        if (name.empty()) name = "bodies[" + std::to_string(scope.draft.scene.bodies.size()) + "]";
        add_body(std::move(body), name, item, scope);
    }
}

void add_body(SceneBody body, const std::string& name, const Field& field, FileScope& scope) {
    SceneDraft& draft = scope.draft;
    BodyDef& def = body.def;
    if (field.failed()) return;
    if (draft.scene.bodies.size() >= kMaxBodies)
        return field.fail("makes more than " + std::to_string(kMaxBodies) + " bodies",
                          ErrorCode::limit);
    if (name == "world")
        return field.fail("may not be named \"world\", which means no body at all in a joint");
    const Posed pose = scope.pose * Posed{def.position, def.orientation};
    if (scope.pose.q != Quatd{} && def.lock != 0)
        return field.fail("locks world axes and cannot be included in a turned scene");
    def.name = scope.prefix + name;
    def.position = pose.p;
    def.orientation = pose.q;
    def.velocity = rotate(scope.pose.q, def.velocity);
    def.angular_velocity = rotate(scope.pose.q, def.angular_velocity);
    if (body.driver)
        for (Keyframe& key : body.driver->keyframes) key.pose = scope.pose * key.pose;
    if (body.driver)
        for (Posed& key : body.driver->grid) key = scope.pose * key;
    const auto index = static_cast<std::int32_t>(draft.scene.bodies.size());
    if (!draft.bodies.emplace(def.name, index).second)
        return field.fail("repeats the body name \"" + def.name + "\"");
    draft.scene.bodies.push_back(std::move(body));
}

std::int32_t find_body(const Field& field, FileScope& scope) {
    const std::string name = field.name("world");
    if (name == "world") return SceneJoint::kWorld;
    const auto found = scope.draft.bodies.find(scope.prefix + name);
    if (found != scope.draft.bodies.end()) return found->second;
    if (field.failed()) return SceneJoint::kWorld;
    std::vector<std::string_view> known;
    for (const SceneBody& body : scope.draft.scene.bodies)
        if (body.def.name.starts_with(scope.prefix))
            known.push_back(std::string_view(body.def.name).substr(scope.prefix.size()));
    field.fail("names an unknown body \"" + name + "\"" + did_you_mean(name, known),
               ErrorCode::not_found);
    return SceneJoint::kWorld;
}

} // namespace rigor
