// Distances of the checker: bounds from below that are as good as rounding allows.

#include "check/solid.h"

#include <gtest/gtest.h>

#include <random>

namespace check {
namespace {

Shape box_of(Vec size) {
    Shape box;
    box.type = "box";
    box.size = size;
    return box;
}

// The direction from a surface to a point 1e-12 m above it has four digits, and a plane tilted by
// 1e-4 cuts off a corner of a box of 3 m by 0.1 mm.
TEST(Distance, OfAPointThatHardlyPartsFromABoxIsKnown) {
    std::mt19937 random(7);
    std::uniform_real_distribution<double> share(-1, 1);
    const Shape box = box_of({3, 1.5, 1.5});
    for (const double height : {0.0, 1e-13, 1e-12, 3e-12, 1e-11, 1e-10, 1e-8, 1e-3})
        for (int i = 0; i < 200; ++i) {
            const Quat q = unit(Quat{share(random), share(random), share(random), share(random)});
            const Pose body{{share(random), share(random), share(random)}, q};
            const Vec local{1.5 * share(random), 0.75 * share(random), 0.75 + height};
            const double found = distance(box, body, body.x + rotate(q, local));
            EXPECT_NEAR(found, height, 1e-10) << "height " << height << ", trial " << i;
        }
}

// The same of two boxes, one flat on the other: none of the directions tried may part them by more
// than they are apart, and the best one by hardly less.
TEST(Distance, OfBoxesThatLieOnEachOtherIsKnown) {
    std::mt19937 random(8);
    std::uniform_real_distribution<double> share(-1, 1);
    const Piece low = pieces_of(box_of({3, 1.5, 1.5}))[0], high = pieces_of(box_of({1, 1, 1}))[0];
    for (const double height : {-1e-6, -1e-9, 0.0, 1e-12, 1e-11, 1e-9})
        for (int i = 0; i < 100; ++i) {
            const Quat q = unit(Quat{share(random), share(random), share(random), share(random)});
            const Pose a{{}, q};
            const Pose b{rotate(q, {1.2 * share(random), 0.5 * share(random), 1.25 + height}), q};
            const std::optional<Vec> n = separating_direction(low, a, high, b);
            ASSERT_TRUE(n);
            const double found = separation(low, a, high, b, *n);
            EXPECT_LT(found, height + 1e-14) << i;
            EXPECT_GT(found, height - 1e-10) << "height " << height << ", trial " << i;
        }
}

} // namespace
} // namespace check
