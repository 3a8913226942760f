// Pair finding: all overlapping pairs, once and in order, by every broadphase and number of
// threads.

#include "broadphase/pair_finder.h"

#include <memory>

#include "boxes.h"
#include "broadphase/broadphase.h"
#include "test_support.h"

namespace rigor {
namespace {

using test::as_indices;
using test::brute_force_pairs;
using test::IndexPair;
using test::message;
using test::MovingBox;
using test::Random;

const Vec3d kRoom{8, 6, 4};

// A finder, and which box each proxy stands for.
struct Scene {
    PairFinder finder;
    std::vector<MovingBox> boxes;
    std::vector<ProxyId> ids;
    std::vector<std::uint32_t> box_of;

    void add(const MovingBox& b) {
        const ProxyId id = finder.add(b.kind, b.box(), 0, b.filter, 0);
        if (id.value() >= box_of.size()) box_of.resize(id.value() + 1);
        box_of[id.value()] = static_cast<std::uint32_t>(boxes.size());
        boxes.push_back(b);
        ids.push_back(id);
    }
};

std::vector<ProxyPair> find(PairFinder& finder, int threads = 1, const PairFilter& keep = {}) {
    ThreadTeam team(threads);
    std::vector<ProxyPair> pairs;
    finder.find_pairs(team, pairs, keep);
    return pairs;
}

Scene random_scene(int n, std::uint64_t seed = 1) {
    Random random(seed);
    Scene scene;
    for (const MovingBox& b : test::random_boxes(random, n, kRoom)) scene.add(b);
    return scene;
}

TEST(PairFinder, FindsAllPairsOfNewProxiesOnceAndInOrder) {
    Scene scene = random_scene(1000);
    const std::vector<ProxyPair> pairs = find(scene.finder);
    EXPECT_TRUE(std::is_sorted(pairs.begin(), pairs.end()));
    EXPECT_EQ(as_indices(pairs, scene.box_of), brute_force_pairs(scene.boxes));
    EXPECT_GT(pairs.size(), 300u);
    EXPECT_TRUE(find(scene.finder).empty()) << "nothing changed since";
}

// Only who moved asks, but everybody answers.
TEST(PairFinder, FindsThePairsOfThoseWhoMoved) {
    Scene scene = random_scene(1000);
    find(scene.finder);
    Random random(2);
    std::vector<bool> moved(scene.boxes.size(), false);
    for (std::uint32_t i = 0; i < scene.boxes.size(); ++i) {
        if (random.integer(0, 9) > 0) continue;
        moved[i] = true;
        scene.boxes[i].position = cast<float>(multiply(random.vec(), kRoom));
        EXPECT_TRUE(scene.finder.move(scene.ids[i], scene.boxes[i].box(), 0));
    }
    std::vector<IndexPair> expected = brute_force_pairs(scene.boxes);
    std::erase_if(expected,
                  [&](const IndexPair& p) { return !moved[p.first] && !moved[p.second]; });
    EXPECT_EQ(as_indices(find(scene.finder), scene.box_of), expected);
}

TEST(PairFinder, GivesTheSameBytesForAnyNumberOfThreads) {
    std::vector<std::vector<ProxyPair>> first;
    for (const int threads : {1, 2, 3, 8}) {
        Scene scene = random_scene(3000);
        std::vector<std::vector<ProxyPair>> runs;
        for (int step = 0; step < 5; ++step) {
            runs.push_back(find(scene.finder, threads));
            test::fly(scene.boxes, kRoom, 0.02f);
            for (std::size_t i = 0; i < scene.ids.size(); ++i) {
                scene.finder.move(scene.ids[i], scene.boxes[i].box(), 0.05f);
            }
        }
        if (first.empty()) first = runs;
        EXPECT_EQ(runs, first) << message(threads, " threads");
    }
}

// The tree depends on the order in which boxes come, the pairs must not.
TEST(PairFinder, FindsTheSamePairsWhateverTheOrderOfAdding) {
    Random random(3);
    const std::vector<MovingBox> boxes = test::random_boxes(random, 600, kRoom);
    const std::vector<IndexPair> expected = brute_force_pairs(boxes);
    std::vector<std::uint32_t> order(boxes.size());
    for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
    for (int trial = 0; trial < 5; ++trial) {
        for (std::size_t i = order.size(); i-- > 1;) {
            std::swap(order[i], order[static_cast<std::size_t>(random.bits() % (i + 1))]);
        }
        Scene scene;
        for (const std::uint32_t i : order) scene.add(boxes[i]);
        std::vector<std::uint32_t> original(scene.box_of.size());
        for (std::size_t v = 0; v < original.size(); ++v) {
            if (scene.box_of[v] < order.size()) original[v] = order[scene.box_of[v]];
        }
        EXPECT_EQ(as_indices(find(scene.finder), original), expected);
    }
}

TEST(PairFinder, ManyThatAreAddedAtOnceAreFoundLikeOthers) {
    Scene scene = random_scene(500);
    PairFinder at_once;
    for (std::uint32_t i = 0; i < scene.boxes.size(); ++i)
        at_once.add_unbuilt(scene.ids[i].kind(), scene.boxes[i].box(), 0,
                            scene.finder.filter(scene.ids[i]), i);
    EXPECT_EQ(find(at_once), find(scene.finder));
    EXPECT_TRUE(at_once.move(scene.ids[0], {{-50, -50, -50}, {50, 50, 50}}, 0));
    EXPECT_TRUE(scene.finder.move(scene.ids[0], {{-50, -50, -50}, {50, 50, 50}}, 0));
    EXPECT_EQ(find(at_once), find(scene.finder));
}

TEST(PairFinder, ObeysGroupsMasksAndTheCallersFilter) {
    Random random(4);
    Scene scene;
    for (MovingBox b : test::random_boxes(random, 500, {4, 3, 2})) {
        b.filter = {1u << random.integer(0, 3), static_cast<std::uint32_t>(random.integer(0, 15))};
        scene.add(b);
    }
    const std::vector<IndexPair> expected = brute_force_pairs(scene.boxes);
    ASSERT_FALSE(expected.empty());
    EXPECT_EQ(as_indices(find(scene.finder), scene.box_of), expected);

    // Nobody is in a group any more; then all are, but odd ones do not meet.
    for (const ProxyId id : scene.ids) scene.finder.set_filter(id, {0, ~0u});
    EXPECT_TRUE(find(scene.finder).empty());
    for (const ProxyId id : scene.ids) scene.finder.set_filter(id, {});
    const auto keep = [](const ProxyPair& p) { return (p.a.index() + p.b.index()) % 2 == 0; };
    for (const ProxyPair& pair : find(scene.finder, 2, keep)) EXPECT_TRUE(keep(pair));
}

TEST(PairFinder, ForgetsWhatWasRemoved) {
    Scene scene = random_scene(300);
    for (std::size_t i = 0; i < scene.ids.size(); i += 2) scene.finder.remove(scene.ids[i]);
    std::vector<IndexPair> expected = brute_force_pairs(scene.boxes);
    std::erase_if(expected,
                  [](const IndexPair& p) { return p.first % 2 == 0 || p.second % 2 == 0; });
    EXPECT_EQ(as_indices(find(scene.finder), scene.box_of), expected);
    EXPECT_FALSE(scene.finder.is_alive(scene.ids[0]));
    EXPECT_TRUE(scene.finder.is_alive(scene.ids[1]));
}

TEST(PairFinder, LeavesFixedOnesAmongThemselves) {
    PairFinder finder;
    const Aabbf box{{0, 0, 0}, {1, 1, 1}};
    const ProxyId floor = finder.add(ProxyKind::fixed, box, 0, {}, 0);
    finder.add(ProxyKind::fixed, box, 0, {}, 0);
    EXPECT_TRUE(find(finder).empty());
    const ProxyId ball = finder.add(ProxyKind::moving, box, 0, {}, 0);
    EXPECT_EQ(find(finder).size(), 2u);
    EXPECT_TRUE(finder.overlap(floor, ball));
    // A fixed one set elsewhere finds those who did not move.
    finder.move(floor, {{5, 0, 0}, {6, 1, 1}}, 0);
    EXPECT_TRUE(find(finder).empty());
    finder.move(floor, box, 0);
    EXPECT_EQ(find(finder), (std::vector<ProxyPair>{ordered_pair(floor, ball)}));
}

// The slow answer in n log n for boxes in a long room: a sweep along x over sorted boxes.
std::vector<IndexPair> swept_pairs(const std::vector<MovingBox>& boxes,
                                   std::vector<std::uint32_t>& order) {
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        return boxes[a].position.x - boxes[a].half.x < boxes[b].position.x - boxes[b].half.x;
    });
    std::vector<Aabbf> sorted;
    for (const std::uint32_t i : order) sorted.push_back(boxes[i].box());
    std::vector<IndexPair> pairs;
    for (std::size_t i = 0; i < sorted.size(); ++i) {
        for (std::size_t j = i + 1; j < sorted.size() && sorted[j].lo.x <= sorted[i].hi.x; ++j) {
            if (!overlap(sorted[i], sorted[j])) continue;
            const auto [a, b] = std::minmax(order[i], order[j]);
            if (test::is_pair(boxes[a], boxes[b])) pairs.emplace_back(a, b);
        }
    }
    std::sort(pairs.begin(), pairs.end());
    return pairs;
}

