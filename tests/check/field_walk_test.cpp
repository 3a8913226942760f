// Every kind of number in certificates is changed by one in a million, at several places: the
// checker rejects the file, or the kind is one of those that docs/certificates.md names as not
// checked.

#include <map>
#include <nlohmann/json.hpp>

#include "check/certificate.h"
#include "check/verdict.h"
#include "run_checker.h"

namespace rigor::app {
namespace {

using Json = nlohmann::ordered_json;

std::string joined(const std::vector<std::string>& lines) {
    std::string text;
    for (const std::string& line : lines) text += line + "\n";
    return text;
}

bool is_accepted(const std::string& text) {
    std::istringstream stream(text);
    try {
        return check::check_certificate(stream, "certificate").holds();
    } catch (const check::BadFile&) {
        return false;
    }
}

/// Which numbers of a list belong together, by its key.
std::string group_of(const std::string& key, std::size_t i, std::size_t size) {
    const auto named = [&](std::initializer_list<const char*> names) {
        return std::string(names.begin()[i / 3]);
    };
    if (key == "states" && size >= 13) {
        const std::size_t k = i % 13;
        return k < 3 ? "x" : k < 7 ? "q" : k < 10 ? "p" : "l";
    }
    if (key == "at" && size == 9) return named({"point", "normal or force", "force or torque"});
    if (key == "at" && size == 6) return named({"force", "torque"});
    return "*";
}

using Places = std::map<std::string, std::vector<Json::json_pointer>>;

/// All numbers below a value, by their kind.
void collect(const Json& value, const Json::json_pointer& at, const std::string& kind,
             const std::string& key, Places& places) {
    if (value.is_number()) places[kind].push_back(at);
    if (value.is_object())
        for (const auto& [name, field] : value.items())
            collect(field, at / name, kind + "/" + name, name, places);
    for (std::size_t i = 0; value.is_array() && i < value.size(); ++i)
        collect(value[i], at / i,
                value[i].is_number() ? kind + "/" + group_of(key, i, value.size()) : kind, key,
                places);
}

/// A number that is small beside its neighbors, or zero, is moved by one in a million of them or of
/// 1: laws hold vectors, and not their single components, to a part of their size.
double changed(const Json& json, const Json::json_pointer& at) {
    const double number = json[at].get<double>();
    const Json& parent = json[at.parent_pointer()];
    double largest = std::abs(number) > 1e-9 ? std::abs(number) : 1;
    const auto i = parent.is_array() ? std::stoul(at.back()) / 3 * 3 : 0;
    for (std::size_t k = i; parent.is_array() && k < std::min(i + 3, parent.size()); ++k)
        largest = std::max(largest, std::abs(parent[k].get<double>()));
    return number + (number < 0 ? -1e-6 : 1e-6) * largest;
}

struct Count {
    int tried = 0, seen = 0;
};
using Counts = std::map<std::string, Count>;

/// Changes numbers of each kind in `least` places, spread over the certificate; in up to 24 while
/// nothing is seen.
void try_all(const std::vector<std::string>& lines, int least, Counts& counts) {
    std::map<std::string, std::vector<std::pair<std::size_t, Json::json_pointer>>> all;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const Json json = Json::parse(lines[i]);
        Places places;
        collect(json, Json::json_pointer(), i == 0 ? "header" : json["is"].get<std::string>(), "",
                places);
        for (const auto& [kind, pointers] : places)
            for (const auto& pointer : pointers) all[kind].emplace_back(i, pointer);
    }
    for (const auto& [kind, places] : all) {
        const std::size_t n = std::min<std::size_t>(24, places.size());
        Count& count = counts[kind];
        for (std::size_t k = 0; k < n && (count.tried < least || count.seen == 0); ++k) {
            const auto& [line, pointer] = places[n < 24 ? k : k * 7919 % places.size()];
            std::vector<std::string> other = lines;
            Json json = Json::parse(lines[line]);
            json[pointer] = changed(json, pointer);
            other[line] = json.dump();
            const bool is_seen = !is_accepted(joined(other));
            ++count.tried, count.seen += is_seen;
            if (!is_seen && std::getenv("RIGOR_SHOW_UNSEEN"))
                std::printf("%s: line %zu, %s = %s\n", kind.c_str(), line + 1,
                            pointer.to_string().c_str(), json[pointer].dump().c_str());
        }
    }
}

// One or two bodies for each kind of shape, joint and load; nothing that has no effect.
constexpr const char* kAllKinds = R"({"rigor": 1, "name": "all kinds", "method": "faithful",
 "materials": {"m": {"kinetic_friction": 0.4, "static_friction": 0.6, "restitution": 0.3, "density": 1000},
   "n": {"friction": 0.5, "density": 500}},
 "pairs": [{"a": "m", "b": "n", "friction": 0.2, "restitution": 0.1}],
 "bodies": [
 {"name": "ground", "type": "static", "shapes": [{"type": "plane", "normal": [0,0,1], "offset": 0, "material": "m"}]},
 {"name": "box", "position": [0,0,0.1], "shapes": [{"type": "box", "size": [0.2,0.3,0.2], "material": "m"}]},
 {"name": "capsule", "position": [2,0,0.25], "shapes": [{"type": "capsule", "radius": 0.1, "length": 0.3, "material": "n"}]},
 {"name": "drum", "position": [4,0,0.2], "linear_damping": 0.1, "angular_damping": 0.2, "angular_velocity": [0,1,0], "velocity": [0.2,0,0], "orientation": {"axis": [1,0,0], "angle_deg": 90}, "shapes": [{"type": "cylinder", "radius": 0.2, "height": 0.4, "material": "m"}]},
 {"name": "cone", "position": [6,0,0.2], "shapes": [{"type": "cone", "radius": 0.2, "height": 0.4, "material": "m"}]},
 {"name": "hull", "position": [8,0,0.3], "shapes": [{"type": "hull", "points": [[-0.2,-0.2,-0.3],[0.2,-0.2,-0.3],[0,0.25,-0.3],[0,0,0.3]], "material": "m"}]},
 {"name": "platform", "type": "kinematic", "position": [10,0,1], "velocity": [0.1,0,0], "angular_velocity": [0,0,0.5], "shapes": [{"type": "box", "size": [1,1,0.2], "material": "m"}]},
 {"name": "rider", "position": [10.2,0,1.2], "velocity": [0.1,0.1,0], "angular_velocity": [0,0,0.5], "shapes": [{"type": "box", "size": [0.2,0.2,0.2], "material": "m"}]},
 {"name": "dropped", "position": [12,0,0.24], "velocity": [0.2,0,-3], "angular_velocity": [1,2,0.5], "shapes": [{"type": "sphere", "radius": 0.2, "material": "m"}]},
 {"name": "wheel", "position": [14,0,1], "shapes": [{"type": "box", "size": [0.4,0.2,0.4], "material": "m"}]},
 {"name": "pendulum", "position": [16,0,1], "shapes": [{"type": "box", "size": [0.4,0.2,0.2], "material": "m"}]},
 {"name": "slider", "position": [18,0,1], "shapes": [{"type": "box", "size": [0.4,0.2,0.2], "material": "m"}]},
 {"name": "arm", "position": [20,0,1], "angular_velocity": [-0.5,0,0], "shapes": [{"type": "box", "size": [0.4,0.2,0.2], "material": "m"}]},
 {"name": "bob", "position": [22,0,1], "shapes": [{"type": "sphere", "radius": 0.1, "material": "m"}]},
 {"name": "pushed", "position": [24,0,1], "shapes": [{"type": "box", "size": [0.2,0.2,0.2], "material": "m"}]}
 ],
 "joints": [
 {"name": "motor", "type": "hinge", "a": "wheel", "anchor": [14,0,1], "axis": [0,1,0], "motor": {"target_velocity": 3, "max_force": 5}},
 {"name": "rubs", "type": "hinge", "a": "pendulum", "anchor": [15.8,0,1], "axis": [0,1,0], "friction": 0.5},
 {"name": "stops", "type": "slider", "a": "slider", "anchor": [18,0,1], "axis": [0,0,1], "limits": [0,1]},
 {"name": "shoulder", "type": "cone_twist", "a": "arm", "anchor": [19.8,0,1], "axis": [1,0,0], "cone": 0.5, "twist": [0, 0.4]},
 {"name": "rope", "type": "distance", "a": "bob", "anchor": [22,0,1], "anchor_b": [22.5,0,1.5]}
 ]}
)";

