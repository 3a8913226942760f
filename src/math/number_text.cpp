#include "math/number_text.h"

#include <charconv>

#include "rigor/export.h"

namespace rigor {

RIGOR_API std::string text(double value) {
    char buffer[32];
    return {buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr};
}

RIGOR_API std::string text(std::size_t value) {
    return std::to_string(value);
}

RIGOR_API std::string text(const Vec3d& v) {
    std::string out = "(";
    out += text(v.x) + ", " + text(v.y) + ", " + text(v.z);
    return out += ")";
}

std::string text(const Quatd& q) {
    std::string out = "[";
    out += text(q.w) + ", " + text(q.x) + ", " + text(q.y) + ", " + text(q.z);
    return out += "]";
}

RIGOR_API std::string text_short(double value) {
    char buffer[32];
    return {
        buffer,
        std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::general, 6).ptr};
}

} // namespace rigor
