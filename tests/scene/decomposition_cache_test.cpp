// Convex pieces stored beside the mesh file: used when they fit, made anew when they do not, and
// never a reason to fail.

#include "scene/decomposition_cache.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "geometry/decompose_samples.h"
#include "rigor/mesh_file.h"
#include "scene/scene_test_support.h"
#include "test_support.h"

namespace rigor::test {
namespace {

namespace fs = std::filesystem;

Decomposition two_pieces() {
    return {{{{0, 0, 0}, {1, 0, 0}, {0, 0.1, 0}, {0, 0, 1e-300}},
             {{1, 1, 1}, {2, 1, 1}, {1, 2, 1}, {1, 1, 2}, {-1.0 / 3, 1, 1}}},
            0.0123,
            "a warning, as it was"};
}

TEST(DecompositionCache, TextKeepsEveryBit) {
    const Decomposition given = two_pieces();
    const auto read = pieces_from_text(to_text(given, 42), 42);
    ASSERT_TRUE(read.has_value());
    EXPECT_EQ(read->pieces, given.pieces);
    EXPECT_EQ(read->concavity, given.concavity);
    EXPECT_EQ(read->warning, given.warning);
}

TEST(DecompositionCache, NoDamageGoesUnseen) {
    const std::string good = to_text(two_pieces(), 42);
    EXPECT_FALSE(pieces_from_text(good, 43)) << "of another mesh";
    for (std::size_t i = 0; i < good.size(); ++i) {
        std::string bad = good;
        bad[i] = static_cast<char>(bad[i] ^ 1);
        EXPECT_FALSE(pieces_from_text(bad, 42)) << "byte " << i;
        EXPECT_FALSE(pieces_from_text(good.substr(0, i), 42)) << "cut off at byte " << i;
    }
    EXPECT_FALSE(pieces_from_text(good + good, 42));
    EXPECT_FALSE(pieces_from_text("# a file of someone else", 42));
}

TEST(DecompositionCache, TheKeyFollowsMeshAndConcavity) {
    TriangleSoup soup = l_mesh();
    const std::uint64_t key = pieces_key(soup, 0.05);
    EXPECT_EQ(pieces_key(l_mesh(), 0.05), key);
    EXPECT_NE(pieces_key(soup, 0.06), key);
    std::swap(soup.triangles[0][0], soup.triangles[0][1]);
    EXPECT_NE(pieces_key(soup, 0.05), key);
    soup = l_mesh();
    soup.vertices[0].x = std::nextafter(soup.vertices[0].x, 1.0);
    EXPECT_NE(pieces_key(soup, 0.05), key);
}

/// A folder with an L in a file.
class DecomposedFile : public testing::Test {
  protected:
    DecomposedFile() { folder_.write("l.obj", to_obj(l_mesh(), "an L")); }

    fs::path cache() const { return folder_.path() / "l.obj.0.05.pieces"; }

    /// The pieces a scene with the L gets.
    std::shared_ptr<const ConvexPieces> load() {
        scene_ = parsed(scene_of_body(R"({ "name": "L", "shapes": [
            { "type": "decomposed", "file": "l.obj", "concavity": 0.05, "density": 1 } ] })"),
                        folder_.path());
        const auto& def = std::get<MeshDef>(scene_.bodies.at(0).def.shapes.at(0).geometry);
        return known_pieces(def.soup, *def.concavity);
    }

    /// The folder must not be left full of temporary files.
    std::size_t files() const {
        return static_cast<std::size_t>(
            std::distance(fs::directory_iterator(folder_.path()), fs::directory_iterator()));
    }

    TemporaryFolder folder_;
    Scene scene_;
};

