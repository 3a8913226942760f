// Certificates of runs of the gallery, as rigor-check judges them: for the page of checks.
#pragma once

#include <vector>

#include "rigor/result.h"
#include "validate_page.h"

namespace rigor::app {

/// Runs ten scenes of the gallery under `faithful` and `fast`, some 20 s, and has each certificate
/// checked by the program rigor-check beside this one. Fails with one sentence without it.
Result<std::vector<CertificateSummary>> certify_gallery();

} // namespace rigor::app
