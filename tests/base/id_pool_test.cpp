// Ids with generations: stale and forged ones are recognized.

#include "base/id_pool.h"

#include <set>

#include "base/slot_map.h"
#include "test_support.h"

namespace rigor {
namespace {

struct Tag;

TEST(IdPool, NullIsNeverAlive) {
    IdPool<Tag> pool;
    EXPECT_FALSE(pool.is_alive({}));
    EXPECT_TRUE(Id<Tag>{}.is_null());
    pool.acquire();
    EXPECT_FALSE(pool.is_alive({}));
}

TEST(IdPool, ARemovedIdStaysStaleAfterItsSlotIsTakenAgain) {
    IdPool<Tag> pool;
    const Id<Tag> first = pool.acquire();
    pool.release(first);
    EXPECT_FALSE(pool.is_alive(first));
    const Id<Tag> second = pool.acquire();
    EXPECT_EQ(second.index, first.index);
    EXPECT_TRUE(pool.is_alive(second));
    EXPECT_FALSE(pool.is_alive(first));
}

// The generation of a free slot is even, so an id forged from it names nothing.
TEST(IdPool, AForgedIdOfAFreeSlotIsNotAlive) {
    IdPool<Tag> pool;
    const Id<Tag> id = pool.acquire();
    pool.release(id);
    EXPECT_FALSE(pool.is_alive({id.index, id.generation + 1}));
    EXPECT_TRUE(pool.id_at(id.index).is_null());
}

TEST(IdPool, TheSameCallsGiveTheSameIds) {
    const auto ids_of_a_run = [] {
        test::Random random(7);
        IdPool<Tag> pool;
        std::vector<Id<Tag>> alive, all;
        for (int i = 0; i < 1000; ++i) {
            if (alive.empty() || random.unit() < 0.6) {
                alive.push_back(pool.acquire());
                all.push_back(alive.back());
            } else {
                const int k = random.integer(0, static_cast<int>(alive.size()) - 1);
                pool.release(alive[k]);
                alive.erase(alive.begin() + k);
            }
            EXPECT_EQ(pool.alive_count(), alive.size());
        }
        return all;
    };
    EXPECT_EQ(ids_of_a_run(), ids_of_a_run());
}

TEST(SlotMap, HoldsWhatASetOfPairsWouldHold) {
    test::Random random(3);
    SlotMap<int, Tag> map;
    std::vector<std::pair<Id<Tag>, int>> alive, dead;
    for (int i = 0; i < 2000; ++i) {
        if (alive.empty() || random.unit() < 0.55) {
            alive.emplace_back(map.insert(i), i);
        } else {
            const int k = random.integer(0, static_cast<int>(alive.size()) - 1);
            map.erase(alive[k].first);
            dead.push_back(alive[k]);
            alive.erase(alive.begin() + k);
        }
    }
    for (const auto& [id, value] : alive) {
        ASSERT_NE(map.find(id), nullptr);
        EXPECT_EQ(*map.find(id), value);
    }
    for (const auto& [id, value] : dead) EXPECT_EQ(map.find(id), nullptr);

    std::size_t visited = 0;
    std::uint32_t last = 0;
    map.for_each([&](Id<Tag> id, int) {
        if (visited++ > 0) {
            EXPECT_GT(id.index, last);
        }
        last = id.index;
    });
    EXPECT_EQ(visited, alive.size());
    EXPECT_EQ(map.size(), alive.size());
    EXPECT_GT(map.memory_bytes(), alive.size() * sizeof(int));
}

} // namespace
} // namespace rigor
