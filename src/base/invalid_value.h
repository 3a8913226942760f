// The error of a value that breaks a rule: the field, and a sentence with what was found.
#pragma once

#include <string>
#include <utility>

#include "rigor/result.h"

namespace rigor {

inline Error invalid(std::string where, std::string message) {
    return {ErrorCode::invalid_value, std::move(where), std::move(message)};
}

} // namespace rigor
