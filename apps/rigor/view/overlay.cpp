#include "view/overlay.h"

#include <algorithm>
#include <cmath>

#include "rigor/rotation.h"
#include "view/frame.h"

namespace rigor::view {
namespace {

constexpr std::array<std::string_view, 6> kNames{"contacts", "bounds", "tree",
                                                 "sweep",    "axes",   "joints"};
constexpr std::size_t kMost = 100'000; // of anything in one message

/// Type, world, a byte of detail, and the count that is filled in at the end.
class Message {
  public:
    Message(std::uint8_t type, std::uint8_t world, std::uint8_t detail = 0) {
        for (const std::uint8_t byte : {type, world, detail, std::uint8_t{0}}) out_.put(byte);
        out_.put(count_);
    }
    bool full() const { return count_ >= kMost; }
    BytesOut& next() { return ++count_, out_; }
    std::string take() {
        out_.overwrite(4, count_);
        return out_.take();
    }

  private:
    BytesOut out_;
    std::uint32_t count_ = 0;
};

bool is_finite(const Bounds& box) {
    return rigor::is_finite(box.lo) && rigor::is_finite(box.hi);
}

enum Kind : std::uint8_t { no_force = 0, sticks = 1, slips = 2 };

/// Friction at its limit slips. Which coefficient applies is not told with the contact; that of the
/// materials that meet is what nearly all have.
Kind kind_of(const Stage& stage, const ContactView& contact, double impulse) {
    if (!(impulse > 0)) return no_force;
    const World& world = stage.world();
    if (!world.is_valid(contact.a.body) || !world.is_valid(contact.b.body)) return no_force;
    const double mu = std::sqrt(world.material(contact.a.shape).kinetic_friction *
                                world.material(contact.b.shape).kinetic_friction);
    return length(contact.friction) >= 0.98 * mu * impulse ? slips : sticks;
}

std::string contacts(const Stage& stage, std::uint8_t world, const Vec3d& middle) {
    Message message(2, world);
    for (const ContactView& contact : stage.world().contacts()) {
        double total = 0;
        for (int i = 0; i < contact.count; ++i)
            total += contact.points[static_cast<std::size_t>(i)].impulse;
        const Kind kind = kind_of(stage, contact, total);
        for (int i = 0; i < contact.count && !message.full(); ++i) {
            const ContactPointView& point = contact.points[static_cast<std::size_t>(i)];
            const double share = total > 0 ? point.impulse / total : 1.0 / contact.count;
            BytesOut& out = message.next();
            out.put_point(point.point - middle);
            out.put_point(contact.normal);
            out.put_point(contact.friction * share);
            out.put(static_cast<float>(point.impulse));
            out.put(static_cast<float>(point.separation));
            out.put(contact.a.body.index);
            out.put(contact.b.body.index);
            out.put(static_cast<std::uint32_t>(point.impulse > 0 ? kind : no_force));
            out.put(std::uint64_t{0});
        }
    }
    return message.take();
}

enum Lines : std::uint8_t { bounds_lines, tree_lines, sweep_lines, axes_lines };

void put_line(Message& message, const Vec3d& a, const Vec3d& b, const Vec3d& middle) {
    BytesOut& out = message.next();
    out.put_point(a - middle);
    out.put_point(b - middle);
}

/// Calls visit(id) for the bodies of a stage until the message is full.
template <class Visit>
void for_bodies(const Stage& stage, const Message& message, const Visit& visit) {
    for (const Member& member : *stage.state().members)
        if (!member.id.is_null() && !message.full()) visit(member.id);
}

std::string bounds(const Stage& stage, std::uint8_t world, const Vec3d& middle) {
    Message message(3, world, bounds_lines);
    for_bodies(stage, message, [&](BodyId id) {
        const Bounds box = stage.world().bounds(id);
        if (is_finite(box)) put_line(message, box.lo, box.hi, middle);
    });
    return message.take();
}

std::string tree(const Stage& stage, std::uint8_t world, const Vec3d& middle) {
    constexpr double kFar = 1e6; // boxes of planes reach farther
    Message message(3, world, tree_lines);
    for (const TreeBox& node : stage.world().search_boxes()) {
        const double reach =
            std::max(max_component(abs(node.box.lo)), max_component(abs(node.box.hi)));
        if (reach < kFar && !message.full()) put_line(message, node.box.lo, node.box.hi, middle);
    }
    return message.take();
}

/// Where the centers of mass go within the next step, if nothing stops them.
std::string sweep(const Stage& stage, std::uint8_t world, const Vec3d& middle) {
    Message message(3, world, sweep_lines);
    for_bodies(stage, message, [&](BodyId id) {
        const BodyState s = stage.world().state(id);
        const Vec3d path = s.velocity * stage.state().time_step;
        if (length_squared(path) > 1e-10) put_line(message, s.position, s.position + path, middle);
    });
    return message.take();
}

/// Half as long as the solid ellipsoid of the same inertia, in each direction.
std::string axes(const Stage& stage, std::uint8_t world, const Vec3d& middle) {
    Message message(3, world, axes_lines);
    for_bodies(stage, message, [&](BodyId id) {
        const MassProperties mass = stage.world().mass_properties(id);
        if (!(mass.mass > 0)) return;
        const BodyState s = stage.world().state(id);
        const PrincipalInertia principal = principal_inertia(mass.inertia);
        const double half = (principal.moments.x + principal.moments.y + principal.moments.z) / 2;
        for (int i = 0; i < 3; ++i) { // the smallest moment is about the longest axis
            const double square = 5 * (half - principal.moments[i]) / mass.mass;
            const Vec3d axis = rotate(s.orientation, principal.axes.column(i));
            put_line(message, s.position, s.position + axis * std::sqrt(std::max(square, 0.0)),
                     middle);
        }
    });
    return message.take();
}

bool has_axis(JointType type) {
    return type == JointType::hinge || type == JointType::slider || type == JointType::cone_twist ||
           type == JointType::wheel;
}

/// Across the axis, from the anchor to where b (else a) was at the start.
Vec3d zero_of(const Stage& stage, const SceneJoint& joint) {
    const std::int32_t body = joint.b >= 0 ? joint.b : joint.a;
    const BodyDef& def = stage.scene().bodies[static_cast<std::size_t>(body)].def;
    const Vec3d arm = def.position - joint.def.anchor;
    const Vec3d across = arm - joint.def.axis * dot(joint.def.axis, arm);
    const double size = length(across);
    return size > 1e-6 ? across / size : perpendicular(joint.def.axis);
}

/// A direction of the start that goes with a, where there is an a.
Vec3d carried_by_a(const Stage& stage, const SceneJoint& joint, const Vec3d& direction) {
    const BodyId a = stage.joined(joint.a);
    if (a.is_null()) return direction;
    const Quatd start = stage.scene().bodies[static_cast<std::size_t>(joint.a)].def.orientation;
    return rotate(stage.world().pose(a).q, inverse_rotate(start, direction));
}

Range limits_of(const JointDef& def) {
    return def.limits ? *def.limits : def.range.value_or(Range{});
}

std::string joints(const Stage& stage, std::uint8_t world, const Vec3d& middle) {
    Message message(4, world);
    for (std::size_t i = 0; i < stage.scene().joints.size() && !message.full(); ++i) {
        const JointId id = stage.joint(i);
        if (!stage.world().is_valid(id)) continue;
        const SceneJoint& joint = stage.scene().joints[i];
        const JointState now = stage.world().joint_state(id);
        const Range limits = limits_of(joint.def);
        BytesOut& out = message.next();
        out.put(static_cast<std::uint32_t>(i));
        out.put_point(now.anchor_a - middle);
        out.put_point(now.anchor_b - middle);
        const bool turns = has_axis(joint.def.type);
        out.put_point(turns ? carried_by_a(stage, joint, joint.def.axis) : Vec3d{});
        for (const double x : {now.coordinate, limits.lo, limits.hi, now.error, length(now.force)})
            out.put(static_cast<float>(x));
        out.put(static_cast<std::uint32_t>(joint.def.type));
        out.put_point(turns ? carried_by_a(stage, joint, zero_of(stage, joint)) : Vec3d{});
    }
    return message.take();
}

} // namespace

std::string_view name(Overlay overlay) {
    return kNames[static_cast<std::size_t>(overlay)];
}

std::optional<Overlay> overlay_named(std::string_view text) {
    for (const Overlay overlay : kOverlays)
        if (name(overlay) == text) return overlay;
    return std::nullopt;
}

std::string encode_overlay(Overlay overlay, const Stage& stage, std::uint8_t world,
                           const Vec3d& middle) {
    switch (overlay) {
        case Overlay::contacts:
            return contacts(stage, world, middle);
        case Overlay::bounds:
            return bounds(stage, world, middle);
        case Overlay::tree:
            return tree(stage, world, middle);
        case Overlay::sweep:
            return sweep(stage, world, middle);
        case Overlay::axes:
            return axes(stage, world, middle);
        case Overlay::joints:
            return joints(stage, world, middle);
    }
    return {};
}

} // namespace rigor::view
