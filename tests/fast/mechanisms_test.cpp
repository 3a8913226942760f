// Passive mechanisms make no energy: a property test over random ones of every kind. Few of them
// without RIGOR_LONG_TESTS. RIGOR_MECHANISMS_CASES sets their number, RIGOR_MECHANISMS_FIRST the
// first, RIGOR_MECHANISMS_HZ the rate.
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

/// Kinds whose gains are known, and larger than those of others (docs/design/joints.md).
bool is_known_to_gain(MechanismKind kind) {
    return kind == MechanismKind::gears || kind == MechanismKind::on_floor;
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

// Without RIGOR_LONG_TESTS the first few, all of which keep their energy. With it many: there a
// fifth may gain, and the table tells which.
TEST_P(RandomMechanisms, MakeNoEnergy) {
    constexpr double kSeconds = 5;
    constexpr int kFew = 6;
    const bool is_long = std::getenv("RIGOR_LONG_TESTS") != nullptr;
    const int cases = positive_number("RIGOR_MECHANISMS_CASES", is_long ? 80 : kFew);
    const int first = positive_number("RIGOR_MECHANISMS_FIRST", is_long ? 1 : 2);
    const double hz = positive_number("RIGOR_MECHANISMS_HZ", 60);
    if (is_known_to_gain(GetParam()) && !is_long) GTEST_SKIP() << "known: docs/design/joints.md";
    Tally tally;
    for (int i = first; i < first + cases; ++i) {
        const auto seed = static_cast<unsigned>(i);
        const double rise = rise_of(GetParam(), seed, hz, kSeconds);
        tally.add(seed, rise);
        if (!(rise < 1e-3) && cases <= kFew)
            ADD_FAILURE() << "seed " << seed << " rises by " << rise << ": "
                          << test::RandomMechanism(GetParam(), seed).about();
    }
    if (!is_long) return;
    std::printf("%-13s of %d: %d > 1e-3, %d > 1e-2, %d > 0.1, %d > 1:%s\n",
                test::kMechanismNames[static_cast<int>(GetParam())], cases, tally.counts[0],
                tally.counts[1], tally.counts[2], tally.counts[3], tally.list.c_str());
    if (!is_known_to_gain(GetParam())) {
        EXPECT_LE(10 * tally.counts[0], 2 * cases);
    }
}

// Soft joints that were no potential, redundant rows that acted against each other, and tracks that
// did not fit.
TEST(Mechanisms, ThatExplodedKeepTheirEnergy) {
    const std::pair<MechanismKind, unsigned> cases[] = {
        {MechanismKind::springs, 5},   {MechanismKind::springs, 8},   {MechanismKind::springs, 23},
        {MechanismKind::linkages, 14}, {MechanismKind::linkages, 28}, {MechanismKind::loops, 19},
        {MechanismKind::loops, 28},    {MechanismKind::loops, 30},    {MechanismKind::tracks, 18},
        {MechanismKind::tracks, 22},   {MechanismKind::tracks, 28},   {MechanismKind::tracks, 33}};
    for (const auto& [kind, seed] : cases)
        EXPECT_LT(rise_of(kind, seed, 60, 5), 1e-3)
            << test::kMechanismNames[static_cast<int>(kind)] << " " << seed;
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
