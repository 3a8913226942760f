#include "common/certificate_model.h"

#include <algorithm>
#include <cmath>

#include "rigor/version.h"

namespace rigor::app {
namespace {

using Line = CertificateLine;

Error refusal(const std::string& what) {
    return {ErrorCode::invalid_value, "--certificate", "certificates cannot express " + what};
}

// --- what cannot be expressed

Result<void> check_material(const std::string& body, const Material& m) {
    const auto refuse = [&](const char* what) {
        return refusal(std::string(what) + ", which body \"" + body + "\" has");
    };
    if (m.rolling_resistance != 0) return refuse("rolling_resistance");
    if (m.torsional_friction != 0) return refuse("torsional_friction");
    if (m.patch_radius != 0) return refuse("patch_radius");
    if (m.surface_velocity != Vec3d{}) return refuse("surface_velocity");
    if (m.anisotropy_ratio != 1) return refuse("anisotropy");
    return {};
}

Result<void> check_shape(const std::string& body, const ShapeDef& shape) {
    if (const auto* compound = std::get_if<CompoundDef>(&shape.geometry)) {
        for (const ShapeDef& child : compound->shapes)
            if (auto checked = check_shape(body, child); !checked) return checked;
        return {};
    }
    if (shape.sensor) return {};
    const auto* mesh = std::get_if<MeshDef>(&shape.geometry);
    if (mesh && mesh->concavity) return refusal("decomposed meshes, as of body \"" + body + "\"");
    if (mesh && mesh->one_sided) return refusal("one-sided meshes, as of body \"" + body + "\"");
    if (mesh && shape.rounding != 0) return refusal("rounded meshes, as of body \"" + body + "\"");
    if (std::holds_alternative<HullDef>(shape.geometry) && shape.rounding != 0)
        return refusal("rounded hulls, as of body \"" + body + "\"");
    return check_material(body, shape.material);
}

Result<void> check_joint(const SceneJoint& joint) {
    const JointDef& def = joint.def;
    const std::string name = "joint \"" + def.name + "\"";
    switch (def.type()) {
        case JointType::six_dof:
        case JointType::wheel:
        case JointType::gear:
        case JointType::track:
            return refusal("joints of the type " +
                           std::string(kJointTypeNames[static_cast<std::size_t>(def.type())]) +
                           ", as " + name);
        default:
            break;
    }
    if (def.spring) return refusal("springs of joints, as of " + name);
    if (std::isfinite(def.break_force) || std::isfinite(def.break_torque))
        return refusal("joints that break, as " + name);
    return {};
}

Result<void> check_laws(const Simulation& simulation) {
    const WorldSettings& settings = simulation.world().settings();
    const ImpactLaw law = settings.laws.impact.value_or(ImpactLaw::energetic);
    if (law == ImpactLaw::euler || law == ImpactLaw::mirtich || law == ImpactLaw::planar)
        return refusal("the impact law " + std::string(name(law)) +
                       ", which approximates its result");
    if (settings.periodic) return refusal("periodic boundaries");
    const Scene& scene = simulation.scene();
    if (settings.method == Method::fast && (!scene.forces.empty() || scene.wind))
        return refusal("forces and wind of a scene under fast");
    return {};
}

// --- what can

void write_material(Line& line, const Material& m) {
    line.key("friction").open('[').number(m.static_friction).number(m.kinetic_friction).close(']');
    line.key("restitution").number(m.restitution).key("material").number(m.id);
}

void write_points(Line& line, std::string_view key, const std::vector<Vec3d>& points) {
    line.key(key).open('[');
    for (const Vec3d& p : points) line.list(p);
    line.close(']');
}

void write_triangles(Line& line, const TriangleSoup& soup) {
    line.key("type").word("mesh");
    write_points(line, "points", soup.vertices);
    line.key("triangles").open('[');
    for (const auto& t : soup.triangles) {
        line.open('[');
        for (const std::uint32_t vertex : t) line.number(vertex);
        line.close(']');
    }
    line.close(']');
}

/// Two triangles for each cell, split from its lower left to its upper right corner.
TriangleSoup triangles_of(const HeightFieldDef& field) {
    TriangleSoup soup;
    const double dx = field.size_x / (field.columns - 1), dy = field.size_y / (field.rows - 1);
    for (int j = 0; j < field.rows; ++j)
        for (int i = 0; i < field.columns; ++i)
            soup.vertices.push_back({i * dx - field.size_x / 2, j * dy - field.size_y / 2,
                                     field.heights[static_cast<std::size_t>(j) *
                                                       static_cast<std::size_t>(field.columns) +
                                                   static_cast<std::size_t>(i)]});
    const auto at = [&](int i, int j) { return static_cast<std::uint32_t>(j * field.columns + i); };
    for (int j = 0; j + 1 < field.rows; ++j)
        for (int i = 0; i + 1 < field.columns; ++i) {
            soup.triangles.push_back({at(i, j), at(i + 1, j), at(i + 1, j + 1)});
            soup.triangles.push_back({at(i, j), at(i + 1, j + 1), at(i, j + 1)});
        }
    return soup;
}

struct GeometryWriter {
    Line& line;

