#include "certificate.h"

#include <nlohmann/json.hpp>

namespace check {

using Json = nlohmann::json; // its parser refuses NaN, and numbers beyond all bounds

// What is read is what the fields are called; what is missing keeps its default, and is then found
// by the laws. Lists of numbers become vectors.
#define CHECK_READS(Type, ...)                                                                  \
    static void from_json(const Json& nlohmann_json_j, Type& nlohmann_json_t) {                 \
        const Type nlohmann_json_default_obj{};                                                 \
        NLOHMANN_JSON_EXPAND(NLOHMANN_JSON_PASTE(NLOHMANN_JSON_FROM_WITH_DEFAULT, __VA_ARGS__)) \
    }

static Vec vec(const Json& list, std::size_t i = 0) {
    return {list.at(i), list.at(i + 1), list.at(i + 2)};
}
static Quat quat(const Json& list, std::size_t i = 0) {
    return {list.at(i), list.at(i + 1), list.at(i + 2), list.at(i + 3)};
}
static void from_json(const Json& json, Vec& v) {
    v = vec(json);
}
static void from_json(const Json& json, Quat& q) {
    q = quat(json);
}
static void from_json(const Json& json, Wrench& w) {
    w = {vec(json), vec(json, 3)};
}
static void from_json(const Json& json, Link::At& at) {
    at = {vec(json), vec(json, 3), {vec(json, 6), {}}};
}
CHECK_READS(Shape, type, size, normal, radius, length, height, offset, points, triangles, rounding,
            position, orientation, friction, restitution, material, sensor)
CHECK_READS(Body, name, type, mass, gravity_scale, linear_damping, angular_damping, inertia, center,
            position, velocity, angular_velocity, orientation, lock, group, mask, shapes)
CHECK_READS(Joint, name, type, a, b, anchor, anchor_b, axis, collide, cone, limits, range)
CHECK_READS(MaterialPair, a, b, static_friction, kinetic_friction, restitution)
CHECK_READS(Action, kind, target, max, at)
CHECK_READS(Link, a, b, at, shapes, friction, restitution, sticks, joint, actions)
CHECK_READS(Claims, penetration, joint, sleep_speed, energy, lift)
CHECK_READS(Header, scene, method, claims, restitution_threshold, gravity, bodies, pairs, joints)
CHECK_READS(Record, is, bodies, asleep, t, contacts, joints, law, approach, work, time, duration,
            kinetic, potential, momentum, angular_momentum, lines)

namespace {

void require(bool condition, const std::string& otherwise) {
    if (!condition) throw BadFile(otherwise);
}

void require_known(const std::string& what, const std::string& type, std::set<std::string> known) {
    require(known.count(type) > 0, what + " of the type \"" + type + "\" are unknown");
}

void prepare(Body& body) {
    require_known("bodies", body.type, {"static", "kinematic", "dynamic"});
    require(body.is_dynamic() == (body.type == "dynamic"), "a mass is not positive");
    const auto [xx, yy, zz, xy, xz, yz] = body.inertia;
    body.tensor = {{{xx, xy, xz}, {xy, yy, yz}, {xz, yz, zz}}};
    const Quat q = body.orientation;
    body.start = {body.position, q, body.velocity, body.angular_velocity};
    if (body.is_dynamic()) {
        body.start.p = body.velocity * body.mass;
        body.start.l = rotate(q, body.tensor * rotate(conjugate(q), body.angular_velocity));
    }
    for (Shape& s : body.shapes) {
        require_known("shapes", s.type,
                      {"sphere", "box", "capsule", "cylinder", "cone", "hull", "mesh", "plane"});
        s.position = s.position - body.center;
        require(!s.points.empty() || (s.type != "hull" && s.type != "mesh"), "a hull is empty");
        for (const auto& t : s.triangles)
            require(std::max({t[0], t[1], t[2]}) < s.points.size(), "a triangle is out of range");
    }
}

Header read_header(const Json& json) {
    require(json.is_object() && json.contains("rigor_certificate"), "it is no certificate");
    const Json& version = json.at("rigor_certificate");
    require(version == 1, "it is of version " + version.dump() + ", and version 1 is read here");
    Header h = json;
    require_known("methods", h.method, {"faithful", "fast"});
    for (Body& body : h.bodies) prepare(body);
    for (Joint& j : h.joints) {
        require_known("joints", j.type,
                      {"ball", "hinge", "slider", "fixed", "distance", "cone_twist"});
        if (j.type != "distance") j.anchor_b = j.anchor;
        if (!j.range.empty()) j.limits = j.range;
        require(j.limits.empty() || j.limits.size() == 2, "a range has not two ends");
        const int count = int(h.bodies.size());
        require(std::min(j.a, j.b) >= -1 && std::max(j.a, j.b) < count, "a body is out of range");
    }
    return h;
}

/// All bodies, shapes and joints that are named exist, and lists have the right lengths.
void validate(Record& r, const Header& h) {
    const std::size_t nodes = r.is == "motion" ? 5 : 2, loaded = r.is == "motion" ? 5 : 1;
    require(!r.bodies.empty() && r.t.size() == nodes && r.states.size() == nodes,
            "the record \"" + r.is + "\" has not " + std::to_string(nodes) + " instants");
    std::set<int> listed{-1};
    for (const int i : r.bodies) {
        require(i >= 0 && i < int(h.bodies.size()), "a body is out of range");
        listed.insert(i);
    }
    for (Link& j : r.joints) {
        require(j.joint >= 0 && j.joint < int(h.joints.size()), "a joint is out of range");
        j.a = h.joints[std::size_t(j.joint)].a, j.b = h.joints[std::size_t(j.joint)].b;
        for (Link::At& at : j.at) at = {at.point, {}, {at.normal, at.wrench.force}};
        for (const Action& action : j.actions)
            require(action.at.size() == j.at.size(), "an action has other nodes than its joint");
    }
    for (const std::vector<Link>* links : {&r.contacts, &r.joints})
        for (const Link& link : *links)
            require(link.at.size() == loaded && listed.count(link.a) && listed.count(link.b),
                    "a contact or joint has other nodes or bodies than its record");
    for (const Link& c : r.contacts)
        require(std::min(c.a, c.b) >= 0 && c.shapes[0] < h.bodies[std::size_t(c.a)].shapes.size() &&
                    c.shapes[1] < h.bodies[std::size_t(c.b)].shapes.size(),
                "a shape is out of range");
}

Record read_record(const Json& json, const Header& h) {
    Record r = json;
    require_known("records", r.is,
                  {"from", "step", "loads", "sums", "end", "unrecorded", "flight", "motion", "rest",
                   "impact", "projection", "substep", "correction", "impulses"});
    if (r.is == "loads")
        for (const Json& f : json.at("loads")) r.loads[f.at(0)] = {vec(f, 1), vec(f, 4)};
    if (std::set<std::string>{"step", "loads", "sums", "end", "unrecorded"}.count(r.is)) return r;
    if (r.is == "from")
        for (std::size_t i = 0; i < h.bodies.size(); ++i) r.bodies.push_back(int(i));
    for (const Json& node : json.at("states")) {
        r.states.emplace_back();
        for (std::size_t i = 0; i < 13 * r.bodies.size(); i += 13)
            r.states.back().push_back(
                {vec(node, i), quat(node, i + 3), vec(node, i + 7), vec(node, i + 10)});
    }
    if (r.is == "from")
        require(r.states.size() == 1, "the record \"from\" has not one instant");
    else
        validate(r, h);
    return r;
}

} // namespace

std::string Reader::line() {
    constexpr std::size_t kMaxLine = 256u << 20; // bytes
    std::string text;
    ++number_;
    for (int c = file_.get(); c != '\n'; c = file_.get()) {
        require(c != EOF, "the file is cut off: it has no line \"end\"");
        require(text.size() < kMaxLine, "the line is longer than 256 MiB");
        text += static_cast<char>(c);
    }
    return text;
}

/// Reads the next line by `read`; what is wrong is told with the number of the line.
template <class Read>
auto Reader::parse(Read read) {
    const auto here = [&] { return name_ + ", line " + std::to_string(number_) + ": "; };
    try {
        return read(Json::parse(line()));
    } catch (const Json::exception& e) {
        throw BadFile(here() + "it is not as it should be: " + e.what());
    } catch (const BadFile& e) {
        throw BadFile(here() + e.what());
    }
}

Reader::Reader(std::istream& file, std::string name) : file_(file), name_(std::move(name)) {
    header_ = parse(read_header);
}

bool Reader::next(Record& record) {
    record = parse([&](const Json& json) {
        Record r = read_record(json, header_);
        require(r.is != "end" || (r.lines == static_cast<double>(number_) && file_.peek() == EOF),
                "lines are missing or too many");
        require(r.is != "from" || number_ == 2, "\"from\" is not the second line");
        return r;
    });
    return record.is != "end";
}

} // namespace check
