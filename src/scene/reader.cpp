#include "scene/reader.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "math/number_text.h"
#include "math/trig.h"
#include "rigor/rotation.h"
#include "scene/suggestion.h"

namespace rigor {

namespace {

constexpr double kDegree = kPi<double> / 180;

/// Takes the first step off a path: a key, or an index in brackets.
std::string_view take_step(std::string_view& path) {
    if (path.starts_with('.')) path.remove_prefix(1);
    const std::size_t end = path.front() == '[' ? path.find(']') + 1 : path.find_first_of(".[");
    const std::string_view step = path.substr(0, end);
    path.remove_prefix(step.size());
    return step;
}

std::uint32_t channel(double value) {
    return static_cast<std::uint32_t>(std::floor(value * 255 + 0.5));
}

} // namespace

std::string join_quoted(const std::vector<std::string_view>& words, std::string_view last_word) {
    std::string result;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const bool is_last = i + 1 == words.size();
        if (i > 0 && is_last) result.append(" ").append(last_word).append(" ");
        if (i > 0 && !is_last) result.append(", ");
        result += quoted(words[i]);
    }
    return result;
}

void Field::fail(std::string_view sentence, ErrorCode code) const {
    if (failed()) return;
    const Subject subject = this->subject();
    context_->error = Error{code, subject.place, subject.name + " " + std::string(sentence)};
}

Field::Subject Field::subject() const {
    const JsonDocument& document = context_->document;
    if (std::string flag = document.override_of(node_); !flag.empty()) return {"", std::move(flag)};
    std::string path = document.path(node_);
    return {document.place(node_), path.empty() ? std::string(context_->whole) : std::move(path)};
}

std::string Field::found() const {
    const JsonKind kind = context_->document.kind(node_);
    const bool is_short = kind != JsonKind::array && kind != JsonKind::object;
    return is_short ? context_->document.excerpt(node_) : std::string(with_article(kind));
}

void Field::fail_got(std::string_view rule) const {
    fail(std::string(rule) + ", got " + context_->document.excerpt(node_));
}

std::pair<Field, bool> Field::nearest(std::string_view path) const {
    const JsonDocument& document = context_->document;
    Index at = node_;
    while (!path.empty()) {
        const std::string_view step = take_step(path);
        Index below = JsonDocument::kNone;
        if (step.front() == '[' && document.kind(at) == JsonKind::array) {
            std::uint32_t index = 0;
            std::from_chars(step.data() + 1, step.data() + step.size(), index);
            below = document.first(at);
            while (below != JsonDocument::kNone && index-- > 0) below = document.next(below);
        } else if (document.kind(at) == JsonKind::object) {
            const Index key = document.find(at, step);
            if (key != JsonDocument::kNone) below = document.value_of(key);
        }
        if (below == JsonDocument::kNone) return {Field(*context_, at), false};
        at = below;
    }
    return {Field(*context_, at), true};
}

Field Field::below(std::string_view path) const {
    if (!given_) return *this;
    const auto [field, is_there] = nearest(path);
    return is_there ? field : Field(*context_);
}

// A message is a sentence of its own, or says what "must" be true of the field, whose name may
// come first.
void Field::fail_below(const Error& error) const {
    if (failed()) return;
    const auto [field, is_there] = nearest(error.where);
    const std::string name = error.where.substr(error.where.find_last_of(".]") + 1);
    std::string_view rule = error.message;
    if (!name.empty() && rule.starts_with(name + " ")) rule.remove_prefix(name.size() + 1);
    const bool is_rule = rule.starts_with("must ") || rule.starts_with("does not ");
    const auto [place, subject] = field.subject();
    std::string sentence = subject;
    if (!is_rule) {
        sentence.append(": ").append(error.message);
    } else {
        if (!is_there) sentence.append(": ").append(name);
        sentence.append(" ").append(rule);
    }
    context_->error = Error{error.code, place, sentence};
}

