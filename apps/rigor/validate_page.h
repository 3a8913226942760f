// The results of the checks as one self-contained page: no network, no other files.
#pragma once

#include <string>
#include <vector>

#include "check.h"

namespace rigor::app {

/// What a checker found in the certificate of a run.
struct CertificateSummary {
    std::string scene, method;
    std::string worst_law; ///< that with the largest residual, in parts of its tolerance
    double residual = 0, tolerance = 0;
    bool holds = false; ///< every law
};

/// HTML with its style, script and plots inside, for light and dark, wide and narrow. Without its
/// script it shows all lines; with it, those of the status and method one asks for.
std::string validation_page(const std::vector<validation::CheckResult>& results,
                            const std::vector<validation::CheckPlot>& plots,
                            const std::vector<CertificateSummary>& certificates = {});

/// Sections of it; empty when there is nothing to show.
std::string known_failures_section(const std::vector<validation::CheckResult>& results);
std::string mutation_section();
std::string certificates_section(const std::vector<CertificateSummary>& certificates);
std::string build_section();

/// What goes into it.
extern const char* const kValidationStyle;
extern const char* const kValidationScript;

} // namespace rigor::app
