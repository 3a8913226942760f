// How the tests of `fast` step: as scenes do.
#pragma once

#include "rigor/world.h"

namespace rigor::test {

inline constexpr double kStep = 1.0 / 60;

/// Without sleep: nothing shall be held still but by contacts and joints.
inline WorldSettings fast_settings() {
    WorldSettings settings;
    settings.method = Method::fast;
    settings.may_sleep = false;
    return settings;
}

} // namespace rigor::test
