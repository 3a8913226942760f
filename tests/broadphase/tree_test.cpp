// The dynamic tree: valid, complete and of low height under any changes.

#include "broadphase/tree.h"

#include <set>

#include "boxes.h"
#include "test_support.h"

namespace rigor {
namespace {

using test::message;
using test::Random;

constexpr std::uint32_t kAll = ~0u;

Aabbf random_box(Random& random, double room = 10, double size = 1) {
    const Vec3f lo = random.vec<float>(-room, room);
    return {lo, lo + random.vec<float>(0, size)};
}

std::set<std::uint32_t> touching(const DynamicTree& tree, const Aabbf& box,
                                 std::uint32_t mask = kAll) {
    std::set<std::uint32_t> found;
    tree.overlap(box, mask, [&](std::uint32_t proxy) {
        EXPECT_TRUE(found.insert(proxy).second) << "visited twice";
        return true;
    });
    return found;
}

std::set<std::uint32_t> touching_slowly(const DynamicTree& tree, const Aabbf& box) {
    std::set<std::uint32_t> found;
    for (std::uint32_t p = 0; p < tree.index_count(); ++p) {
        if (tree.is_alive(p) && overlap(tree.box(p), box)) found.insert(p);
    }
    return found;
}

// The bound that add() and remove() promise in any order.
double highest_allowed(std::uint32_t n) {
    return 2 + 2.15 * std::log2(std::max(n, 1u));
}

// Rounding a box outward may only make it larger, and by no more than one float.
TEST(RoundOutward, NeverCutsAndHardlyGrows) {
    Random random;
    for (int i = 0; i < 20000; ++i) {
        const double scale = std::pow(10, random.uniform(-45, 16));
        const Vec3d lo = random.vec() * scale;
        const Aabb<double> box{lo, lo + random.vec(0, 1) * scale};
        const Aabbf rounded = round_outward(box);
        EXPECT_TRUE(contains(widen(rounded), box)) << message(box.lo, box.hi);
        EXPECT_LE(std::abs(static_cast<double>(rounded.lo.x) - lo.x),
                  std::max(std::abs(lo.x) * 0x1p-23, 0x1p-149));
    }
}

// What a float cannot hold must still meet what it met: clamping keeps the order, and an
// unknown number could be any.
TEST(RoundOutward, KeepsOverlapsOfWhatIsTooFarOrUnknown) {
    const double inf = Aabb<double>::kInfinity, nan = std::numeric_limits<double>::quiet_NaN();
    const Aabbf far = round_outward({{1e30, 0, 0}, {1e40, 1, 1}});
    EXPECT_TRUE(overlap(far, round_outward({{1e35, 0, 0}, {1e36, 1, 1}})));
    EXPECT_TRUE(is_finite(far.lo) && is_finite(far.hi));
    EXPECT_FALSE(overlap(far, round_outward({{-1, 0, 0}, {1, 1, 1}})));
    const Aabbf plane = round_outward({{-inf, -inf, -inf}, {inf, inf, 0}});
    EXPECT_TRUE(overlap(plane, round_outward({{1e6, 1e6, -1}, {1e6, 1e6, 1}})));
    const Aabbf unknown = round_outward({{nan, nan, nan}, {nan, nan, nan}});
    EXPECT_TRUE(overlap(unknown, far));
    EXPECT_TRUE(is_finite(unknown.lo) && is_finite(unknown.hi));
}

// Whatever is done to a tree in whatever order, it stays a tree, keeps all its leaves, and
// finds what a look at every box finds.
TEST(DynamicTree, StaysValidAndCompleteUnderAnyChanges) {
    Random random;
    DynamicTree tree;
    std::vector<std::uint32_t> alive;
    for (int step = 0; step < 4000; ++step) {
        const int action = random.integer(0, 99);
        const std::size_t any =
            alive.empty() ? 0 : static_cast<std::size_t>(random.bits() % alive.size());
        if (alive.empty() || action < (step < 2000 ? 40 : 20)) {
            alive.push_back(tree.add(random_box(random), {}, 0));
        } else if (action < 65) {
            tree.move(alive[any], random_box(random), 0.1f);
        } else if (action < 95) {
            tree.remove(alive[any]);
            alive.erase(alive.begin() + static_cast<std::ptrdiff_t>(any));
        } else if (action < 99) {
            tree.rebuild_moved();
        } else {
            tree.rebuild();
        }
        ASSERT_TRUE(tree.is_valid()) << message("step ", step);
        ASSERT_EQ(tree.size(), alive.size());
        const Aabbf box = random_box(random, 10, 5);
        ASSERT_EQ(touching(tree, box), touching_slowly(tree, box)) << message("step ", step);
    }
    while (!alive.empty()) {
        tree.remove(alive.back());
        alive.pop_back();
        ASSERT_TRUE(tree.is_valid());
    }
    EXPECT_EQ(tree.size(), 0u);
    EXPECT_TRUE(touching(tree, random_box(random, 10, 100)).empty());
}

// Adding and removing keep siblings within three levels of each other, so the height is
// bounded whatever the order, without any rebuilding.
TEST(DynamicTree, IsNeverHighWhenBoxesComeAndGoInAnyOrder) {
    Random random;
    DynamicTree tree;
    std::vector<std::uint32_t> alive;
    for (int step = 0; step < 20000; ++step) {
        if (alive.size() < 50 || random.integer(0, 99) < 52) {
            // Sizes over six decades: what a heuristic of surfaces likes to stack up.
            const double size = std::pow(10, random.uniform(-3, 3));
            alive.push_back(tree.add(random_box(random, size, size), {}, 0));
        } else {
            const std::size_t any = static_cast<std::size_t>(random.bits() % alive.size());
            tree.remove(alive[any]);
            alive.erase(alive.begin() + static_cast<std::ptrdiff_t>(any));
        }
        ASSERT_LE(tree.height(), highest_allowed(tree.size())) << message("step ", step);
    }
    EXPECT_TRUE(tree.is_valid());
}

// The orders that turn a careless tree into a list.
TEST(DynamicTree, IsNeverHighForTheWorstOrders) {
    constexpr int n = 20000;
    const auto height_for = [](auto&& box_at) {
        DynamicTree tree;
        for (int i = 0; i < n; ++i) tree.add(box_at(static_cast<float>(i)), {}, 0);
        EXPECT_TRUE(tree.is_valid());
        EXPECT_LE(tree.height(), highest_allowed(n));
        tree.rebuild();
        EXPECT_TRUE(tree.is_valid());
        return tree.height();
    };
    height_for([](float x) { return Aabbf{{x, 0, 0}, {x + 0.5f, 1, 1}}; });
    height_for([](float x) { return Aabbf{{-x, 0, 0}, {-x, 0, 0}}; });
    height_for([](float x) { return Aabbf{{-x, -x, -x}, {x, x, x}}; });
    height_for([](float x) { return Aabbf{{x - n, x - n, x - n}, {n - x, n - x, n - x}}; });
    EXPECT_LE(height_for([](float) { return Aabbf{{0, 0, 0}, {1, 1, 1}}; }), 15);
    EXPECT_LE(height_for([](float) { return Aabbf{{3, 3, 3}, {3, 3, 3}}; }), 15);
    constexpr float far = kFarthest;
    EXPECT_LE(height_for([](float) { return Aabbf{{-far, -far, -far}, {far, far, far}}; }), 15);
}

// Points twice as far each time: every cut by surface splits off one of them, and the build
// must stop following it at some depth.
TEST(DynamicTree, BuildsGeometricSeriesWithoutGreatDepth) {
    DynamicTree tree;
    for (int i = 0; i < 4000; ++i) {
        const float x = std::ldexp(1.0f, i % 100 - 50);
        tree.add({{x, 0, 0}, {x, 0, 0}}, {}, 0);
    }
    tree.rebuild();
    EXPECT_TRUE(tree.is_valid());
    EXPECT_LE(tree.height(), 80);
}

// A stored box holds what is in it, so nothing needs to be done until it is left.
TEST(DynamicTree, MovesOnlyWhenTheMarginIsUsedUp) {
    DynamicTree tree;
    const std::uint32_t p = tree.add({{0, 0, 0}, {1, 1, 1}}, {}, 42);
    EXPECT_TRUE(tree.move(p, {{2, 0, 0}, {3, 1, 1}}, 0.25f));
    EXPECT_EQ(tree.box(p), (Aabbf{{1.75f, -0.25f, -0.25f}, {3.25f, 1.25f, 1.25f}}));
    EXPECT_FALSE(tree.move(p, {{2.25f, 0.25f, -0.25f}, {3.25f, 1.25f, 0.75f}}, 0.25f));
    EXPECT_TRUE(tree.move(p, {{2.26f, 0, 0}, {3.26f, 1, 1}}, 0.25f));
    // Slowed down: the wide box of its fast days would meet too much.
    EXPECT_TRUE(tree.move(p, {{2.26f, 0, 0}, {3.26f, 1, 1}}, 0.01f));
    EXPECT_FLOAT_EQ(tree.box(p).hi.y, 1.01f);
    EXPECT_EQ(tree.payload(p), 42u);
    EXPECT_TRUE(tree.is_valid());
}

// The point of building the moved part: after a long journey the tree is as good as new.
TEST(DynamicTree, IsAsGoodAsNewAfterMovedPartsWereRebuilt) {
    Random random;
    const Vec3d room{20, 20, 20};
    auto boxes = test::random_boxes(random, 2000, room);
    DynamicTree tree;
    for (const auto& b : boxes) tree.add(b.box(), {}, 0);
    for (int step = 0; step < 100; ++step) {
        test::fly(boxes, room, 0.02f);
        for (std::uint32_t i = 0; i < boxes.size(); ++i) tree.move(i, boxes[i].box(), 0.05f);
        tree.rebuild_moved();
        ASSERT_TRUE(tree.is_valid()) << message("step ", step);
    }
    const double ratio = tree.area_ratio();
    tree.rebuild();
    EXPECT_LE(ratio, 1.15 * tree.area_ratio());
}

TEST(DynamicTree, StopsWhenTheVisitorHasSeenEnough) {
    DynamicTree tree;
    for (int i = 0; i < 100; ++i) tree.add({{0, 0, 0}, {1, 1, 1}}, {}, 0);
    int visits = 0;
    tree.overlap({{0, 0, 0}, {1, 1, 1}}, kAll, [&](std::uint32_t) { return ++visits < 7; });
    EXPECT_EQ(visits, 7);
}

TEST(DynamicTree, ShowsOnlyTheGroupsAskedFor) {
    DynamicTree tree;
    for (std::uint32_t i = 0; i < 32; ++i) tree.add({{0, 0, 0}, {1, 1, 1}}, {1u << i, 0}, i);
    const Aabbf box{{0, 0, 0}, {1, 1, 1}};
    EXPECT_EQ(touching(tree, box, 1u << 5 | 1u << 31), (std::set<std::uint32_t>{5, 31}));
    EXPECT_TRUE(touching(tree, box, 0).empty());
}

struct Hit {
    std::uint32_t proxy = UINT32_MAX;
    double t = Aabb<double>::kInfinity;
};

// The first box met, exactly: the visitor computes the time of each box anew.
Hit first_hit(const DynamicTree& tree, const BoxCast& cast, int& visits) {
    Hit hit;
    const SweptBox swept(cast);
    tree.cast(cast, kAll, [&](std::uint32_t proxy, double max_t) {
        ++visits;
        const double t = swept.enter(tree.box(proxy), max_t);
        if (t < hit.t || (t == hit.t && proxy < hit.proxy)) hit = {proxy, t};
        return std::min(t, max_t);
    });
    return hit;
}

Hit first_hit_slowly(const DynamicTree& tree, const BoxCast& cast) {
    Hit hit;
    const SweptBox swept(cast);
    for (std::uint32_t p = 0; p < tree.index_count(); ++p) {
        const double t = swept.enter(tree.box(p), cast.max_t);
        if (t < hit.t) hit = {p, t};
    }
    return hit;
}

TEST(DynamicTree, CastsRaysAndBoxesLikeBruteForce) {
    Random random;
    DynamicTree tree;
    for (int i = 0; i < 1000; ++i) tree.add(random_box(random), {}, 0);
    int visits = 0, hits = 0;
    constexpr int casts = 3000;
    for (int i = 0; i < casts; ++i) {
        BoxCast cast;
        cast.box.lo = random.vec(-15, 15);
        cast.box.hi = cast.box.lo + (i % 2 == 0 ? Vec3d{} : random.vec(0, 2));
        cast.direction = random.direction();
        if (i % 3 == 0) cast.direction[random.integer(0, 2)] = 0;
        if (i % 7 == 0) cast.max_t = random.uniform(0, 5);
        const Hit hit = first_hit(tree, cast, visits), slow = first_hit_slowly(tree, cast);
        ASSERT_EQ(hit.proxy, slow.proxy) << message("cast ", i);
        ASSERT_EQ(hit.t, slow.t);
        hits += hit.proxy != UINT32_MAX ? 1 : 0;
    }
    EXPECT_GT(hits, casts / 5);
    EXPECT_LT(visits, casts * 12) << "boxes behind the first hit should be spared";
}

// A box that slides exactly along the face of another touches it; so does a ray along an edge.
TEST(SweptBox, TouchesWhatItGrazes) {
    const Aabbf box{{0, 0, 0}, {1, 1, 1}};
    const SweptBox ray(BoxCast{{{-2, 1, 1}, {-2, 1, 1}}, {1, 0, 0}});
    EXPECT_NEAR(ray.enter(box, 10), 2, 1e-14);
    EXPECT_EQ(ray.enter(box, 1.9), Aabb<double>::kInfinity);
    const SweptBox slider(BoxCast{{{-2, 1, 0}, {-1.5, 2, 1}}, {3, 0, 0}});
    EXPECT_NEAR(slider.enter(box, 10), 0.5, 1e-15);
    const SweptBox away(BoxCast{{{-2, 0, 0}, {-1, 1, 1}}, {-1, 0, 0}});
    EXPECT_EQ(away.enter(box, 10), Aabb<double>::kInfinity);
    const SweptBox inside(BoxCast{{{0.5, 0.5, 0.5}, {0.5, 0.5, 0.5}}, {0, 0, 1e-320}});
    EXPECT_EQ(inside.enter(box, 10), 0);
}

TEST(DynamicTree, FindsTheNearestBoxLikeBruteForce) {
    Random random;
    DynamicTree tree;
    for (int i = 0; i < 1000; ++i) tree.add(random_box(random), {}, 0);
    int visits = 0;
    constexpr int points = 3000;
    for (int i = 0; i < points; ++i) {
        const Vec3d point = random.vec(-20, 20);
        const auto distance = [&](std::uint32_t p) {
            const Aabb<double> box = widen(tree.box(p));
            return length_squared(max(max(box.lo - point, point - box.hi), Vec3d{}));
        };
        double least = Aabb<double>::kInfinity, least_slowly = least;
        tree.nearest(point, least, kAll, [&](std::uint32_t p, double) {
            ++visits;
            return least = std::min(least, distance(p));
        });
        for (std::uint32_t p = 0; p < 1000; ++p) least_slowly = std::min(least_slowly, distance(p));
        ASSERT_EQ(least, least_slowly) << message("point ", i);
    }
    EXPECT_LT(visits, points * 12);
}

TEST(DynamicTree, FindsNothingWhenEmpty) {
    const DynamicTree tree;
    int visits = 0;
    const auto count = [&](std::uint32_t, double bound) { return ++visits, bound; };
    tree.cast(Ray<double>{{0, 0, 0}, {-1, -1, -1}}, kAll, count);
    tree.nearest({0, 0, 0}, Aabb<double>::kInfinity, kAll, count);
    EXPECT_EQ(visits, 0);
    EXPECT_EQ(tree.height(), 0);
    EXPECT_TRUE(tree.is_valid());
}

} // namespace
} // namespace rigor
