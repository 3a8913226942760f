// The kind of a joint as recordings hold it: the fields of all kinds, those of others at their
// defaults. This is the layout of format 3, from before JointKind was a variant.
#pragma once

#include <tuple>
#include <variant>

#include "model/joint_kind.h"
#include "world/recording_archive.h"

namespace rigor {

struct RecordedJointKind {
    Vec3d anchor_b;
    Vec3d axis{0, 0, 1};
    Vec3d steer_axis{0, 0, 1};
    Quatd frame;
    std::optional<Range> limits;
    std::optional<Range> range;
    double cone = 0;
    Range twist;
    std::array<Range, 6> axes;
    JointId gear_a, gear_b;
    double gear_ratio = 1;
    std::vector<Vec3d> curve;
    bool curve_closed = false;
    std::optional<MotorDef> motor;
};

/// Copies between the fields of a kind and their places in a recording. `copy` gets both as tuples
/// of references. A kind without an overload does not compile, nor does one with another field.
template <class Copy>
struct JointKindCopy {
    RecordedJointKind& r;
    Copy copy;

    void operator()(IsA<BallJoint> auto&) const {}
    void operator()(IsA<FixedJoint> auto&) const {}
    void operator()(IsA<HingeJoint> auto& kind) const {
        auto& [axis, limits, motor] = kind;
        copy(std::tie(axis, limits, motor), std::tie(r.axis, r.limits, r.motor));
    }
    void operator()(IsA<SliderJoint> auto& kind) const {
        auto& [axis, limits, motor] = kind;
        copy(std::tie(axis, limits, motor), std::tie(r.axis, r.limits, r.motor));
    }
    void operator()(IsA<DistanceJoint> auto& kind) const {
        auto& [anchor_b, range] = kind;
        copy(std::tie(anchor_b, range), std::tie(r.anchor_b, r.range));
    }
    void operator()(IsA<ConeTwistJoint> auto& kind) const {
        auto& [axis, cone, twist] = kind;
        copy(std::tie(axis, cone, twist), std::tie(r.axis, r.cone, r.twist));
    }
    void operator()(IsA<SixDofJoint> auto& kind) const {
        auto& [frame, axes] = kind;
        copy(std::tie(frame, axes), std::tie(r.frame, r.axes));
    }
    void operator()(IsA<WheelJoint> auto& kind) const {
        auto& [axis, steer_axis, limits, motor] = kind;
        copy(std::tie(axis, steer_axis, limits, motor),
             std::tie(r.axis, r.steer_axis, r.limits, r.motor));
    }
    void operator()(IsA<GearJoint> auto& kind) const {
        auto& [a, b, ratio] = kind;
        copy(std::tie(a, b, ratio), std::tie(r.gear_a, r.gear_b, r.gear_ratio));
    }
    void operator()(IsA<TrackJoint> auto& kind) const {
        auto& [curve, closed, limits, motor] = kind;
        copy(std::tie(curve, closed, limits, motor),
             std::tie(r.curve, r.curve_closed, r.limits, r.motor));
    }
};

template <class Copy>
JointKindCopy(RecordedJointKind&, Copy) -> JointKindCopy<Copy>;

inline RecordedJointKind recorded_kind(const JointDef& def) {
    RecordedJointKind recorded;
    recorded.anchor_b = def.anchor; // also of kinds that hold both bodies at one point
    const auto copy = [](const auto& from, auto to) { to = from; };
    std::visit(JointKindCopy{recorded, copy}, def.kind);
    return recorded;
}

inline JointKind kind_of(JointType type, RecordedJointKind recorded) {
    JointKind kind = default_kind(type);
    const auto copy = [](auto to, const auto& from) { to = from; };
    std::visit(JointKindCopy{recorded, copy}, kind);
    return kind;
}

} // namespace rigor
