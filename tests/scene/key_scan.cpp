#include "key_scan.h"

#include <algorithm>
#include <cmath>

namespace rigor::test {
namespace {

using json = nlohmann::json;

std::string object_of(const std::string& key) {
    return key.substr(0, key.find('.'));
}

std::string name_of(const std::string& key) {
    return key.substr(key.find('.') + 1);
}

void apply(json& scene, const json& changes) {
    for (const auto& [path, value] : changes.items()) {
        const json::json_pointer pointer(path);
        if (value.is_null())
            scene.at(pointer.parent_pointer()).erase(pointer.back());
        else
            scene[pointer] = value;
    }
}

/// "shape_*.key" stands for the key of every shape.
bool matches(const std::string& key, const std::string& pattern) {
    const std::size_t star = pattern.find('*');
    if (star == std::string::npos) return key == pattern;
    return key.starts_with(pattern.substr(0, star)) && name_of(key) == name_of(pattern) &&
           !key.starts_with("joint_template");
}

/// The scene that a type of shape or joint is tried in.
json scene_of(const json& file, const std::string& object) {
    const auto type = [&](const char* prefix) { return object.substr(std::string(prefix).size()); };
    if (object.starts_with("shape_")) {
        const json& shape = file.at("shapes").at(type("shape_"));
        json scene = file.at("scenes").at(shape.at("scene").get<std::string>());
        scene["bodies"][0]["shapes"][0] = shape.at("shape");
        return scene;
    }
    json scene = file.at("scenes").at("one joint");
    scene["joints"] = json::array({file.at("joints").at(type("joint_"))});
    if (object == "joint_gear") {
        scene["joints"].push_back({{"name", "h"},
                                   {"type", "hinge"},
                                   {"a", "a"},
                                   {"anchor", {0, 0, 0}},
                                   {"axis", {0, 1, 0}}});
        scene["joints"].push_back(
            {{"name", "s"}, {"type", "slider"}, {"a", "c"}, {"axis", {0, 0, 1}}});
    }
    return scene;
}

/// Words one of which a warning of a key must have.
std::vector<std::string> words_for(const std::string& key) {
    static const std::map<std::string, std::string> kParts = {{"tire", "vehicle"},
                                                              {"engine", "vehicle"},
                                                              {"hand_brake", "vehicle"},
                                                              {"drive", "vehicle"},
                                                              {"spring", "joint"},
                                                              {"motor", "joint"},
                                                              {"six_dof_limits", "joint"},
                                                              {"pattern_vehicle", "vehicle"},
                                                              {"pattern_chain", "joint"},
                                                              {"opponent", "duel"},
                                                              {"fencer", "duel"},
                                                              {"bend", "duel"},
                                                              {"pair", "pairs"}};
    const std::string object = object_of(key);
    std::vector<std::string> words = {name_of(key)};
    if (const auto part = kParts.find(object); part != kParts.end()) words.push_back(part->second);
    if (object.starts_with("joint_")) words.push_back("joint");
    if (object == "driver") words.push_back("drivers");
    if (object.starts_with("shape_")) words.push_back("shapes");
    if (name_of(key).ends_with("_friction")) words.push_back("friction");
    if (name_of(key) == "material") words.push_back("restitution"); // of the other material
    if (object == "anisotropy" || object == "fracture" || object == "duel") words.push_back(object);
    return words;
}

bool names(const std::string& warning, const std::string& key) {
    const auto words = words_for(key);
    return std::any_of(words.begin(), words.end(), [&](const std::string& word) {
        return warning.find(word) != std::string::npos;
    });
}

using Seen = std::vector<double>;

void add(Seen& seen, const Events& events) {
    for (const std::size_t n :
         {events.begun.size(), events.ended.size(), events.hits.size(), events.entered.size(),
          events.left.size(), events.broken.size(), events.slept.size(), events.woken.size()})
        seen.push_back(static_cast<double>(n));
}

void add(Seen& seen, const Vec3d& v) {
    seen.insert(seen.end(), {v.x, v.y, v.z});
}

/// Who broke, and into what.
void add(Seen& seen, const std::vector<FractureEvent>& fractures) {
    for (const FractureEvent& event : fractures) {
        seen.insert(seen.end(), {event.impulse, event.energy});
        for (const BodyDef& piece : event.definitions) add(seen, piece.position);
    }
}

void add(Seen& seen, const World& world, JointId id) {
    if (!world.is_valid(id) || world.settings().method == Method::free) return; // they do not act
    const JointState s = world.joint_state(id);
    for (const Vec3d& v : {s.anchor_a, s.anchor_b, s.force, s.torque}) add(seen, v);
    seen.insert(seen.end(), {s.coordinate, s.speed});
}

void add(Seen& seen, const Simulation& simulation) {
    const World& world = simulation.world();
    for (const BodyId id : simulation.bodies()) {
        const BodyState s = world.state(id);
        seen.insert(seen.end(),
                    {s.position.x, s.position.y, s.position.z, s.orientation.w, s.orientation.x,
                     s.orientation.y, s.orientation.z, s.velocity.x, s.velocity.y, s.velocity.z,
                     s.angular_velocity.x, s.angular_velocity.y, s.angular_velocity.z});
        for (const ShapeId shape : world.shapes(id))
            if (world.is_deformed(shape))
                for (const Vec3d& v : world.mesh_vertices(shape)) add(seen, v);
    }
    seen.push_back(world.energy().kinetic); // the masses
    add(seen, simulation.fractures());
    add(seen, world.events());
    for (std::size_t i = 0; i < simulation.scene().joints.size(); ++i)
        add(seen, world, simulation.joint(i));
    if (!simulation.duel()) return;
    const DuelState& duel = simulation.duel()->state();
    for (const int n : {duel.score[0], duel.score[1], duel.round, int(duel.over)})
        seen.push_back(n);
}

/// Up to round-off, which another order of operations makes different.
bool are_equal(const Seen& a, const Seen& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](double x, double y) {
        return x == y || std::abs(x - y) <= 1e-9 * (1 + std::abs(x));
    });
}

} // namespace

