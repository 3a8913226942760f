#include "viewer/scene_export.h"

#include <cmath>
#include <set>

#include "viewer/scene_json.h"

namespace rigor::viewer {
namespace {

class SceneWriter {
  public:
    explicit SceneWriter(const Session& session)
        : session_(session), scene_(session.scene()), world_(session.world()) {}

    std::string text() {
        ordered o;
        o["rigor"] = 1;
        o["name"] = scene_.name;
        o["about"] = scene_.about;
        const WorldSettings& s = world_.settings();
        o["gravity"] = vec(s.gravity);
        o["method"] = name(s.method);
        o["time_step"] = session_.state().time_step;
        o["settings"] = settings(s);
        if (s.periodic) o["periodic"] = ordered::array({vec(s.periodic->lo), vec(s.periodic->hi)});
        o["materials"] = materials();
        if (!scene_.pairs.empty()) o["pairs"] = pairs();
        o["bodies"] = bodies();
        if (ordered all = joints(); !all.empty()) o["joints"] = std::move(all);
        if (ordered all = forces(); !all.empty()) o["forces"] = std::move(all);
        if (scene_.wind) o["wind"] = wind(*scene_.wind);
        if (scene_.duel && has_fencers()) o["duel"] = duel();
        if (scene_.camera) {
            o["camera"] = {{"position", vec(scene_.camera->position)},
                           {"target", vec(scene_.camera->target)},
                           {"up", vec(scene_.camera->up)},
                           {"fov_deg", scene_.camera->fov_deg}};
        }
        if (!scene_.vehicles.empty())
            notes_.insert(
                "(Vehicles are exported as bodies and joints, without engine and tires.)");
        for (const std::string& note : notes_)
            o["about"] = o["about"].get<std::string>() + " " + note;
        return o.dump(1) + "\n";
    }

  private:
    /// What the scene gave, and what was changed since.
    ordered settings(const WorldSettings& s) {
        ordered o = ordered::object();
        for (const Setting& setting : settings_table()) {
            const std::optional<SettingValue> value = setting.get(s);
            const bool is_given = scene_.settings.find(setting.name) != nullptr;
            if (!setting.in_scenes || !value) continue;
            if (!is_given && value == setting.default_of(s.method)) continue;
            std::visit([&](const auto& v) { o[std::string(setting.name)] = v; }, *value);
        }
        return o;
    }

    ordered wind(const WindDef& def) const {
        ordered o = {{"velocity", vec(def.velocity)},
                     {"density", def.density},
                     {"drag_coefficient", def.drag_coefficient}};
        if (const auto& w = def.whirl)
            o["whirl"] = {{"center", vec(w->center)}, {"axis", vec(w->axis)},
                          {"radius", w->radius},      {"speed", w->speed},
                          {"inflow", w->inflow},      {"updraft", w->updraft},
                          {"height", w->height}};
        return o;
    }

    ordered materials() {
        ordered o = ordered::object();
        for (const NamedMaterial& material : scene_.materials) {
            ordered fields = ordered::object();
            put_material(fields, material.material);
            o[material.name] = std::move(fields);
        }
        return o;
    }

    ordered pairs() {
        ordered all = ordered::array();
        for (const MaterialPair& pair : scene_.pairs) {
            ordered o;
            o["a"] = scene_.materials[static_cast<std::size_t>(pair.a)].name;
            o["b"] = scene_.materials[static_cast<std::size_t>(pair.b)].name;
            if (pair.static_friction && pair.static_friction == pair.kinetic_friction) {
                o["friction"] = *pair.static_friction;
            } else {
                if (pair.static_friction) o["static_friction"] = *pair.static_friction;
                if (pair.kinetic_friction) o["kinetic_friction"] = *pair.kinetic_friction;
            }
            if (pair.restitution) o["restitution"] = *pair.restitution;
            all.push_back(std::move(o));
        }
        return all;
    }

    /// The name of a material if it is unchanged, else its fields.
    void put_surface(ordered& o, const Material& now) {
        if (now.id >= 0) {
            const NamedMaterial& named = scene_.materials[static_cast<std::size_t>(now.id)];
            ordered a = ordered::object(), b = ordered::object();
            put_material(a, named.material), put_material(b, now);
            if (a == b) {
                o["material"] = named.name;
                return;
            }
        }
        put_material(o, now);
    }

