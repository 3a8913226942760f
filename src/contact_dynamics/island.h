// An island: bodies that act on each other through contacts and joints, at a time of their own.
//
// Between events an island moves smoothly. Each of its contacts is in a mode, open, sticking or
// sliding, and the forces that keep the modes follow from a linear system (contact_forces.h); the
// motion is carried on by a Runge-Kutta method of order 5 with error control (advance.h). A mode
// ends where its force or velocity says so, and is decided anew by the complementarity problem of
// all contacts. What comes to touch at a speed is an impact (collide.h).
#pragma once

#include <vector>

#include "contact_dynamics/constraint_rows.h"
#include "contact_dynamics/contact_laws.h"
#include "model/contact_material.h"
#include "model/world_state.h"

namespace rigor::contact_dynamics {

enum class ContactMode : std::uint8_t {
    open, ///< touches, and does not push
    stick,
    slide,
};

/// The two shapes of a contact, by slot; the second as it is in another cell, if the world repeats.
struct ShapePair {
    std::uint32_t a = 0, b = 0;
    CellShift shift = {};
    auto operator<=>(const ShapePair&) const = default;
};

struct Contact {
    ShapePair shapes;
    std::uint64_t features = 0; ///< that meet: names the contact among those of the pair
    std::uint32_t a = 0, b = 0; ///< places of their bodies in the island
    Vec3d image;                ///< by how much b is moved to where it is met
    ContactGeometry geometry;
    ContactMaterial material;
    ContactMode mode = ContactMode::open;
    bool parts = false; ///< of an open one: it is about to be left
    Vec3d slip;         ///< direction in which it begins to slide, while that is too slow to tell
    Vec3d force;        ///< along tangents and normal, on b
};

struct IslandJoint {
    std::uint32_t joint = 0; ///< slot
    std::uint32_t a = 0, b = 0;
};

/// Energy that came and went; nothing is edited here.
using Works = Ledger;

inline constexpr std::uint32_t kTheWorld = UINT32_MAX;

/// A value: copied to be able to go back.
struct Island {
    double time = 0;                   ///< since the beginning of the step
    std::vector<std::uint32_t> bodies; ///< slots, or kTheWorld
    std::vector<BodyMotion> motion;
    std::vector<IslandJoint> joints;
    std::vector<ShapePair> pairs;
    std::vector<Contact> contacts; ///< that touch
    std::vector<Contact> near;     ///< of the same pairs, that may come to touch
    Works works;
    bool is_settled = false; ///< modes are decided

    std::uint32_t place_of(std::uint32_t body, const WorldState& state);
};

/// By how much the second shape of a pair is moved.
inline Vec3d image_of(const WorldState& state, const ShapePair& pair) {
    return state.cell ? state.cell->offset(pair.shift) : Vec3d{};
}

inline bool is_mover(const WorldState& state, std::uint32_t body) {
    return body != kTheWorld && is_dynamic(state.bodies, body) &&
           state.bodies.mobility[body] != Mobility::still;
}

/// What a contact got of an impact that it came into at a speed.
struct Hit {
    ShapePair shapes;
    Vec3d point, normal; ///< from a to b
    double speed = 0, impulse = 0;
};

/// What an island, or all of them, went through, for the report.
struct Story {
    int events = 0, impacts = 0;
    int impulses = 0;    ///< single ones that the impacts took
    int unsolved = 0;    ///< problems of contact that did not converge
    double residual = 0; ///< the worst merit of those that were solved
    int ambiguous = 0;   ///< impacts whose outcome depends on the order
    int fixed_steps = 0; ///< that were made instead of following events
    std::vector<Hit> hits = {};
};

void add(Story& to, const Story& from);

/// Joins another island, at the same time, to one.
void merge(Island& island, const Island& from, const WorldState& state);

std::vector<BodyMoment> moments_of(const WorldState& state, const Island& island);

ContactFrame frame_of(const Contact& contact, std::span<const BodyMoment> bodies);
Nearest<double> nearest_of(const Contact& contact, const Island& island);
/// Of all contacts of a list.
std::vector<ContactFrame> frames_of(std::span<const Contact> contacts,
                                    std::span<const BodyMoment> bodies);

std::vector<Row> joint_rows(const WorldState& state, const Island& island,
                            std::span<const BodyMoment> bodies);

/// Changes the momenta of an island by impulses.
void apply(Island& island, const WorldState& state, std::span<const Push> impulses);

} // namespace rigor::contact_dynamics
