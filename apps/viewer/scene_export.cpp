#include "viewer/scene_export.h"

#include <cmath>
#include <set>

#include "viewer/scene_export_joints.h"

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
        if (ordered all = export_joints(session_, names_, notes_); !all.empty())
            o["joints"] = std::move(all);
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

    const std::string& name_of(std::int32_t body) {
        return names_[session_.joint_body(body).index];
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
                         {"weapon", name_of(fencer.weapon)},
                         {"body", name_of(fencer.body)}};
            if (fencer.opponent)
                f["opponent"] = {{"seed", fencer.opponent->seed},
                                 {"skill", fencer.opponent->skill},
                                 {"interval", fencer.opponent->interval}};
            if (const auto& bend = fencer.bend)
                f["bend"] = {{"waist", vec(bend->waist)},
                             {"neck", vec(bend->neck)},
                             {"lean", bend->lean},
                             {"twist", bend->twist},
                             {"max_angle_deg", bend->max_angle_deg}};
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
