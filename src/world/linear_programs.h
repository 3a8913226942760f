// The settings that need a solver of linear programs, which not every program links (rigor::clp).
#pragma once

#include <optional>
#include <string>

#include "rigor/settings.h"

namespace rigor {

/// Why these settings cannot be used in this program, as one sentence; none when they can.
RIGOR_API std::optional<std::string> missing_linear_programs(const WorldSettings& settings);

} // namespace rigor
