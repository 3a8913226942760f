// Joints of a scene file.

#include <algorithm>
#include <cmath>

#include "model/joint_kind.h"
#include "scene/scene_draft.h"
#include "scene/suggestion.h"

namespace rigor {

namespace {

constexpr Range kLocked{0, 0};

/// Whether the anchor decides what a joint does.
bool needs_anchor(JointType type) {
    switch (type) {
        case JointType::ball:
        case JointType::hinge:
        case JointType::cone_twist:
        case JointType::six_dof:
        case JointType::wheel:
            return true;
        case JointType::slider:
        case JointType::fixed:
        case JointType::distance:
        case JointType::gear:
        case JointType::track:
            return false;
    }
    return false;
}

/// [lo, hi], "free" or "locked".
Range read_axis_limits(const Field& field) {
    if (!field.given()) return kLocked;
    if (!field.is(JsonKind::string)) return field.range(kLocked);
    return field.one_of({"free", "locked"}, 1) == 0 ? Range{} : kLocked;
}

// The fields that only this kind of joint has, apart from places, limits and motor.

void read_kind(ObjectReader&, BallJoint&) {}
void read_kind(ObjectReader&, FixedJoint&) {}
void read_kind(ObjectReader&, GearJoint&) {} // read_gear(): it needs the other joints

void read_kind(ObjectReader& o, HingeJoint& hinge) {
    hinge.axis = o.required("axis").direction();
}

void read_kind(ObjectReader& o, SliderJoint& slider) {
    slider.axis = o.required("axis").direction();
}

void read_kind(ObjectReader& o, DistanceJoint& distance) {
    const Field length = o.optional("length"), range = o.optional("range");
    o.at_most_one({"length", "range"});
    if (length.given()) distance.range = Range{length.positive(), length.positive()};
    if (range.given()) {
        distance.range = range.range({0, 1});
        if (distance.range->lo < 0) range.fail("must not be negative");
    }
}

void read_kind(ObjectReader& o, ConeTwistJoint& shoulder) {
    constexpr double kHalfTurn = 3.14159265358979323846;
    shoulder.axis = o.required("axis").direction();
    shoulder.cone = o.required("cone").within(0, kHalfTurn, 0);
    const Field twist = o.optional("twist");
    if (twist.is(JsonKind::number)) {
        const double most = twist.non_negative();
        shoulder.twist = {-most, most};
    } else {
        shoulder.twist = twist.range();
    }
}

void read_kind(ObjectReader& o, SixDofJoint& six_dof) {
    six_dof.frame = o.optional("frame").orientation();
    six_dof.axes.fill(kLocked);
    const Field limits = o.optional("limits");
    if (!limits.given()) return;
    ObjectReader axes(limits, "six_dof limits");
    static constexpr std::string_view kNames[] = {"tx", "ty", "tz", "rx", "ry", "rz"};
    for (std::size_t i = 0; i < 6; ++i)
        six_dof.axes[i] = read_axis_limits(axes.optional(kNames[i]));
}

void read_kind(ObjectReader& o, WheelJoint& wheel) {
    const Field axis = o.required("axis"), steer = o.optional("steer_axis");
    wheel.axis = axis.direction({0, 1, 0});
    wheel.steer_axis = steer.direction();
    if (std::abs(dot(wheel.axis, wheel.steer_axis)) > 0.999)
        axis.fail("must not be parallel to steer_axis");
}

void read_kind(ObjectReader& o, TrackJoint& track) {
    const Field curve = o.required("curve");
    for (const Field& point : curve.items(2)) {
        const Vec3d p = point.vec3();
        if (!track.curve.empty() && p == track.curve.back())
            point.fail("must differ from the point before");
        track.curve.push_back(p);
    }
    track.closed = o.optional("closed").boolean(false);
    if (track.closed && track.curve.size() < 3)
        curve.fail("must have at least 3 points to be closed, got 2");
    else if (track.closed && track.curve.front() == track.curve.back())
        curve.fail("must not end where it begins: a closed curve leads back by itself");
}

void warn_of_useless(std::string_view what, const ObjectReader& o, JointType type, Scene& scene) {
    if (o.failed()) return;
    scene.warnings.push_back(o.field().path() + ": " + std::string(what) + " not apply to a " +
                             std::string(kJointTypeNames[static_cast<std::size_t>(type)]) +
                             " joint");
}

// A joint of any type may be given limits and a motor, so that its type can be changed alone. Kinds
// that have none ignore them, with a warning. The limits of a six_dof joint are read with its kind.
void read_limits_and_motor(ObjectReader& o, JointDef& def, Scene& scene) {
    std::optional<Range> limits;
    if (def.type() != JointType::six_dof) {
        const Field field = o.optional("limits");
        if (field.given()) limits = field.range();
    }
    const std::optional<MotorDef> motor = read_motor(o.optional("motor"));
    const auto keep = [&](auto& kind) {
        if constexpr (requires {
                          kind.limits;
                          kind.motor;
                      }) {
            kind.limits = limits;
            kind.motor = motor;
        } else {
            if (limits) warn_of_useless("limits do", o, def.type(), scene);
            if (motor) warn_of_useless("motor does", o, def.type(), scene);
        }
    };
    std::visit(keep, def.kind);
}

bool has_motor(const JointDef& def) {
    return std::visit(
        [](const auto& kind) {
            if constexpr (requires { kind.motor; })
                return kind.motor.has_value();
            else
                return false;
        },
        def.kind);
}

bool is_open(const std::optional<Range>& range) {
    return !range || range->lo < range->hi;
}

/// Whether the joint leaves a coordinate along which something could act.
bool has_open_coordinate(const JointDef& def) {
    if (const auto* hinge = std::get_if<HingeJoint>(&def.kind)) return is_open(hinge->limits);
    if (const auto* slider = std::get_if<SliderJoint>(&def.kind)) return is_open(slider->limits);
    if (const auto* track = std::get_if<TrackJoint>(&def.kind)) return is_open(track->limits);
    if (const auto* rod = std::get_if<DistanceJoint>(&def.kind))
        return rod->range && is_open(rod->range);
    if (const auto* shoulder = std::get_if<ConeTwistJoint>(&def.kind))
        return shoulder->cone > 0 || is_open(shoulder->twist);
    if (const auto* six_dof = std::get_if<SixDofJoint>(&def.kind))
        return std::any_of(six_dof->axes.begin(), six_dof->axes.end(),
                           [](const Range& range) { return is_open(range); });
    return true;
}

/// A spring of a locked hinge, slider or wheel would act along its coordinate; others soften.
void warn_of_locked_joint(const ObjectReader& o, const JointDef& def, bool has_motor,
                          Scene& scene) {
    if (o.failed() || has_open_coordinate(def)) return;
    const bool is_spring_idle =
        def.spring && (def.type() == JointType::hinge || def.type() == JointType::slider);
    for (const auto& [is_given, key] :
         {std::pair(def.friction > 0, "friction"), std::pair(has_motor, "motor"),
          std::pair(is_spring_idle, "spring")})
        if (is_given)
            scene.warnings.push_back(o.field().path() + ": " + key +
                                     " does nothing, since the joint is locked");
}

bool carries_torque(JointType type) {
    return type != JointType::ball && type != JointType::distance && type != JointType::track;
}

void read_own_fields(ObjectReader& o, JointDef& def) {
    std::visit([&](auto& kind) { read_kind(o, kind); }, def.kind);
}

// What joints have in common, apart from names and places.
void read_common_fields(ObjectReader& o, JointDef& def, Scene& scene) {
    read_limits_and_motor(o, def, scene);
    def.spring = read_spring(o.optional("spring"));
    const double friction = o.optional("friction").non_negative();
    const bool can_rub = def.type() != JointType::gear && def.type() != JointType::fixed;
    if (can_rub) def.friction = friction;
    if (!can_rub && friction > 0) warn_of_useless("friction does", o, def.type(), scene);
    def.break_force = o.optional("break_force").positive(def.break_force);
    const Field torque = o.optional("break_torque");
    def.break_torque = torque.positive(def.break_torque);
    if (torque.given() && !carries_torque(def.type()))
        warn_of_useless("break_torque does", o, def.type(), scene);
    def.collide = o.optional("collide").boolean(false);
    warn_of_locked_joint(o, def, has_motor(def), scene);
}

/// A joint of the type that is given, with all else at its default.
JointDef read_type(ObjectReader& o, const std::string& what) {
    static const std::vector<std::string_view> kNames(std::begin(kJointTypeNames),
                                                      std::end(kJointTypeNames));
    const std::size_t type = o.required("type").one_of(kNames, 0);
    o.set_kind(what + " " + std::string(kNames[type]));
    return {.kind = default_kind(static_cast<JointType>(type))};
}

std::int32_t find_joint(const Field& field, const FileScope& scope) {
    const std::string name = field.name();
    const auto found = scope.draft.joints.find(scope.prefix + name);
    if (found != scope.draft.joints.end()) {
        const JointType type =
            scope.draft.scene.joints[static_cast<std::size_t>(found->second)].def.type();
        if (type != JointType::hinge && type != JointType::slider)
            field.fail_got("must name a hinge or a slider");
        return found->second;
    }
    if (field.failed()) return -1;
    std::vector<std::string_view> known;
    for (const SceneJoint& joint : scope.draft.scene.joints) known.push_back(joint.def.name);
    field.fail("names an unknown joint \"" + name + "\"" + did_you_mean(name, known),
               ErrorCode::not_found);
    return -1;
}

void read_gear(ObjectReader& o, SceneJoint& joint, GearJoint& gear, FileScope& scope) {
    const Field pair = o.required("joints");
    gear.ratio = o.required("ratio").number(1);
    if (gear.ratio == 0) o.field().fail("has the ratio 0, which couples nothing");
    const std::vector<Field> joints = pair.items(2, 2);
    if (joints.size() != 2) return;
    joint.gear_a = find_joint(joints[0], scope);
    joint.gear_b = find_joint(joints[1], scope);
    if (joint.gear_a == joint.gear_b) pair.fail("must name two different joints");
    const Field a = o.optional("a"), b = o.optional("b"), anchor = o.optional("anchor");
    find_body(a, scope), find_body(b, scope), anchor.vec3();
    if (a.given() || b.given())
        warn_of_useless("a and b do", o, JointType::gear, scope.draft.scene);
    if (anchor.given()) warn_of_useless("anchor does", o, JointType::gear, scope.draft.scene);
}

/// The place of a body's frame before the file's own pose is applied: what anchors are
/// written in.
Vec3d local_position(std::int32_t body, const FileScope& scope) {
    if (body == SceneJoint::kWorld) return {};
    return inverse_transform(scope.pose,
                             scope.draft.scene.bodies[static_cast<std::size_t>(body)].def.position);
}

void read_attachment(ObjectReader& o, SceneJoint& joint, FileScope& scope) {
    const Field a = o.required("a"), b = o.optional("b"), anchor = o.optional("anchor");
    joint.a = find_body(a, scope);
    joint.b = find_body(b, scope);
    if (joint.a == joint.b && a.given())
        o.field().fail(joint.a == SceneJoint::kWorld ? "joins the world to itself"
                                                     : "joins a body to itself");
    JointDef& def = joint.def;
    if (needs_anchor(def.type())) o.need("anchor");
    const std::int32_t first = joint.a == SceneJoint::kWorld ? joint.b : joint.a;
    def.anchor = anchor.vec3(local_position(first, scope));
    auto* distance = std::get_if<DistanceJoint>(&def.kind);
    if (!distance) return;
    // The point of a and the point of b, each by default the origin of its body. The world has
    // no origin worth a default: an anchor that stands alone is the point of the world.
    const Field anchor_b = o.optional("anchor_b");
    const bool to_world = joint.b == SceneJoint::kWorld;
    if (joint.a == SceneJoint::kWorld || (to_world && !anchor_b.given())) o.need("anchor");
    if (to_world && !anchor_b.given()) def.anchor = local_position(joint.a, scope);
    distance->anchor_b =
        to_world ? anchor_b.vec3(anchor.vec3()) : anchor_b.vec3(local_position(joint.b, scope));
}

/// A joint moves dynamic bodies only. Between two others it may be there to be read, so it stays.
void warn_of_idle_joint(const Field& item, const SceneJoint& joint, Scene& scene) {
    if (item.failed() || joint.def.type() == JointType::gear) return;
    for (const std::int32_t index : {joint.a, joint.b})
        if (index != SceneJoint::kWorld &&
            scene.bodies[static_cast<std::size_t>(index)].def.type == BodyType::dynamic_body)
            return;
    scene.warnings.push_back(item.path() + ": moves nothing, since it joins no dynamic body");
}

// A joint of the file. Gears come last, when the joints they couple are there.
void read_joint(const Field& item, FileScope& scope) {
    SceneJoint joint;
    ObjectReader o(item, "joint");
    std::string name = o.optional("name").name();
    joint.def = read_type(o, "joint");
    if (o.failed()) return;
    if (auto* gear = std::get_if<GearJoint>(&joint.def.kind)) {
        read_gear(o, joint, *gear, scope);
    } else {
        read_attachment(o, joint, scope);
    }
    read_own_fields(o, joint.def);
    read_common_fields(o, joint.def, scope.draft.scene);
    o.done();
    warn_of_idle_joint(item, joint, scope.draft.scene);
    if (name.empty()) name = "joints[" + std::to_string(scope.draft.scene.joints.size()) + "]";
    add_joint(std::move(joint), name, item, scope);
}

/// Moves the points and axes of a kind from the frame of its file to the world.
struct KindMover {
    const Posed& pose;

