// The error of an invalid value: the field, and one sentence with the rule and the value found.
#pragma once

#include <string>
#include <utility>

#include "rigor/result.h"

namespace rigor {

inline Error invalid(std::string where, std::string message) {
    return {ErrorCode::invalid_value, std::move(where), std::move(message)};
}

} // namespace rigor
