// For every key of the scene format every method uses it, warns of it, or refuses it: none is
// ignored in silence. docs/keys.md is the result.
#include <fstream>
#include <iostream>
#include <sstream>
#include <thread>

#include "key_scan.h"
#include "rigor/scene.h"
#include "scene_test_support.h"

namespace rigor::test {
namespace {

using json = nlohmann::json;
namespace fs = std::filesystem;

std::string contents(const fs::path& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
}

json read_json(const char* path) {
    return json::parse(contents(fs::path(RIGOR_SOURCE_DIR) / path), nullptr, true,
                       /*ignore_comments=*/true);
}

void write_files_of_probes(const TemporaryFolder& folder) {
    folder.write("tetra.obj",
                 "v 0 0 -0.5\nv 0.5 0 0.3\nv -0.3 0.5 0.3\nv -0.3 -0.5 0.3\n"
                 "f 1 3 2\nf 1 4 3\nf 1 2 4\nf 2 3 4\n");
    folder.write("tall.obj",
                 "v 0 0 -0.7\nv 0.5 0 0.3\nv -0.3 0.5 0.3\nv -0.3 -0.5 0.3\n"
                 "f 1 3 2\nf 1 4 3\nf 1 2 4\nf 2 3 4\n");
    // A prism over an L: two convex parts.
    folder.write(
        "corner.obj",
        "v 0 0 0\nv 0.6 0 0\nv 0.6 0.2 0\nv 0.2 0.2 0\nv 0.2 0.6 0\nv 0 0.6 0\n"
        "v 0 0 0.2\nv 0.6 0 0.2\nv 0.6 0.2 0.2\nv 0.2 0.2 0.2\nv 0.2 0.6 0.2\nv 0 0.6 0.2\n"
        "f 4 3 2\nf 4 2 1\nf 4 1 6\nf 4 6 5\nf 10 8 9\nf 10 7 8\nf 10 12 7\nf 10 11 12\n"
        "f 1 2 8\nf 1 8 7\nf 2 3 9\nf 2 9 8\nf 3 4 10\nf 3 10 9\n"
        "f 4 5 11\nf 4 11 10\nf 5 6 12\nf 5 12 11\nf 6 1 7\nf 6 7 12\n");
    folder.write("flat.txt", "0 0 0\n0 0 0\n0 0 0\n");
    folder.write("hills.txt", "0 0 0\n0 -0.2 0\n0 0 0\n");
    for (const char* name : {"part", "other"})
        folder.write(std::string(name) + ".json",
                     R"({ "rigor": 1, "bodies": [ { "name": "x", "velocity": [)" +
                         std::string(name[0] == 'p' ? "1" : "2") +
                         R"(, 0, 0], "shapes": [ { "type": "sphere", "radius": 1 } ] } ] })");
}

void expect_accounted_for(const std::string& key, const std::vector<KeyUse>& row) {
    for (std::size_t i = 0; i < row.size(); ++i)
        EXPECT_TRUE(is_accounted_for(row[i]))
            << key << " under " << scene_methods()[i] << ": " << row[i];
}

constexpr const char* kHead = "<!-- made by test_scene: RIGOR_WRITE_KEYS=1 -->\n";

TEST(KeyScan, NoMethodIgnoresAKeyInSilence) {
    const TemporaryFolder folder;
    write_files_of_probes(folder);
    const KeyProbes probes(read_json("tests/scene/key_probes.json"),
                           read_json("docs/scene.schema.json"));
    EXPECT_EQ(probes.missing(), std::set<std::string>{}) << "keys without a probe";
    EXPECT_EQ(probes.unknown(), std::set<std::string>{}) << "probes of no key";
    // Each method in a thread of its own.
    const std::size_t count = scene_methods().size();
    std::vector<std::vector<KeyUse>> by_method(count);
    std::vector<std::thread> threads;
    for (std::size_t m = 0; m < count; ++m)
        threads.emplace_back([&, m] {
            KeyScan scan(folder.path());
            for (const KeyProbe& probe : probes.probes())
                by_method[m].push_back(scan.use(probe, scene_methods()[m]));
        });
    for (std::thread& thread : threads) thread.join();
    std::map<std::string, std::vector<KeyUse>> uses;
    for (std::size_t i = 0; i < probes.probes().size(); ++i) {
        const KeyProbe& probe = probes.probes()[i];
        std::vector<KeyUse> row;
        for (std::size_t m = 0; m < count; ++m) row.push_back(by_method[m][i]);
        if (probe.also) expect_accounted_for(probe.key, row);
        const auto [known, is_new] = uses.emplace(probe.key, row);
        for (std::size_t m = 0; m < count; ++m)
            if (!is_accounted_for(known->second[m])) known->second[m] = row[m];
    }
    for (const auto& [key, row] : uses) expect_accounted_for(key, row);
    const fs::path page = fs::path(RIGOR_SOURCE_DIR) / "docs/keys.md";
    const std::string text = contents(page);
    const std::size_t place = text.find(kHead);
    ASSERT_NE(place, std::string::npos) << page;
    const std::string made = text.substr(0, place) + kHead + key_table(uses, scene_methods());
    if (std::getenv("RIGOR_WRITE_KEYS")) std::ofstream(page) << made;
    EXPECT_TRUE(contents(page) == made)
        << "docs/keys.md is not what the methods do: RIGOR_WRITE_KEYS=1 "
           "test_scene --gtest_filter=KeyScan.* writes it";
}

} // namespace
} // namespace rigor::test
