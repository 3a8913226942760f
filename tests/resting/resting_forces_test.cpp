// Forces at rest: the textbook's beam, the contact that vanishes, and the guess of [Baber 2006]
// against the search through all 2^n choices it stands for.
#include "resting/resting_forces.h"

#include <cmath>
#include <numeric>

#include "numeric/lp.h"
#include "test_support.h"

namespace rigor::contact_dynamics {
namespace {

using test::Random;

constexpr double kGravity = 9.81;

struct Contacts {
    DenseMatrix m;
    std::vector<double> b;
};

// A body of mass m and moment I about its middle on points at the given places: a force at x_j
// moves the point x_i by 1/m + x_i x_j / I.
Contacts beam(double mass, double moment, const std::vector<double>& x) {
    Contacts contacts{DenseMatrix(x.size(), x.size()), std::vector<double>(x.size(), -kGravity)};
    for (std::size_t i = 0; i < x.size(); ++i)
        for (std::size_t j = 0; j < x.size(); ++j)
            contacts.m(i, j) = 1 / mass + x[i] * x[j] / moment;
    return contacts;
}

double sum(const std::vector<double>& v) {
    return std::accumulate(v.begin(), v.end(), 0.0);
}

TEST(RestingForces, OfABeamOnThreePillarsAreACornerOrTheEvenSplit) {
    const Contacts beam_on_three = beam(6, 2, {-1.5, 0, 1.5});
    const RestingForces lp = resting_forces(RestingRule::lp, beam_on_three.m, beam_on_three.b);
    const RestingForces lcp = resting_forces(RestingRule::lcp, beam_on_three.m, beam_on_three.b);
    const double weight = 6 * kGravity;
    EXPECT_TRUE(lp.all_hold());
    EXPECT_TRUE(lcp.all_hold());
    EXPECT_NEAR(sum(lp.f), weight, 1e-9);
    EXPECT_LT(std::min({lp.f[0], lp.f[1], lp.f[2]}), 1e-9); // two pillars are enough for a corner
    EXPECT_NEAR(lp.f[0], lp.f[2], 1e-9);
    for (const double f : lcp.f) EXPECT_NEAR(f, weight / 3, 1e-12 * weight);
}

// A board that rests on two points left of its middle falls off: it turns about the right one,
// which bears m g / (1 + m d² / I), and leaves the left one.
TEST(RestingForces, OfAContactThatVanishesAreZero) {
    const double mass = 3, moment = 1, d = 0.2;
    const Contacts board = beam(mass, moment, {-1, -d});
    for (const RestingRule rule : {RestingRule::lp, RestingRule::lcp}) {
        const RestingForces forces = resting_forces(rule, board.m, board.b);
        EXPECT_TRUE(forces.all_hold());
        EXPECT_EQ(forces.vanishing, (std::vector<bool>{true, false}));
        EXPECT_NEAR(forces.f[0], 0, 1e-12);
        EXPECT_NEAR(forces.f[1], mass * kGravity / (1 + mass * d * d / moment), 1e-9);
    }
}

TEST(RestingForces, OfContactsThatPartByThemselvesAreZero) {
    Contacts board = beam(3, 1, {-1, 1});
    board.b = {1, 2};
    for (const RestingRule rule : {RestingRule::lp, RestingRule::lcp}) {
        const RestingForces forces = resting_forces(rule, board.m, board.b);
        EXPECT_TRUE(forces.all_hold());
        EXPECT_EQ(forces.f, (std::vector<double>{0, 0}));
    }
}

// Every choice of vanishing contacts, as linear programs: M f = -b where they stay, M f >= -b and
// f = 0 where they vanish.
bool some_choice_works(const Contacts& contacts) {
    const std::size_t n = contacts.b.size();
    for (unsigned set = 0; set < (1u << n); ++set) {
        DenseMatrix a(2 * n, n);
        std::vector<double> right(2 * n, 0.0);
        for (std::size_t i = 0; i < n; ++i) {
            right[i] = -contacts.b[i];
            right[n + i] = ((set >> i) & 1u) ? -1e30 : contacts.b[i] - 1e-9;
            for (std::size_t j = 0; j < n; ++j) {
                a(i, j) = ((set >> j) & 1u) ? 0 : contacts.m(i, j);
                a(n + i, j) = ((set >> i) & 1u) ? 0 : -a(i, j);
            }
        }
        const LpResult result = solve_lp(std::vector<double>(n, 1.0), a, right);
        if (result.status == LpStatus::optimal) return true;
    }
    return false;
}

// Bodies of many contacts at random, M of low rank. The guess is nearly always right; when it
// is, the motion is that of the exact solution, and when not, (a) and (b) hold all the same.
TEST(RestingForces, ByTheGuessAreRightOrKnownNotToBe) {
    Random random(5);
    int guessed = 0, trials = 0;
    for (int trial = 0; trial < 300; ++trial) {
        SCOPED_TRACE(trial);
        const int n = random.integer(1, 7), rank = random.integer(1, 4);
        std::vector<std::vector<double>> rows(static_cast<std::size_t>(n));
        for (auto& row : rows)
            for (int k = 0; k < rank; ++k) row.push_back(random.uniform(-1, 1));
        Contacts contacts{DenseMatrix(rows.size(), rows.size()), {}};
        const Vec3d pull = random.vec();
        for (std::size_t i = 0; i < rows.size(); ++i) {
            contacts.b.push_back(0);
            for (std::size_t k = 0; k < rows[i].size(); ++k)
                contacts.b[i] += rows[i][k] * (k < 3 ? pull[static_cast<int>(k)] : 0.5);
            for (std::size_t j = 0; j < rows.size(); ++j)
                for (std::size_t k = 0; k < rows[i].size(); ++k)
                    contacts.m(i, j) += rows[i][k] * rows[j][k];
        }
        const RestingForces exact = resting_forces(RestingRule::lcp, contacts.m, contacts.b);
        const RestingForces lp = resting_forces(RestingRule::lp, contacts.m, contacts.b);
        ASSERT_TRUE(exact.all_hold());
        EXPECT_TRUE(some_choice_works(contacts));
        EXPECT_TRUE(lp.no_approach);
        EXPECT_TRUE(lp.no_pull);
        ++trials;
        guessed += lp.all_hold();
        if (!lp.all_hold()) continue;
        for (std::size_t i = 0; i < rows.size(); ++i) {
            double difference = 0;
            for (std::size_t j = 0; j < rows.size(); ++j)
                difference += contacts.m(i, j) * (lp.f[j] - exact.f[j]);
            EXPECT_NEAR(difference, 0, 1e-7);
        }
    }
    EXPECT_GT(guessed, 0.95 * trials);
}

TEST(RestingForces, OfBadInputAreNone) {
    const RestingForces forces =
        resting_forces(RestingRule::lp, DenseMatrix(2, 2), std::vector{1.0});
    EXPECT_TRUE(forces.f.empty());
    EXPECT_FALSE(forces.all_hold());
}

} // namespace
} // namespace rigor::contact_dynamics
