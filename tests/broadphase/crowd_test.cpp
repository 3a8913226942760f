// Crowds: what lies deep in many others has few pairs, and nothing else is a crowd.

#include "broadphase/crowd.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "broadphase/pair_finder.h"
#include "test_support.h"

namespace rigor {
namespace {

using test::Random;

/// Balls as proxies, each the core of itself.
struct Balls {
    PairFinder finder;
    std::vector<CoreBall> cores; // by payload

    ProxyId add(const Vec3d& center, double radius) {
        const Aabb<double> box{center, center};
        const auto payload = static_cast<std::uint32_t>(cores.size());
        cores.push_back({center, radius});
        return finder.add(ProxyKind::moving, round_outward(expand(box, radius)), 0, {}, payload);
    }
    std::vector<ProxyPair> find(int threads = 1) {
        ThreadTeam team(threads);
        std::vector<ProxyPair> pairs;
        finder.find_pairs(team, pairs, {}, TreeCare::rebuild_moved,
                          [&](ProxyId id) { return cores[finder.payload(id)]; });
        return pairs;
    }
    std::vector<ProxyPair> find_all() {
        ThreadTeam team(1);
        std::vector<ProxyPair> pairs;
        finder.find_pairs(team, pairs);
        return pairs;
    }
};

std::map<std::uint32_t, std::size_t> pairs_of_each(const std::vector<ProxyPair>& pairs) {
    std::map<std::uint32_t, std::size_t> counts;
    for (const ProxyPair& pair : pairs) ++counts[pair.a.value()], ++counts[pair.b.value()];
    return counts;
}

Vec3d in_cube(Random& random) {
    return {random.uniform(-0.5, 0.5), random.uniform(-0.5, 0.5), random.uniform(-0.5, 0.5)};
}

TEST(Crowd, TreeFindsTheDeepestLikeBruteForce) {
    Random random(1);
    std::vector<CrowdTree::Member> members;
    for (std::uint32_t i = 0; i < 500; ++i)
        members.push_back({{in_cube(random), random.uniform(0.1, 1)}, {ProxyKind::moving, i}});
    const CrowdTree tree(members);
    for (std::size_t i = 0; i < tree.members().size(); i += 7) {
        const CrowdTree::Member& own = tree.members()[i];
        const auto accept = [](ProxyId id) { return id.index() % 3 != 0; };
        std::vector<ProxyId> found;
        tree.find_deepest(i, accept, found);
        std::vector<CrowdTree::Member> expected = members;
        std::erase_if(expected, [&](const auto& m) { return m.id == own.id || !accept(m.id); });
        const auto gap = [&](const CrowdTree::Member& m) {
            return length(m.core.center - own.core.center) - m.core.radius;
        };
        std::sort(expected.begin(), expected.end(),
                  [&](const auto& a, const auto& b) { return gap(a) < gap(b); });
        std::vector<ProxyId> nearest;
        for (std::size_t k = 0; k < kMaxCrowdPairs; ++k) nearest.push_back(expected[k].id);
        std::sort(nearest.begin(), nearest.end());
        std::sort(found.begin(), found.end());
        EXPECT_EQ(found, nearest);
    }
}

TEST(Crowd, AtOnePositionHasPairsInProportionToItsNumber) {
    for (const int n : {100, 1000, 4000}) {
        SCOPED_TRACE(n);
        Balls balls;
        for (int i = 0; i < n; ++i) balls.add({1, 2, 3}, 0.5);
        const std::vector<ProxyPair> pairs = balls.find();
        EXPECT_LE(pairs.size(), kMaxCrowdPairs * static_cast<std::size_t>(n));
        EXPECT_EQ(balls.finder.crowded().size(), static_cast<std::size_t>(n));
        const auto counts = pairs_of_each(pairs);
        EXPECT_EQ(counts.size(), static_cast<std::size_t>(n));
        for (const auto& [id, count] : counts) {
            EXPECT_GE(count, kMaxCrowdPairs);
            EXPECT_LE(count, 2 * kMaxCrowdPairs + 1);
        }
    }
}

TEST(Crowd, HasTheSamePairsForAnyThreadsAndOrderOfAdding) {
    Random random(3);
    std::vector<Vec3d> centers;
    for (int i = 0; i < 2000; ++i) centers.push_back(in_cube(random));
    const auto pairs_by_center = [&](int threads, bool backward) {
        Balls balls;
        for (std::size_t i = 0; i < centers.size(); ++i)
            balls.add(centers[backward ? centers.size() - 1 - i : i], 0.3);
        std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
        const auto index = [&](ProxyId id) {
            const std::uint32_t i = balls.finder.payload(id);
            return backward ? static_cast<std::uint32_t>(centers.size()) - 1 - i : i;
        };
        for (const ProxyPair& pair : balls.find(threads))
            pairs.push_back(std::minmax(index(pair.a), index(pair.b)));
        std::sort(pairs.begin(), pairs.end());
        return pairs;
    };
    const auto expected = pairs_by_center(1, false);
    EXPECT_LT(expected.size(), 80000u); // of 2 million
    EXPECT_EQ(pairs_by_center(4, false), expected);
    EXPECT_EQ(pairs_by_center(1, true), expected);
}

// A ball that lies in one of a crowd only, or beside it, has all of its pairs.
TEST(Crowd, LeavesThePairsOfOthersAlone) {
    Balls balls;
    for (int i = 0; i < 500; ++i) balls.add({}, 0.5);
    const ProxyId beside = balls.add({0.99, 0, 0}, 0.5), large = balls.add({0, 0, 3}, 2.6);
    const auto counts = pairs_of_each(balls.find());
    EXPECT_EQ(counts.at(beside.value()), 500u + 1); // with the large one
    EXPECT_EQ(counts.at(large.value()), 500u + 1);
}

// 10,000 small balls around a large one, a dense packing, and balls pressed into each other.
TEST(Crowd, DenseScenesAreNone) {
    Balls around, packed;
    around.add({}, 10);
    Random random(5);
    for (int i = 0; i < 10000; ++i) around.add(normalize(in_cube(random)) * 10.05, 0.07);
    for (int x = 0; x < 12; ++x)
        for (int y = 0; y < 12; ++y)
            for (int z = 0; z < 12; ++z)
                packed.add(Vec3d{double(y + z), double(x + z), double(x + y)}, 0.75);
    for (Balls* balls : {&around, &packed}) {
        Balls again = *balls;
        EXPECT_EQ(balls->find(), again.find_all());
        EXPECT_TRUE(balls->finder.crowded().empty());
    }
}

// What was left out is found when the crowd has separated, though nothing has left its box.
TEST(Crowd, IsSearchedAgainUntilItHasSeparated) {
    Balls balls;
    for (int i = 0; i < 100; ++i) balls.add({}, 0.5);
    EXPECT_LT(balls.find().size(), 99u * 50);
    for (std::size_t i = 0; i < balls.cores.size(); ++i) balls.cores[i].radius = 1e-9;
    balls.cores[0].center.x = 1;
    for (std::size_t i = 1; i < balls.cores.size(); ++i)
        balls.cores[i].center.x = balls.cores[i - 1].center.x + 1;
    EXPECT_TRUE(balls.find().empty());
    for (std::uint32_t i = 0; i < 100; ++i) balls.finder.search_again({ProxyKind::moving, i});
    EXPECT_EQ(balls.find().size(), 99u * 50);
}

} // namespace
} // namespace rigor