TEST_F(DecomposedFile, IsWrittenByTheFirstLoadAndUsedByTheNext) {
    ASSERT_FALSE(fs::exists(cache()));
    ASSERT_EQ(load()->size(), 2u);
    ASSERT_TRUE(fs::exists(cache()));
    EXPECT_EQ(files(), 2u);
    // Three pieces that the L would never fall into show that the file is what counts.
    const TriangleSoup soup = load_mesh((folder_.path() / "l.obj").string()).value();
    Decomposition other = two_pieces();
    other.pieces = {box_mesh({1, 1, 1}).vertices, box_mesh({2, 1, 1}).vertices,
                    box_mesh({3, 1, 1}).vertices};
    folder_.write("l.obj.0.05.pieces", to_text(other, pieces_key(soup, 0.05)));
    EXPECT_EQ(load()->size(), 3u);
    EXPECT_THAT(scene_.warnings, testing::ElementsAre(testing::EndsWith(": a warning, as it was")));
}

TEST_F(DecomposedFile, WithAndWithoutTheCacheThePiecesAreTheSame) {
    const auto first = load(), second = load();
    ASSERT_NE(first, second);
    ASSERT_EQ(first->size(), second->size());
    for (std::size_t i = 0; i < first->size(); ++i) {
        EXPECT_EQ((*first)[i]->vertices, (*second)[i]->vertices);
    }
}

TEST_F(DecomposedFile, IsMadeAnewWhenItIsDamagedStaleOrForeign) {
    load();
    const std::string good = read_file(cache());
    const std::string flat =
        to_text({{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}}}, 0, ""},
                pieces_key(*std::get<MeshDef>(scene_.bodies[0].def.shapes[0].geometry).soup, 0.05));
    for (const std::string& bad :
         {std::string(), std::string("hello"), good.substr(0, good.size() / 2),
          to_text(two_pieces(), 7), std::string(1000, '\0'), flat}) {
        folder_.write("l.obj.0.05.pieces", bad);
        EXPECT_EQ(load()->size(), 2u);
        EXPECT_EQ(read_file(cache()), good);
    }
    // A mesh that changed.
    folder_.write("l.obj", to_obj(u_mesh(), "now a U"));
    EXPECT_EQ(load()->size(), 3u);
    EXPECT_NE(read_file(cache()), good);
    EXPECT_EQ(files(), 2u);
}

TEST_F(DecomposedFile, CannotBeWrittenAndNothingFails) {
    fs::create_directory(cache()); // whoever runs the tests, this is no place for a file
    EXPECT_EQ(load()->size(), 2u);
    EXPECT_EQ(files(), 2u);
    fs::remove(cache());
    fs::permissions(folder_.path(), fs::perms::owner_read | fs::perms::owner_exec);
    EXPECT_EQ(load()->size(), 2u);
    fs::permissions(folder_.path(), fs::perms::owner_all);
}

TEST_F(DecomposedFile, AnOpenMeshIsRefusedInOneSentence) {
    TriangleSoup open = l_mesh();
    open.triangles.pop_back();
    folder_.write("l.obj", to_obj(open, "not closed"));
    EXPECT_THAT(
        refusal(scene_of_shape(R"({ "type": "decomposed", "file": "l.obj" })"), folder_.path()),
        testing::HasSubstr("a mesh must be closed to be decomposed, got one with 3 open edges"));
    EXPECT_EQ(files(), 1u);
}

// A thousand bodies of one mesh decompose it once.
TEST_F(DecomposedFile, IsReadOnceForAllBodies) {
    std::string bodies = "\"bodies\": [";
    for (int i = 0; i < 200; ++i) {
        bodies += std::string(i ? "," : "") +
                  R"({ "shapes": [ { "type": "decomposed", "file": "l.obj" } ] })";
    }
    const Scene scene = parsed(scene_with(bodies + "]"), folder_.path());
    ASSERT_EQ(scene.bodies.size(), 200u);
    const auto soup = [&](std::size_t i) {
        return std::get<MeshDef>(scene.bodies[i].def.shapes[0].geometry).soup;
    };
    EXPECT_EQ(soup(0), soup(199));
    EXPECT_TRUE(known_pieces(soup(0), 0.05));
}

} // namespace
} // namespace rigor::test
