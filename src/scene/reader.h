// Typed access to the values of a JSON document. Each section of a scene reads like its schema:
//
//     ObjectReader ball(field, "shape sphere");
//     def.radius = ball.required("radius").positive();
//     def.hollow = ball.optional("hollow").boolean(false);
//
// The first mistake is kept, with its place; after it every accessor goes on returning its
// fallback, which always obeys the rule asked for, so that no reader needs to stop at once.
// Keys nobody asked for are mistakes too.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rigor/joint.h"
#include "rigor/quat.h"
#include "rigor/result.h"
#include "scene/json_document.h"

namespace rigor {

/// Which keys each kind of object was asked for: how a test compares readers and schema.
using KeyRecord = std::map<std::string, std::set<std::string>>;

/// One document being read, and the first mistake found in it.
struct ReadContext {
    const JsonDocument& document;
    KeyRecord* record = nullptr;
    std::optional<Error> error = {};
    std::string_view whole = "the scene"; ///< what messages call the root

    bool failed() const { return error.has_value(); }
};

/// One value of the document, or the absence of one.
class Field {
  public:
    using Index = JsonDocument::Index;

    explicit Field(ReadContext& context) : context_(&context) {} ///< absent
    Field(ReadContext& context, Index node) : context_(&context), node_(node), given_(true) {}

    bool given() const { return given_; }
    bool is(JsonKind kind) const { return given_ && context_->document.kind(node_) == kind; }

    double number(double fallback = 0) const;
    double positive(double fallback = 1) const;
    double non_negative(double fallback = 0) const;
    double within(double lo, double hi, double fallback) const;
    std::int64_t integer(std::int64_t lo, std::int64_t hi, std::int64_t fallback) const;
    bool boolean(bool fallback) const;
    std::string text(std::string fallback = {}) const;
    /// Text that is not empty.
    std::string name(std::string fallback = {}) const;
    /// The index of the text among `words`.
    std::size_t one_of(const std::vector<std::string_view>& words, std::size_t fallback) const;

    Vec3d vec3(const Vec3d& fallback = {}) const;
    Vec3d positive_vec3(const Vec3d& fallback = {1, 1, 1}) const;
    /// Of any length but zero; made a unit.
    Vec3d direction(const Vec3d& fallback = {0, 0, 1}) const;
    /// [w, x, y, z], {axis, angle | angle_deg}, {euler_zxz_deg} or
    /// {euler_xyz_deg}.
    Quatd orientation() const;
    /// [lo, hi] with lo <= hi.
    Range range(const Range& fallback = {}) const;
    /// "#rrggbb", "#rrggbbaa", [r, g, b] or [r, g, b, a] from 0 to 1, as 0xRRGGBBAA.
    std::uint32_t color() const;
    template <std::size_t N>
    std::array<double, N> numbers() const;

    /// The elements of an array; none when it is absent or something else, which is a mistake.
    std::vector<Field> items(std::size_t at_least = 0, std::size_t at_most = SIZE_MAX) const;
    /// Keys and values of an object with names of the user's choice.
    std::vector<std::pair<Field, Field>> members() const;

    /// Keeps "PATH sentence" as the mistake, unless there is one already.
    void fail(std::string_view sentence, ErrorCode code = ErrorCode::invalid_value) const;
    /// ... followed by ", got" and the value.
    void fail_got(std::string_view rule) const;
    /// Keeps a mistake that was found by whoever builds this value: `where` is the path below
    /// it, and as much of that path as is there takes the blame.
    void fail_below(const Error& error) const;
    /// Keeps a mistake found in another file this value names.
    void fail_with(const Error& error) const {
        if (!failed()) context_->error = error;
    }
    bool failed() const { return context_->failed(); }
    /// Whether this is an object in which a key has this text.
    bool says(std::string_view key, std::string_view text) const;
    /// The value at "shapes[0].radius" below this one; absent when there is none.
    Field below(std::string_view path) const;
    /// Whether an override gave the value, and not the file.
    bool is_override() const { return given_ && !context_->document.override_of(node_).empty(); }
    /// "bodies[3].shapes[0]", for warnings.
    std::string path() const { return context_->document.path(node_); }

  private:
    friend class ObjectReader;

    /// The value at "shapes[0].radius" below this one, or the nearest there is around it.
    std::pair<Field, bool> nearest(std::string_view path) const;

    /// Subject of a message: a flag that gave the value, or the path with its place in the file.
    struct Subject {
        std::string place, name;
    };
    Subject subject() const;
    /// The value for messages, of an array or an object only the kind.
    std::string found() const;

    bool expect(JsonKind kind) const;
    Quatd quaternion() const;

    ReadContext* context_;
    Index node_ = JsonDocument::kNone;
    bool given_ = false;
};

/// The members of one object. Refuses unknown keys, then missing ones, when done.
class ObjectReader {
  public:
    /// `kind` names this kind of object in the record of keys.
    ObjectReader(const Field& field, std::string kind);
    ~ObjectReader() { done(); }
    ObjectReader(const ObjectReader&) = delete;
    ObjectReader& operator=(const ObjectReader&) = delete;

    Field optional(std::string_view key);
    /// `example` follows the key in the message, as ": 1" does.
    Field required(std::string_view key, std::string_view example = {});
    /// For a key that was asked for, and that another one makes necessary.
    void need(std::string_view key, std::string_view example = {});
    /// Exactly one, or at most one, of these keys may be given.
    void exactly_one(std::initializer_list<std::string_view> keys);
    void at_most_one(std::initializer_list<std::string_view> keys);

    bool has(std::string_view key) const;
    void set_kind(std::string kind) { kind_ = std::move(kind); }
    const Field& field() const { return field_; }
    bool failed() const { return field_.failed(); }

    /// Call it before rules that join several fields: a misspelled key explains more than the
    /// rule it breaks.
    void done();

  private:
    std::size_t count_given(std::initializer_list<std::string_view> keys) const;
    void refuse_unknown_keys() const;

    Field field_;
    std::string kind_;
    std::vector<std::string_view> asked_;
    std::uint32_t found_ = 0;
    std::string broken_rule_; ///< the first rule on the presence of keys that is broken
    bool is_object_ = false;
    bool done_ = false;
};

/// `"a", "b" or "c"`.
std::string join_quoted(const std::vector<std::string_view>& words, std::string_view last_word);

} // namespace rigor
