// Stages and actions for the tests of the viewer's server.
#pragma once

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "test_support.h"
#include "view/stage.h"

namespace rigor::view {

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

inline Stage stage_of(const std::string& text, const std::string& method = "",
                      const StageOptions& options = {}) {
    return Stage::make(scene_of(text, method), options).value();
}

inline Action action_of(const std::string& text) {
    return parse_action(json::parse(text), "action").value();
}

inline void run(Stage& stage, int steps) {
    for (int i = 0; i < steps; ++i) stage.step();
}

inline bool go_to(Stage& stage, std::uint64_t step) {
    return stage.approach(step, Clock::time_point::max());
}

inline std::uint64_t hash_of(const Stage& stage) {
    return stage.world().state_hash();
}

inline std::uint32_t slot_of(const Stage& stage, const std::string& name) {
    for (const Member& member : *stage.state().members)
        if (!member.id.is_null() && stage.world().name(member.id) == name) return member.id.index;
    ADD_FAILURE() << "no body " << name;
    return 0;
}

} // namespace rigor::view
