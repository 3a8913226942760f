// Results, hashes, bit sets, thread teams and profiles.

#include <atomic>
#include <numeric>

#include "base/bit_set.h"
#include "base/hash.h"
#include "base/profile.h"
#include "base/thread_team.h"
#include "rigor/result.h"
#include "test_support.h"

namespace rigor {
namespace {

TEST(Result, HoldsAValueOrAnErrorAndSaysWhich) {
    const Result<int> good = 3;
    EXPECT_TRUE(good.ok());
    EXPECT_EQ(*good, 3);
    EXPECT_THROW(good.error(), UsageError);

    const Result<int> bad = Error{ErrorCode::invalid_value, "radius", "must be positive, got -1"};
    EXPECT_FALSE(bad);
    EXPECT_EQ(to_string(bad.error()), "radius: must be positive, got -1");
    EXPECT_EQ(to_string(Error{ErrorCode::io, "", "no such file"}), "no such file");
}

// An error that nobody looked at must not pass for a value.
TEST(Result, TakingTheValueOfAnErrorThrowsItsText) {
    Result<std::string> bad = Error{ErrorCode::not_found, "a.json", "no such file"};
    try {
        bad.value();
        FAIL();
    } catch (const UsageError& e) {
        EXPECT_STREQ(e.what(), "a.json: no such file");
    }
    EXPECT_THROW(bad->size(), UsageError);
    EXPECT_THROW(Result<void>(Error{}).value(), UsageError);
    EXPECT_THROW(Result<void>().error(), UsageError);
    EXPECT_NO_THROW(Result<void>().value());
    EXPECT_EQ(Result<void>(Error{ErrorCode::io, "", "x"}).error().message, "x");
}

// Every step of the hash is a bijection of its state, so one changed word must show.
TEST(Hasher, EveryFlippedBitChangesTheHash) {
    test::Random random(11);
    std::vector<std::uint64_t> words(40);
    for (auto& w : words) w = random.bits();
    const auto hash = [&] {
        Hasher h;
        h.add_bytes(words.data(), words.size() * 8 - 3); // the last word is cut: a tail too
        return h.value();
    };
    const std::uint64_t before = hash();
    for (std::size_t bit = 0; bit < (words.size() * 8 - 3) * 8; ++bit) {
        words[bit / 64] ^= std::uint64_t(1) << (bit % 64);
        EXPECT_NE(hash(), before) << "bit " << bit;
        words[bit / 64] ^= std::uint64_t(1) << (bit % 64);
    }
    EXPECT_EQ(hash(), before);
}

TEST(Hasher, TheOrderCounts) {
    Hasher ab, ba;
    ab.add_value(1.0);
    ab.add_value(2.0);
    ba.add_value(2.0);
    ba.add_value(1.0);
    EXPECT_NE(ab.value(), ba.value());
}

TEST(BitSet, VisitsItsMembersInOrder) {
    test::Random random(5);
    BitSet bits, other;
    std::vector<bool> expected(1000);
    for (int i = 0; i < 300; ++i) {
        const auto a = static_cast<std::size_t>(random.integer(0, 999));
        const auto b = static_cast<std::size_t>(random.integer(0, 999));
        bits.set(a);
        other.set(b);
        expected[a] = expected[b] = true;
    }
    bits |= other;
    bits.clear(500);
    bits.clear(5000);
    expected[500] = false;
    std::vector<bool> found(1000);
    std::size_t count = 0, last = 0;
    bits.for_each([&](std::size_t i) {
        if (count++ > 0) {
            EXPECT_GT(i, last);
        }
        last = i;
        found[i] = true;
    });
    EXPECT_EQ(found, expected);
    EXPECT_EQ(bits.count(), count);
    EXPECT_FALSE(bits.test(100000));
    bits.clear_all();
    EXPECT_EQ(bits.count(), 0u);
}

TEST(ThreadTeam, EveryIndexIsVisitedOnceWhateverTheNumberOfThreads) {
    for (const int threads : {1, 2, 3, 8}) {
        ThreadTeam team(threads);
        EXPECT_EQ(team.size(), threads);
        for (const std::size_t count : {0u, 1u, 63u, 64u, 65u, 10000u}) {
            std::vector<std::atomic<int>> visits(count);
            team.parallel_for(count, 64, [&](std::size_t begin, std::size_t end) {
                EXPECT_EQ(begin % 64, 0u);
                for (std::size_t i = begin; i < end; ++i) ++visits[i];
            });
            for (const auto& v : visits) ASSERT_EQ(v.load(), 1);
        }
    }
}

// Floating-point addition is not associative: only a fixed partition makes sums repeatable.
TEST(ThreadTeam, SumsKeptPerBlockHaveTheSameBitsForAnyTeam) {
    std::vector<double> values(10000);
    test::Random random(9);
    for (double& v : values) v = random.uniform(-1, 1) * std::exp(random.uniform(-20, 20));
    const auto sum = [&](int threads) {
        ThreadTeam team(threads);
        std::vector<double> partial((values.size() + 99) / 100);
        team.parallel_for(values.size(), 100, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) partial[begin / 100] += values[i];
        });
        return std::accumulate(partial.begin(), partial.end(), 0.0);
    };
    const double one = sum(1);
    for (const int threads : {2, 3, 8}) EXPECT_EQ(sum(threads), one);
}