    ordered shapes(const BodyDef& def, BodyId id) {
        std::vector<ShapeDef> leaves;
        for (const ShapeDef& shape : def.shapes) add_leaves(shape, {}, false, leaves);
        const std::vector<ShapeId> ids = world_.shapes(id);
        ordered all = ordered::array();
        for (std::size_t i = 0; i < leaves.size(); ++i) {
            ordered o;
            put_geometry(o, leaves[i].geometry);
            const auto* mesh = std::get_if<MeshDef>(&leaves[i].geometry);
            if (mesh && mesh->concavity)
                notes_.insert("(Decomposed meshes are exported as single meshes.)");
            put_if(o, "rounding", leaves[i].rounding, 0);
            if (leaves[i].position != Vec3d{}) o["position"] = vec(leaves[i].position);
            if (leaves[i].orientation != Quatd{}) o["orientation"] = quat(leaves[i].orientation);
            if (leaves[i].sensor) o["sensor"] = true;
            if (leaves[i].hollow) o["hollow"] = true;
            put_surface(o, i < ids.size() ? world_.material(ids[i]) : leaves[i].material);
            if (leaves[i].material.color != 0) o["color"] = color(leaves[i].material.color);
            all.push_back(std::move(o));
        }
        return all;
    }

    static std::string color(std::uint32_t rgba) {
        char text[16];
        std::snprintf(text, sizeof text, "#%08x", rgba);
        return text;
    }

    std::string unique(const std::string& wanted) {
        std::string text = wanted;
        for (int i = 2; !used_.insert(text).second; ++i)
            text = wanted + " (" + std::to_string(i) + ")";
        return text;
    }

    ordered bodies() {
        ordered all = ordered::array();
        const std::vector<SessionBody>& bodies = *session_.state().bodies;
        names_.resize(bodies.size());
        for (std::size_t slot = 0; slot < bodies.size(); ++slot) {
            if (bodies[slot].id.is_null()) continue;
            names_[slot] = unique(bodies[slot].definition->def.name);
            all.push_back(body(*bodies[slot].definition, bodies[slot].id, names_[slot]));
        }
        return all;
    }

    ordered body(const SceneBody& definition, BodyId id, const std::string& its_name) {
        const BodyDef& def = definition.def;
        const bool frozen = def.type != BodyType::static_body && world_.is_quarantined(id);
        const BodyType type = frozen ? BodyType::static_body : def.type;
        constexpr const char* kTypes[] = {"static", "kinematic", "dynamic"};
        const Posed pose = world_.pose(id);
        const BodyState s = world_.state(id);
        ordered o;
        o["name"] = its_name;
        o["type"] = kTypes[static_cast<std::size_t>(type)];
        o["position"] = vec(pose.p);
        o["orientation"] = quat(pose.q);
        if (s.velocity != Vec3d{}) o["velocity"] = vec(s.velocity);
        if (s.angular_velocity != Vec3d{}) o["angular_velocity"] = vec(s.angular_velocity);
        put_mass(o, def, type, id);
        put_traits(o, def);
        if (!definition.tag.empty()) o["tag"] = definition.tag;
        if (definition.look && !definition.look->mesh.empty())
            notes_.insert("(Meshes of looks are not exported.)");
        if (definition.driver && type != BodyType::static_body) put_driver(o, *definition.driver);
        if (definition.fracture && type == BodyType::dynamic_body && !definition.fracture->bonds)
            put_fracture(o, *definition.fracture);
        if (!def.shapes.empty()) o["shapes"] = shapes(def, id);
        return o;
    }

    void put_mass(ordered& o, const BodyDef& def, BodyType type, BodyId id) {
        if (type != BodyType::dynamic_body) return;
        const MassProperties mass = world_.mass_properties(id);
        if (!def.mass_properties) {
            o["mass"] = mass.mass;
            return;
        }
        const Mat3d inertia = mass.inertia.matrix();
        o["mass_properties"] = {
            {"mass", mass.mass},
            {"center_of_mass", vec(mass.center)},
            {"inertia",
             ordered::array({vec(inertia.row(0)), vec(inertia.row(1)), vec(inertia.row(2))})}};
    }