// Of which `fast` keeps no record.
constexpr const char* kForces =
    R"("forces": [{"body": "pushed", "force": [1,2,3]}, {"body": "pushed", "torque": [0.1,0.2,0.3]}],)";

std::vector<std::string> lines_of_all_kinds(double time, const std::string& method) {
    std::string text = kAllKinds;
    if (method == "faithful") text.insert(text.rfind("\"joints\""), kForces);
    Result<Scene> scene = parse_scene(text, "all_kinds", "", {{{"method", method}}});
    const Result<std::string> file = certify(std::move(scene), "all_kinds_" + method, time);
    EXPECT_TRUE(file) << file.error().message;
    return lines_of(*file);
}

void expect_unseen(const Counts& counts, const std::set<std::string>& unchecked) {
    std::set<std::string> unseen;
    for (const auto& [kind, count] : counts) {
        if (count.seen == 0) unseen.insert(kind);
        if (std::getenv("RIGOR_SHOW_UNSEEN") && count.seen < count.tried)
            std::printf("%-45s %d of %d\n", kind.c_str(), count.seen, count.tried);
    }
    EXPECT_EQ(unseen, unchecked);
}

TEST(FieldWalk, OfFaithful) {
    Counts counts;
    const auto add = [&](const std::vector<std::string>& lines, int least) {
        ASSERT_TRUE(is_accepted(joined(lines)));
        try_all(lines, least, counts);
    };
    add(lines_of_all_kinds(1.0 / 60, "faithful"), 5);
    add(window("frictional_impact", 20, 2), 3);
    add(window("bouncing_balls", 38, 1), 3);
    expect_unseen(counts, {"header/joints/cone", "header/restitution_threshold"});
}

