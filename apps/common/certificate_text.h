// One line of a certificate: a JSON object, written number by number.
#pragma once

#include <charconv>
#include <string>
#include <string_view>

#include "rigor/quat.h"
#include "rigor/vec.h"

namespace rigor::app {

/// Appends fields and list items; commas are set as needed. Doubles are written so that they read
/// back to the same bits.
class CertificateLine {
  public:
    CertificateLine() { open('{'); }

    CertificateLine& key(std::string_view name) {
        comma();
        quote(name);
        text_ += ':';
        is_first_ = true; // a value follows without a comma
        return *this;
    }
    CertificateLine& open(char bracket) {
        comma();
        text_ += bracket;
        is_first_ = true;
        return *this;
    }
    CertificateLine& close(char bracket) {
        text_ += bracket;
        is_first_ = false;
        return *this;
    }
    CertificateLine& number(double value) {
        comma();
        char buffer[32];
        text_.append(buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr);
        return *this;
    }
    CertificateLine& word(std::string_view value) {
        comma();
        quote(value);
        return *this;
    }
    CertificateLine& truth(bool value) {
        comma();
        text_ += value ? "true" : "false";
        return *this;
    }
    CertificateLine& numbers(const Vec3d& v) { return number(v.x).number(v.y).number(v.z); }
    CertificateLine& list(const Vec3d& v) { return open('[').numbers(v).close(']'); }
    CertificateLine& list(const Quatd& q) {
        return open('[').number(q.w).number(q.x).number(q.y).number(q.z).close(']');
    }
    /// The line, which is complete then.
    const std::string& finish() {
        text_ += "}\n";
        return text_;
    }

  private:
    void comma() {
        if (!is_first_) text_ += ',';
        is_first_ = false;
    }
    void quote(std::string_view value) {
        text_ += '"';
        for (const char c : value) {
            if (c == '"' || c == '\\') text_ += '\\';
            text_ += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
        }
        text_ += '"';
    }

    std::string text_;
    bool is_first_ = true;
};

} // namespace rigor::app
