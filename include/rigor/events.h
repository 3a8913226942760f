// Contact, sensor, joint and sleep events of a step, in the order of ids; contacts and hooks.
#pragma once

#include <array>
#include <functional>
#include <vector>

#include "rigor/ids.h"
#include "rigor/vec.h"

namespace rigor {

/// One of the two shapes of a contact.
struct ContactSide {
    BodyId body;
    ShapeId shape;
    auto operator<=>(const ContactSide&) const = default;
};

/// Two shapes began or ceased to touch.
struct ContactPairEvent {
    ContactSide a, b;
    friend auto operator<=>(const ContactPairEvent&, const ContactPairEvent&) = default;
};

/// Two shapes collided at WorldSettings::hit_speed (1 m/s by default) or more. `fast` reports one
/// hit per pair and step, `faithful` one per contact point; an impact that lasts longer than a step
/// is reported in each of them.
struct ContactHit {
    ContactSide a, b;
    Vec3d point;
    Vec3d normal;       ///< from a to b
    double speed = 0;   ///< of approach, m/s
    double impulse = 0; ///< along the normal, of the whole step, N s
};

/// A shape entered a sensor, or left it.
struct SensorEvent {
    ContactSide sensor, visitor;
    friend auto operator<=>(const SensorEvent&, const SensorEvent&) = default;
};

/// Events of one step, in the order of the ids. An id may be stale if the body or joint was
/// removed.
struct Events {
    std::vector<ContactPairEvent> begun, ended;
    std::vector<ContactHit> hits;
    std::vector<SensorEvent> entered, left;
    std::vector<JointId> broken;
    std::vector<BodyId> slept, woken;
    std::vector<BodyId> moved; ///< by the step: all awake bodies

    /// Empties all lists, and keeps their memory.
    void clear() {
        begun.clear(), ended.clear(), hits.clear(), entered.clear(), left.clear();
        broken.clear(), slept.clear(), woken.clear(), moved.clear();
    }
};

struct ContactPointView {
    /// Midway between the surfaces, at the beginning of the step; for a fast rotating body under
    /// `fast`, in the middle of the last substep.
    Vec3d point;
    double separation = 0; ///< negative: penetration; positive: near, not touching
    double impulse = 0;    ///< along the normal, of the whole step, N s
};

/// A manifold as it was solved in the last step. Normal impulses and friction of all contacts of a
/// body add up to its change of momentum minus that by gravity, forces and joints. Therefore
/// contacts that ended within the step are listed, too; under `faithful` and the methods from the
/// literature as one entry for each pair of shapes.
struct ContactView {
    ContactSide a, b;
    Vec3d normal;   ///< from a to b
    Vec3d friction; ///< impulse on b across the normal, of the whole step, N s
    std::array<ContactPointView, 4> points;
    int count = 0;
};

/// Properties of a contact that a hook may change before it is solved, for this step.
struct ContactChoice {
    bool enabled = true;
    double friction = 0;
    double restitution = 0;
    Vec3d surface_velocity; ///< of b relative to a, in addition to that of the materials, m/s
};

/// Callbacks during a step of `fast`, called one at a time, in the order of the ids. They may read
/// the world; changing it throws UsageError. For deterministic runs they must depend on their
/// arguments alone. An exception thrown by a hook is passed on by step(), and the world is as it
/// was before the step: for this, a world with hooks copies its state in every step.
struct ContactHooks {
    /// Whether two shapes may collide; called once, when their bounds begin to overlap.
    std::function<bool(const ContactSide& a, const ContactSide& b)> filter = {};
    /// Called for every manifold in every step; impulses are those of the step before.
    std::function<void(const ContactView& contact, ContactChoice& choice)> modify = {};
};

} // namespace rigor
