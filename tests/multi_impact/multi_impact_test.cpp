// Simultaneous impacts: as in the checks newtons_cradle to five_properties, and [Baber 2006]'s
// appendix C, at the level of contacts.

#include <algorithm>
#include <numeric>

#include "impact/impact_support.h"
#include "multi_impact/impact_problem.h"

namespace rigor {
namespace {

using namespace contact_dynamics;
using test::message;
using test::Random;

/// Bodies as one vector of velocities with masses, and contacts as rows of three directions in it:
/// W = J M⁻¹ Jᵀ.
struct Bodies {
    using ConstraintRow = std::vector<double>;
    std::vector<double> mass, velocity;
    std::vector<std::array<ConstraintRow, 3>> rows;
    std::vector<double> friction, restitution;

    ConstraintRow row(std::initializer_list<std::pair<std::size_t, double>> entries) const {
        ConstraintRow r(mass.size());
        for (auto [i, value] : entries) r[i] = value;
        return r;
    }
    void touch(const ConstraintRow& normal, double e, double mu = 0, ConstraintRow tangent = {},
               ConstraintRow other = {}) {
        tangent.resize(mass.size());
        other.resize(mass.size());
        rows.push_back({tangent, other, normal});
        restitution.push_back(e);
        friction.push_back(mu);
    }
    double inner(const ConstraintRow& a, const ConstraintRow& b) const {
        double sum = 0;
        for (std::size_t i = 0; i < mass.size(); ++i) sum += a[i] * b[i] / mass[i];
        return sum;
    }
    ImpactProblem problem() const {
        ImpactProblem p;
        p.friction = friction;
        p.restitution = restitution;
        for (std::size_t i = 0; i < rows.size(); ++i) {
            std::vector<BlockEntry> entries;
            Vec3d u;
            for (int a = 0; a < 3; ++a) {
                const ConstraintRow& r = rows[i][static_cast<std::size_t>(a)];
                u[a] = std::inner_product(r.begin(), r.end(), velocity.begin(), 0.0);
            }
            for (std::size_t j = 0; j < rows.size(); ++j) {
                Mat3d block = Mat3d::zero();
                for (int a = 0; a < 3; ++a)
                    for (int b = 0; b < 3; ++b)
                        block(a, b) = inner(rows[i][static_cast<std::size_t>(a)],
                                            rows[j][static_cast<std::size_t>(b)]);
                if (i == j || block != Mat3d::zero())
                    entries.push_back({static_cast<std::uint32_t>(j), block});
            }
            p.w.add_row(entries);
            p.u.push_back(u);
        }
        return p;
    }
    std::vector<double> after(const ImpactsOutcome& outcome) const {
        std::vector<double> v = velocity;
        for (std::size_t c = 0; c < rows.size(); ++c)
            for (int a = 0; a < 3; ++a)
                for (std::size_t i = 0; i < v.size(); ++i)
                    v[i] += rows[c][static_cast<std::size_t>(a)][i] * outcome.r[c][a] / mass[i];
        return v;
    }
    double energy(const std::vector<double>& v) const {
        double sum = 0;
        for (std::size_t i = 0; i < v.size(); ++i) sum += 0.5 * mass[i] * v[i] * v[i];
        return sum;
    }
};

/// Balls in a row that touch; the first `moving` come in at speed 1.
Bodies cradle(int balls, int moving, double e) {
    Bodies b;
    b.mass.assign(static_cast<std::size_t>(balls), 1);
    for (int i = 0; i < balls; ++i) b.velocity.push_back(i < moving ? 1 : 0);
    for (std::size_t i = 0; i + 1 < b.mass.size(); ++i) b.touch(b.row({{i, -1}, {i + 1, 1}}), e);
    return b;
}

/// [Baber 2006, figure 15]: v and w of a stick of mass 1 and length 2, both ends at -1.
Bodies stick(double inertia, double e, bool right_first = true) {
    Bodies b{{1, inertia}, {-1, 0}, {}, {}, {}};
    const double side = right_first ? 1 : -1;
    b.touch(b.row({{0, 1}, {1, side}}), e);
    b.touch(b.row({{0, 1}, {1, -side}}), e);
    return b;
}

/// Coordinates x, y of three equal balls; the first, at speed 1 along x, hits two at ±30 degrees.
Bodies bernoulli() {
    Bodies b{{1, 1, 1, 1, 1, 1}, {1, 0, 0, 0, 0, 0}, {}, {}, {}};
    const double c = std::sqrt(3.0) / 2, s = 0.5;
    b.touch(b.row({{0, -c}, {1, -s}, {2, c}, {3, s}}), 1);
    b.touch(b.row({{0, -c}, {1, s}, {4, c}, {5, -s}}), 1);
    return b;
}

void expect_velocities(const Bodies& bodies, const ImpactsOutcome& outcome,
                       const std::vector<double>& expected, double tolerance = 1e-12) {
    const std::vector<double> v = bodies.after(outcome);
    for (std::size_t i = 0; i < v.size(); ++i) EXPECT_NEAR(v[i], expected[i], tolerance) << i;
}

MultiImpactSettings with(MultiImpact multi) {
    MultiImpactSettings settings;
    settings.multi = multi;
    return settings;
}

TEST(NewtonsCradle, LosesAsManyBallsAsComeIn) {
    for (MultiImpact multi : {MultiImpact::reflections, MultiImpact::propagation}) {
        const Bodies one = cradle(5, 1, 1), two = cradle(5, 2, 1);
        const ImpactsOutcome first = solve_impacts(one.problem(), with(multi));
        expect_velocities(one, first, {0, 0, 0, 0, 1});
        EXPECT_FALSE(first.ambiguous); // the wedges are of 60 degrees
        expect_velocities(two, solve_impacts(two.problem(), with(multi)), {0, 0, 0, 1, 1});
    }
}

TEST(NewtonsCradle, IsWrongAsOneComplementarityProblem) {
    const Bodies one = cradle(5, 1, 1), two = cradle(5, 2, 1), three = cradle(3, 1, 1);
    const auto settings = with(MultiImpact::simultaneous);
    expect_velocities(one, solve_impacts(one.problem(), settings), {-0.6, 0.4, 0.4, 0.4, 0.4});
    expect_velocities(two, solve_impacts(two.problem(), settings), {-0.2, -0.2, 0.8, 0.8, 0.8});
    expect_velocities(three, solve_impacts(three.problem(), settings),
                      {-1.0 / 3, 2.0 / 3, 2.0 / 3}); // figure 16
}

// e of the elastic answer and 1 - e of the inelastic one, in which all stay together.
TEST(NewtonsCradle, WithLossLiesBetween) {
    const Bodies b = cradle(5, 1, 0.75);
    expect_velocities(b, solve_impacts(b.problem()), {0.05, 0.05, 0.05, 0.05, 0.8});
}

TEST(BernoullisProblem, HasTheSymmetricAnswerAndSaysThatItIsAChoice) {
    const Bodies b = bernoulli();
    const ImpactsOutcome outcome = solve_impacts(b.problem());
    const double y = std::sqrt(3.0) / 5;
    expect_velocities(b, outcome, {-0.2, 0, 0.6, y, 0.6, -y});
    EXPECT_TRUE(outcome.ambiguous);
}

TEST(FlatStick, BouncesUprightUnderReflections) {
    for (double inertia : {1.0 / 3, 1.0, 1.0 / 5, 1.0 / 20}) {
        SCOPED_TRACE(message("I = ", inertia));
        const Bodies b = stick(inertia, 1);
        const ImpactsOutcome outcome = solve_impacts(b.problem());
        expect_velocities(b, outcome, {1, 0});
        EXPECT_EQ(outcome.ambiguous, inertia != 1.0 / 3 && inertia != 1);
    }
}

// Appendix C: how many impulses it takes, and where they lead by (21).
TEST(FlatStick, RattlesUnderPropagation) {
    const struct {
        double inertia;
        int impulses;
    } cases[] = {{1.0 / 3, 3}, {1, 2}, {1.0 / 5, 4}, {1.0 / 20, 7}};
    for (const auto& [inertia, impulses] : cases) {
        SCOPED_TRACE(message("I = ", inertia));
        const Bodies b = stick(inertia, 1);
        const ImpactsOutcome outcome = solve_impacts(b.problem(), with(MultiImpact::propagation));
        EXPECT_EQ(outcome.impulses, impulses);
        double p = -1, q = -1; // of the end just hit, and of the other
        for (int i = 0; i < impulses; ++i) {
            const double next = q + 2 * (1 - inertia) / (1 + inertia) * p;
            q = next;
            std::swap(p, q);
            q = -q;
        }
        std::swap(p, q);
        const std::vector<double> v = b.after(outcome);
        EXPECT_NEAR(v[0], 0.5 * (p + q), 1e-12);
        EXPECT_NEAR(std::abs(v[1]), 0.5 * std::abs(p - q), 1e-12);
    }
    for (bool right_first : {true, false}) {
        const Bodies b = stick(0.2, 1, right_first);
        const ImpactsOutcome outcome = solve_impacts(b.problem(), with(MultiImpact::propagation));
        expect_velocities(b, outcome, {79.0 / 81, (right_first ? 40.0 : -40.0) / 81});
        EXPECT_TRUE(outcome.ambiguous);
    }
}

TEST(Propagation, EndsByItsThresholdWhereItNeedNotEnd) {
    const Bodies b = stick(0.05, 0.1);
    const ImpactsOutcome outcome = solve_impacts(b.problem(), with(MultiImpact::propagation));
    EXPECT_TRUE(outcome.converged);
    MultiImpactSettings few = with(MultiImpact::propagation);
    few.max_rounds = 3;
    EXPECT_FALSE(solve_impacts(b.problem(), few).converged);
}

TEST(Propagation, MayFollowTheListInstead) {
    Bodies b = cradle(4, 1, 1);
    b.velocity = {1, 0, 0, -3};
    MultiImpactSettings settings = with(MultiImpact::propagation);
    const auto fastest = solve_impacts(b.problem(), settings);
    settings.in_order = true;
    const auto in_order = solve_impacts(b.problem(), settings);
    expect_velocities(b, fastest, {-3, 0, 0, 1});
    expect_velocities(b, in_order, {-3, 0, 0, 1}); // wedges of 60 degrees: any order will do
}

Bodies random_bodies(Random& random, bool friction, bool one_e) {
    Bodies b;
    const int n = random.integer(2, 6), contacts = random.integer(2, 6);
    for (int i = 0; i < 3 * n; ++i) {
        b.mass.push_back(i % 3 ? b.mass.back() : std::exp(random.uniform(-2, 2)));
        b.velocity.push_back(random.uniform(-1, 1));
    }
    const double e = random.integer(0, 3) == 0 ? 1 : random.unit();
    for (int c = 0; c < contacts; ++c) {
        const Vec3d normal = random.direction(), t = perpendicular(normal);
        const Vec3d axes[] = {normal, t, cross(normal, t)};
        const auto body = static_cast<std::size_t>(random.integer(0, n - 1));
        const auto other = static_cast<std::size_t>(random.integer(0, n - 1));
        Bodies::ConstraintRow rows[3];
        for (std::size_t a = 0; a < 3; ++a) {
            rows[a].resize(b.mass.size());
            for (std::size_t k = 0; k < 3; ++k) {
                rows[a][3 * body + k] = axes[a][static_cast<int>(k)];
                if (other != body) rows[a][3 * other + k] = -axes[a][static_cast<int>(k)];
            }
        }
        b.touch(rows[0], one_e ? e : random.unit(), friction ? random.unit() : 0, rows[1], rows[2]);
    }
    return b;
}

// [Smith 2012]: break-away, energy, momentum, one-sidedness hold for any contacts; symmetry above.
// Momentum is kept because impulses act along differences of bodies, or on the ground.
TEST(FiveProperties, HoldForReflections) {
    Random random;
    int ambiguous = 0;
    for (int i = 0; i < 3000; ++i) {
        SCOPED_TRACE(message("case ", i));
        const Bodies b = random_bodies(random, i % 2 == 1, i % 3 != 0);
        const ImpactProblem problem = b.problem();
        const ImpactsOutcome outcome = solve_impacts(problem);
        ASSERT_TRUE(outcome.converged);
        const double before = b.energy(b.velocity), after = b.energy(b.after(outcome));
        ASSERT_LE(after, before * (1 + 1e-12));
        ASSERT_NEAR(after - before, outcome.energy, 1e-11 * before);
        if (i % 2 == 0 && *std::min_element(b.restitution.begin(), b.restitution.end()) == 1) {
            ASSERT_NEAR(after, before, 1e-11 * before);
        }
        for (std::size_t c = 0; c < problem.u.size(); ++c) {
            ASSERT_GE(outcome.r[c].z, 0);
            ASSERT_GE(outcome.u[c].z, -1e-9);
            ASSERT_LE(std::hypot(outcome.r[c].x, outcome.r[c].y),
                      problem.friction[c] * outcome.r[c].z * (1 + 1e-12) + 1e-14);
        }
        ambiguous += outcome.ambiguous;
    }
    EXPECT_GT(ambiguous, 100);
}

// One problem for all at once need not let bodies break away: after it, the last four balls of the
// cradle move together. Propagation does not treat alike what is alike: see the stick.
TEST(FiveProperties, AreLostByTheOthers) {
    const Bodies b = cradle(5, 1, 1);
    const auto v = b.after(solve_impacts(b.problem(), with(MultiImpact::simultaneous)));
    EXPECT_NEAR(v[4] - v[3], 0, 1e-12);
    const Bodies s = stick(0.2, 1);
    EXPECT_GT(std::abs(s.after(solve_impacts(s.problem(), with(MultiImpact::propagation)))[1]),
              0.4);
}

// Between walls that leave no room, hitting one after the other need not end; then it says so.
TEST(EveryWay, PushesOnlyAndEnds) {
    Random random(3);
    int unfinished = 0;
    for (MultiImpact multi : {MultiImpact::propagation, MultiImpact::simultaneous}) {
        for (int i = 0; i < 500; ++i) {
            const Bodies b = random_bodies(random, true, true);
            const ImpactsOutcome outcome = solve_impacts(b.problem(), with(multi));
            unfinished += !outcome.converged;
            if (!outcome.converged) continue;
            for (std::size_t c = 0; c < outcome.r.size(); ++c) {
                ASSERT_GE(outcome.r[c].z, 0);
                ASSERT_GE(outcome.u[c].z, -1e-11);
            }
        }
    }
    EXPECT_LE(unfinished, 10);
}

// A box landing flat and sliding along x: nothing across. Which corner takes how much of friction
// is not unique, what it does is.
TEST(FlatBox, LandsWithoutTurningAside) {
    Bodies b{{2, 2, 2, 0.3, 0.3, 0.5}, {0.4, 0, -1, 0, 0, 0}, {}, {}, {}}; // v, w
    for (double x : {-0.5, 0.5}) {
        for (double y : {-0.5, 0.5}) {
            const double z = -0.5; // velocity of the corner: v + w x r
            b.touch(b.row({{2, 1}, {3, y}, {4, -x}}), 0.5, 0.3, b.row({{0, 1}, {4, z}, {5, -y}}),
                    b.row({{1, 1}, {3, -z}, {5, x}}));
        }
    }
    for (MultiImpact multi : {MultiImpact::reflections, MultiImpact::simultaneous}) {
        const ImpactsOutcome outcome = solve_impacts(b.problem(), with(multi));
        ASSERT_TRUE(outcome.converged);
        EXPECT_LT(outcome.energy, 0);
        const std::vector<double> v = b.after(outcome);
        for (std::size_t i : {1u, 3u, 5u}) EXPECT_NEAR(v[i], 0, 1e-12) << i;
    }
}

// A body that rests on an inelastic floor is an anvil for what falls on it: the ball comes back
// with its own restitution, whatever the masses are, and the body stays.
TEST(Anvil, GivesABallBackItsOwnRestitution) {
    for (const double mass : {0.01, 1.0, 100.0})
        for (const double e : {0.0, 0.5, 1.0}) {
            SCOPED_TRACE(message("mass ", mass, ", e = ", e));
            Bodies b;
            b.mass = {1, mass}; // a ball above, a body on the floor
            b.velocity = {-5, 0};
            b.touch(b.row({{0, 1}, {1, -1}}), e);
            b.touch(b.row({{1, 1}}), 0);
            const ImpactsOutcome out = solve_impacts(b.problem(), with(MultiImpact::reflections));
            EXPECT_TRUE(out.converged);
            EXPECT_NEAR(out.u[0].z, 5 * e, 1e-12);
            EXPECT_NEAR(out.u[1].z, 0, 1e-12);
            EXPECT_LE(out.energy, 1e-12);
        }
}

// A ball between two walls that both touch it cannot bounce: no velocity parts it from both.
TEST(ClampedBody, ComesToRestAcross) {
    Bodies b{{1, 1}, {1, 0.5}, {}, {}, {}};
    b.touch(b.row({{0, 1}}), 1);
    b.touch(b.row({{0, -1}}), 1);
    const ImpactsOutcome outcome = solve_impacts(b.problem());
    EXPECT_TRUE(outcome.converged);
    expect_velocities(b, outcome, {0, 0.5});
}

TEST(NoImpact, ChangesNothing) {
    Bodies b = cradle(3, 1, 1);
    b.velocity = {-1, 0, 0};
    const ImpactsOutcome outcome = solve_impacts(b.problem());
    expect_velocities(b, outcome, b.velocity, 0);
    EXPECT_EQ(outcome.impulses, 0);
    EXPECT_TRUE(outcome.converged);
    EXPECT_TRUE(solve_impacts({}).r.empty());
}

} // namespace
} // namespace rigor
