// Reading the fields of a JSON object that comes from outside: typed, bounded, and with one
// sentence about the first that is wrong.
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

namespace rigor::view {

using json = nlohmann::json;

/// Text from outside as JSON: at most 64 levels deep, so that nothing which walks it by recursion
/// can be made to overflow.
Result<json> parse_json(std::string_view text);

/// Numbers are at most this large: what is larger is no place and no speed in any world, and its
/// square still fits.
inline constexpr double kLargest = 1e12;

/// Asks one object for its fields. After the first mistake every answer is a default one, and
/// error() tells the mistake; so a caller reads all it wants and asks once.
class Fields {
  public:
    /// `where` names the object in messages; it must be an object.
    Fields(const json& object, std::string where);

    bool has(const char* key) const; ///< and it is not null

    double number(const char* key, double lo = -kLargest, double hi = kLargest);
    std::int64_t integer(const char* key, std::int64_t lo, std::int64_t hi);
    bool boolean(const char* key);
    std::string text(const char* key, std::size_t longest = 1000);
    std::vector<std::string> texts(const char* key, std::size_t most = 100);
    Vec3d vec3(const char* key);
    Quatd orientation(const char* key);
    const json& object(const char* key);

    std::optional<double> maybe_number(const char* key, double lo = -kLargest,
                                       double hi = kLargest);
    std::optional<Vec3d> maybe_vec3(const char* key);

    /// Of a body, joint or world: a slot.
    std::uint32_t slot(const char* key);

    /// For rules beyond a field's own.
    void fail(const char* key, const std::string& rule);
    void fail(Error error); ///< of what was read from a part of it, which has its own place

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

} // namespace rigor::view
