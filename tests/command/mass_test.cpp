// rigor mass: the output that scripts rely on.

#include "program.h"

namespace rigor {
namespace {

using MassCommand = test::ProgramTest;

// The pyramid of [Baber 2006, figure 8]: base 5 x 5, height 4, density 1. Volume 100/3, center at a
// quarter of the height; about its center I_zz = m a²/10 and I_xx = m (a²/20 + 3 h²/80).
TEST_F(MassCommand, PyramidOfFigure8) {
    const auto m = rigor_json("mass scenes/meshes/pyramid.obj --density 1");
    EXPECT_NEAR(m["volume"].get<double>(), 100.0 / 3, 1e-12);
    EXPECT_NEAR(m["mass"].get<double>(), 100.0 / 3, 1e-12);
    const double center[3] = {2.5, 2.5, 1};
    const double i_xx = 100.0 / 3 * (25.0 / 20 + 3 * 16.0 / 80), i_zz = 100.0 / 3 * 25 / 10;
    const double moments[3] = {i_xx, i_xx, i_zz};
    for (int i = 0; i < 3; ++i) {
        EXPECT_NEAR(m["center_of_mass"][i].get<double>(), center[i], 1e-12);
        EXPECT_NEAR(m["principal_moments"][i].get<double>(), moments[i], 1e-12 * moments[i]);
        for (int j = 0; j < 3; ++j) {
            EXPECT_NEAR(m["inertia"][i][j].get<double>(), i == j ? moments[i] : 0, 1e-12 * i_zz);
        }
    }
    EXPECT_EQ(m["closed"], true);
    EXPECT_TRUE(m["warnings"].empty());
    for (const char* key : {"area", "principal_axes"}) EXPECT_TRUE(m.contains(key)) << key;
}

TEST_F(MassCommand, ACubeWithACubicHoleWeighsTheDifference) {
    EXPECT_NEAR(rigor_json("mass scenes/meshes/cube_with_hole.obj --mass 3")["mass"].get<double>(),
                3, 1e-12);
}

TEST_F(MassCommand, PrintsForPeopleToo) {
    const auto r = rigor("mass scenes/meshes/pawn.obj --hollow");
    ASSERT_EQ(r.exit_code, 0) << r.err;
    EXPECT_NE(r.out.find("hollow, closed"), std::string::npos) << r.out;
    EXPECT_NE(r.out.find("center of mass"), std::string::npos);
}

TEST_F(MassCommand, BadInputGetsOneSentence) {
    const std::string open = write("open.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    const struct {
        std::string arguments, start;
    } cases[] = {
        {"mass nothing.obj", "rigor: nothing.obj: there is no such file"},
        {"mass " + open, "rigor: " + open + ": the mesh is not closed"},
        {"mass " + open + " --hollow --density 0", "rigor: " + open + ": "},
        {"mass " + open + " --density 1 --mass 2",
         "rigor: --density and --mass exclude each other"},
    };
    for (const auto& c : cases) {
        const auto r = rigor(c.arguments);
        EXPECT_EQ(r.exit_code, 2) << c.arguments;
        EXPECT_EQ(r.err.rfind(c.start, 0), 0u) << r.err;
        EXPECT_EQ(std::count(r.err.begin(), r.err.end(), '\n'), 1) << r.err;
    }
    EXPECT_EQ(rigor("mass " + open + " --hollow").exit_code, 0);
}

} // namespace
} // namespace rigor
