// URI decoding: base64 data and percent-encoded names.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace rigor {

/// None when it is no base64.
std::optional<std::string> decode_base64(std::string_view text);
/// "a%20b" is "a b".
std::string decode_percent(std::string_view uri);

} // namespace rigor