bool Field::says(std::string_view key, std::string_view text) const {
    if (!is(JsonKind::object)) return false;
    const JsonDocument& document = context_->document;
    const Index found = document.find(node_, key);
    if (found == JsonDocument::kNone) return false;
    const Index value = document.value_of(found);
    return document.kind(value) == JsonKind::string && document.text(value) == text;
}

bool Field::expect(JsonKind kind) const {
    if (!given_) return false;
    if (is(kind)) return true;
    fail("must be " + std::string(with_article(kind)) + ", got " + found());
    return false;
}

double Field::number(double fallback) const {
    return expect(JsonKind::number) ? context_->document.number(node_) : fallback;
}

double Field::positive(double fallback) const {
    const double value = number(fallback);
    if (value > 0) return value;
    fail_got("must be positive");
    return fallback;
}

double Field::non_negative(double fallback) const {
    const double value = number(fallback);
    if (value >= 0) return value;
    fail_got("must not be negative");
    return fallback;
}

double Field::within(double lo, double hi, double fallback) const {
    const double value = number(fallback);
    if (!given_ || (value >= lo && value <= hi)) return value;
    fail_got("must be from " + rigor::text(lo) + " to " + rigor::text(hi));
    return fallback;
}

std::int64_t Field::integer(std::int64_t lo, std::int64_t hi, std::int64_t fallback) const {
    if (!given_) return fallback;
    const double value = is(JsonKind::number) ? number() : HUGE_VAL;
    if (value == std::floor(value) && value >= static_cast<double>(lo) &&
        value <= static_cast<double>(hi))
        return static_cast<std::int64_t>(value);
    fail("must be a whole number from " + std::to_string(lo) + " to " + std::to_string(hi) +
         ", got " + found());
    return fallback;
}

bool Field::boolean(bool fallback) const {
    if (given_ && !is(JsonKind::boolean)) {
        fail("must be true or false, got " + found());
        return fallback;
    }
    return given_ ? context_->document.boolean(node_) : fallback;
}

std::string Field::text(std::string fallback) const {
    if (!expect(JsonKind::string)) return fallback;
    return std::string(context_->document.text(node_));
}

std::string Field::name(std::string fallback) const {
    std::string value = text(fallback);
    if (given_ && value.empty()) {
        fail("must not be empty");
        return fallback;
    }
    return value;
}

std::size_t Field::one_of(const std::vector<std::string_view>& words, std::size_t fallback) const {
    if (!given_) return fallback;
    if (is(JsonKind::string)) {
        const auto word = std::find(words.begin(), words.end(), text());
        if (word != words.end()) return static_cast<std::size_t>(word - words.begin());
    }
    fail("must be " + join_quoted(words, "or") + ", got " + found());
    return fallback;
}

template <std::size_t N>
std::array<double, N> Field::numbers() const {
    std::array<double, N> result{};
    if (!given_) return result;
    const JsonDocument& document = context_->document;
    if (!is(JsonKind::array) || document.size(node_) != N) {
        fail("must be " + std::to_string(N) + " numbers, got " +
             (is(JsonKind::array) ? document.excerpt(node_) : found()));
        return result;
    }
    Index child = document.first(node_);
    for (double& value : result) {
        value = Field(*context_, child).number();
        child = document.next(child);
    }
    return result;
}

template std::array<double, 2> Field::numbers<2>() const;
template std::array<double, 3> Field::numbers<3>() const;
template std::array<double, 4> Field::numbers<4>() const;
template std::array<double, 9> Field::numbers<9>() const;

Vec3d Field::vec3(const Vec3d& fallback) const {
    if (!given_) return fallback;
    const auto [x, y, z] = numbers<3>();
    return {x, y, z};
}

Vec3d Field::positive_vec3(const Vec3d& fallback) const {
    if (!given_) return fallback;
    const Vec3d v = vec3();
    if (failed()) return fallback;
    Index child = context_->document.first(node_);
    for (int i = 0; i < 3; ++i, child = context_->document.next(child))
        if (!(v[i] > 0)) Field(*context_, child).fail_got("must be positive");
    return failed() ? fallback : v;
}

