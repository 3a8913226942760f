// docs/scene.schema.json and the readers must say the same.

#include "everything.h"
#include "json_schema.h"
#include "scene/read_scene.h"
#include "test_support.h"

namespace rigor::test {
namespace {

using json = nlohmann::json;
namespace fs = std::filesystem;

json with_comments(const std::string& text) {
    return json::parse(text, nullptr, true, /*ignore_comments=*/true);
}

json schema() {
    return json::parse(read_file(fs::path(RIGOR_SOURCE_DIR) / "docs/scene.schema.json"));
}

/// "shape box" is described by $defs/shape_box, the scene by the schema itself.
const json& description_of(const std::string& kind, const json& schema) {
    if (kind == "scene") return schema;
    std::string name = kind == "orientation" ? "orientation_object" : kind;
    std::replace(name.begin(), name.end(), ' ', '_');
    return schema.at("$defs").at(name);
}

class Schema : public testing::Test {
  protected:
    Schema() { write_files_of_everything(folder_); }

    TemporaryFolder folder_;
    json schema_ = schema();
};

TEST_F(Schema, KnowsExactlyTheKeysTheReadersKnow) {
    KeyRecord record;
    const auto scene = read_scene(kEverything, "everything.json", folder_.path(), {}, &record);
    ASSERT_TRUE(scene.ok()) << to_string(scene.error());
    std::set<std::string> described;
    for (const auto& [kind, keys] : record) {
        SCOPED_TRACE(kind);
        const json& definition = description_of(kind, schema_);
        std::set<std::string> properties;
        for (const auto& [key, value] : definition.at("properties").items()) properties.insert(key);
        EXPECT_EQ(properties, keys);
        described.insert(kind);
    }
    // And the other way round: every object the schema describes has a reader.
    std::size_t objects = 1; // the scene itself
    for (const auto& [name, definition] : schema_.at("$defs").items())
        objects += definition.contains("properties");
    EXPECT_EQ(described.size(), objects);
}

TEST_F(Schema, DescribesEveryProperty) {
    for (const auto& [name, definition] : schema_.at("$defs").items()) {
        EXPECT_TRUE(definition.contains("description")) << name;
        if (!definition.contains("properties")) continue;
        for (const auto& [key, property] : definition.at("properties").items())
            EXPECT_TRUE(property.contains("description") || property.contains("$ref") ||
                        property.contains("const"))
                << name << "." << key;
    }
}

TEST_F(Schema, AcceptsEverySceneOfTheGallery) {
    const SchemaValidator validator(schema_);
    std::size_t count = 0;
    for (const auto& file : fs::directory_iterator(fs::path(RIGOR_SOURCE_DIR) / "scenes")) {
        if (file.path().extension() != ".json") continue;
        SCOPED_TRACE(file.path().filename());
        EXPECT_EQ(validator.check(with_comments(read_file(file.path()))), "");
        ++count;
    }
    EXPECT_GE(count, 8u);
    EXPECT_EQ(validator.check(with_comments(kEverything)), "");
}

TEST_F(Schema, AcceptsTheBenchmarkScenes) {
    RIGOR_NEEDS_DATA();
    const SchemaValidator validator(schema_);
    for (const char* name : {"chains", "pyramid", "wall", "tall_stack20"}) {
        const auto path = data_dir() / "bench_scenes" / (std::string(name) + ".json");
        EXPECT_EQ(validator.check(json::parse(read_file(path))), "") << name;
    }
}

/// All values inside `value`, with itself.
void collect(json& value, std::vector<json*>& all) {
    all.push_back(&value);
    if (value.is_structured())
        for (json& child : value) collect(child, all);
}

// The schema cannot know all rules (names, files, inertia), but it may never refuse what the
// loader accepts. Thousands of damaged scenes look for an exception.
TEST_F(Schema, RefusesNothingTheLoaderAccepts) {
    const SchemaValidator validator(schema_);
    const json original = with_comments(kEverything);
    const std::vector<json> replacements = {nullptr,
                                            true,
                                            "word",
                                            -1,
                                            0,
                                            0.5,
                                            3,
                                            json::array(),
                                            json::object(),
                                            json::array({1, 2, 3})};
    Random random(7);
    int accepted = 0, refused = 0;
    for (int i = 0; i < 500; ++i) {
        json damaged = original;
        std::vector<json*> values;
        collect(damaged, values);
        json& victim = *values[static_cast<std::size_t>(
            random.integer(1, static_cast<int>(values.size()) - 1))];
        const int kind = random.integer(0, 3);
        if (kind == 0 && victim.is_object()) {
            victim["bogus"] = 1;
        } else if (kind == 1 && victim.is_object() && !victim.empty()) {
            auto key = victim.begin();
            std::advance(key, random.integer(0, static_cast<int>(victim.size()) - 1));
            victim.erase(key);
        } else {
            victim = replacements[static_cast<std::size_t>(
                random.integer(0, static_cast<int>(replacements.size()) - 1))];
        }
        const auto scene = parse_scene(damaged.dump(), "damaged.json", folder_.path());
        if (!scene) {
            ++refused;
            continue;
        }
        ++accepted;
        EXPECT_EQ(validator.check(damaged), "") << damaged.dump();
    }
    EXPECT_GT(accepted, 20);
    EXPECT_GT(refused, 200);
}

} // namespace
} // namespace rigor::test
