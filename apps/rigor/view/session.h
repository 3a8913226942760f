// A saved recording: the scene, what was done to it, and what came of it.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "view/stage.h"

namespace rigor::view {

struct SessionWorld {
    std::string method; ///< empty: the scene's own
    std::vector<TimedAction> actions;
    std::map<std::uint64_t, std::uint64_t> hashes; ///< by step
};

struct Session {
    std::string name;  ///< of the scene's file, for messages
    std::string scene; ///< its text
    int numerics = 0;  ///< of the build that recorded it
    std::uint64_t steps = 0;
    std::vector<SessionWorld> worlds;
};

std::string write_session(const Session& session);
Result<Session> parse_session(const std::string& text);

/// 16 digits.
std::string hash_text(std::uint64_t hash);

} // namespace rigor::view