Vec3d Field::direction(const Vec3d& fallback) const {
    if (!given_) return fallback;
    const Vec3d v = normalize(vec3(fallback));
    if (v != Vec3d{}) return v;
    fail("must have a length, got [0, 0, 0]");
    return fallback;
}

Quatd Field::orientation() const {
    if (!given_) return {};
    if (is(JsonKind::array)) return quaternion();
    if (!is(JsonKind::object)) {
        fail("must be [w, x, y, z], {axis, angle}, {euler_zxz_deg} or {euler_xyz_deg}, got " +
             found());
        return {};
    }
    ObjectReader form(*this, "orientation");
    const Field zxz = form.optional("euler_zxz_deg"), xyz = form.optional("euler_xyz_deg");
    const Field axis = form.optional("axis");
    const Field radians = form.optional("angle"), degrees = form.optional("angle_deg");
    form.exactly_one({"axis", "euler_zxz_deg", "euler_xyz_deg"});
    if (axis.given()) form.exactly_one({"angle", "angle_deg"});
    if (zxz.given()) form.at_most_one({"euler_zxz_deg", "angle", "angle_deg"});
    if (xyz.given()) form.at_most_one({"euler_xyz_deg", "angle", "angle_deg"});
    form.done();
    if (zxz.given()) {
        const Vec3d a = zxz.vec3() * kDegree;
        return from_euler_zxz(EulerZxz<double>{a.x, a.y, a.z});
    }
    if (xyz.given()) {
        const Vec3d a = xyz.vec3() * kDegree;
        return from_axis_angle(Vec3d{1, 0, 0}, a.x) * from_axis_angle(Vec3d{0, 1, 0}, a.y) *
               from_axis_angle(Vec3d{0, 0, 1}, a.z);
    }
    const double angle = degrees.given() ? degrees.number() * kDegree : radians.number();
    return from_axis_angle(axis.direction(), angle);
}

Quatd Field::quaternion() const {
    const auto [w, x, y, z] = numbers<4>();
    const Quatd q{w, x, y, z};
    if (failed()) return {};
    const double size = length(q);
    if (std::abs(size - 1) <= 1e-3) return normalize(q);
    fail("must be a unit quaternion, got one of length " + rigor::text(size));
    return {};
}

Range Field::range(const Range& fallback) const {
    if (!given_) return fallback;
    const auto [lo, hi] = numbers<2>();
    if (lo <= hi) return {lo, hi};
    fail("must be [lo, hi] with lo <= hi, got [" + rigor::text(lo) + ", " + rigor::text(hi) + "]");
    return fallback;
}

std::uint32_t Field::color() const {
    if (!given_) return 0;
    if (is(JsonKind::string)) {
        const std::string written = text();
        const std::string_view digits = std::string_view(written).substr(!written.empty());
        std::uint32_t value = 0;
        const char* end = digits.data() + digits.size();
        const bool hex = std::from_chars(digits.data(), end, value, 16).ptr == end;
        if (hex && written.front() == '#' && digits.size() == 6) return value << 8 | 0xFF;
        if (hex && written.front() == '#' && digits.size() == 8) return value;
    } else if (is(JsonKind::array)) {
        const std::vector<Field> parts = items(3, 4);
        std::uint32_t value = 0;
        for (const Field& part : parts) value = value << 8 | channel(part.within(0, 1, 0));
        return parts.size() == 3 ? value << 8 | 0xFF : value;
    }
    fail_got("must be \"#rrggbb\" or [r, g, b] with parts from 0 to 1");
    return 0;
}

