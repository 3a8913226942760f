// Settings of the tests of `fast`: those that scenes have.
#pragma once

#include "support/worlds.h"

namespace rigor::test {

/// Without sleep: nothing shall be held still but by contacts and joints.
inline WorldSettings fast_settings() {
    WorldSettings settings = settings_of(Method::fast);
    settings.may_sleep = false;
    return settings;
}

} // namespace rigor::test
