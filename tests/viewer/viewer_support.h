// Sessions and actions for the tests of the viewer.
#pragma once

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "test_support.h"
#include "viewer/session.h"

namespace rigor::viewer {

/// A floor, ten boxes in a stack and a ball that rolls, with gravity.
inline const char* const kStackScene = R"({
  "rigor": 1, "name": "stack",
  "materials": { "wood": { "friction": 0.5, "density": 700 } },
  "bodies": [
    { "name": "floor", "type": "static", "shapes": [ { "type": "plane", "normal": [0, 0, 1], "material": "wood" } ] },
    { "name": "ball", "position": [-3, 0, 0.5], "velocity": [4, 0, 0],
      "shapes": [ { "type": "sphere", "radius": 0.5, "material": "wood" } ] } ],
  "generate": [
    { "name": "tower", "pattern": "stack", "count": 10,
      "body": { "shapes": [ { "type": "box", "size": [1, 1, 1], "material": "wood" } ] } } ]
})";

/// For methods that take their time.
inline const char* const kBallScene = R"({
  "rigor": 1, "name": "ball",
  "bodies": [
    { "name": "floor", "type": "static", "shapes": [ { "type": "plane", "normal": [0, 0, 1], "restitution": 0.5 } ] },
    { "name": "ball", "position": [0, 0, 1], "velocity": [1, 0, 0], "shapes": [ { "type": "sphere", "radius": 0.5 } ] },
    { "name": "box", "position": [3, 0, 0.5], "shapes": [ { "type": "box", "size": [1, 1, 1] } ] } ]
})";

inline Scene scene_of(const std::string& text, const std::string& method = "") {
    LoadOptions options;
    if (!method.empty()) options.overrides.push_back({"method", method, "method"});
    return parse_scene(text, "test.json", RIGOR_SOURCE_DIR "/scenes", options).value();
}

inline Session make_session(const std::string& text, const std::string& method = "",
                            const SessionOptions& options = {}) {
    return Session::make(scene_of(text, method), options).value();
}

inline UserAction action_of(const std::string& text) {
    return parse_action(json::parse(text), "action").value();
}

inline void run(Session& session, int steps) {
    for (int i = 0; i < steps; ++i) session.step();
}

inline bool seek_to(Session& session, std::uint64_t step) {
    return session.seek(step, Clock::time_point::max());
}

inline std::uint64_t hash_of(const Session& session) {
    return session.world().state_hash();
}

inline std::uint32_t slot_of(const Session& session, const std::string& name) {
    for (const SessionBody& session_body : *session.state().bodies)
        if (!session_body.id.is_null() && session.world().name(session_body.id) == name)
            return session_body.id.index;
    ADD_FAILURE() << "no body " << name;
    return 0;
}

} // namespace rigor::viewer