bool is_accounted_for(const KeyUse& use) {
    return use == "yes" || use == "always" || use == "warns" || use == "refuses" || use == "run";
}

KeyProbes::KeyProbes(const json& file, const json& schema) {
    const auto add_keys = [&](const std::string& object, const json& definition) {
        if (object == "body_template" || object.starts_with("joint_template")) return;
        if (!definition.contains("properties")) return;
        for (const auto& [key, property] : definition.at("properties").items())
            keys_.insert(object + "." + key);
    };
    add_keys("scene", schema);
    for (const auto& [object, definition] : schema.at("$defs").items())
        add_keys(object, definition);
    for (const auto& [pattern, user] : file.at("other").items())
        for (const std::string& key : matching(pattern)) others_[key] = user.get<std::string>();
    for (const json& probe : file.at("probes"))
        for (const std::string& key : matching(probe.at("key")))
            if (!others_.contains(key)) add(file, probe, key);
}

std::vector<std::string> KeyProbes::matching(const std::string& pattern) const {
    std::vector<std::string> result;
    for (const std::string& key : keys_)
        if (matches(key, pattern)) result.push_back(key);
    if (result.empty()) result.push_back(pattern);
    return result;
}

void KeyProbes::add(const json& file, const json& probe, const std::string& key) {
    if (probe.contains("as")) {
        others_[key] = "see " + probe.at("as").get<std::string>();
        return;
    }
    if (probe.contains("same")) {
        others_[key] = probe.at("same").get<std::string>();
        return;
    }
    KeyProbe result;
    result.key = key;
    result.scene = probe.contains("scene")
                       ? file.at("scenes").at(probe.at("scene").get<std::string>())
                       : scene_of(file, object_of(key));
    result.scene["rigor"] = 1;
    if (probe.contains("with")) apply(result.scene, probe.at("with"));
    result.change = result.scene;
    apply(result.change, probe.at("set"));
    result.steps = probe.value("steps", result.steps);
    result.fact = probe.value("always if", result.fact);
    result.otherwise = probe.value("else", result.otherwise);
    result.also = probe.value("also", false);
    probes_.push_back(std::move(result));
}

std::set<std::string> KeyProbes::missing() const {
    std::set<std::string> keys = keys_;
    for (const KeyProbe& probe : probes_) keys.erase(probe.key);
    for (const auto& [key, user] : others_) keys.erase(key);
    return keys;
}

std::set<std::string> KeyProbes::unknown() const {
    std::set<std::string> keys;
    for (const KeyProbe& probe : probes_) keys.insert(probe.key);
    for (const auto& [key, user] : others_) keys.insert(key);
    for (const std::string& key : keys_) keys.erase(key);
    return keys;
}

