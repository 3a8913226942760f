// Which constraints are solved side by side: graph coloring and the plan of blocks.

#include "fast/coloring.h"

#include <algorithm>
#include <numeric>

#include "fast/block_plan.h"
#include "test_support.h"

namespace rigor::fast {
namespace {

TEST(SolverBodyIndex, TellsWhichBodyAndWhetherItResponds) {
    const SolverBodyIndex moving = SolverBodyIndex::responding(7),
                          fixed = SolverBodyIndex::immovable(7);
    EXPECT_EQ(moving.index(), 7u);
    EXPECT_EQ(fixed.index(), 7u);
    EXPECT_TRUE(moving.responds_to_impulses());
    EXPECT_FALSE(fixed.responds_to_impulses());
    EXPECT_FALSE(moving == fixed);
    EXPECT_TRUE(SolverBodyIndex().is_null());
    EXPECT_FALSE(SolverBodyIndex().responds_to_impulses());
    EXPECT_FALSE(kStaticSolverBody.responds_to_impulses());
    EXPECT_EQ(kStaticSolverBody.index(), 0u);
}

struct Link {
    SolverBodyIndex a, b;
};

// A third of the ends are immovable, and one body is in so many that 64 colors do not suffice.
std::vector<Link> random_links(std::uint32_t bodies) {
    std::mt19937 random(3);
    const auto end = [&] {
        const std::uint32_t i = 1 + random() % (bodies - 1);
        return i % 3 == 0 ? SolverBodyIndex::immovable(i) : SolverBodyIndex::responding(i);
    };
    std::vector<Link> links;
    for (int i = 0; i < 400; ++i) links.push_back({end(), end()});
    for (int i = 0; i < 150; ++i) links.push_back({SolverBodyIndex::responding(1), end()});
    return links;
}

TEST(Coloring, NoTwoConstraintsOfOneColorShareABodyThatResponds) {
    constexpr std::uint32_t kBodies = 60;
    const std::vector<Link> links = random_links(kBodies);
    Coloring coloring;
    coloring.reset(kBodies);
    std::vector<std::vector<bool>> used; // by color and body
    for (const Link& link : links) {
        const std::uint32_t color = coloring.color(link.a, link.b);
        if (color >= used.size()) used.resize(color + 1, std::vector<bool>(kBodies));
        std::vector<SolverBodyIndex> ends{link.a};
        if (!(link.a == link.b)) ends.push_back(link.b);
        for (const SolverBodyIndex end : ends) {
            if (!end.responds_to_impulses()) continue;
            EXPECT_FALSE(used[color][end.index()]);
            used[color][end.index()] = true;
        }
    }
    EXPECT_GT(used.size(), 64u);
}

TEST(Coloring, TakesTheFirstFreeColorAndForgetsOnReset) {
    const auto body = [](std::uint32_t i) { return SolverBodyIndex::responding(i); };
    Coloring coloring;
    for (int round = 0; round < 2; ++round) {
        coloring.reset(5);
        EXPECT_EQ(coloring.color(body(1), body(2)), 0u);
        EXPECT_EQ(coloring.color(body(2), body(3)), 1u);
        EXPECT_EQ(coloring.color(body(3), body(4)), 0u);
        EXPECT_EQ(coloring.color(body(1), body(4)), 1u);
        EXPECT_EQ(coloring.color(body(1), kStaticSolverBody), 2u);
        EXPECT_EQ(coloring.color(body(4), kStaticSolverBody), 2u);
    }
}

class Plans : public testing::TestWithParam<std::tuple<std::uint32_t, bool>> {};

// Colors and kinds at random; color 2 is empty.
TEST_P(Plans, HaveEveryConstraintOnceInBlocksOfItsColorSortedByKind) {
    const auto [width, separate_kinds] = GetParam();
    constexpr std::uint32_t kColors = 5, kKinds = 4;
    std::mt19937 random(5);
    std::vector<std::uint32_t> color, kind;
    for (int i = 0; i < 333; ++i) {
        const std::uint32_t c = random() % kColors;
        color.push_back(c == 2 ? 3 : c);
        kind.push_back(random() % kKinds);
    }
    BlockPlan plan;
    plan.make(
        color, kColors, kKinds, [&](std::size_t i) { return kind[i]; }, width, separate_kinds);

    std::vector<std::uint32_t> sorted = plan.order;
    std::sort(sorted.begin(), sorted.end());
    std::vector<std::uint32_t> all(color.size());
    std::iota(all.begin(), all.end(), 0u);
    EXPECT_EQ(sorted, all);

    ASSERT_EQ(plan.colors.size(), kColors);
    EXPECT_EQ(plan.colors[2].begin, plan.colors[2].end);
    std::uint32_t next = 0;
    for (std::uint32_t c = 0; c < kColors; ++c) {
        std::uint32_t last_kind = 0, last_index = 0;
        for (std::size_t b = plan.colors[c].begin; b < plan.colors[c].end; ++b) {
            const BlockPlan::Block& block = plan.blocks[b];
            EXPECT_EQ(block.first, next);
            EXPECT_GT(block.count, 0u);
            EXPECT_LE(block.count, width);
            if (!separate_kinds && b + 1 < plan.colors[c].end) {
                EXPECT_EQ(block.count, width);
            }
            next += block.count;
            for (std::uint32_t i = block.first; i < next; ++i) {
                const std::uint32_t at = plan.order[i];
                EXPECT_EQ(color[at], c);
                if (separate_kinds) {
                    EXPECT_EQ(kind[at], kind[plan.order[block.first]]);
                }
                EXPECT_GE(kind[at], last_kind);
                if (i > block.first && kind[at] == last_kind) {
                    EXPECT_GT(at, last_index);
                }
                last_kind = kind[at];
                last_index = at;
            }
        }
    }
    EXPECT_EQ(next, color.size());
}
INSTANTIATE_TEST_SUITE_P(OfAllWidths, Plans,
                         testing::Combine(testing::Values(1u, 4u, 8u), testing::Bool()));

} // namespace
} // namespace rigor::fast
