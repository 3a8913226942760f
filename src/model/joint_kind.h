// Joint kinds by type: JointType is the index of JointKind.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

#include "rigor/joint.h"

namespace rigor {

inline constexpr std::size_t kJointTypeCount = std::variant_size_v<JointKind>;

template <JointType type>
using JointKindOf = std::variant_alternative_t<static_cast<std::size_t>(type), JointKind>;

static_assert(std::is_same_v<JointKindOf<JointType::ball>, BallJoint>);
static_assert(std::is_same_v<JointKindOf<JointType::hinge>, HingeJoint>);
static_assert(std::is_same_v<JointKindOf<JointType::slider>, SliderJoint>);
static_assert(std::is_same_v<JointKindOf<JointType::fixed>, FixedJoint>);
static_assert(std::is_same_v<JointKindOf<JointType::distance>, DistanceJoint>);
static_assert(std::is_same_v<JointKindOf<JointType::cone_twist>, ConeTwistJoint>);
static_assert(std::is_same_v<JointKindOf<JointType::six_dof>, SixDofJoint>);
static_assert(std::is_same_v<JointKindOf<JointType::wheel>, WheelJoint>);
static_assert(std::is_same_v<JointKindOf<JointType::gear>, GearJoint>);
static_assert(std::is_same_v<JointKindOf<JointType::track>, TrackJoint>);
static_assert(std::size(kJointTypeNames) == kJointTypeCount);
static_assert(static_cast<std::size_t>(JointType::track) + 1 == kJointTypeCount);

/// A joint kind of this type, with the default of every field.
inline JointKind default_kind(JointType type) {
    JointKind kind;
    [&]<std::size_t... I>(std::index_sequence<I...>) {
        ((static_cast<std::size_t>(type) == I ? void(kind.emplace<I>()) : void()), ...);
    }
    (std::make_index_sequence<kJointTypeCount>());
    return kind;
}

} // namespace rigor