    static void put_traits(ordered& o, const BodyDef& def) {
        constexpr const char* kLocks[] = {"tx", "ty", "tz", "rx", "ry", "rz"};
        ordered locks = ordered::array();
        for (int i = 0; i < 6; ++i)
            if ((def.lock >> i & 1) != 0) locks.push_back(kLocks[i]);
        if (!locks.empty()) o["lock"] = std::move(locks);
        put_if(o, "linear_damping", def.linear_damping, 0);
        put_if(o, "angular_damping", def.angular_damping, 0);
        put_if(o, "gravity_scale", def.gravity_scale, 1);
        if (!def.can_sleep) o["can_sleep"] = false;
        if (def.continuous) o["continuous"] = true;
        if (def.group != 1) o["group"] = def.group;
        if (def.mask != ~0u) o["mask"] = def.mask;
    }

    static void put_fracture(ordered& o, const FractureDef& fracture) {
        ordered f;
        f["pieces"] = fracture.pieces;
        f["seed"] = fracture.seed & ((std::uint64_t{1} << 53) - 1); // as a scene file can hold
        if (fracture.impulse) f["impulse"] = *fracture.impulse;
        if (fracture.force) f["force"] = *fracture.force;
        if (fracture.momentum) f["momentum"] = *fracture.momentum;
        if (!fracture.at_impact) f["at_impact"] = false;
        put_if(f, "min_size", fracture.min_size, 0);
        put_if(f, "energy", fracture.energy, 0);
        o["fracture"] = std::move(f);
    }

    void put_driver(ordered& o, const DriverDef& driver) {
        ordered d = ordered::object();
        const auto pose = [](const Posed& p) { return ordered::array({vec(p.p), quat(p.q)}); };
        if (!driver.keyframes.empty()) {
            for (const rigor::Keyframe& key : driver.keyframes)
                d["keyframes"].push_back(
                    ordered::array({key.time - world_.time(), vec(key.pose.p), quat(key.pose.q)}));
            d["loop"] = driver.loop;
        } else {
            notes_.insert("(Drivers with a grid begin in its middle again.)");
            if (!driver.input.empty()) d["input"] = driver.input;
            for (const Posed& p : driver.grid) d["grid"].push_back(pose(p));
            for (const ScriptPoint& point : driver.script)
                d["script"].push_back({point.time - world_.time(), point.input.x, point.input.y});
            if (driver.speed) d["speed"] = *driver.speed;
            if (!driver.script.empty()) d["loop"] = driver.loop;
        }
        d["grip"] = driver.grip;
        o["driver"] = std::move(d);
    }

    std::string end_name(std::int32_t body) {
        const BodyId id = session_.joint_body(body);
        return id.is_null() ? "world" : names_[id.index];
    }

    ordered joints() {
        ordered all = ordered::array();
        for (std::size_t i = 0; i < scene_.joints.size(); ++i)
            if (world_.is_valid(session_.joint(i))) all.push_back(joint(i));
        for (const Simulation::Bonded& bonded : session_.bonded())
            for (std::size_t i = 0; i < bonded.made.bonds.size(); ++i)
                if (world_.is_valid(bonded.made.bonds[i]))
                    all.push_back(bond(bonded.made.bonds[i], bonded.made.bond_definitions[i]));
        return all;
    }

    /// A joint between two pieces of a body that is made of them from the start.
    ordered bond(JointId id, const JointDef& def) {
        ordered o;
        o["name"] = def.name;
        o["type"] = kJointTypeNames[def.kind.index()];
        o["a"] = names_[def.a.index], o["b"] = names_[def.b.index];
        o["anchor"] = vec(world_.joint_state(id).anchor_a);
        put_common(o, def);
        return o;
    }

    /// An initial direction rotated with a body.
    Vec3d turned(std::int32_t body, const Vec3d& v) {
        const BodyId id = session_.joint_body(body);
        if (id.is_null()) return v;
        const Quatd start = scene_.bodies[static_cast<std::size_t>(body)].def.orientation;
        return rotate(world_.pose(id).q, inverse_rotate(start, v));
    }

