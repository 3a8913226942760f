// rigor info: what was built, and what it runs on.

#include <iostream>

#include "command.h"
#include "common/settings_json.h"
#include "rigor/version.h"

namespace rigor::app {

int info_command(const InfoOptions& options) {
    if (options.settings) std::cout << settings_markdown();
    if (options.schema) std::cout << settings_schema().dump(2) << "\n";
    if (options.settings || options.schema) return done;
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
