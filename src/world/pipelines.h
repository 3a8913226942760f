// The table of pipelines: which one steps a world under which method.
#pragma once

#include <memory>

#include "dynamics/pipeline.h"

namespace rigor {

/// A new pipeline without state: bodies and joints are to be added.
std::unique_ptr<Pipeline> make_pipeline(Method method);

/// Whether this program can step a world with these settings, which are valid otherwise.
RIGOR_API Result<void> check_pipeline(const WorldSettings& settings);

} // namespace rigor