struct Named {
    const char* name;
    std::unique_ptr<Broadphase> (*make)();
};

// For the names of the tests: without it they hold the bytes of pointers.
void PrintTo(const Named& named, std::ostream* out) {
    *out << named.name;
}

class EveryBroadphase : public testing::TestWithParam<Named> {
  protected:
    std::unique_ptr<Broadphase> broadphase_ = GetParam().make();
    ThreadTeam team_{1};
    std::vector<MovingBox> boxes_;
    std::vector<ProxyId> ids_;
    std::vector<std::uint32_t> box_of_;
    std::vector<ProxyPair> pairs_;

    void put(std::uint32_t i) {
        const MovingBox& b = boxes_[i];
        ids_.resize(boxes_.size());
        ids_[i] = broadphase_->add(b.kind, b.box(), b.filter);
        if (ids_[i].value() >= box_of_.size()) box_of_.resize(ids_[i].value() + 1);
        box_of_[ids_[i].value()] = i;
    }
    void put_all() {
        for (std::uint32_t i = 0; i < boxes_.size(); ++i) put(i);
    }
    void move_all() {
        for (std::size_t i = 0; i < boxes_.size(); ++i) broadphase_->move(ids_[i], boxes_[i].box());
    }
    std::vector<IndexPair> pairs() {
        broadphase_->find_pairs(team_, pairs_);
        EXPECT_TRUE(std::is_sorted(pairs_.begin(), pairs_.end()));
        return as_indices(pairs_, box_of_);
    }
};

