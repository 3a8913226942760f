// Disjoint sets against a slow oracle.

#include "base/disjoint_sets.h"

#include "test_support.h"

namespace rigor {
namespace {

TEST(DisjointSets, EveryMemberStartsAsItsOwnSet) {
    DisjointSets sets(5);
    for (std::uint32_t i = 0; i < 5; ++i) EXPECT_EQ(sets.find(i), i);
    sets.unite(1, 3);
    sets.reset(5);
    EXPECT_EQ(sets.find(3), 3u);
}

TEST(DisjointSets, TheRootIsTheSmallestMemberInWhateverOrderSetsAreUnited) {
    DisjointSets up(6), down(6);
    EXPECT_EQ(up.unite(1, 2), 1u);
    EXPECT_EQ(up.unite(2, 4), 1u);
    EXPECT_EQ(down.unite(4, 2), 2u);
    EXPECT_EQ(down.unite(2, 1), 1u);
    for (const std::uint32_t i : {1u, 2u, 4u}) {
        EXPECT_EQ(up.find(i), 1u);
        EXPECT_EQ(down.find(i), 1u);
        EXPECT_EQ(std::as_const(down).find(i), 1u);
    }
    for (const std::uint32_t i : {0u, 3u, 5u}) EXPECT_EQ(up.find(i), i);
}

// Against labels that are rewritten one by one.
TEST(DisjointSets, AgreesWithASlowOracleOnRandomUnions) {
    std::mt19937 random(1);
    constexpr std::uint32_t kCount = 200;
    DisjointSets sets(kCount);
    std::vector<std::uint32_t> label(kCount);
    for (std::uint32_t i = 0; i < kCount; ++i) label[i] = i;
    for (int k = 0; k < 150; ++k) {
        const std::uint32_t a = random() % kCount, b = random() % kCount;
        sets.unite(a, b);
        const std::uint32_t low = std::min(label[a], label[b]), high = std::max(label[a], label[b]);
        for (std::uint32_t& l : label)
            if (l == high) l = low;
        for (std::uint32_t i = 0; i < kCount; ++i) ASSERT_EQ(sets.find(i), label[i]);
    }
}

} // namespace
} // namespace rigor
