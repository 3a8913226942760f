// The results of the checks as one page that stands alone: no network, no other files.
#pragma once

#include <string>
#include <vector>

#include "check.h"

namespace rigor::app {

/// HTML with its style, script and plots inside, for light and dark, wide and narrow. Without its
/// script it shows all lines; with it, those of the status and method one asks for.
std::string validation_page(const std::vector<validation::CheckResult>& results,
                            const std::vector<validation::CheckPlot>& plots);

/// What goes into it.
extern const char* const kValidationStyle;
extern const char* const kValidationScript;

} // namespace rigor::app
