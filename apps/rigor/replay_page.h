// The page of `rigor replay --html`: one file that plays a recording, without a server or network.
#pragma once

#include <string>

#include "replay_movie.h"

namespace rigor::app {

std::string replay_page(const ReplayMovie& movie, const std::string& title);

extern const char* const kReplayStyle;
extern const char* const kReplayScript;

} // namespace rigor::app