    void round(const char* type, double radius, const char* along, double length) const {
        line.key("type").word(type).key("radius").number(radius).key(along).number(length);
    }
    void operator()(const SphereDef& s) const {
        line.key("type").word("sphere").key("radius").number(s.radius);
    }
    void operator()(const BoxDef& s) const {
        line.key("type").word("box").key("size").list(s.size);
    }
    void operator()(const CapsuleDef& s) const { round("capsule", s.radius, "length", s.length); }
    void operator()(const CylinderDef& s) const { round("cylinder", s.radius, "height", s.height); }
    void operator()(const ConeDef& s) const { round("cone", s.radius, "height", s.height); }
    void operator()(const HullDef& s) const {
        line.key("type").word("hull");
        write_points(line, "points", s.points);
    }
    void operator()(const MeshDef& s) const { write_triangles(line, *s.soup); }
    void operator()(const HeightFieldDef& s) const { write_triangles(line, triangles_of(s)); }
    void operator()(const PlaneDef& s) const {
        line.key("type").word("plane").key("normal").list(s.normal).key("offset").number(s.offset);
    }
    void operator()(const CompoundDef&) const {}
};

/// The leaves of a definition, in the order of their ids; `frame` is that of the definition.
/// Materials are those of the world, of the leaf that `material` has come to: users edit them.
void write_shapes(Line& line, const ShapeDef& shape, const Posed& frame,
                  std::vector<Material>::const_iterator& material) {
    const Posed pose = frame * Posed{shape.position, normalize(shape.orientation)};
    if (const auto* compound = std::get_if<CompoundDef>(&shape.geometry)) {
        for (const ShapeDef& child : compound->shapes) write_shapes(line, child, pose, material);
        return;
    }
    line.open('{');
    std::visit(GeometryWriter{line}, shape.geometry);
    line.key("position").list(pose.p).key("orientation").list(pose.q);
    line.key("rounding").number(shape.rounding).key("sensor").truth(shape.sensor);
    write_material(line, *material++);
    line.close('}');
}

/// Where a body was made.
BodyState state_when_made(const BodyDef& def, const MassProperties& mass) {
    const Quatd q = normalize(def.orientation);
    return {def.position + rotate(q, mass.center), q, def.velocity, def.angular_velocity};
}

void write_body(Line& line, const World& world, const CertifiedBody& body, bool as_made) {
    const BodyDef& def = body.definition->def;
    const MassProperties mass = world.mass_properties(body.id);
    constexpr const char* kTypes[] = {"static", "kinematic", "dynamic"};
    const BodyState now = as_made ? state_when_made(def, mass) : world.state(body.id);
    line.open('{').key("name").word(def.name);
    line.key("type").word(kTypes[static_cast<std::size_t>(def.type)]);
    line.key("center").list(mass.center);
    line.key("position").list(now.position).key("orientation").list(now.orientation);
    line.key("velocity").list(now.velocity).key("angular_velocity").list(now.angular_velocity);
    if (def.type == BodyType::dynamic_body) {
        const Sym3d& k = mass.inertia;
        line.key("mass").number(mass.mass).key("inertia").open('[');
        line.number(k.xx).number(k.yy).number(k.zz).number(k.xy).number(k.xz).number(k.yz);
        line.close(']').key("gravity_scale").number(def.gravity_scale);
        line.key("linear_damping").number(def.linear_damping);
        line.key("angular_damping").number(def.angular_damping).key("lock").number(def.lock);
    }
    line.key("group").number(def.group).key("mask").number(def.mask);
    line.key("shapes").open('[');
    std::vector<Material> materials;
    for (const ShapeId shape : world.shapes(body.id)) materials.push_back(world.material(shape));
    auto material = materials.cbegin();
    for (const ShapeDef& shape : def.shapes) write_shapes(line, shape, {}, material);
    line.close(']').close('}');
}

void write_range(Line& line, std::string_view key, const Range& range) {
    // JSON has no infinity: a number beyond all others stands for it.
    const auto finite = [](double x) { return std::isfinite(x) ? x : std::copysign(1e300, x); };
    line.key(key).open('[').number(finite(range.lo)).number(finite(range.hi)).close(']');
}

struct JointKindWriter {
    Line& line;

