// Writing results: files and standard output alike, whole or not at all.
#pragma once

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

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

/// Whether a result can be written there: asked before the work, not after it. Nothing to check
/// when the path is empty or "-".
Result<void> check_writable(const std::string& path);

/// 0 to 17 significant digits as needed: the shortest text that reads back to the same bits.
std::string exact_text(double value);
/// About `digits` significant digits, for people.
std::string short_text(double value, int digits = 6);

} // namespace rigor::app