std::vector<Field> Field::items(std::size_t at_least, std::size_t at_most) const {
    std::vector<Field> result;
    if (!expect(JsonKind::array)) return result;
    const JsonDocument& document = context_->document;
    const std::uint32_t size = document.size(node_);
    if (size < at_least || size > at_most) {
        const std::size_t bound = size < at_least ? at_least : at_most;
        fail((size < at_least ? "must have at least " : "must have at most ") +
             std::to_string(bound) + (bound == 1 ? " element, got " : " elements, got ") +
             std::to_string(size));
        return result;
    }
    result.reserve(size);
    for (Index i = document.first(node_); i != JsonDocument::kNone; i = document.next(i))
        result.emplace_back(*context_, i);
    return result;
}

std::vector<std::pair<Field, Field>> Field::members() const {
    std::vector<std::pair<Field, Field>> result;
    if (!expect(JsonKind::object)) return result;
    const JsonDocument& document = context_->document;
    for (Index key = document.first(node_); key != JsonDocument::kNone; key = document.next(key))
        result.emplace_back(Field(*context_, key), Field(*context_, document.value_of(key)));
    return result;
}

ObjectReader::ObjectReader(const Field& field, std::string kind)
    : field_(field), kind_(std::move(kind)), is_object_(field.expect(JsonKind::object)) {
    asked_.reserve(32);
}

Field ObjectReader::optional(std::string_view key) {
    ReadContext& context = *field_.context_;
    const bool is_new = std::find(asked_.begin(), asked_.end(), key) == asked_.end();
    if (is_new) asked_.push_back(key);
    if (!is_object_) return Field(context);
    const auto found = context.document.find(field_.node_, key);
    if (found == JsonDocument::kNone) return Field(context);
    if (is_new) ++found_; // counted once, or it would hide an unknown key
    return Field(context, context.document.value_of(found));
}

Field ObjectReader::required(std::string_view key, std::string_view example) {
    const Field result = optional(key);
    if (!result.given()) need(key, example);
    return result;
}

void ObjectReader::need(std::string_view key, std::string_view example) {
    if (!has(key) && broken_rule_.empty())
        broken_rule_ = "must have " + quoted(key) + std::string(example);
}

bool ObjectReader::has(std::string_view key) const {
    return is_object_ && field_.context_->document.find(field_.node_, key) != JsonDocument::kNone;
}

std::size_t ObjectReader::count_given(std::initializer_list<std::string_view> keys) const {
    return static_cast<std::size_t>(
        std::count_if(keys.begin(), keys.end(), [&](std::string_view key) { return has(key); }));
}

void ObjectReader::exactly_one(std::initializer_list<std::string_view> keys) {
    if (count_given(keys) != 1 && broken_rule_.empty())
        broken_rule_ = "must have exactly one of " + join_quoted(keys, "and");
}

void ObjectReader::at_most_one(std::initializer_list<std::string_view> keys) {
    if (count_given(keys) > 1 && broken_rule_.empty())
        broken_rule_ = "may have only one of " + join_quoted(keys, "and");
}

void ObjectReader::done() {
    if (done_) return;
    done_ = true;
    ReadContext& context = *field_.context_;
    if (context.record) context.record->operator[](kind_).insert(asked_.begin(), asked_.end());
    if (failed() || !is_object_) return;
    if (found_ < context.document.size(field_.node_)) refuse_unknown_keys();
    if (!broken_rule_.empty()) field_.fail(broken_rule_);
}

void ObjectReader::refuse_unknown_keys() const {
    ReadContext& context = *field_.context_;
    const JsonDocument& document = context.document;
    auto key = document.first(field_.node_);
    while (key != JsonDocument::kNone &&
           std::find(asked_.begin(), asked_.end(), document.text(key)) != asked_.end())
        key = document.next(key);
    if (key == JsonDocument::kNone) return;
    const std::string path = document.path(field_.node_);
    std::string suggestion = did_you_mean(document.text(key), asked_);
    if (suggestion.empty() && kind_ == "settings")
        suggestion = "; rigor info --settings lists them";
    context.error = Error{ErrorCode::invalid_value, document.place(key),
                          (path.empty() ? std::string(context.whole) : path) +
                              " has an unknown key " + document.excerpt(key) + suggestion};
}

} // namespace rigor