    ordered joint(std::size_t i) {
        const SceneJoint& joint = scene_.joints[i];
        const JointDef& def = joint.def;
        const JointState now = world_.joint_state(session_.joint(i));
        ordered o;
        o["name"] = def.name;
        o["type"] = kJointTypeNames[def.kind.index()];
        if (const auto* gear = std::get_if<GearJoint>(&def.kind)) {
            o["joints"] = {scene_.joints[static_cast<std::size_t>(joint.gear_a)].def.name,
                           scene_.joints[static_cast<std::size_t>(joint.gear_b)].def.name};
            o["ratio"] = gear->ratio;
            return o;
        }
        o["a"] = end_name(joint.a), o["b"] = end_name(joint.b);
        o["anchor"] = vec(now.anchor_a);
        std::visit([&](const auto& kind) { put_kind(o, kind, joint, now); }, def.kind);
        put_common(o, def);
        return o;
    }

    static ordered range(const Range& r, double shift = 0) {
        return ordered::array({r.lo - shift, r.hi - shift});
    }

    // The fields of each kind of joint. Limits and targets count from the exported configuration.

    void put_kind(ordered&, const BallJoint&, const SceneJoint&, const JointState&) {}
    void put_kind(ordered&, const FixedJoint&, const SceneJoint&, const JointState&) {}
    void put_kind(ordered&, const GearJoint&, const SceneJoint&, const JointState&) {}

    void put_kind(ordered& o, const HingeJoint& hinge, const SceneJoint& joint,
                  const JointState& now) {
        put_driven_axis(o, hinge, joint, now);
    }

    void put_kind(ordered& o, const SliderJoint& slider, const SceneJoint& joint,
                  const JointState& now) {
        put_driven_axis(o, slider, joint, now);
    }

    void put_kind(ordered& o, const WheelJoint& wheel, const SceneJoint& joint,
                  const JointState& now) {
        o["steer_axis"] = vec(turned(joint.a, wheel.steer_axis));
        put_driven_axis(o, wheel, joint, now);
    }

    void put_kind(ordered& o, const DistanceJoint& distance, const SceneJoint&,
                  const JointState& now) {
        o["anchor_b"] = vec(now.anchor_b);
        if (distance.range) o["range"] = range(*distance.range);
    }

    void put_kind(ordered& o, const ConeTwistJoint& shoulder, const SceneJoint& joint,
                  const JointState&) {
        notes_.insert("(Cone limits are relative to the exported configuration.)");
        o["axis"] = vec(turned(joint.a, shoulder.axis)), o["cone"] = shoulder.cone;
        if (std::isfinite(shoulder.twist.lo)) o["twist"] = range(shoulder.twist);
    }

    void put_kind(ordered& o, const SixDofJoint& six_dof, const SceneJoint& joint,
                  const JointState&) {
        constexpr const char* kAxes[] = {"tx", "ty", "tz", "rx", "ry", "rz"};
        notes_.insert("(Limits of six_dof joints are relative to the exported configuration.)");
        const BodyId a = session_.joint_body(joint.a);
        Quatd frame = six_dof.frame;
        if (!a.is_null()) {
            const Quatd start = scene_.bodies[static_cast<std::size_t>(joint.a)].def.orientation;
            frame = world_.pose(a).q * conjugate(start) * frame;
        }
        o["frame"] = quat(frame);
        ordered limits = ordered::object();
        for (std::size_t i = 0; i < 6; ++i) {
            const Range& r = six_dof.axes[i];
            if (std::isfinite(r.lo) && std::isfinite(r.hi)) {
                limits[kAxes[i]] = {r.lo, r.hi};
            } else {
                limits[kAxes[i]] = "free";
            }
        }
        o["limits"] = std::move(limits);
    }

