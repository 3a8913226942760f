// The recording of a session: the scene, the actions, and state hashes. JSON text.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "viewer/session.h"

namespace rigor::viewer {

struct RecordedWorld {
    std::string method; ///< empty: the scene's own
    std::vector<TimedAction> actions;
    std::map<std::uint64_t, std::uint64_t> hashes; ///< by step
};

struct SessionRecording {
    std::string name;  ///< of the scene's file, for messages
    std::string scene; ///< its text, JSON
    int numerics = 0;  ///< numerics version of the build that recorded it
    std::uint64_t steps = 0;
    std::vector<RecordedWorld> worlds;
    std::vector<SceneOverride> overrides = {}; ///< values that controls gave the scene
};

std::string write_recording(const SessionRecording& recording);
Result<SessionRecording> parse_recording(const std::string& text);

/// 16 hexadecimal digits.
std::string hash_text(std::uint64_t hash);

} // namespace rigor::viewer
