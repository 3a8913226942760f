#include "certificate.h"

#include <filesystem>
#include <nlohmann/json.hpp>

namespace check {
namespace {

using Json = nlohmann::json; // its parser refuses NaN, and numbers beyond all bounds

constexpr int kVersion = 1;
constexpr std::size_t kMaxLine = 256u << 20; // bytes

void require(bool condition, const std::string& otherwise) {
    if (!condition) throw BadFile(otherwise);
}

/// Numbers of a list, from the i-th on.
Vec vec(const Json& list, std::size_t i = 0) { return {list.at(i), list.at(i + 1), list.at(i + 2)}; }
Quat quat(const Json& list, std::size_t i = 0) {
    return {list.at(i), list.at(i + 1), list.at(i + 2), list.at(i + 3)};
}
Vec vec(const Json& json, const char* key) { return vec(json.at(key)); }

int index(const Json& json, std::size_t count, int least = 0) {
    const double i = json;
    require(i >= least && i < static_cast<double>(count) && i == std::floor(i),
            "the index " + json.dump() + " is out of range");
    return static_cast<int>(i);
}

bool has_size(const Shape& s) {
    if (s.type == "box") return s.size.x > 0 && s.size.y > 0 && s.size.z > 0;
    if (s.type == "plane") return length(s.normal) > 0;
    if (s.type == "hull" || s.type == "mesh") return !s.points.empty();
    if (s.type == "cylinder" || s.type == "cone") return s.radius > 0 && s.length > 0;
    return (s.type == "sphere" || s.type == "capsule") && s.radius > 0 && s.length >= 0;
}

Shape read_shape(const Json& json, Vec center) {
    Shape s;
    s.type = json.at("type");
    s.size = json.contains("size") ? vec(json, "size") : Vec{};
    s.normal = json.contains("normal") ? vec(json, "normal") : Vec{};
    s.offset = json.value("offset", 0.0);
    s.radius = json.value("radius", 0.0);
    s.length = json.value(s.type == "capsule" ? "length" : "height", 0.0);
    for (const Json& p : json.value("points", Json::array())) s.points.push_back(vec(p));
    for (const Json& t : json.value("triangles", Json::array()))
        s.triangles.push_back({index(t.at(0), s.points.size()), index(t.at(1), s.points.size()),
                               index(t.at(2), s.points.size())});
    s.rounding = json.at("rounding");
    s.position = vec(json, "position") - center;
    s.orientation = unit(quat(json.at("orientation")));
    s.sensor = json.at("sensor");
    s.static_friction = json.at("friction").at(0), s.kinetic_friction = json.at("friction").at(1);
    s.restitution = json.at("restitution"), s.material = json.at("material");
    require(has_size(s), "a shape of the type \"" + s.type + "\" is unknown or has no size");
    return s;
}

Body read_body(const Json& json) {
    Body body;
    body.name = json.at("name");
    const std::string type = json.at("type");
    require(type == "static" || type == "kinematic" || type == "dynamic",
            "bodies of the type \"" + type + "\" are unknown");
    body.type = type == "static"      ? BodyType::fixed
                : type == "kinematic" ? BodyType::kinematic
                                      : BodyType::dynamic;
    const Quat q = quat(json.at("orientation"));
    const Vec v = vec(json, "velocity"), w = vec(json, "angular_velocity");
    body.start = {vec(json, "position"), q, v, w};
    body.group = json.at("group"), body.mask = json.at("mask");
    if (body.type == BodyType::dynamic) {
        body.mass = json.at("mass"), body.gravity_scale = json.at("gravity_scale");
        const Vec d = vec(json, "inertia"), o = vec(json.at("inertia"), 3);
        body.inertia = {{{d.x, o.x, o.y}, {o.x, d.y, o.z}, {o.y, o.z, d.z}}};
        body.linear_damping = json.at("linear_damping");
        body.angular_damping = json.at("angular_damping");
        body.lock = json.at("lock");
        body.start.p = v * body.mass;
        body.start.l = rotate(q, body.inertia * rotate(conjugate(q), w));
        require(body.mass > 0, "the mass of body \"" + body.name + "\" is not positive");
    }
    const Vec center = vec(json, "center");
    for (const Json& s : json.at("shapes")) body.shapes.push_back(read_shape(s, center));
    return body;
}

Joint read_joint(const Json& json, std::size_t bodies) {
    Joint j;
    j.name = json.at("name"), j.type = json.at("type");
    j.a = index(json.at("a"), bodies, -1), j.b = index(json.at("b"), bodies, -1);
    j.anchor = vec(json, "anchor"), j.collides = json.at("collide");
    j.anchor_b = j.type == "distance" ? vec(json, "anchor_b") : j.anchor;
    const bool has_axis = j.type == "hinge" || j.type == "slider" || j.type == "cone_twist";
    if (has_axis) j.axis = unit(vec(json, "axis"));
    require(has_axis || j.type == "ball" || j.type == "fixed" || j.type == "distance",
            "joints of the type \"" + j.type + "\" are unknown");
    if (j.type == "cone_twist") j.cone = json.at("cone");
    const char* range = j.type == "distance" ? "range" : "limits";
    if (json.contains(range)) j.limits = {json.at(range).at(0), json.at(range).at(1)};
    return j;
}

Header read_header(const Json& json) {
    require(json.is_object() && json.contains("rigor_certificate"), "it is no certificate");
    require(json.at("rigor_certificate") == kVersion,
            "it is of version " + json.at("rigor_certificate").dump() +
                ", and this program reads version " + std::to_string(kVersion));
    Header h;
    h.scene = json.at("scene"), h.method = json.at("method");
    require(h.method == "faithful" || h.method == "fast",
            "the laws of the method \"" + h.method + "\" are unknown");
    h.restitution_threshold = json.at("restitution_threshold");
    h.gravity = vec(json, "gravity");
    for (const Json& body : json.at("bodies")) h.bodies.push_back(read_body(body));
    for (const Json& pair : json.at("pairs"))
        h.pairs.push_back({pair.at("a"), pair.at("b"), pair.value("static_friction", -1.0),
                           pair.value("kinetic_friction", -1.0), pair.value("restitution", -1.0)});
    for (const Json& j : json.at("joints")) h.joints.push_back(read_joint(j, h.bodies.size()));
    return h;
}

Link read_contact(const Json& json, const Header& header) {
    Link c;
    const std::size_t bodies = header.bodies.size();
    c.a = index(json.at("a"), bodies), c.b = index(json.at("b"), bodies);
    const auto shapes = [&](int i) { return header.bodies[std::size_t(i)].shapes.size(); };
    c.shape_a = index(json.at("shapes").at(0), shapes(c.a));
    c.shape_b = index(json.at("shapes").at(1), shapes(c.b));
    c.static_friction = json.at("friction").at(0), c.kinetic_friction = json.at("friction").at(1);
    c.restitution = json.at("restitution"), c.sticks = json.at("sticks");
    for (const Json& at : json.at("at")) c.at.push_back({vec(at), vec(at, 3), {vec(at, 6), {}}});
    return c;
}

Link read_joint_load(const Json& json, const Header& header) {
    Link load;
    load.joint = index(json.at("joint"), header.joints.size());
    load.a = header.joints[std::size_t(load.joint)].a, load.b = header.joints[std::size_t(load.joint)].b;
    for (const Json& at : json.at("at")) load.at.push_back({vec(at), {}, {vec(at, 3), vec(at, 6)}});
    for (const Json& action : json.value("actions", Json::array())) {
        load.actions.push_back({action.at("kind"), action.at("target"), action.at("max"), {}});
        for (const Json& at : action.at("at"))
            load.actions.back().at.push_back({vec(at), vec(at, 3)});
        require(load.actions.back().at.size() == load.at.size(), "a list has another length");
    }
    return load;
}

void read_motion(const Json& json, const Header& header, Record& r) {
    std::set<int> listed{-1};
    for (const Json& body : json.at("bodies"))
        listed.insert(r.bodies.emplace_back(index(body, header.bodies.size())));
    for (const Json& t : json.at("t")) r.t.push_back(t);
    for (const Json& node : json.at("states")) {
        r.states.emplace_back();
        for (std::size_t i = 0; i < r.bodies.size(); ++i)
            r.states.back().push_back({vec(node, 13 * i), quat(node, 13 * i + 3),
                                       vec(node, 13 * i + 7), vec(node, 13 * i + 10)});
    }
    const std::size_t nodes = r.is == "motion" ? 5 : 2, loaded = r.is == "motion" ? 5 : 1;
    const auto checked = [&](Link link) {
        require(link.at.size() == loaded && listed.count(link.a) && listed.count(link.b),
                "a contact or joint has other nodes or bodies than its record");
        return link;
    };
    for (const Json& c : json.value("contacts", Json::array()))
        r.contacts.push_back(checked(read_contact(c, header)));
    for (const Json& j : json.value("joints", Json::array()))
        r.joints.push_back(checked(read_joint_load(j, header)));
    require(!r.bodies.empty() && r.t.size() == nodes && r.states.size() == nodes,
            "the record \"" + r.is + "\" has not " + std::to_string(nodes) + " instants");
}

Record read_record(const Json& json, const Header& header) {
    static const std::set<std::string> kMotions{"flight",     "motion",  "rest",       "impact",
                                                "projection", "substep", "correction", "impulses"};
    Record r;
    r.is = json.at("is");
    if (r.is == "step") r.time = json.at("time");
    else if (r.is == "loads")
        for (const Json& f : json.at("loads"))
            r.loads[index(f.at(0), header.bodies.size())] = {vec(f, 1), vec(f, 4)};
    else if (r.is == "unrecorded") r.law = json.at("reason"), r.time = json.at("t");
    else if (r.is == "end") r.lines = json.at("lines");
    else if (r.is == "sums") {
        r.time = json.at("duration"), r.penetration = json.value("penetration", 0.0);
        r.kinetic = json.at("kinetic"), r.potential = json.at("potential");
        r.momentum = vec(json, "momentum"), r.angular_momentum = vec(json, "angular_momentum");
    } else if (kMotions.count(r.is)) read_motion(json, header, r);
    else throw BadFile("records of the kind \"" + r.is + "\" are unknown");
    if (r.is != "impact") return r;
    r.law = json.at("law"), r.approach = json.at("approach");
    r.work_compression = json.at("work").at(0), r.work_restitution = json.at("work").at(1);
    return r;
}

} // namespace

std::string Reader::line() {
    std::string text;
    ++number_;
    for (int c = file_.get();; c = file_.get()) {
        require(c != EOF, "the file is cut off: it has no line \"end\"");
        if (c == '\n') return text;
        require(text.size() < kMaxLine, "the line is longer than 256 MiB");
        text += static_cast<char>(c);
    }
}

/// Reads the next line by `read`; what is wrong is told with the number of the line.
template <class Read>
auto Reader::parse(Read read) {
    try {
        return read(Json::parse(line()));
    } catch (const Json::exception& e) {
        throw BadFile(path_ + ", line " + std::to_string(number_) + ": it is not as it should be: " + e.what());
    } catch (const BadFile& e) {
        throw BadFile(path_ + ", line " + std::to_string(number_) + ": " + e.what());
    }
}

Reader::Reader(const std::string& path, double max_bytes) : path_(path), file_(path, std::ios::binary) {
    std::error_code error;
    const auto bytes = static_cast<double>(std::filesystem::file_size(path, error));
    require(file_ && !error, path + ": the file cannot be read");
    const auto mb = [](double size) { return std::to_string(static_cast<long long>(size / 1e6)) + " MB"; };
    require(bytes <= max_bytes, path + ": the file has " + mb(bytes) + ", more than the " +
                                    mb(max_bytes) + " that are read (--max-mb)");
    header_ = parse(read_header);
}

bool Reader::next(Record& record) {
    record = parse([&](const Json& json) {
        Record r = read_record(json, header_);
        require(r.is != "end" || (r.lines == static_cast<double>(number_) && file_.peek() == EOF),
                "lines are missing or too many");
        return r;
    });
    return record.is != "end";
}

} // namespace check
