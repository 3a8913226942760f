// The gallery as a whole: every scene can be shown, and every scene has a test.
#include <cctype>
#include <fstream>
#include <iterator>
#include <set>

#include "gallery/gallery_scene.h"

namespace rigor::test {
namespace {

std::vector<std::string> scene_names() {
    std::vector<std::string> names;
    for (const auto& file : std::filesystem::directory_iterator(gallery_folder()))
        if (file.path().extension() == ".json") names.push_back(file.path().stem().string());
    return names;
}

/// newtons_cradle -> NewtonsCradle
std::string test_name(const std::string& scene) {
    std::string name;
    for (std::size_t i = 0; i < scene.size(); ++i) {
        if (scene[i] == '_') continue;
        const bool first = i == 0 || scene[i - 1] == '_';
        const auto c = static_cast<unsigned char>(scene[i]);
        name += first ? static_cast<char>(std::toupper(c)) : scene[i];
    }
    return name;
}

std::set<std::string> tests_of(const std::string& suite) {
    std::set<std::string> names;
    const testing::UnitTest& all = *testing::UnitTest::GetInstance();
    for (int i = 0; i < all.total_test_suite_count(); ++i) {
        const testing::TestSuite& of = *all.GetTestSuite(i);
        if (of.name() != suite) continue;
        for (int k = 0; k < of.total_test_count(); ++k) names.insert(of.GetTestInfo(k)->name());
    }
    return names;
}

TEST(GalleryFolder, EverySceneHasATest) {
    const std::set<std::string> tests = tests_of("Gallery");
    for (const std::string& scene : scene_names())
        EXPECT_TRUE(tests.count(test_name(scene)))
            << "scenes/" << scene << ".json has no test: write TEST(Gallery, " << test_name(scene)
            << ") in tests/gallery, which says what must be true after some seconds";
}

TEST(GalleryFolder, EverySceneIsInTheGuide) {
    std::ifstream file(gallery_folder() / ".." / "docs" / "gallery.md");
    const std::string guide{std::istreambuf_iterator<char>(file), {}};
    for (const std::string& scene : scene_names())
        EXPECT_NE(guide.find("`" + scene + "`"), std::string::npos)
            << "docs/gallery.md has no line for `" << scene << "`";
}

TEST(GalleryFolder, EverySceneSaysWhatItIsAndFromWhere) {
    std::set<std::string> titles;
    for (const std::string& name : scene_names()) {
        const Result<Scene> scene = load_scene(gallery_folder() / (name + ".json"));
        ASSERT_TRUE(scene.ok()) << to_string(scene.error());
        EXPECT_TRUE(titles.insert(scene->name).second) << name << " has the name of another scene";
        EXPECT_FALSE(scene->about.empty()) << name << " has no `about`";
        EXPECT_TRUE(scene->camera.has_value()) << name << " has no `camera`";
        EXPECT_TRUE(scene->warnings.empty()) << name << ": " << scene->warnings.front();
    }
}

} // namespace
} // namespace rigor::test