TEST(ThreadTeam, SharesCoverEveryIndexOnceAndAreNotTooSmall) {
    for (const int threads : {1, 2, 3, 8}) {
        ThreadTeam team(threads);
        for (const std::size_t count : {0u, 1u, 15u, 16u, 31u, 32u, 33u, 10000u}) {
            std::vector<std::atomic<int>> visits(count);
            std::atomic<int> shares = 0;
            team.parallel_for_shares(count, 16, [&](std::size_t begin, std::size_t end) {
                EXPECT_GE(end - begin, std::min<std::size_t>(count, 16));
                ++shares;
                for (std::size_t i = begin; i < end; ++i) ++visits[i];
            });
            EXPECT_LE(shares.load(), threads);
            for (const auto& v : visits) ASSERT_EQ(v.load(), 1);
        }
    }
}

// Workers that are late must not meet the next job with the fields of the last one. So jobs are as
// short as can be, of both kinds and of changing size, with more workers than cores.
TEST(ThreadTeam, ManyShortJobsOneAfterTheOther) {
    for (const int threads : {2, 8}) {
        ThreadTeam team(threads);
        std::vector<std::uint32_t> visits(64, 0), expected(64, 0);
        for (std::uint32_t job = 0; job < 20000; ++job) {
            const std::size_t count = 1 + job * 7 % 64;
            const auto visit = [&](std::size_t begin, std::size_t end) {
                for (std::size_t i = begin; i < end; ++i) visits[i] += job;
            };
            if (job % 3 == 0)
                team.parallel_for(count, 1 + job % 5, visit);
            else
                team.parallel_for_shares(count, 1 + job % 5, visit);
            for (std::size_t i = 0; i < count; ++i) expected[i] += job;
        }
        EXPECT_EQ(visits, expected) << threads;
    }
}

TEST(Profile, AddsUpByStageInTheOrderOfFirstUse) {
    Profile profile;
    profile.add("integrate", 1);
    profile.add("finalize", 2);
    profile.add("integrate", 3);
    { const StageTimer timer(profile, "refit"); }
    ASSERT_EQ(profile.stages().size(), 3u);
    EXPECT_EQ(profile.stages()[0].name, "integrate");
    EXPECT_EQ(profile.stages()[0].seconds, 4);
    EXPECT_EQ(profile.stages()[2].name, "refit");
    EXPECT_GE(profile.stages()[2].seconds, 0);
    profile.reset();
    EXPECT_TRUE(profile.stages().empty());
}

} // namespace
} // namespace rigor
