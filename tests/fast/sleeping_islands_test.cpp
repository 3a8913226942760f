// What is stored of an island that sleeps, and comes back when it wakes.

#include "fast/sleep_state.h"
#include "test_support.h"

namespace rigor::fast {
namespace {

PairStore::Entry add_pair(PairStore& store, std::uint32_t a, std::uint32_t b, float margin) {
    ContactPair pair;
    pair.shape_a = a;
    pair.shape_b = b;
    pair.margin = margin;
    return {pair_key(a, b), store.pairs.add(pair), true};
}

TEST(Sleep, KeepsAwakeBodiesAndJointsInOrder) {
    Sleep sleep;
    for (const std::uint32_t body : {4u, 1u, 3u}) sleep.add_body(body, BodyType::dynamic_body);
    sleep.add_body(2, BodyType::static_body);
    EXPECT_EQ(sleep.awake, (std::vector<std::uint32_t>{1, 3, 4}));
    sleep.remove_body(3);
    sleep.remove_body(2);
    EXPECT_EQ(sleep.awake, (std::vector<std::uint32_t>{1, 4}));
    for (const std::uint32_t joint : {2u, 0u}) sleep.add_joint(joint);
    EXPECT_EQ(sleep.awake_joints, (std::vector<std::uint32_t>{0, 2}));
    sleep.remove_joint(0);
    EXPECT_EQ(sleep.awake_joints, (std::vector<std::uint32_t>{2}));
}

TEST(Sleep, AnIslandWakesWithItsBodiesJointsAndPairsInOrder) {
    Sleep sleep;
    PairStore store;
    for (const std::uint32_t body : {0u, 1u, 2u, 3u}) sleep.add_body(body, BodyType::dynamic_body);
    sleep.awake = {0, 3};
    sleep.awake_joints = {5};
    sleep.islands.push_back(
        {{1, 2}, {4, 6}, {add_pair(store, 1, 2, 0.1f), add_pair(store, 2, 9, 0.2f)}});
    for (const std::uint32_t body : {1u, 2u}) {
        sleep.island_of[body] = 0;
        sleep.rest_time[body] = 1;
    }
    // Found again meanwhile, without what was known of it.
    store.order = {add_pair(store, 0, 3, 0), add_pair(store, 1, 2, 0), add_pair(store, 3, 9, 0)};
    EXPECT_TRUE(sleep.is_asleep(1));

    EXPECT_EQ(wake_island(0, sleep, store), (std::vector<std::uint32_t>{1, 2}));

    EXPECT_EQ(sleep.awake, (std::vector<std::uint32_t>{0, 1, 2, 3}));
    EXPECT_EQ(sleep.awake_joints, (std::vector<std::uint32_t>{4, 5, 6}));
    EXPECT_FALSE(sleep.is_asleep(1));
    EXPECT_EQ(sleep.rest_time[2], 0);
    EXPECT_TRUE(sleep.islands[0].bodies.empty());
    EXPECT_EQ(sleep.free, (std::vector<std::uint32_t>{0}));
    std::vector<std::uint64_t> keys;
    for (const PairStore::Entry& entry : store.order) keys.push_back(entry.key);
    EXPECT_EQ(keys, (std::vector<std::uint64_t>{pair_key(0, 3), pair_key(1, 2), pair_key(2, 9),
                                                pair_key(3, 9)}));
    EXPECT_EQ(store.pairs[store.order[1].slot].margin, 0.1f) << "the stored pair is kept";
    EXPECT_EQ(store.pairs.free.size(), 1u);
}

} // namespace
} // namespace rigor::fast
