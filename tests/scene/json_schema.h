// A small validator for the part of JSON Schema (draft 2020-12) that docs/scene.schema.json
// uses. It refuses a schema with any other keyword, so that none is silently ignored.
#pragma once

#include <cmath>
#include <nlohmann/json.hpp>
#include <regex>
#include <stdexcept>
#include <string>

namespace rigor::test {

class SchemaValidator {
  public:
    using json = nlohmann::json;

    explicit SchemaValidator(json schema) : schema_(std::move(schema)) {}

    /// Empty when `value` is valid, else the path and keyword that refuse it.
    std::string check(const json& value) const { return check(value, schema_, ""); }

  private:
    std::string check(const json& value, const json& schema, const std::string& path) const {
        for (const auto& [keyword, rule] : schema.items()) {
            const std::string problem = apply(keyword, rule, value, schema, path);
            if (!problem.empty()) return problem;
        }
        return {};
    }

    std::string apply(const std::string& keyword, const json& rule, const json& value,
                      const json& schema, const std::string& path) const {
        const auto fail_unless = [&](bool good) {
            return good ? std::string() : path + ": " + keyword + " " + rule.dump().substr(0, 80);
        };
        if (keyword == "$ref") {
            const json::json_pointer target(rule.get<std::string>().substr(1));
            return check(value, schema_.at(target), path);
        }
        if (keyword == "type") return fail_unless(has_type(value, rule));
        if (keyword == "const") return fail_unless(value == rule);
        if (keyword == "enum")
            return fail_unless(std::find(rule.begin(), rule.end(), value) != rule.end());
        if (keyword == "minimum") return fail_unless(!value.is_number() || value >= rule);
        if (keyword == "maximum") return fail_unless(!value.is_number() || value <= rule);
        if (keyword == "exclusiveMinimum") return fail_unless(!value.is_number() || value > rule);
        if (keyword == "minLength")
            return fail_unless(!value.is_string() || value.get<std::string>().size() >= rule);
        if (keyword == "pattern")
            return fail_unless(
                !value.is_string() ||
                std::regex_search(value.get<std::string>(), std::regex(rule.get<std::string>())));
        if (keyword == "minItems") return fail_unless(!value.is_array() || value.size() >= rule);
        if (keyword == "maxItems") return fail_unless(!value.is_array() || value.size() <= rule);
        if (keyword == "items" || keyword == "prefixItems")
            return value.is_array() ? check_items(keyword, rule, value, path) : "";
        if (keyword == "required") {
            for (const json& key : rule)
                if (value.is_object() && !value.contains(key)) return fail_unless(false);
            return {};
        }
        if (keyword == "properties" || keyword == "additionalProperties")
            return value.is_object() ? check_members(keyword, rule, value, schema, path) : "";
        if (keyword == "not") return fail_unless(!check(value, rule, path).empty());
        if (keyword == "oneOf" || keyword == "anyOf" || keyword == "allOf")
            return check_several(keyword, rule, value, path);
        if (keyword == "description" || keyword == "title" || keyword == "default" ||
            keyword == "$defs" || keyword == "$schema" || keyword == "$id")
            return {};
        throw std::logic_error("the validator does not know the keyword " + keyword);
    }

    static bool has_type(const json& value, const std::string& type) {
        if (type == "integer")
            return value.is_number() && value.get<double>() == std::floor(value.get<double>());
        return (type == "number" && value.is_number()) || (type == "string" && value.is_string()) ||
               (type == "boolean" && value.is_boolean()) || (type == "array" && value.is_array()) ||
               (type == "object" && value.is_object());
    }

    std::string check_items(const std::string& keyword, const json& rule, const json& value,
                            const std::string& path) const {
        for (std::size_t i = 0; i < value.size(); ++i) {
            if (keyword == "prefixItems" && i >= rule.size()) break;
            const json& item_rule = keyword == "items" ? rule : rule[i];
            const std::string problem =
                check(value[i], item_rule, path + "[" + std::to_string(i) + "]");
            if (!problem.empty()) return problem;
        }
        return {};
    }

    std::string check_members(const std::string& keyword, const json& rule, const json& value,
                              const json& schema, const std::string& path) const {
        const json known = schema.value("properties", json::object());
        for (const auto& [key, member] : value.items()) {
            std::string problem;
            if (keyword == "properties" && rule.contains(key)) {
                problem = check(member, rule.at(key), path + "." + key);
            } else if (keyword == "additionalProperties" && !known.contains(key)) {
                problem = rule.is_boolean() ? path + ": unknown key " + key
                                            : check(member, rule, path + "." + key);
            }
            if (!problem.empty()) return problem;
        }
        return {};
    }

    std::string check_several(const std::string& keyword, const json& rule, const json& value,
                              const std::string& path) const {
        std::size_t good = 0;
        std::string last;
        for (const json& option : rule) {
            const std::string problem = check(value, option, path);
            if (problem.empty())
                ++good;
            else
                last = problem;
        }
        const bool fine = keyword == "oneOf"   ? good == 1
                          : keyword == "anyOf" ? good >= 1
                                               : good == rule.size();
        return fine ? "" : path + ": " + keyword + " (" + last + ")";
    }

    json schema_;
};

} // namespace rigor::test
