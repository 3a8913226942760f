// Reads the fields of an untrusted JSON object: typed, bounded, and with one sentence about the
// first error.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rigor/quat.h"
#include "rigor/result.h"
#include "rigor/vec.h"

namespace rigor::viewer {

using json = nlohmann::json;

/// Parses untrusted text. Fails at more than 64 levels of nesting, so that recursion over the
/// result cannot overflow the stack.
Result<json> parse_json(std::string_view text);

/// The largest magnitude of a number: beyond any sensible position or velocity, and its square does
/// not overflow.
inline constexpr double kMaxNumber = 1e12;

/// After the first error every field reads as a default value, and error() returns that error. So a
/// caller reads all fields and checks once.
class JsonFields {
  public:
    /// `where` names the object in messages. An error is set when it is not an object.
    JsonFields(const json& object, std::string where);

    bool has(const char* key) const; ///< false for null

    double number(const char* key, double lo = -kMaxNumber, double hi = kMaxNumber);
    std::int64_t integer(const char* key, std::int64_t lo, std::int64_t hi);
    bool boolean(const char* key);
    std::string text(const char* key, std::size_t max_bytes = 1000);
    std::vector<std::string> texts(const char* key, std::size_t max_count = 100);
    Vec3d vec3(const char* key);
    Quatd orientation(const char* key);
    const json& object(const char* key);

    std::optional<double> maybe_number(const char* key, double lo = -kMaxNumber,
                                       double hi = kMaxNumber);
    std::optional<Vec3d> maybe_vec3(const char* key);

    /// The slot of a body, joint or world.
    std::uint32_t slot(const char* key);

    /// For rules that involve more than one field.
    void fail(const char* key, const std::string& rule);
    void fail(Error error); ///< of a nested object, with its own location

    bool ok() const { return !error_; }
    Error error() const { return *error_; }

  private:
    const json* find(const char* key, const char* wanted);

    const json& object_;
    std::string where_;
    std::optional<Error> error_;
};

/// [x, y, z]
json to_json(const Vec3d& v);
/// [w, x, y, z]
json to_json(const Quatd& q);

} // namespace rigor::viewer
