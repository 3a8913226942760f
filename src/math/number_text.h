// Number formatting for error messages.
#pragma once

#include <cstddef>
#include <string>

#include "rigor/quat.h"

namespace rigor {

/// The shortest text that reads back as the same number.
std::string text(double value);
std::string text(std::size_t value);
std::string text(const Vec3d& v);
std::string text(const Quatd& q);

/// Six significant digits: for numbers found by iteration.
std::string text_short(double value);

} // namespace rigor
