#include "viewer/overlay.h"

#include <algorithm>
#include <cmath>

#include "rigor/rotation.h"
#include "viewer/byte_writer.h"

namespace rigor::viewer {
namespace {

constexpr std::array<std::string_view, 7> kNames{"contacts", "bounds", "tree",  "sweep",
                                                 "axes",     "joints", "tracks"};
constexpr std::size_t kMaxEntries = 100'000; // in one message

/// The header has type, world, kind, and the count of entries, which take() fills in.
class OverlayMessage {
  public:
    OverlayMessage(std::uint8_t type, std::uint8_t world, std::uint8_t kind = 0) {
        for (const std::uint8_t byte : {type, world, kind, std::uint8_t{0}}) out_.put(byte);
        out_.put(count_);
    }
    bool full() const { return count_ >= kMaxEntries; }
    ByteWriter& next() { return ++count_, out_; }
    std::string take() {
        out_.overwrite(4, count_);
        return out_.take();
    }

  private:
    ByteWriter out_;
    std::uint32_t count_ = 0;
};

bool is_finite(const Bounds& box) {
    return rigor::is_finite(box.lo) && rigor::is_finite(box.hi);
}

enum FrictionState : std::uint8_t { no_force = 0, sticking = 1, slipping = 2 };

/// A contact slips when friction is at its limit. The coefficient is that of the two materials, as
/// `pairs` of the scene are not reported with a contact.
FrictionState friction_state(const Session& session, const ContactView& contact, double impulse) {
    if (!(impulse > 0)) return no_force;
    const World& world = session.world();
    if (!world.is_valid(contact.a.body) || !world.is_valid(contact.b.body)) return no_force;
    const double mu = std::sqrt(world.material(contact.a.shape).kinetic_friction *
                                world.material(contact.b.shape).kinetic_friction);
    return length(contact.friction) >= 0.98 * mu * impulse ? slipping : sticking;
}

std::string contacts(const Session& session, std::uint8_t world, const Vec3d& center) {
    OverlayMessage message(2, world);
    for (const ContactView& contact : session.world().contacts()) {
        double total = 0;
        for (int i = 0; i < contact.count; ++i)
            total += contact.points[static_cast<std::size_t>(i)].impulse;
        const FrictionState friction = friction_state(session, contact, total);
        for (int i = 0; i < contact.count && !message.full(); ++i) {
            const ContactPointView& point = contact.points[static_cast<std::size_t>(i)];
            const double share = total > 0 ? point.impulse / total : 1.0 / contact.count;
            ByteWriter& out = message.next();
            out.put_float3(point.point - center);
            out.put_float3(contact.normal);
            out.put_float3(contact.friction * share);
            out.put(static_cast<float>(point.impulse));
            out.put(static_cast<float>(point.separation));
            out.put(contact.a.body.index);
            out.put(contact.b.body.index);
            out.put(static_cast<std::uint32_t>(point.impulse > 0 ? friction : no_force));
            out.put(std::uint64_t{0});
        }
    }
    return message.take();
}

enum LineKind : std::uint8_t { bounds_lines, tree_lines, sweep_lines, axes_lines, track_lines };

void put_line(OverlayMessage& message, const Vec3d& a, const Vec3d& b, const Vec3d& center) {
    ByteWriter& out = message.next();
    out.put_float3(a - center);
    out.put_float3(b - center);
}

/// Calls visit(id) for the bodies of a session until the message is full.
template <class Visit>
void for_bodies(const Session& session, const OverlayMessage& message, const Visit& visit) {
    for (const SessionBody& body : *session.state().bodies)
        if (!body.id.is_null() && !message.full()) visit(body.id);
}

std::string bounds(const Session& session, std::uint8_t world, const Vec3d& center) {
    OverlayMessage message(3, world, bounds_lines);
    for_bodies(session, message, [&](BodyId id) {
        const Bounds box = session.world().bounds(id);
        if (is_finite(box)) put_line(message, box.lo, box.hi, center);
    });
    return message.take();
}

std::string tree(const Session& session, std::uint8_t world, const Vec3d& center) {
    constexpr double kMaxExtent = 1e6; // m: bounds of planes are larger
    OverlayMessage message(3, world, tree_lines);
    for (const TreeBox& node : session.world().search_boxes()) {
        const double extent =
            std::max(max_component(abs(node.box.lo)), max_component(abs(node.box.hi)));
        if (extent < kMaxExtent && !message.full())
            put_line(message, node.box.lo, node.box.hi, center);
    }
    return message.take();
}

/// The path of each center of mass in the next step, without contacts and forces.
std::string sweep(const Session& session, std::uint8_t world, const Vec3d& center) {
    OverlayMessage message(3, world, sweep_lines);
    for_bodies(session, message, [&](BodyId id) {
        const BodyState s = session.world().state(id);
        const Vec3d path = s.velocity * session.state().time_step;
        if (length_squared(path) > 1e-10) put_line(message, s.position, s.position + path, center);
    });
    return message.take();
}

/// The semi-axes of the solid ellipsoid with the same mass and inertia.
std::string axes(const Session& session, std::uint8_t world, const Vec3d& center) {
    OverlayMessage message(3, world, axes_lines);
    for_bodies(session, message, [&](BodyId id) {
        const MassProperties mass = session.world().mass_properties(id);
        if (!(mass.mass > 0)) return;
        const BodyState s = session.world().state(id);
        const PrincipalInertia principal = principal_inertia(mass.inertia);
        const double half = (principal.moments.x + principal.moments.y + principal.moments.z) / 2;
        for (int i = 0; i < 3; ++i) { // the smallest moment is about the longest axis
            const double square = 5 * (half - principal.moments[i]) / mass.mass;
            const Vec3d axis = rotate(s.orientation, principal.axes.column(i));
            put_line(message, s.position, s.position + axis * std::sqrt(std::max(square, 0.0)),
                     center);
        }
    });
    return message.take();
}

std::optional<Vec3d> axis_of(const JointKind& kind) {
    const auto axis = [](const auto& k) -> std::optional<Vec3d> {
        if constexpr (requires { k.axis; }) return k.axis;
        return std::nullopt;
    };
    return std::visit(axis, kind);
}

/// Where an angle of 0 points: across the axis, from the anchor to the initial position of b, or of
/// a where b is the world.
Vec3d zero_direction(const Session& session, const SceneJoint& joint, const Vec3d& axis) {
    const std::int32_t body = joint.b >= 0 ? joint.b : joint.a;
    const BodyDef& def = session.scene().bodies[static_cast<std::size_t>(body)].def;
    const Vec3d arm = def.position - joint.def.anchor;
    const Vec3d across = arm - axis * dot(axis, arm);
    const double size = length(across);
    return size > 1e-6 ? across / size : perpendicular(axis);
}

/// An initial direction rotated with body a; unchanged where a is the world.
Vec3d rotated_with_a(const Session& session, const SceneJoint& joint, const Vec3d& direction) {
    const BodyId a = session.joint_body(joint.a);
    if (a.is_null()) return direction;
    const Quatd start = session.scene().bodies[static_cast<std::size_t>(joint.a)].def.orientation;
    return rotate(session.world().pose(a).q, inverse_rotate(start, direction));
}

Range limits_of(const JointKind& kind) {
    const auto limits = [](const auto& k) {
        if constexpr (requires { k.limits; })
            return k.limits.value_or(Range{});
        else if constexpr (requires { k.range; })
            return k.range.value_or(Range{});
        else
            return Range{};
    };
    return std::visit(limits, kind);
}

std::string joints(const Session& session, std::uint8_t world, const Vec3d& center) {
    OverlayMessage message(4, world);
    for (std::size_t i = 0; i < session.scene().joints.size() && !message.full(); ++i) {
        const JointId id = session.joint(i);
        if (!session.world().is_valid(id)) continue;
        const SceneJoint& joint = session.scene().joints[i];
        const JointState now = session.world().joint_state(id);
        const Range limits = limits_of(joint.def.kind);
        ByteWriter& out = message.next();
        out.put(static_cast<std::uint32_t>(i));
        out.put_float3(now.anchor_a - center);
        out.put_float3(now.anchor_b - center);
        const std::optional<Vec3d> axis = axis_of(joint.def.kind);
        out.put_float3(axis ? rotated_with_a(session, joint, *axis) : Vec3d{});
        for (const double x : {now.coordinate, limits.lo, limits.hi, now.error, length(now.force)})
            out.put(static_cast<float>(x));
        out.put(static_cast<std::uint32_t>(joint.def.type()));
        out.put_float3(axis ? rotated_with_a(session, joint, zero_direction(session, joint, *axis))
                            : Vec3d{});
    }
    return message.take();
}

/// Where several joints hold a body to one curve, it is drawn once.
std::string tracks(const Session& session, std::uint8_t world, const Vec3d& center) {
    constexpr std::size_t kPoints = 400; // of a curve
    OverlayMessage message(3, world, track_lines);
    std::vector<const SceneJoint*> drawn;
    for (std::size_t i = 0; i < session.scene().joints.size(); ++i) {
        const SceneJoint& joint = session.scene().joints[i];
        const auto is_of_same_curve = [&](const SceneJoint* other) {
            const auto &a = std::get<TrackJoint>(other->def.kind),
                       &b = std::get<TrackJoint>(joint.def.kind);
            return other->b == joint.b && a.curve == b.curve && a.closed == b.closed;
        };
        const JointId id = session.joint(i);
        if (joint.def.type() != JointType::track || !session.world().is_valid(id)) continue;
        if (std::any_of(drawn.begin(), drawn.end(), is_of_same_curve)) continue;
        const std::vector<Vec3d> points = session.world().track_points(id, kPoints);
        for (std::size_t k = 1; k < points.size() && !message.full(); ++k)
            put_line(message, points[k - 1], points[k], center);
        drawn.push_back(&joint);
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

std::string encode_overlay(Overlay overlay, const Session& session, std::uint8_t world,
                           const Vec3d& center) {
    switch (overlay) {
        case Overlay::contacts:
            return contacts(session, world, center);
        case Overlay::bounds:
            return bounds(session, world, center);
        case Overlay::tree:
            return tree(session, world, center);
        case Overlay::sweep:
            return sweep(session, world, center);
        case Overlay::axes:
            return axes(session, world, center);
        case Overlay::joints:
            return joints(session, world, center);
        case Overlay::tracks:
            return tracks(session, world, center);
    }
    return {};
}

} // namespace rigor::viewer