    /// Its coordinate counts from the first point of the curve, in every configuration.
    void put_kind(ordered& o, const TrackJoint& track, const SceneJoint& joint, const JointState&) {
        Posed moved;
        if (const BodyId b = session_.joint_body(joint.b); !b.is_null()) {
            const BodyDef& start = scene_.bodies[static_cast<std::size_t>(joint.b)].def;
            moved = world_.pose(b) * inverse(Posed{start.position, start.orientation});
        }
        ordered curve = ordered::array();
        for (const Vec3d& point : track.curve) curve.push_back(vec(transform(moved, point)));
        o["curve"] = std::move(curve);
        if (track.closed) o["closed"] = true;
        if (track.closed && (track.limits || (track.motor && track.motor->target_position)))
            notes_.insert("(Laps of closed tracks count from the exported configuration.)");
        put_limits_and_motor(o, track, 0);
    }

    /// Axis, limits and motor of a hinge, slider or wheel.
    template <class Kind>
    void put_driven_axis(ordered& o, const Kind& kind, const SceneJoint& joint,
                         const JointState& now) {
        o["axis"] = vec(turned(joint.a, kind.axis));
        put_limits_and_motor(o, kind, now.coordinate);
    }

    template <class Kind>
    void put_limits_and_motor(ordered& o, const Kind& kind, double shift) {
        if (kind.limits && std::isfinite(kind.limits->lo) && std::isfinite(kind.limits->hi))
            o["limits"] = range(*kind.limits, shift);
        if (!kind.motor) return;
        ordered motor = ordered::object();
        if (kind.motor->target_velocity) motor["target_velocity"] = *kind.motor->target_velocity;
        if (kind.motor->target_position)
            motor["target_position"] = *kind.motor->target_position - shift;
        if (std::isfinite(kind.motor->max_force)) motor["max_force"] = kind.motor->max_force;
        o["motor"] = std::move(motor);
    }

    void put_common(ordered& o, const JointDef& def) {
        if (def.spring) {
            notes_.insert("(Springs have their rest position at the exported configuration.)");
            o["spring"] = {{"frequency_hz", def.spring->frequency_hz},
                           {"damping_ratio", def.spring->damping_ratio}};
        }
        put_if(o, "friction", def.friction, 0);
        if (std::isfinite(def.break_force)) o["break_force"] = def.break_force;
        if (std::isfinite(def.break_torque)) o["break_torque"] = def.break_torque;
        if (def.collide) o["collide"] = true;
    }

    /// Forces that have not ended, with times relative to the present.
    ordered forces() {
        ordered all = ordered::array();
        for (const SceneForce& force : scene_.forces) {
            const BodyId id = session_.joint_body(force.body);
            if (!world_.is_valid(id) || !(force.to > world_.time())) continue;
            ordered o;
            o["body"] = names_[id.index];
            if (force.force) o["force"] = vec(*force.force);
            if (force.torque) o["torque"] = vec(*force.torque);
            if (force.acceleration) o["acceleration"] = vec(*force.acceleration);
            if (force.point) o["point"] = vec(*force.point);
            o["from"] = force.from - world_.time();
            if (std::isfinite(force.to)) o["to"] = force.to - world_.time();
            all.push_back(std::move(o));
        }
        return all;
    }

    bool is_there(std::int32_t body) { return world_.is_valid(session_.joint_body(body)); }

    bool has_fencers() {
        const auto& fencers = scene_.duel->fencers;
        return is_there(fencers[0].weapon) && is_there(fencers[0].body) &&
               is_there(fencers[1].weapon) && is_there(fencers[1].body);
    }

    /// The rounds begin again.
    ordered duel() {
        ordered o;
        for (const SceneFencer& fencer : scene_.duel->fencers) {
            ordered f = {{"name", fencer.name},
                         {"weapon", end_name(fencer.weapon)},
                         {"body", end_name(fencer.body)}};
            if (fencer.opponent)
                f["opponent"] = {{"seed", fencer.opponent->seed},
                                 {"skill", fencer.opponent->skill},
                                 {"interval", fencer.opponent->interval}};
            o["fencers"].push_back(std::move(f));
        }
        o["rounds"] = scene_.duel->rounds;
        o["pause"] = scene_.duel->pause;
        return o;
    }

    const Session& session_;
    const Scene& scene_;
    const World& world_;
    std::vector<std::string> names_; ///< by slot
    std::set<std::string> used_, notes_;
};

} // namespace

std::string export_scene(const Session& session) {
    return SceneWriter(session).text();
}

} // namespace rigor::viewer
