// kavan2003 on scenes of the gallery: no overlap, measured from the poses after each step.
#include "gallery/gallery_scene.h"

namespace rigor::test {
namespace {

struct Case {
    const char* scene;
    double seconds;
};

class NoOverlap : public testing::TestWithParam<Case> {};

// The cases of figure 3 of Kenwright, then those of Kavan's own. The longer ones for as long as
// they are quick. Some begin with an overlap, which the first step takes away.
INSTANTIATE_TEST_SUITE_P(
    Kavan2003, NoOverlap,
    testing::Values(Case{"resting", 0.5}, Case{"stack", 0.2}, Case{"see_saw", 0.05},
                    Case{"tower", 0.05}, Case{"tower_of_blocks", 0.05}, Case{"wall", 0.034},
                    Case{"slopes", 1}, Case{"rolling_race", 0.5}, Case{"marble_run", 0.3},
                    Case{"hills", 0.5}, Case{"jitter", 1}, Case{"tunneling", 1},
                    Case{"rectangle_on_springs", 1}, Case{"contact_classes", 1},
                    Case{"box_off_table", 1}),
    [](const testing::TestParamInfo<Case>& test) { return std::string(test.param.scene); });

TEST_P(NoOverlap, AfterEachStep) {
    GalleryScene show(GetParam().scene, {{"method", "kavan2003"}});
    const double dt = show.simulation().scene().time_step;
    for (double t = 0; t < GetParam().seconds; t += dt) {
        show.run(dt);
        ASSERT_LE(show.penetration(), 1e-6) << show.world().time() << " s";
    }
}

} // namespace
} // namespace rigor::test