    void operator()(const HingeJoint& j) const { axial(j); }
    void operator()(const SliderJoint& j) const { axial(j); }
    void operator()(const DistanceJoint& j) const {
        line.key("anchor_b").list(j.anchor_b);
        if (j.range) write_range(line, "range", *j.range);
    }
    void operator()(const ConeTwistJoint& j) const {
        line.key("axis").list(j.axis).key("cone").number(j.cone);
        write_range(line, "twist", j.twist);
    }
    template <class Other>
    void operator()(const Other&) const {}

  private:
    template <class Axial>
    void axial(const Axial& j) const {
        line.key("axis").list(j.axis);
        if (j.limits) write_range(line, "limits", *j.limits);
        if (j.motor && j.motor->target_velocity)
            write_range(line, "motor", {*j.motor->target_velocity, j.motor->max_force});
    }
};

/// `index` gives the place of a body of the scene in the certificate; the world stays -1.
template <class Index>
void write_joint(Line& line, const SceneJoint& joint, Index index) {
    line.open('{').key("name").word(joint.def.name);
    line.key("type").word(kJointTypeNames[static_cast<std::size_t>(joint.def.type())]);
    line.key("a").number(index(joint.a)).key("b").number(index(joint.b));
    line.key("anchor").list(joint.def.anchor).key("collide").truth(joint.def.collide);
    line.key("friction").number(joint.def.friction);
    std::visit(JointKindWriter{line}, joint.def.kind);
    line.close('}');
}

void write_pair(Line& line, const MaterialPair& pair) {
    line.open('{').key("a").number(pair.a).key("b").number(pair.b);
    if (pair.static_friction) line.key("static_friction").number(*pair.static_friction);
    if (pair.kinetic_friction) line.key("kinetic_friction").number(*pair.kinetic_friction);
    if (pair.restitution) line.key("restitution").number(*pair.restitution);
    line.close('}');
}

bool has_motor(const SceneJoint& joint) {
    const auto* hinge = std::get_if<HingeJoint>(&joint.def.kind);
    const auto* slider = std::get_if<SliderJoint>(&joint.def.kind);
    return (hinge && hinge->motor) || (slider && slider->motor);
}

/// Whether nothing adds energy: forces, wind, motors, or bodies that move as they please.
bool is_passive(const Scene& scene) {
    const auto drives = [](const SceneBody& body) {
        return body.driver ||
               (body.def.type == BodyType::kinematic_body &&
                (body.def.velocity != Vec3d{} || body.def.angular_velocity != Vec3d{}));
    };
    return scene.forces.empty() && !scene.wind &&
           std::none_of(scene.joints.begin(), scene.joints.end(), has_motor) &&
           std::none_of(scene.bodies.begin(), scene.bodies.end(), drives);
}

/// What `fast` promises of a scene (docs/design/certificates.md).
void write_claims(Line& line, const Scene& scene) {
    line.key("claims").open('{').key("penetration").number(0.02).key("joint").number(0.02);
    line.key("sleep_speed").number(0.06);
    if (is_passive(scene)) line.key("energy").number(0.01).key("lift").number(0.002);
    line.close('}');
}

} // namespace

CertifiedBodies bodies_of_scene(const Simulation& simulation) {
    CertifiedBodies bodies;
    for (std::size_t i = 0; i < simulation.scene().bodies.size(); ++i)
        bodies.push_back({simulation.body(i), &simulation.scene().bodies[i]});
    return bodies;
}

std::vector<std::size_t> certified_joints(const Simulation& simulation) {
    const std::vector<JointId> all = simulation.world().joints();
    std::vector<std::size_t> there;
    for (std::size_t i = 0; i < simulation.scene().joints.size(); ++i)
        if (std::find(all.begin(), all.end(), simulation.joint(i)) != all.end()) there.push_back(i);
    return there;
}

Result<void> check_certifiable(const Simulation& simulation, const CertifiedBodies& bodies) {
    const Scene& scene = simulation.scene();
    const Method method = simulation.world().settings().method;
    if (method != Method::faithful && method != Method::fast)
        return refusal("the method " + std::string(name(method)) + ": choose faithful or fast");
    if (!scene.vehicles.empty()) return refusal("vehicles");
    if (scene.duel) return refusal("duels");
    for (const CertifiedBody& certified : bodies) {
        const SceneBody& body = *certified.definition;
        if (body.driver && body.def.type == BodyType::dynamic_body)
            return refusal("drivers of dynamic bodies, as of body \"" + body.def.name + "\"");
        if (body.fracture) return refusal("fracture, as of body \"" + body.def.name + "\"");
        for (const ShapeDef& shape : body.def.shapes)
            if (auto checked = check_shape(body.def.name, shape); !checked) return checked;
    }
    for (const SceneJoint& joint : scene.joints)
        if (auto checked = check_joint(joint); !checked) return checked;
    return check_laws(simulation);
}

std::string certificate_header(const Simulation& simulation, const CertifiedBodies& bodies,
                               double dt, bool is_window) {
    const Scene& scene = simulation.scene();
    const WorldSettings& settings = simulation.world().settings();
    Line line;
    line.key("rigor_certificate").number(1).key("scene").word(scene.name);
    line.key("method").word(name(settings.method)).key("time_step").number(dt);
    line.key("gravity").list(settings.gravity);
    constexpr double kThreshold = 1e-5, kLeast = 1e-7; // m/s
    line.key("restitution_threshold")
        .number(std::max(settings.laws.tolerance.value_or(kThreshold), kLeast));
    if (settings.method == Method::fast) write_claims(line, scene);
    line.key("bodies").open('[');
    for (const CertifiedBody& body : bodies) write_body(line, simulation.world(), body, is_window);
    line.close(']').key("pairs").open('[');
    for (const MaterialPair& pair : scene.pairs) write_pair(line, pair);
    line.close(']').key("joints").open('[');
    const auto index = [&](std::int32_t body) {
        if (body == SceneJoint::kWorld) return -1;
        const BodyId id = simulation.body(static_cast<std::size_t>(body));
        const auto is_it = [&](const CertifiedBody& other) { return other.id == id; };
        return static_cast<int>(std::find_if(bodies.begin(), bodies.end(), is_it) - bodies.begin());
    };
    for (const std::size_t i : certified_joints(simulation))
        write_joint(line, scene.joints[i], index);
    line.close(']');
    return line.finish();
}

} // namespace rigor::app