TEST_P(EveryBroadphase, FindsThePairsOf5000BoxesOver1000Steps) {
    Random random(5);
    const Vec3d room{64, 8, 6};
    boxes_ = test::random_boxes(random, 5000, room);
    put_all();
    std::vector<std::uint32_t> order(boxes_.size());
    for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
    std::size_t total = 0;
    for (int step = 0; step < 1000; ++step) {
        const std::vector<IndexPair> expected = swept_pairs(boxes_, order);
        ASSERT_EQ(pairs(), expected) << message("step ", step);
        total += expected.size();
        test::fly(boxes_, room, 1.0f / 60);
        move_all();
    }
    EXPECT_GT(total, 1000u * 500u);
}

TEST_P(EveryBroadphase, FollowsBoxesThatComeGoAndJump) {
    Random random(6);
    boxes_ = test::random_boxes(random, 200, kRoom);
    for (MovingBox& b : boxes_) {
        b.filter = {1u << random.integer(0, 2), static_cast<std::uint32_t>(random.integer(1, 7))};
    }
    put_all();
    for (int step = 0; step < 200; ++step) {
        for (int k = 0; k < 10; ++k) {
            const auto i = static_cast<std::uint32_t>(random.integer(0, 199));
            boxes_[i].position = cast<float>(multiply(random.vec(), kRoom));
            if (k % 2 == 0) {
                broadphase_->move(ids_[i], boxes_[i].box());
            } else {
                broadphase_->remove(ids_[i]);
                boxes_[i].filter.group = 1u << random.integer(0, 2);
                put(i);
            }
        }
        ASSERT_EQ(pairs(), brute_force_pairs(boxes_)) << message("step ", step);
    }
    for (std::size_t i = 1; i < boxes_.size(); ++i) broadphase_->remove(ids_[i]);
    EXPECT_TRUE(pairs().empty());
}

// Touching counts, points are boxes, and the whole world is one.
TEST_P(EveryBroadphase, TakesDegenerateBoxes) {
    const auto add = [&](const Vec3f& position, const Vec3f& half) {
        boxes_.push_back({position, {}, half, ProxyKind::moving, {}});
    };
    for (int i = 0; i < 20; ++i) add({static_cast<float>(i % 10), 0, 0}, {0, 0, 0});
    add({0, 0, 0}, {kFarthest, kFarthest, kFarthest});
    add({kFarthest, kFarthest, kFarthest}, {0, 0, 0});
    add({0.5f, 0, 0}, {0.5f, 0, 0});
    add({5, 0, 0}, {kFarthest, 0, 0});
    put_all();
    EXPECT_EQ(pairs(), brute_force_pairs(boxes_));
}

// All on one heap: each pair overlaps, so the answer itself is quadratic; but the structure
// must not fall over, and must recover when the heap disperses.
TEST_P(EveryBroadphase, SurvivesAThousandEqualBoxes) {
    boxes_.assign(1000, {{1, 2, 3}, {}, {0.5f, 0.5f, 0.5f}, ProxyKind::moving, {}});
    put_all();
    EXPECT_EQ(pairs().size(), 1000u * 999u / 2);
    for (std::size_t i = 0; i < boxes_.size(); ++i) {
        boxes_[i].position.x = 2 * static_cast<float>(i);
    }
    move_all();
    EXPECT_TRUE(pairs().empty());
}

TEST_P(EveryBroadphase, GivesTheSamePairsForAnyNumberOfThreads) {
    Random random(7);
    boxes_ = test::random_boxes(random, 3000, kRoom);
    put_all();
    broadphase_->find_pairs(team_, pairs_);
    const std::vector<ProxyPair> alone = pairs_;
    for (const int threads : {2, 3, 8}) {
        ThreadTeam team(threads);
        broadphase_->find_pairs(team, pairs_);
        EXPECT_EQ(pairs_, alone);
    }
}

INSTANTIATE_TEST_SUITE_P(, EveryBroadphase,
                         testing::Values(Named{"tree", [] { return make_tree_broadphase(0.05f); }},
                                         Named{"grid", make_grid_broadphase},
                                         Named{"sweep", make_sweep_broadphase}),
                         [](const auto& param_info) { return param_info.param.name; });

} // namespace
} // namespace rigor
