// JSON documents: places of all values, numbers to the last bit, and one sentence for bad text.

#include "scene/json_document.h"

#include <gtest/gtest.h>

#include <cmath>

#include "test_support.h"

namespace rigor {
namespace {

using test::message;

std::string refusal(const std::string& text) {
    const auto document = parse_json(text, "t.json");
    return document ? "accepted" : to_string(document.error());
}

/// `where_and_why` is the sentence after the name of the file.
void expect_refused(const std::string& text, const std::string& where_and_why) {
    EXPECT_EQ(refusal(text), "t.json:" + where_and_why);
}

double number(const std::string& text) {
    const auto document = parse_json(text, "t.json");
    EXPECT_TRUE(document.ok()) << text;
    return document ? document->number(JsonDocument::kRoot) : std::nan("");
}

std::string text_of(const std::string& text) {
    const auto document = parse_json(text, "t.json");
    EXPECT_TRUE(document.ok()) << text;
    return document ? std::string(document->text(JsonDocument::kRoot)) : "";
}

std::string nested(int levels) {
    const auto n = static_cast<std::size_t>(levels);
    return std::string(n, '[') + std::string(n, ']');
}

TEST(JsonDocument, KnowsThePlaceAndPathOfEveryValueAndKey) {
    const auto document = parse_json("{\n  \"a\": [1, {\"b c\": \"\xC3\xA4\"}, true]\n}", "t.json");
    ASSERT_TRUE(document.ok()) << to_string(document.error());
    const auto key = document->find(JsonDocument::kRoot, "a");
    EXPECT_EQ(document->place(key), "t.json:2:3");
    const auto array = document->value_of(key);
    EXPECT_EQ(document->place(array), "t.json:2:8");
    EXPECT_EQ(document->size(array), 3u);
    const auto object = document->next(document->first(array));
    const auto inner = document->find(object, "b c");
    EXPECT_EQ(document->path(inner), "a[1].b c");
    EXPECT_EQ(document->path(document->value_of(inner)), "a[1].b c");
    // The column counts characters: "ä" is one of them, though it takes two bytes.
    EXPECT_EQ(document->place(document->next(object)), "t.json:2:26");
    EXPECT_EQ(document->find(JsonDocument::kRoot, "b"), JsonDocument::kNone);
}

TEST(JsonDocument, SkipsCommentsOfBothKinds) {
    EXPECT_EQ(number("// one\n/* two\n * three */ 4 // five"), 4);
    expect_refused("1 /* open", "1:3: the text ends inside this comment");
    expect_refused("/", "1:1: expected a value, found \"/\"");
}

// The nearest double to the decimal number, whatever the locale: the standard promises it of
// from_chars, and these are numbers that careless readers get wrong.
TEST(JsonDocument, ReadsNumbersExactly) {
    EXPECT_EQ(number("0.1"), 0.1);
    EXPECT_EQ(number("-0"), 0.0);
    EXPECT_TRUE(std::signbit(number("-0")));
    EXPECT_EQ(number("2.2250738585072011e-308"), 2.2250738585072011e-308);
    EXPECT_EQ(number("9007199254740993"), 9007199254740992.0);
    EXPECT_EQ(number("1E+2"), 100.0);
    EXPECT_EQ(number("1.7976931348623157e308"), 1.7976931348623157e308);
}

TEST(JsonDocument, TakesNumbersTooSmallAsZeroAndRefusesThoseTooLarge) {
    EXPECT_EQ(number("1e-999"), 0.0);
    EXPECT_EQ(number("0." + std::string(400, '0') + "1"), 0.0);
    EXPECT_EQ(number("0.000001e-400"), 0.0);
    expect_refused("1e999", "1:1: numbers must be finite, got 1e999");
    expect_refused("-1e999", "1:1: numbers must be finite, got -1e999");
    EXPECT_EQ(refusal("[1,\n 1" + std::string(400, '0') + "]").substr(0, 38),
              "t.json:2:2: numbers must be finite, go");
    expect_refused("1e99999999999999999999",
                   "1:1: numbers must be finite, got 1e99999999999999999999");
    EXPECT_EQ(number("1e-99999999999999999999"), 0.0);
}

TEST(JsonDocument, RefusesWhatIsNoNumber) {
    expect_refused("NaN", "1:1: numbers must be finite, got NaN");
    expect_refused("[Infinity]", "1:2: numbers must be finite, got Infinity");
    expect_refused("-Infinity", "1:1: numbers must be finite, got -Infinity");
    for (const char* text : {"01", "1.", "-", "1e", "1e+", "0x10", "1.2.3", "1_000", "1..2"})
        EXPECT_EQ(refusal(text), message("t.json:1:1: \"", text, "\" is not a number"));
    expect_refused("+1", "1:1: expected a value, found \"+\"");
    expect_refused(".5", "1:1: expected a value, found \".\"");
}

TEST(JsonDocument, DecodesStrings) {
    EXPECT_EQ(text_of(R"("a\"b\\c\/d\b\f\n\r\t")"), "a\"b\\c/d\b\f\n\r\t");
    EXPECT_EQ(text_of(R"("\u0041\u00e4\u20ac\ud83d\ude00")"),
              "A\xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80");
    EXPECT_EQ(text_of("\"\xF0\x9F\x98\x80\""), "\xF0\x9F\x98\x80");
    EXPECT_EQ(text_of(R"("\u0000")"), std::string(1, '\0'));
}

TEST(JsonDocument, RefusesBadStrings) {
    expect_refused("\"abc", "1:1: the text ends inside this string");
    expect_refused("\"abc\\", "1:5: unknown escape in a string");
    expect_refused(R"("\x41")", "1:2: unknown escape in a string");
    for (const char* text : {R"("\u12")", R"("\u12g4")", R"("\ud800")", R"("\ud800A")",
                             R"("\udc00")", R"("\ud800\u0041")"})
        expect_refused(text, "1:2: \\u must be followed by four hexadecimal digits of a character");
    expect_refused("\"a\nb\"", "1:3: a string may not contain control characters or line breaks");
    // Stray tails, overlong forms, surrogates, beyond U+10FFFF, cut short.
    for (const char* bytes : {"\x80", "\xC0\xAF", "\xE0\x80\xAF", "\xED\xA0\x80",
                              "\xF4\x90\x80\x80", "\xFF", "\xE2\x82"})
        expect_refused(std::string("\"") + bytes + "\"", "1:2: the text is not valid UTF-8");
}

TEST(JsonDocument, RefusesDuplicateKeysInSmallAndLargeObjects) {
    expect_refused("{\"a\": 1,\n \"a\": 2}", "2:2: the key \"a\" is given twice");
    std::string large = "{";
    for (int i = 0; i < 100; ++i) large += "\"k" + std::to_string(i) + "\": 0, ";
    EXPECT_EQ(refusal(large + "\"z\": 0}"), "accepted");
    expect_refused(large + "\n\"k3\": 0}", "2:1: the key \"k3\" is given twice");
    expect_refused(large + "\n\"k77\": 0}", "2:1: the key \"k77\" is given twice");
}

TEST(JsonDocument, RefusesTrailingCommasAndMissingParts) {
    expect_refused("[1, ]", "1:5: a comma must be followed by another value, found \"]\"");
    expect_refused("{\"a\": 1, }", "1:10: a comma must be followed by another key, found \"}\"");
    expect_refused("[1 2]", "1:4: expected \",\" or \"]\", found \"2\"");
    expect_refused("{\"a\" 1}", "1:6: a key must be followed by \":\", found \"1\"");
    expect_refused("{a: 1}", "1:2: a key must be a string in double quotes, found \"a\"");
    expect_refused("1 2", "1:3: nothing may follow the value, found \"2\"");
    expect_refused("[\x01]", "1:2: expected a value, found byte 0x01");
    expect_refused("truth", "1:1: expected a value, found \"truth\"");
}

TEST(JsonDocument, SaysWhereTruncatedTextEnds) {
    expect_refused("", "1:1: the text ends where a value was expected");
    expect_refused("[1,\n", "2:1: the text ends where a value was expected");
    expect_refused("[1", "1:3: the text ends inside an array");
    expect_refused("{\"a\"", "1:5: the text ends inside an object");
    expect_refused("{\"a\": 1", "1:8: the text ends inside an object");
    // Whatever a text is cut to, it is refused, never accepted or crashed on.
    const std::string whole = R"({"a": [1.5e3, "b\u00e4", {"c": null}], "d": true})";
    for (std::size_t n = 0; n < whole.size(); ++n)
        EXPECT_NE(refusal(whole.substr(0, n)), "accepted") << n;
}

TEST(JsonDocument, LimitsTheDepthOfNesting) {
    EXPECT_EQ(refusal(nested(64)), "accepted");
    expect_refused(nested(65), "1:65: values may be nested at most 64 deep");
    expect_refused(nested(200), "1:65: values may be nested at most 64 deep");
    expect_refused(std::string(1'000'000, '['), "1:65: values may be nested at most 64 deep");
}

TEST(JsonDocument, ErrorsSayTheirKind) {
    EXPECT_EQ(parse_json("[", "t").error().code, ErrorCode::syntax);
    EXPECT_EQ(parse_json("1e999", "t").error().code, ErrorCode::invalid_value);
    EXPECT_EQ(parse_json(nested(65), "t").error().code, ErrorCode::limit);
}

} // namespace
} // namespace rigor
