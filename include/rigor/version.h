// Version of the library and of its build.
#pragma once

#include <string>

#include "rigor/export.h"

namespace rigor {

struct VersionInfo {
    std::string version;  ///< of the software, "1.2.3"
    int numerics = 0;     ///< changes whenever the same scene may give other numbers
    std::string compiler; ///< "gcc 12.2.0"
    std::string flags;    ///< build type and the flags that matter to results
    std::string simd;     ///< best instruction set of this machine that Rigor knows
    int hardware_threads = 1;
};

RIGOR_API VersionInfo version_info();

} // namespace rigor
