// What holds for every impact, tried on a hundred thousand.

#include "impact/curved_segment.h"
#include "impact/impact_support.h"

namespace rigor {
namespace {

using test::Random;

// A piece takes its work from the energies at its ends and from what friction did. Summed along the
// way it is the integral of u_z over p_z; also where bodies hardly approach but slide fast.
TEST(CurvedSegment, KnowsTheNormalWork) {
    Random random(9);
    for (int i = 0; i < 500; ++i) {
        ContactImpact impact = in_contact_frame(test::random_impact(random)).impact;
        if (i % 2 == 0) impact.u.z *= 1e-6;
        const contact_dynamics::SlidingContact contact(impact);
        const contact_dynamics::CurvedSegment segment(contact, impact.u, {1e-13, 1e-13});
        const contact_dynamics::PathPoint end = segment.end();
        constexpr int n = 400;
        double work = 0, size = 0;
        contact_dynamics::PathPoint last = segment.start();
        for (int k = 1; k <= n; ++k) { // Simpson's rule in p, whose middle is not that of s
            const contact_dynamics::PathPoint next = segment.at(end.s * k / n);
            const contact_dynamics::PathPoint mid = segment.at(end.s * (k - 0.5) / n);
            const double a = mid.p.z - last.p.z, b = next.p.z - mid.p.z, h = a + b;
            const double step =
                h / 6 * ((2 - b / a) * last.u + h * h / (a * b) * mid.u + (2 - a / b) * next.u);
            work += step;
            size += std::abs(step);
            last = next;
        }
        EXPECT_NEAR(end.work, work, 1e-8 * size) << i;
        const Vec3d u = impact.u + impact.k * end.p;
        EXPECT_NEAR(end.u, u.z, 1e-13 * length(impact.u)) << i;
        EXPECT_NEAR(segment.last_sliding().x, u.x, 1e-13 * length(impact.u)) << i;
        EXPECT_NEAR(segment.last_sliding().y, u.y, 1e-13 * length(impact.u)) << i;
    }
}

TEST(EnergeticImpact, NeverAddsEnergyWhateverHappens) {
    Random random(5);
    int modes[4] = {}, double_compressions = 0;
    for (int i = 0; i < 100'000; ++i) {
        const ContactImpact impact = in_contact_frame(test::random_impact(random)).impact;
        const ImpactOutcome outcome = solve_impact(impact);
        const Vec3d p = outcome.impulse, u = test::velocity_after(impact, outcome);
        const double size = length(p) * length(impact.u);
        ASSERT_TRUE(is_finite(p)) << i;
        ASSERT_LE(test::kinetic_change(impact, p), 1e-13 * size) << i;
        ASSERT_LE(std::hypot(p.x, p.y), impact.friction * p.z + 1e-12 * length(p)) << i;
        ASSERT_GE(u.z, -1e-12 * length(impact.u)) << i;
        ++modes[static_cast<int>(outcome.mode)];
        double_compressions += outcome.phases > 2;
    }
    for (int mode = 1; mode < 4; ++mode) EXPECT_GT(modes[mode], 50);
    EXPECT_GT(double_compressions, 5);
    std::printf("sliding %d, stable sticking %d, unstable %d; double compressions %d\n", modes[1],
                modes[2], modes[3], double_compressions);
}

TEST(NewtonsImpact, AddsEnergyWhereFrictionTurnsTheMotion) {
    Random random(6);
    int grown = 0;
    double most = 0;
    constexpr int kTried = 20'000;
    for (int i = 0; i < kTried; ++i) {
        const ContactImpact impact = in_contact_frame(test::random_impact(random)).impact;
        const Vec3d p = solve_impact(impact, ImpactLaw::newton).impulse;
        const double change = test::kinetic_change(impact, p);
        const double before = 0.5 * dot(impact.u, inverse(Sym3d::from(impact.k)) * impact.u);
        ASSERT_TRUE(is_finite(p));
        if (change > 1e-9 * before) ++grown;
        most = std::max(most, change / before);
    }
    EXPECT_GT(grown, 0);
    std::printf("newton: energy grew in %d of %d impacts, at most by %.1f %%\n", grown, kTried,
                100 * most);
}

// Turning the tangents about the normal turns the impulse and nothing else.
TEST(EveryLaw, DoesNotDependOnTheChoiceOfTangents) {
    Random random(7);
    for (int i = 0; i < 3000; ++i) {
        const ContactImpact impact = in_contact_frame(test::random_impact(random)).impact;
        const double angle = random.uniform(0, 6), c = std::cos(angle), s = std::sin(angle);
        const Mat3d turn{{c, s, 0}, {-s, c, 0}, {0, 0, 1}};
        ContactImpact turned = impact;
        turned.k = turn * impact.k * transpose(turn);
        turned.u = turn * impact.u;
        for (ImpactLaw law : {ImpactLaw::newton, ImpactLaw::poisson, ImpactLaw::energetic}) {
            const Vec3d p = solve_impact(impact, law).impulse,
                        q = solve_impact(turned, law).impulse;
            EXPECT_LE(length(turn * p - q), 1e-10 * length(p)) << i << " " << name(law);
        }
    }
}

} // namespace
} // namespace rigor