KeyScan::Run::Run(json scene, const std::string& method, const std::filesystem::path& folder) {
    scene["method"] = method;
    auto parsed = parse_scene(scene.dump(), "probe.json", folder);
    if (!parsed) {
        refusal_ = to_string(parsed.error());
        return;
    }
    auto simulation = Simulation::make(std::move(*parsed));
    if (!simulation) {
        refusal_ = to_string(simulation.error());
        return;
    }
    simulation_ = std::move(*simulation);
    warnings_ = simulation_->warnings();
    const BodyId last = simulation_->body(simulation_->scene().bodies.size() - 1);
    speed_ = length(simulation_->world().state(last).velocity);
}

const std::vector<double>& KeyScan::Run::seen(std::size_t step) {
    while (seen_.size() <= step) {
        Seen& seen = seen_.emplace_back();
        seen.push_back(simulation_->step(simulation_->scene().time_step).finished);
        test::add(seen, *simulation_);
        slept_ = slept_ || !simulation_->world().events().slept.empty();
    }
    return seen_[step];
}

bool KeyScan::Run::has_fact(const std::string& fact) const {
    if (fact == "nobody sleeps") return !slept_;
    if (fact == "a ball is the same from all sides") return true;
    if (fact == "there is no friction")
        return std::any_of(warnings_.begin(), warnings_.end(), [](const std::string& warning) {
            return warning.starts_with("friction is not used");
        });
    if (fact != "the last body is stopped") return false;
    const World& world = simulation_->world();
    const BodyId last = simulation_->body(simulation_->scene().bodies.size() - 1);
    return world.is_valid(last) && !(length(world.state(last).velocity) > 0.99 * speed_);
}

KeyUse KeyScan::use(const KeyProbe& probe, const std::string& method) {
    Run changed(probe.change, method, folder_);
    if (!changed.refusal().empty()) return "refuses";
    const std::string name = method + probe.scene.dump();
    auto base = known_.find(name);
    if (base == known_.end()) base = known_.emplace(name, Run(probe.scene, method, folder_)).first;
    if (!base->second.refusal().empty()) return "yes"; // it was refused, and is not now
    const auto& old = base->second.warnings();
    const bool is_named =
        std::any_of(changed.warnings().begin(), changed.warnings().end(),
                    [&](const std::string& warning) { return names(warning, probe.key); });
    const bool is_new = std::any_of(
        changed.warnings().begin(), changed.warnings().end(), [&](const std::string& warning) {
            return names(warning, probe.key) &&
                   std::find(old.begin(), old.end(), warning) == old.end();
        });
    // The first difference is enough.
    for (std::size_t i = 0; i < static_cast<std::size_t>(probe.steps); ++i)
        if (!are_equal(changed.seen(i), base->second.seen(i)))
            return is_new ? "yes, but warns" : "yes";
    if (is_named) return "warns";
    return changed.has_fact(probe.fact) ? "always" : probe.otherwise;
}

std::string key_table(const std::map<std::string, std::vector<KeyUse>>& uses,
                      const std::vector<std::string>& methods) {
    // Keys of one object with equal uses, then objects with equal rows.
    std::map<std::pair<std::string, std::vector<KeyUse>>, std::string> keys;
    for (const auto& [key, use] : uses) {
        std::string& row = keys[{object_of(key), use}];
        row += (row.empty() ? "`" : ", `") + name_of(key) + "`";
    }
    std::map<std::pair<std::string, std::vector<KeyUse>>, std::string> objects;
    for (const auto& [object, row] : keys) {
        std::string& list = objects[{row, object.second}];
        list += (list.empty() ? "" : ", ") + object.first;
    }
    std::map<std::string, std::string> rows; // by objects, then keys
    for (const auto& [row, list] : objects) {
        std::string text = "| " + list + " | " + row.first + " |";
        for (const KeyUse& use : row.second) text += " " + use + " |";
        rows[list + " " + row.first] = text + "\n";
    }
    std::string table = "| object | keys |", line = "|---|---|";
    for (const std::string& method : methods) table += " " + method + " |", line += "---|";
    table += "\n" + line + "\n";
    for (const auto& [order, row] : rows) table += row;
    return table;
}

} // namespace rigor::test
