// Writing results: files and standard output alike, whole or not at all.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "rigor/mat.h"
#include "rigor/quat.h"
#include "rigor/result.h"

namespace rigor::app {

using Json = nlohmann::ordered_json;

Json to_json(const Vec3d& v);
Json to_json(const Quatd& q);
Json to_json(const Mat3d& m);

/// To a file, or to standard output when the path is "-". Doubles are written so that they
/// read back to the same bits.
Result<void> write_json(const std::string& path, const Json& json);

/// To a file, or to standard output when the path is "-".
Result<void> write_text(const std::string& path, const std::string& text);

/// To standard output; fails when that is full or closed.
Result<void> print(const std::string& text);

/// A result that was asked for with a flag.
struct Output {
    std::string flag; ///< "--json"
    std::string path; ///< empty: not asked for; "-": standard output
};

/// Whether the results can be written, each to a file of its own that is no input: asked before the
/// work, not after it.
Result<void> check_outputs(const std::vector<Output>& outputs,
                           const std::vector<std::filesystem::path>& inputs);

/// A plot is an SVG: another ending of its name promises what is not written.
Result<void> check_svg(const Output& plot);

/// "rigor: wall: warning: ..." on standard error, without the one that `error` is about to tell.
void print_warnings(const std::string& subject, const std::vector<std::string>& warnings,
                    const std::string& error = "");

/// 0 to 17 significant digits as needed: the shortest text that reads back to the same bits.
std::string exact_text(double value);
/// About `digits` significant digits, for people.
std::string short_text(double value, int digits = 6);

} // namespace rigor::app
