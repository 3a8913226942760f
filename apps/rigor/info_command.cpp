// rigor info: what was built, and what it runs on.

#include <iostream>

#include "command.h"
#include "rigor/version.h"

namespace rigor::app {

int info_command() {
    const VersionInfo v = version_info();
    std::cout << "rigor      " << v.version << "\n"
              << "numerics   " << v.numerics << "\n"
              << "compiler   " << v.compiler << "\n"
              << "flags      " << v.flags << "\n"
              << "simd       " << v.simd << "\n"
              << "threads    " << v.hardware_threads << "\n";
    return done;
}

int fail(const Error& error) {
    std::cerr << "rigor: " << to_string(error) << "\n";
    return bad_input;
}

} // namespace rigor::app
