// Contacts with friction: forces known from statics, laws any answer must obey, and all methods
// against each other.
#include "numeric/friction_problem.h"

#include <chrono>
#include <cmath>
#include <numeric>

#include "body_contacts.h"
#include "numeric/lcp.h"
#include "test_support.h"

namespace rigor {
namespace {

using test::BodyContacts;
using test::message;
using test::Random;

constexpr double kFall = 9.81 / 60; // speed after a step of free fall

FrictionSettings strict(FrictionMethod method = FrictionMethod::automatic) {
    FrictionSettings settings;
    settings.method = method;
    settings.tolerance = 1e-13;
    return settings;
}

Vec3d sum(const std::vector<Vec3d>& v) {
    return std::accumulate(v.begin(), v.end(), Vec3d{});
}

// A box of sides 2, 1, 0.5 on its four corners, with gravity as on a slope down x.
BodyContacts box_on_slope(double angle, double mu, double mass, double turn = 0) {
    BodyContacts scene;
    const int box = scene.add_box({0, 0, 0.25}, {2, 1, 0.5}, mass);
    scene.set_velocity(box, Vec3d{std::sin(angle), 0, -std::cos(angle)} * kFall, {});
    for (const double x : {-1.0, 1.0})
        for (const double y : {-0.5, 0.5})
            scene.add_contact(box, -1, {x, y, 0}, {0, 0, 1}, mu, turn);
    return scene;
}

// The world's axes of a contact with a vertical normal.
Vec3d to_world(const Vec3d& v, double turn) {
    const Vec3d x = perpendicular(Vec3d{0, 0, 1}), y = cross(Vec3d{0, 0, 1}, x);
    const double c = std::cos(turn), s = std::sin(turn);
    return (x * c + y * s) * v.x + (y * c - x * s) * v.y + Vec3d{0, 0, v.z};
}

TEST(Friction, HoldsABoxOnASlopeBelowTheFrictionAngle) {
    for (const double degrees : {0.0, 10.0, 26.5}) {
        SCOPED_TRACE(degrees);
        const double angle = degrees * M_PI / 180;
        const FrictionProblem problem = box_on_slope(angle, 0.5, 3).problem();
        const FrictionResult result = solve_friction(problem, strict());
        ASSERT_TRUE(result.converged);
        const Vec3d force = to_world(sum(result.r), 0);
        EXPECT_NEAR(force.x, -3 * kFall * std::sin(angle), 1e-13);
        EXPECT_NEAR(force.y, 0, 1e-13);
        EXPECT_NEAR(force.z, 3 * kFall * std::cos(angle), 1e-13);
        for (const Vec3d& u : result.u) EXPECT_LT(length(u), 1e-13);
    }
}

TEST(Friction, LetsABoxSlideAboveTheFrictionAngleWithTheTextbookAcceleration) {
    const double angle = M_PI / 6, mu = 0.5;
    for (const double turn : {0.0, 0.3, 1.1, 2.9}) {
        SCOPED_TRACE(turn);
        const FrictionProblem problem = box_on_slope(angle, mu, 3, turn).problem();
        const FrictionResult result = solve_friction(problem, strict());
        ASSERT_TRUE(result.converged);
        const Vec3d force = to_world(sum(result.r), turn);
        EXPECT_NEAR(force.x, -mu * 3 * kFall * std::cos(angle), 1e-13);
        EXPECT_NEAR(force.z, 3 * kFall * std::cos(angle), 1e-13);
        const double speed = kFall * (std::sin(angle) - mu * std::cos(angle));
        for (const Vec3d& u : result.u)
            EXPECT_LT(length(to_world(u, turn) - Vec3d{speed, 0, 0}), 1e-13);
    }
}

// A body in a groove of two walls at 45 degrees: each bears m g / sqrt(2) without friction; with
// friction the forces that hold it are not unique, their sum is.
TEST(Friction, InAWedgeBearsTheWeightOnBothWalls) {
    const double s = std::sqrt(0.5);
    for (const double mu : {0.0, 0.2, 1.5}) {
        SCOPED_TRACE(mu);
        BodyContacts scene;
        const int body = scene.add_box({0, 0, 0}, {1, 1, 1}, 2);
        scene.set_velocity(body, {0, 0, -kFall}, {});
        scene.add_contact(body, -1, {-0.5, 0, -0.5}, {s, 0, s}, mu);
        scene.add_contact(body, -1, {0.5, 0, -0.5}, {-s, 0, s}, mu);
        FrictionSettings settings = strict();
        settings.least_norm = true;
        const FrictionResult result = solve_friction(scene.problem(), settings);
        ASSERT_TRUE(result.converged);
        for (const Vec3d& u : result.u) EXPECT_NEAR(u.z, 0, 1e-13);
        EXPECT_NEAR(result.r[0].z, result.r[1].z, 1e-13);
        if (mu == 0) {
            EXPECT_NEAR(result.r[0].z, 2 * kFall * s, 1e-13);
        }
    }
}

TEST(Friction, LeastNormStandsATableOnAllLegsAlike) {
    for (const double mu : {0.0, 0.5}) {
        SCOPED_TRACE(mu);
        FrictionSettings settings = strict();
        settings.least_norm = true;
        const FrictionResult result = solve_friction(box_on_slope(0, mu, 4).problem(), settings);
        ASSERT_TRUE(result.converged);
        for (const Vec3d& r : result.r) EXPECT_LT(length(r - Vec3d{0, 0, kFall}), 1e-12);
    }
}

TEST(Friction, LeastNormRestsABeamOnThreePillarsAlike) {
    for (const double mu : {0.0, 0.5}) {
        BodyContacts scene;
        const int beam = scene.add_box({0, 0, 0}, {4, 0.2, 0.2}, 6);
        scene.set_velocity(beam, {0, 0, -kFall}, {});
        for (const double x : {-1.5, 0.0, 1.5})
            scene.add_contact(beam, -1, {x, 0, -0.1}, {0, 0, 1}, mu);
        FrictionSettings settings = strict();
        settings.least_norm = true;
        const FrictionResult result = solve_friction(scene.problem(), settings);
        ASSERT_TRUE(result.converged);
        for (const Vec3d& r : result.r) EXPECT_LT(length(r - Vec3d{0, 0, 2 * kFall}), 1e-12);
    }
}

// On a slope the shortest forces share the pull alike, too, and none may leave its cone; their
// moment is taken by the difference of front and rear.
TEST(Friction, LeastNormOnASlopeIsInTheConesAndNoLongerThanAnyOther) {
    const FrictionProblem problem = box_on_slope(0.4, 0.5, 4).problem();
    FrictionSettings settings = strict();
    const FrictionResult any = solve_friction(problem, settings);
    settings.least_norm = true;
    const FrictionResult shortest = solve_friction(problem, settings);
    ASSERT_TRUE(any.converged && shortest.converged);
    const auto norm = [](const FrictionResult& result) {
        double squares = 0;
        for (const Vec3d& r : result.r) squares += length_squared(r);
        return squares;
    };
    EXPECT_LE(norm(shortest), norm(any) * (1 + 1e-12));
    for (std::size_t i = 0; i < problem.q.size(); ++i)
        EXPECT_LT(length(any.u[i] - shortest.u[i]), 1e-12);
    EXPECT_LT(length(shortest.r[0] - shortest.r[1] * 1.0 - (shortest.r[2] - shortest.r[3])), 1e-12);
}

// A few bodies that hit each other and the ground at random points.
FrictionProblem random_problem(Random& random, int bodies, int contacts, double most_friction) {
    BodyContacts scene;
    for (int k = 0; k < bodies; ++k) {
        scene.add_box(random.vec(-1, 1), random.vec(0.2, 1), random.uniform(1, 10));
        scene.set_velocity(k, random.vec(-1, 1), random.vec(-1, 1));
    }
    for (int k = 0; k < contacts; ++k) {
        const int a = random.integer(0, bodies - 1), b = random.integer(-1, bodies - 1);
        scene.add_contact(a, a == b ? -1 : b, random.vec(-1, 1), random.direction(),
                          random.uniform(0, most_friction), random.uniform(0, 6));
    }
    return scene.problem();
}

TEST(Friction, WithoutFrictionIsTheMonotoneComplementarityProblem) {
    Random random(1);
    for (int trial = 0; trial < 200; ++trial) {
        SCOPED_TRACE(trial);
        const FrictionProblem problem = random_problem(random, 3, random.integer(1, 12), 0);
        const std::size_t n = problem.q.size();
        DenseMatrix m(n, n);
        std::vector<double> q(n);
        for (std::size_t i = 0; i < n; ++i) {
            q[i] = problem.q[i].z;
            for (std::size_t j = 0; j < n; ++j) m(i, j) = problem.w.at(i, j).cz.z;
        }
        const LcpResult lcp = solve_lcp(m, q);
        if (lcp.status != LcpStatus::solved) continue;
        const FrictionResult result = solve_friction(problem, strict());
        ASSERT_TRUE(result.converged) << result.merit;
        for (std::size_t i = 0; i < n; ++i) {
            EXPECT_NEAR(result.u[i].z, lcp.w[i], 1e-10);
            EXPECT_EQ(result.r[i].x, 0);
            EXPECT_EQ(result.r[i].y, 0);
        }
    }
}

TEST(Friction, WithoutFrictionNothingPullsWhereNothingSlips) {
    FrictionProblem problem;
    for (std::size_t i = 0; i < 2; ++i) {
        const std::vector<BlockEntry> row{
            {static_cast<std::uint32_t>(i), Mat3d::diagonal({1, 1, 1})}};
        problem.w.add_row(row);
    }
    problem.q = {{0, 0, 1}, {0, 0, -1}}; // along the normals exactly
    problem.mu = {0, 0};
    for (const FrictionMethod method : {FrictionMethod::automatic, FrictionMethod::nsgs,
                                        FrictionMethod::admm, FrictionMethod::newton}) {
        FrictionSettings settings;
        settings.method = method;
        const FrictionResult result = solve_friction(problem, settings);
        EXPECT_TRUE(result.converged) << static_cast<int>(method);
        EXPECT_NEAR(result.r[0].z, 0, 1e-9);
        EXPECT_NEAR(result.r[1].z, 1, 1e-9);
    }
}

TEST(Friction, AllMethodsFindTheSameVelocities) {
    Random random(2);
    for (int trial = 0; trial < 60; ++trial) {
        const FrictionProblem problem = random_problem(random, 3, random.integer(1, 8), 0.4);
        const FrictionResult reference = solve_friction(problem, strict());
        ASSERT_TRUE(reference.converged) << trial << " " << reference.merit;
        for (const FrictionMethod method :
             {FrictionMethod::pivoting, FrictionMethod::nsgs, FrictionMethod::admm}) {
            SCOPED_TRACE(message("trial ", trial, ", method ", static_cast<int>(method)));
            FrictionSettings settings = strict(method);
            settings.tolerance = 1e-11;
            settings.max_iterations = 200'000;
            const FrictionResult result = solve_friction(problem, settings);
            EXPECT_TRUE(result.converged) << result.merit;
            for (std::size_t i = 0; i < problem.q.size(); ++i)
                EXPECT_LT(length(result.u[i] - reference.u[i]), 1e-8);
        }
    }
}

TEST(Friction, DoesNotCareHowTangentsAreTurned) {
    Random random(3);
    for (int trial = 0; trial < 20; ++trial) {
        FrictionProblem problem = random_problem(random, 3, 6, 0.5), turned;
        const std::size_t n = problem.q.size();
        std::vector<Mat3d> turn;
        for (std::size_t i = 0; i < n; ++i) {
            const double angle = random.uniform(0, 6), c = std::cos(angle), s = std::sin(angle);
            turn.push_back(Mat3d::from_rows({c, s, 0}, {-s, c, 0}, {0, 0, 1}));
        }
        turned.mu = problem.mu;
        for (std::size_t i = 0; i < n; ++i) {
            std::vector<BlockEntry> row;
            for (const BlockEntry& e : problem.w.row(i))
                row.push_back({e.column, turn[i] * e.block * transpose(turn[e.column])});
            turned.w.add_row(row);
            turned.q.push_back(turn[i] * problem.q[i]);
        }
        const FrictionResult a = solve_friction(problem, strict());
        const FrictionResult b = solve_friction(turned, strict());
        ASSERT_TRUE(a.converged && b.converged);
        EXPECT_NEAR(friction_merit(turned, b.r), b.merit, 1e-15);
        for (std::size_t i = 0; i < n; ++i)
            EXPECT_LT(length(turn[i] * a.u[i] - b.u[i]), 1e-9) << trial;
    }
}

TEST(Friction, StandsAWallOfFiveHundredContacts) {
    for (const double mu : {0.0, 0.3, 0.7}) {
        SCOPED_TRACE(mu);
        const BodyContacts wall = test::brick_wall(4, 18, mu);
        ASSERT_EQ(wall.size(), 492u);
        const FrictionProblem problem = wall.problem();
        FrictionSettings settings;
        settings.tolerance = 1e-8;
        const FrictionResult result = solve_friction(problem, settings);
        EXPECT_TRUE(result.converged);
        double weight = 0, ground = 0;
        for (int k = 0; k < static_cast<int>(wall.bodies()); ++k) weight += wall.mass(k) * kFall;
        for (std::size_t i = 0; i < 4 * 18; ++i) ground += result.r[i].z;
        EXPECT_NEAR(ground, weight, 1e-6 * weight);
    }
}

// One contact that slides along s: u_n = q_n + (W_nn - mu W_nT·s) r_n, and r_T follows.
TEST(Friction, OfAContactThatSlidesHasItsDirectionGiven) {
    BodyContacts scene;
    const int box = scene.add_box({0, 0, 0.5}, {1, 1, 1}, 2);
    scene.set_velocity(box, {0.2, 0.1, -kFall}, {});
    scene.add_contact(box, -1, {0.4, 0.1, 0}, {0, 0, 1}, 0.3);
    FrictionProblem problem = scene.problem();
    const Vec3d s{0.6, 0.8, 0};
    problem.slip = {s};
    const FrictionResult result = solve_friction(problem, strict());
    ASSERT_TRUE(result.converged);
    const Mat3d w = problem.w.diagonal(0);
    const double n = -problem.q[0].z / dot(w.row(2), s * -0.3 + Vec3d{0, 0, 1});
    EXPECT_LT(length(result.r[0] - (s * -0.3 + Vec3d{0, 0, 1}) * n), 1e-13);
    EXPECT_NEAR(result.u[0].z, 0, 1e-13);
}

// Painleve's rod: friction presses the sliding tip into the ground faster than the normal force
// lifts it. Falling, there is no force at all; rising, none is needed.
TEST(Friction, WithoutSolutionIsNotCalledConverged) {
    const double angle = 63.4349 * M_PI / 180;
    BodyContacts scene;
    const int rod = scene.add_box({0, 0, 0.5 * std::sin(angle)}, {1, 1e-6, 1e-6}, 1);
    scene.set_velocity(rod, {0, 0, -kFall}, {});
    scene.add_contact(rod, -1, {0.5 * std::cos(angle), 0, 0}, {0, 0, 1}, 2);
    FrictionProblem problem = scene.problem();
    const Vec3d x = perpendicular(Vec3d{0, 0, 1}), y = cross(Vec3d{0, 0, 1}, x);
    problem.slip = {{x.x, y.x, 0}}; // the tip leads, along x
    EXPECT_FALSE(solve_friction(problem).converged);
    problem.q[0].z = kFall;
    const FrictionResult rising = solve_friction(problem);
    EXPECT_TRUE(rising.converged);
    EXPECT_EQ(rising.r[0], Vec3d{});
}

TEST(Friction, ARightStartIsTheAnswer) {
    const FrictionProblem problem = box_on_slope(0.6, 0.5, 3).problem();
    const FrictionResult cold = solve_friction(problem);
    ASSERT_TRUE(cold.converged);
    const FrictionResult warm = solve_friction(problem, {}, cold.r);
    EXPECT_TRUE(warm.converged);
    EXPECT_EQ(warm.iterations, 0);
    EXPECT_EQ(warm.r, cold.r);
    EXPECT_EQ(warm.merit, cold.merit);
}

TEST(Friction, BadInputIsNotSolvedAndDoesNotHang) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const FrictionProblem good = box_on_slope(0.6, 0.5, 3).problem();
    const auto refused = [](const FrictionProblem& problem) {
        const FrictionResult result = solve_friction(problem);
        return !result.converged && std::isinf(result.merit);
    };
    FrictionProblem bad = good;
    bad.q[1].x = nan;
    EXPECT_TRUE(refused(bad));
    bad = good;
    bad.mu[0] = -0.1;
    EXPECT_TRUE(refused(bad));
    bad = good;
    bad.q.pop_back();
    EXPECT_TRUE(refused(bad));
    bad = good;
    std::vector<BlockEntry> row(good.w.row(0).begin(), good.w.row(0).end());
    row[2].block.cx.z = nan;
    bad.w.clear();
    bad.w.add_row(row);
    for (std::size_t i = 1; i < 4; ++i) bad.w.add_row(good.w.row(i));
    EXPECT_TRUE(refused(bad));
    const std::vector<Vec3d> start(4, {nan, 0, 0});
    EXPECT_FALSE(solve_friction(good, {}, start).converged);
    EXPECT_TRUE(solve_friction({}).converged); // no contacts: nothing to do
}

// A contact that nothing can move, as between two bodies of infinite mass, keeps its velocity.
TEST(Friction, OfWhatCannotMoveIsReportedNotForced) {
    FrictionProblem problem;
    problem.w.add_row(std::vector<BlockEntry>{{0, Mat3d::zero()}});
    problem.q = {{0, 0, -1}};
    problem.mu = {0.5};
    EXPECT_FALSE(solve_friction(problem).converged);
    problem.q = {{0.5, 0, 1}};
    EXPECT_TRUE(solve_friction(problem).converged);
}

} // namespace
} // namespace rigor
