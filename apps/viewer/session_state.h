// The state of a session beside its world. It is part of every keyframe.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "rigor/simulation.h"

namespace rigor::viewer {

/// A body and the definition it was made from.
struct SessionBody {
    BodyId id;
    std::shared_ptr<const SceneBody> definition; ///< null: the slot is free
};

/// A spring between a point of a body and a target in the world, moved by a user.
struct Drag {
    int user = 0;
    BodyId body;
    Vec3d point; ///< body frame
    Vec3d target;
    double stiffness = 0; ///< N/m
    Vec3d force;          ///< of the last step
};

struct SessionState {
    /// By slot. Keyframes share it, so it is replaced and never modified.
    std::shared_ptr<const std::vector<SessionBody>> bodies;
    std::vector<Drag> drags;           ///< in the order of users
    std::vector<std::string> keys;     ///< pressed now, as KeyboardEvent.code
    std::vector<std::uint32_t> frozen; ///< slots, ascending
    double time_step = 1.0 / 60;
    int created = 0; ///< bodies thrown, dropped and duplicated so far: for their names
};

/// The body in a slot; null when the slot is free.
inline BodyId body_at(const SessionState& state, std::uint32_t slot) {
    return slot < state.bodies->size() ? (*state.bodies)[slot].id : BodyId{};
}

} // namespace rigor::viewer
