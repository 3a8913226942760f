// Noticing changes of scene files: what is named, what changed, and when it is reported.

#include "viewer/file_watch.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

#include "viewer/look_mesh.h"

namespace rigor::viewer {
namespace {

namespace fs = std::filesystem;

class FileWatching : public testing::Test {
  protected:
    FileWatching()
        : folder_(fs::temp_directory_path() / ("rigor_watch_" + std::to_string(getpid()))) {
        fs::create_directories(folder_);
    }
    ~FileWatching() override { fs::remove_all(folder_); }

    fs::path write(const std::string& name, const std::string& text) {
        std::ofstream(folder_ / name) << text;
        return folder_ / name;
    }
    /// The result of the next poll that is due.
    bool poll() { return watch_.poll(now_ += FileWatch::kInterval); }

    fs::path folder_;
    FileWatch watch_;
    FileWatch::Clock::time_point now_ = FileWatch::Clock::now() + std::chrono::hours(1);
};

TEST(NamedFiles, AreStringsThatEndLikeAFile) {
    const std::string text =
        "{ \"include\": [\"part.json\"], // a \" in a comment\n"
        "  \"name\": \"a.b\", \"mesh\": \"meshes/cup.obj\", \"x\": \".obj\" }";
    EXPECT_EQ(named_files(text), (std::vector<std::string>{"part.json", "meshes/cup.obj"}));
    EXPECT_TRUE(named_files("").empty());
    EXPECT_TRUE(named_files("\"open").empty());
}

TEST_F(FileWatching, ReportsAChangeOnceWhenItHasSettled) {
    const fs::path scene = write("scene.json", "{}");
    watch_.watch(scene);
    EXPECT_FALSE(poll());
    write("scene.json", "{ }");
    EXPECT_FALSE(poll()) << "the file may still be written";
    write("scene.json", "{  }");
    EXPECT_FALSE(poll());
    EXPECT_TRUE(poll());
    EXPECT_FALSE(poll());
    fs::remove(scene);
    EXPECT_FALSE(poll());
    EXPECT_TRUE(poll()) << "a file that is gone has changed";
}

TEST_F(FileWatching, FollowsNamedFilesAndThoseThatAreMissing) {
    write("part.json", "{ \"mesh\": \"m.obj\", \"include\": \"scene.json\" }");
    watch_.watch(write("scene.json", "{ \"include\": \"part.json\" }"));
    EXPECT_EQ(watch_.file_count(), 3u);
    write("m.obj", "v 0 0 0\n");
    EXPECT_FALSE(poll());
    EXPECT_TRUE(poll());
    watch_.stop();
    write("m.obj", "v 0 0 0 \n");
    EXPECT_FALSE(poll());
    EXPECT_FALSE(poll());
}

TEST_F(FileWatching, LookMeshesAreLimitedAndChecked) {
    EXPECT_TRUE(load_look_mesh(write("m.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n").string()));
    EXPECT_FALSE(load_look_mesh(write("n.obj", "v 0 0 0\n").string()));
    EXPECT_FALSE(load_look_mesh((folder_ / "none.obj").string()));
    std::string many = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
    for (int i = 0; i <= 200'000; ++i) many += "f 1 2 3\n";
    const Result<TriangleSoup> refused = load_look_mesh(write("many.obj", many).string());
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().message.find("200001"), std::string::npos);
}

} // namespace
} // namespace rigor::viewer
