// Passive mechanisms make no energy: a property test over random ones of every kind. Few of them
// without RIGOR_LONG_TESTS; with it RIGOR_MECHANISMS_CASES sets their number,
// RIGOR_MECHANISMS_FIRST the first, RIGOR_MECHANISMS_HZ the rate.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "random_mechanism.h"

namespace rigor::mechanisms_test {
namespace {

using test::MechanismKind;

int positive_number(const char* variable, int otherwise) {
    const char* wanted = std::getenv(variable);
    return wanted ? std::max(std::atoi(wanted), 1) : otherwise;
}

/// The largest rise above the start, over its scale.
double rise_of(MechanismKind kind, unsigned seed, double hz, double seconds) {
    test::RandomMechanism mechanism(kind, seed);
    World& world = mechanism.world();
    const double scale = mechanism.energy_scale(), start = world.energy().total();
    double rise = 0;
    for (long i = std::lround(seconds * hz); i > 0; --i) {
        world.step(1 / hz);
        const double now = world.energy().total();
        if (!std::isfinite(now)) return INFINITY;
        rise = std::max(rise, now - start);
    }
    return rise / scale;
}

/// Gains that are known (docs/design/joints.md), with a bound that they keep today. One that grows
/// beyond it fails, and one that is gone must be taken from this list.
struct KnownGain {
    MechanismKind kind;
    unsigned seed;
    double bound;
};
constexpr KnownGain kKnownGains[] = {
    {MechanismKind::tracks, 1, 0.3}, // at any step
};

const KnownGain* known_gain(MechanismKind kind, unsigned seed) {
    for (const KnownGain& known : kKnownGains)
        if (known.kind == kind && known.seed == seed) return &known;
    return nullptr;
}

void expect_no_gain(MechanismKind kind, unsigned seed, double rise) {
    const KnownGain* known = known_gain(kind, seed);
    SCOPED_TRACE(test::RandomMechanism(kind, seed).about());
    EXPECT_LT(rise, known ? known->bound : 1e-3) << "seed " << seed;
    if (known) {
        EXPECT_GE(rise, 1e-3) << "seed " << seed << " gains no longer";
    }
}

/// How many of the cases rise beyond 1e-3, 1e-2, 0.1 and 1 of their scale, and which.
struct Tally {
    int counts[4] = {};
    std::string list;

    void add(unsigned seed, double rise) {
        double bound = 1e-3;
        for (int& count : counts) {
            if (!(rise < bound)) ++count;
            bound *= 10;
        }
        if (!(rise < 1e-3)) list += test::message(" ", seed, ":", static_cast<float>(rise));
    }
};

class RandomMechanisms : public testing::TestWithParam<MechanismKind> {};

// Without RIGOR_LONG_TESTS the first few at 60 Hz. With it many: there a fifth may gain, and the
// table tells which.
TEST_P(RandomMechanisms, MakeNoEnergy) {
    constexpr double kSeconds = 5;
    const bool is_long = std::getenv("RIGOR_LONG_TESTS") != nullptr;
    const int cases = is_long ? positive_number("RIGOR_MECHANISMS_CASES", 80) : 6;
    const int first = is_long ? positive_number("RIGOR_MECHANISMS_FIRST", 1) : 1;
    const double hz = is_long ? positive_number("RIGOR_MECHANISMS_HZ", 60) : 60;
    Tally tally;
    for (int i = first; i < first + cases; ++i) {
        const auto seed = static_cast<unsigned>(i);
        const double rise = rise_of(GetParam(), seed, hz, kSeconds);
        tally.add(seed, rise);
        if (!is_long) expect_no_gain(GetParam(), seed, rise);
    }
    if (!is_long) return;
    std::printf("%-13s of %d: %d > 1e-3, %d > 1e-2, %d > 0.1, %d > 1:%s\n",
                test::kMechanismNames[static_cast<int>(GetParam())], cases, tally.counts[0],
                tally.counts[1], tally.counts[2], tally.counts[3], tally.list.c_str());
    EXPECT_LE(10 * tally.counts[0], 2 * cases);
}

// Soft joints that were no potential, redundant rows that acted against each other, tracks that did
// not fit or turned too far in a substep, gears that were solved one by one, and limits that no
// simple search can choose.
TEST(Mechanisms, ThatExplodedKeepTheirEnergy) {
    const std::pair<MechanismKind, unsigned> cases[] = {
        {MechanismKind::springs, 5},   {MechanismKind::springs, 8},
        {MechanismKind::springs, 23},  {MechanismKind::linkages, 14},
        {MechanismKind::linkages, 28}, {MechanismKind::loops, 19},
        {MechanismKind::loops, 28},    {MechanismKind::loops, 30},
        {MechanismKind::tracks, 18},   {MechanismKind::tracks, 22},
        {MechanismKind::tracks, 28},   {MechanismKind::tracks, 33},
        {MechanismKind::tracks, 23},   {MechanismKind::tracks, 48},
        {MechanismKind::tracks, 64},   {MechanismKind::gears, 12},
        {MechanismKind::gears, 20},    {MechanismKind::gears, 43},
        {MechanismKind::gears, 49},    {MechanismKind::gears, 60},
        {MechanismKind::gears, 80},    {MechanismKind::limits, 1},
        {MechanismKind::limits, 39},   {MechanismKind::limits, 43},
        {MechanismKind::limits, 56},   {MechanismKind::limits, 61},
        {MechanismKind::limits, 80},   {MechanismKind::on_floor, 43},
        {MechanismKind::on_floor, 56}, {MechanismKind::on_floor, 79}};
    for (const auto& [kind, seed] : cases)
        EXPECT_LT(rise_of(kind, seed, 60, 5), 1e-3)
            << test::kMechanismNames[static_cast<int>(kind)] << " " << seed;
}

// Several in lanes beside each other, which choose their limits with care at different times.
TEST(Mechanisms, GiveTheSameBitsForAnyThreadsAndLanes) {
    const auto hash = [](int threads, int lanes) {
        WorldSettings settings = test::fast_settings();
        settings.threads = threads;
        settings.lanes = lanes;
        test::RandomMechanism mechanism(MechanismKind::limits, 1, settings);
        for (int i = 1; i < 5; ++i) mechanism.repeat(1, {0.3 * i, 0, 0});
        for (int i = 0; i < 12; ++i) mechanism.world().step(test::kStep);
        return mechanism.world().state_hash();
    };
    const std::uint64_t expected = hash(1, 1);
    for (const auto& [threads, lanes] : {std::pair(1, 4), std::pair(1, 8), std::pair(2, 8)})
        EXPECT_EQ(hash(threads, lanes), expected) << threads << " " << lanes;
}

std::string kind_name(const testing::TestParamInfo<MechanismKind>& kind) {
    return test::kMechanismNames[static_cast<int>(kind.param)];
}

INSTANTIATE_TEST_SUITE_P(
    All, RandomMechanisms,
    testing::Values(MechanismKind::trees, MechanismKind::limits, MechanismKind::ranges,
                    MechanismKind::springs, MechanismKind::brakes, MechanismKind::friction,
                    MechanismKind::kinematic, MechanismKind::planar, MechanismKind::spinning,
                    MechanismKind::linkages, MechanismKind::loops, MechanismKind::sprung_loops,
                    MechanismKind::gears, MechanismKind::tracks, MechanismKind::on_floor),
    kind_name);

} // namespace
} // namespace rigor::mechanisms_test
