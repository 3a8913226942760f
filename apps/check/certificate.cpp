#include "certificate.h"

#include <nlohmann/json.hpp>

#include "solid.h"

namespace check {

void require(bool condition, const std::string& otherwise) {
    if (!condition) throw BadFile(otherwise);
}

/// Whole numbers have no fraction, which the library would cut off.
template <class T, class = void>
struct Serializer : nlohmann::adl_serializer<T> {};
template <class T>
struct Serializer<T, std::enable_if_t<std::is_integral_v<T> && !std::is_same_v<T, bool>>>
    : nlohmann::adl_serializer<T> {
    static void from_json(const auto& json, T& to) {
        const double number = json.template get<double>();
        to = static_cast<T>(std::abs(number) < 9e15 ? static_cast<long long>(number) : -1);
        require(static_cast<double>(to) == number, json.dump() + " is no whole number");
    }
};
// Its parser refuses NaN, and numbers beyond all bounds.
using Json = nlohmann::basic_json<std::map, std::vector, std::string, bool, std::int64_t,
                                  std::uint64_t, double, std::allocator, Serializer>;

/// The numbers of a list, taken one after the other.
struct Numbers {
    const Json& list;
    std::size_t taken = 0;

    double number() { return list.at(taken++).get<double>(); }
    Vec vec() { return {number(), number(), number()}; }
    Quat quat() { return {number(), number(), number(), number()}; }
    Screw screw() { return {vec(), vec()}; }
};
static void from_json(const Json& json, Vec& v) {
    v = Numbers{json}.vec();
}
static void from_json(const Json& json, Quat& q) {
    q = Numbers{json}.quat();
}
static void from_json(const Json& json, Screw& s) {
    s = Numbers{json}.screw();
}
static void from_json(const Json& json, Link::At& at) {
    Numbers list{json};
    at = {list.vec(), list.vec(), {list.vec(), {}}};
}

// What is read is what the fields are called; what is missing keeps its default, and is then found
// by the laws.
#define CHECK_READS(Type, ...)                                                                  \
    static void from_json(const Json& nlohmann_json_j, Type& nlohmann_json_t) {                 \
        const Type nlohmann_json_default_obj{};                                                 \
        NLOHMANN_JSON_EXPAND(NLOHMANN_JSON_PASTE(NLOHMANN_JSON_FROM_WITH_DEFAULT, __VA_ARGS__)) \
    }
CHECK_READS(Shape, type, size, normal, radius, length, height, offset, points, triangles, rounding,
            position, orientation, friction, restitution, material, sensor)
CHECK_READS(Body, name, type, mass, gravity_scale, linear_damping, angular_damping, inertia, center,
            position, velocity, angular_velocity, orientation, lock, group, mask, shapes)
CHECK_READS(Joint, name, type, a, b, anchor, anchor_b, axis, collide, cone, friction, limits, range,
            twist, motor)
CHECK_READS(MaterialPair, a, b, static_friction, kinetic_friction, restitution)
CHECK_READS(Action, kind, target, max, at)
CHECK_READS(Link, a, b, at, shapes, friction, restitution, sticks, joint, actions)
CHECK_READS(Claims, penetration, joint, sleep_speed, energy, lift)
CHECK_READS(Header, scene, method, claims, time_step, restitution_threshold, gravity, bodies, pairs,
            joints)
CHECK_READS(Record, is, asleep, contacts, joints, law, approach, work, time, duration, kinetic,
            potential, momentum, angular_momentum, number, lines, steps)

namespace {

void require_known(const std::string& what, const std::string& type, std::set<std::string> known) {
    require(known.count(type) > 0, what + " of the type \"" + type + "\" are unknown");
}

void require_unit(double length) {
    require(std::abs(length - 1) < 1e-12, "an axis or orientation has not length 1");
}

void prepare(Body& body) {
    require_known("bodies", body.type, {"static", "kinematic", "dynamic"});
    require(body.is_dynamic() == (body.type == "dynamic"), "a mass is not positive");
    const auto [xx, yy, zz, xy, xz, yz] = body.inertia;
    body.tensor = {{{xx, xy, xz}, {xy, yy, yz}, {xz, yz, zz}}};
    const Quat q = body.orientation;
    require_unit(length(q));
    body.start = {body.position, q, {body.velocity, body.angular_velocity}};
    if (body.is_dynamic())
        body.start.m = {body.velocity * body.mass,
                        rotate(q, body.tensor * rotate(conjugate(q), body.angular_velocity))};
    for (Shape& s : body.shapes) {
        require_known("shapes", s.type,
                      {"sphere", "box", "capsule", "cylinder", "cone", "hull", "mesh", "plane"});
        s.position = s.position - body.center;
        require_unit(length(s.orientation));
        if (s.type == "plane") require_unit(length(s.normal));
        require(!s.points.empty() || (s.type != "hull" && s.type != "mesh"), "a hull is empty");
        for (const auto& triangle : s.triangles)
            for (const int i : triangle) (void)s.points.at(i); // throws if it is out of range
        for (const Piece& piece : pieces_of(s)) require(piece.extent > 0, "a shape has no size");
    }
}

Header read_header(const Json& json) {
    require(json.is_object() && json.contains("rigor_certificate"), "it is no certificate");
    const Json& version = json.at("rigor_certificate");
    require(version == 1, "it is of version " + version.dump() + ", and version 1 is read here");
    Header h = json.get<Header>();
    require_known("methods", h.method, {"faithful", "fast"});
    for (Body& body : h.bodies) prepare(body);
    for (Joint& j : h.joints) {
        require_known("joints", j.type,
                      {"ball", "hinge", "slider", "fixed", "distance", "cone_twist"});
        if (j.type != "distance") j.anchor_b = j.anchor;
        if (!j.range.empty()) j.limits = j.range;
        if (!j.twist.empty()) j.limits = j.twist;
        for (const auto& ends : {j.limits, j.motor})
            require(ends.empty() || ends.size() == 2, "a range has not two ends");
        if (length(j.axis) > 0) require_unit(length(j.axis));
        for (const int i : {j.a, j.b})
            if (i != -1) (void)h.bodies.at(i);
    }
    return h;
}

Record read_record(const Json& json, const Header& h) {
    Record r = json.get<Record>();
    require_known("records", r.is,
                  {"from", "step", "loads", "sums", "end", "unrecorded", "flight", "motion", "rest",
                   "impact", "projection", "substep", "correction", "impulses"});
    for (const Json& load : json.value("loads", Json::array())) {
        Numbers list{load, 1};
        r.loads[load.at(0).get<int>()] = list.screw();
    }
    for (Link& j : r.joints) {
        j.a = h.joints.at(j.joint).a, j.b = h.joints.at(j.joint).b;
        for (Link::At& at : j.at) at = {at.point, {}, {at.normal, at.wrench.lin}};
    }
    if (std::set<std::string>{"step", "loads", "sums", "end", "unrecorded"}.count(r.is)) return r;
    for (const int i : json.value("bodies", std::vector<int>{})) r.bodies.push_back({i});
    for (int i = 0; r.is == "from" && i < std::ssize(h.bodies); ++i) r.bodies.push_back({i});
    for (const Trajectory& b : r.bodies) (void)h.bodies.at(b.i);
    for (const Json& node : json.at("states")) { // those of all bodies, one after the other
        Numbers list{node};
        for (Trajectory& b : r.bodies) b.states.push_back({list.vec(), list.quat(), list.screw()});
        require(list.taken == node.size(), "a list of states is too long");
    }
    const std::size_t nodes = r.is == "from" ? 1 : r.is == "motion" ? 5 : 2;
    r.t = json.value("t", std::vector<double>(nodes));
    require(!r.bodies.empty() && r.t.size() == nodes && json.at("states").size() == nodes,
            "the record \"" + r.is + "\" has not " + std::to_string(nodes) + " instants");
    return r;
}

} // namespace

template <class Use>
void Reader::read_line(Use use) {
    constexpr std::size_t kMaxLine = 256u << 20; // bytes
    const std::string here = name_ + ", line " + std::to_string(++number_) + ": ";
    try {
        std::string line;
        for (int c = file_.get(); c != '\n'; c = file_.get()) {
            require(c != EOF, "the file is cut off: it has no line \"end\"");
            require(line.size() < kMaxLine, "the line is longer than 256 MiB");
            line += static_cast<char>(c);
        }
        use(Json::parse(line));
    } catch (const Json::exception& e) {
        throw BadFile(here + "it is not as it should be: " + e.what());
    } catch (const std::out_of_range&) {
        throw BadFile(here + "a body, shape, joint or node is out of range");
    } catch (const BadFile& e) {
        throw BadFile(here + e.what());
    }
}

Reader::Reader(std::istream& file, const std::string& name) : file_(file), name_(name) {
    read_line([&](const Json& json) { header = read_header(json); });
}

bool Reader::next(const std::function<void(Record)>& use) {
    bool is_end = false;
    read_line([&](const Json& json) {
        Record r = read_record(json, header);
        is_end = r.is == "end", steps_ += r.is == "step";
        require(!is_end || (r.lines == number_ && r.steps == steps_ && file_.peek() == EOF),
                "lines are missing or too many");
        require(r.is != "from" || number_ == 2, "\"from\" is not the second line");
        if (!is_end) use(std::move(r));
    });
    return !is_end;
}

} // namespace check