    void operator()(BallJoint&) const {}
    void operator()(FixedJoint&) const {}
    void operator()(GearJoint&) const {}
    void operator()(HingeJoint& hinge) const { hinge.axis = rotate(pose.q, hinge.axis); }
    void operator()(SliderJoint& slider) const { slider.axis = rotate(pose.q, slider.axis); }
    void operator()(DistanceJoint& distance) const {
        distance.anchor_b = transform(pose, distance.anchor_b);
    }
    void operator()(ConeTwistJoint& shoulder) const {
        shoulder.axis = rotate(pose.q, shoulder.axis);
    }
    void operator()(SixDofJoint& six_dof) const { six_dof.frame = pose.q * six_dof.frame; }
    void operator()(WheelJoint& wheel) const {
        wheel.axis = rotate(pose.q, wheel.axis);
        wheel.steer_axis = rotate(pose.q, wheel.steer_axis);
    }
    void operator()(TrackJoint& track) const {
        for (Vec3d& point : track.curve) point = transform(pose, point);
    }
};

} // namespace

std::optional<SpringDef> read_spring(const Field& field) {
    if (!field.given()) return std::nullopt;
    SpringDef spring;
    ObjectReader o(field, "spring");
    spring.frequency_hz = o.required("frequency_hz").positive();
    spring.damping_ratio = o.optional("damping_ratio").non_negative();
    return spring;
}

std::optional<MotorDef> read_motor(const Field& field) {
    if (!field.given()) return std::nullopt;
    MotorDef motor;
    ObjectReader o(field, "motor");
    const Field velocity = o.optional("target_velocity"), position = o.optional("target_position");
    o.exactly_one({"target_velocity", "target_position"});
    if (velocity.given()) motor.target_velocity = velocity.number();
    if (position.given()) motor.target_position = position.number();
    motor.max_force = o.optional("max_force").non_negative(motor.max_force);
    return motor;
}

JointDef read_joint_template(const Field& field, Scene& scene) {
    ObjectReader o(field, "joint template");
    JointDef def = read_type(o, "joint template");
    if (def.type() == JointType::gear || def.type() == JointType::track)
        field.fail("of a chain may not be a gear or a track");
    read_own_fields(o, def);
    read_common_fields(o, def, scene);
    return def;
}

void read_joints(const Field& field, FileScope& scope) {
    if (!field.given()) return;
    const std::vector<Field> items = field.items();
    for (const bool gears : {false, true})
        for (const Field& item : items)
            if (item.says("type", "gear") == gears) read_joint(item, scope);
}

void add_joint(SceneJoint joint, const std::string& name, const Field& field, FileScope& scope) {
    if (field.failed()) return;
    JointDef& def = joint.def;
    def.name = scope.prefix + name;
    def.anchor = transform(scope.pose, def.anchor);
    std::visit(KindMover{scope.pose}, def.kind);
    const auto index = static_cast<std::int32_t>(scope.draft.scene.joints.size());
    if (!scope.draft.joints.emplace(def.name, index).second)
        return field.fail("repeats the joint name \"" + def.name + "\"");
    scope.draft.scene.joints.push_back(std::move(joint));
}

} // namespace rigor
