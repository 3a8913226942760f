#include "viewer/json_fields.h"

#include <cmath>
#include <nlohmann/json.hpp>

namespace rigor::viewer {
namespace {

constexpr int kMaxDepth = 64;

/// The nesting depth of brackets outside strings.
int depth_of(std::string_view text) {
    int depth = 0, max_depth = 0;
    bool quoted = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (quoted) {
            if (c == '\\') ++i;
            quoted = c != '"';
        } else if (c == '"') {
            quoted = true;
        } else if (c == '[' || c == '{') {
            max_depth = std::max(max_depth, ++depth);
        } else if (c == ']' || c == '}') {
            --depth;
        }
    }
    return max_depth;
}

/// A value for a message, shortened.
std::string to_message(const json& value) {
    std::string text = value.is_structured()
                           ? (value.is_array() ? "an array" : "an object")
                           : value.dump(-1, ' ', true, json::error_handler_t::replace);
    if (text.size() > 40) text = text.substr(0, 40) + "...";
    return text;
}

std::string to_message(double x) {
    return json(x).dump();
}

bool is_vector(const json& value, std::size_t size) {
    if (!value.is_array() || value.size() != size) return false;
    for (const json& x : value)
        if (!x.is_number() || !(std::abs(x.get<double>()) <= kMaxNumber)) return false;
    return true;
}

const json& empty_object() {
    static const json empty = json::object();
    return empty;
}

} // namespace

Result<json> parse_json(std::string_view text) {
    if (depth_of(text) > kMaxDepth)
        return Error{ErrorCode::limit, "", "the JSON nests deeper than 64 levels"};
    json value = json::parse(text, nullptr, false);
    if (value.is_discarded()) return Error{ErrorCode::syntax, "", "the text is not JSON"};
    return value;
}

JsonFields::JsonFields(const json& object, std::string where)
    : object_(object), where_(std::move(where)) {
    if (!object.is_object())
        error_ = Error{ErrorCode::syntax, where_, "must be an object, got " + to_message(object)};
}

bool JsonFields::has(const char* key) const {
    const auto found = object_.is_object() ? object_.find(key) : object_.end();
    return found != object_.end() && !found->is_null();
}

void JsonFields::fail(const char* key, const std::string& rule) {
    if (!error_) error_ = Error{ErrorCode::invalid_value, where_ + "." + key, rule};
}

void JsonFields::fail(Error error) {
    if (!error_) error_ = std::move(error);
}

const json* JsonFields::find(const char* key, const char* wanted) {
    if (!ok()) return nullptr;
    const auto found = object_.find(key);
    if (found != object_.end()) return &*found;
    fail(key, std::string("is missing: ") + wanted);
    return nullptr;
}

double JsonFields::number(const char* key, double lo, double hi) {
    const json* value = find(key, "a number");
    if (!value) return lo;
    const double x = value->is_number() ? value->get<double>() : std::nan("");
    if (x >= lo && x <= hi) return x;
    fail(key, "must be a number from " + to_message(lo) + " to " + to_message(hi) + ", got " +
                  to_message(*value));
    return lo;
}

std::int64_t JsonFields::integer(const char* key, std::int64_t lo, std::int64_t hi) {
    const double x = number(key, static_cast<double>(lo), static_cast<double>(hi));
    if (ok() && x != std::floor(x)) fail(key, "must be an integer, got " + to_message(x));
    return ok() ? static_cast<std::int64_t>(x) : lo;
}

bool JsonFields::boolean(const char* key) {
    const json* value = find(key, "true or false");
    if (value && !value->is_boolean())
        fail(key, "must be true or false, got " + to_message(*value));
    return ok() && value->get<bool>();
}

std::string JsonFields::text(const char* key, std::size_t max_bytes) {
    const json* value = find(key, "a string");
    if (!value) return {};
    if (!value->is_string()) {
        fail(key, "must be a string, got " + to_message(*value));
        return {};
    }
    const std::string& text = value->get_ref<const std::string&>();
    if (text.size() <= max_bytes) return text;
    fail(key, "must have at most " + std::to_string(max_bytes) + " bytes, got " +
                  std::to_string(text.size()));
    return {};
}

std::vector<std::string> JsonFields::texts(const char* key, std::size_t max_count) {
    const json* value = find(key, "an array of strings");
    std::vector<std::string> all;
    if (!value) return all;
    if (!value->is_array() || value->size() > max_count) {
        fail(key, "must be an array of at most " + std::to_string(max_count) + " strings");
        return all;
    }
    for (const json& entry : *value) {
        if (!entry.is_string() || entry.get_ref<const std::string&>().size() > 100) {
            fail(key, "must hold short strings, got " + to_message(entry));
            return {};
        }
        all.push_back(entry.get<std::string>());
    }
    return all;
}

Vec3d JsonFields::vec3(const char* key) {
    const json* value = find(key, "[x, y, z]");
    if (!value) return {};
    if (!is_vector(*value, 3)) {
        fail(key, "must be three numbers [x, y, z] of at most 1e12, got " + to_message(*value));
        return {};
    }
    return {(*value)[0].get<double>(), (*value)[1].get<double>(), (*value)[2].get<double>()};
}

Quatd JsonFields::orientation(const char* key) {
    const json* value = find(key, "[w, x, y, z]");
    if (!value) return {};
    if (is_vector(*value, 4)) {
        const Quatd q{(*value)[0].get<double>(), (*value)[1].get<double>(),
                      (*value)[2].get<double>(), (*value)[3].get<double>()};
        if (std::abs(length(q) - 1) <= 1e-3) return normalize(q);
    }
    fail(key, "must be a unit quaternion [w, x, y, z], got " + to_message(*value));
    return {};
}

const json& JsonFields::object(const char* key) {
    const json* value = find(key, "an object");
    if (!value) return empty_object();
    if (!value->is_object()) {
        fail(key, "must be an object, got " + to_message(*value));
        return empty_object();
    }
    return *value;
}

std::optional<double> JsonFields::maybe_number(const char* key, double lo, double hi) {
    return has(key) ? std::optional(number(key, lo, hi)) : std::nullopt;
}

std::optional<Vec3d> JsonFields::maybe_vec3(const char* key) {
    return has(key) ? std::optional(vec3(key)) : std::nullopt;
}

std::uint32_t JsonFields::slot(const char* key) {
    return static_cast<std::uint32_t>(integer(key, 0, UINT32_MAX - 1));
}

json to_json(const Vec3d& v) {
    return json::array({v.x, v.y, v.z});
}

json to_json(const Quatd& q) {
    return json::array({q.w, q.x, q.y, q.z});
}

} // namespace rigor::viewer