TEST(FieldWalk, OfFast) {
    Counts counts;
    const std::vector<std::string> lines = lines_of_all_kinds(1.0 / 30, "fast");
    ASSERT_TRUE(is_accepted(joined(lines)));
    try_all(lines, 8, counts);
    expect_unseen(counts, {"header/bodies/angular_damping",
                           "header/bodies/center/*",
                           "header/bodies/linear_damping",
                           "header/bodies/shapes/height",
                           "header/bodies/shapes/length",
                           "header/bodies/shapes/offset",
                           "header/bodies/shapes/points/*",
                           "header/bodies/shapes/position/*",
                           "header/bodies/shapes/radius",
                           "header/bodies/shapes/rounding",
                           "header/bodies/shapes/size/*",
                           "header/claims/joint",
                           "header/claims/penetration",
                           "header/claims/sleep_speed",
                           "header/joints/anchor/*",
                           "header/joints/anchor_b/*",
                           "header/joints/cone",
                           "header/joints/friction",
                           "header/joints/limits/*",
                           "header/joints/motor/*",
                           "header/joints/twist/*",
                           "header/restitution_threshold",
                           "impulses/contacts/at/force or torque",
                           "impulses/contacts/at/point",
                           "impulses/joints/at/force or torque",
                           "impulses/joints/at/normal or force",
                           "impulses/joints/at/point"});
}

} // namespace
} // namespace rigor::app
