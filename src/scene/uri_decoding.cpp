#include "scene/uri_decoding.h"

#include <cstdint>

namespace rigor {
namespace {

int hex_digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

} // namespace

std::optional<std::string> decode_base64(std::string_view text) {
    std::string bytes;
    bytes.reserve(text.size() / 4 * 3);
    std::uint32_t word = 0;
    int bits = 0;
    while (!text.empty() && text.back() == '=') text.remove_suffix(1);
    for (const char c : text) {
        const int digit = c >= 'A' && c <= 'Z'   ? c - 'A'
                          : c >= 'a' && c <= 'z' ? c - 'a' + 26
                          : c >= '0' && c <= '9' ? c - '0' + 52
                          : c == '+' || c == '-' ? 62
                          : c == '/' || c == '_' ? 63
                                                 : -1;
        if (digit < 0) return {};
        word = (word << 6 | static_cast<std::uint32_t>(digit)) & 0xffffffu;
        bits += 6;
        if (bits < 8) continue;
        bits -= 8;
        bytes += static_cast<char>(word >> bits & 0xffu);
    }
    return bytes;
}

std::string decode_percent(std::string_view uri) {
    std::string text;
    for (std::size_t i = 0; i < uri.size(); ++i) {
        const bool coded = uri[i] == '%' && i + 2 < uri.size() && hex_digit(uri[i + 1]) >= 0 &&
                           hex_digit(uri[i + 2]) >= 0;
        if (!coded) {
            text += uri[i];
            continue;
        }
        text += static_cast<char>(hex_digit(uri[i + 1]) * 16 + hex_digit(uri[i + 2]));
        i += 2;
    }
    return text;
}

} // namespace rigor
