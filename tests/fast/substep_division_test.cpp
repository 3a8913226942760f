// Bounds by which most joints are known to need no divided substeps.
#include "fast/substep_division.h"

#include <cmath>

#include "test_support.h"

namespace rigor::fast {
namespace {

// Of needles, plates and balls, and of loads along the arm and in any direction.
TEST(SubstepDivision, TheBoundIsNeverBelowTheFrequency) {
    test::Random random(5);
    float closest = 0;
    for (int i = 0; i < 20000; ++i) {
        const Vec3d moments{std::exp(random.uniform(-6, 6)), std::exp(random.uniform(-6, 6)),
                            std::exp(random.uniform(-6, 6))};
        Sym3f inertia = Sym3f::diagonal(cast<float>(moments));
        if (i % 2 == 0) { // turned about z
            const double c = random.uniform(-1, 1), s = std::sqrt(1 - c * c);
            inertia.xx = static_cast<float>(c * c * moments.x + s * s * moments.y);
            inertia.yy = static_cast<float>(s * s * moments.x + c * c * moments.y);
            inertia.xy = static_cast<float>(c * s * (moments.x - moments.y));
        }
        const Vec3f arm = random.vec<float>();
        const Vec3f force = i % 3 == 0 ? arm * 7.0f : random.vec<float>(-50, 50);
        const Vec3f torque = i % 5 == 0 ? random.vec<float>(-50, 50) : Vec3f{};
        const float exact = squared_frequency(inertia, arm, force, torque);
        const float bound = squared_frequency_bound(inertia, static_cast<double>(length(arm)),
                                                    length(force), length(torque));
        ASSERT_GE(bound, exact * 0.9999f) << i;
        closest = std::max(closest, exact / bound);
    }
    EXPECT_GT(closest, 0.2f); // else it would be of no use
}

} // namespace
} // namespace rigor::fast
