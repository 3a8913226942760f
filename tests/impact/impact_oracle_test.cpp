// Impacts with answers to many digits: those of the check impact_oracles, and the examples of
// [Baber 2011].

#include "impact/impact_support.h"
#include "impact/sliding.h"
#include "math/trig.h"

namespace rigor {
namespace {

using test::message;

double relative_error(const Vec3d& value, const Vec3d& expected) {
    return length(value - expected) / length(expected);
}

TEST(ImpactOracle, AllImpactsOfTwoBodiesToNineDigits) {
    RIGOR_NEEDS_DATA();
    double worst = 0;
    int n = 0;
    for (const auto& j : test::reference_impacts()) {
        SCOPED_TRACE(message("impact ", n++));
        const auto& expected = j["expect"];
        BodyImpact bodies = test::body_impact(j);
        const ContactFrameImpact contact = in_contact_frame(bodies);
        const ImpactOutcome outcome = solve_impact(contact.impact);
        const Vec3d impulse = contact.axes * outcome.impulse;
        const double error = relative_error(impulse, test::vec_of(expected["impulse"]));
        EXPECT_LE(error, 1e-9);
        worst = std::max(worst, error);
        EXPECT_EQ(name(outcome.mode), expected["mode"].get<std::string>());
        if (bodies.restitution > 0) { // else nothing follows the last change
            EXPECT_EQ(outcome.phases, expected["sign_changes_of_uz"].get<int>() + 1);
        }

        apply_impulse(bodies.a, impulse);
        apply_impulse(bodies.b, -impulse);
        EXPECT_LE(relative_error(bodies.a.velocity, test::vec_of(expected["a"]["velocity"])), 1e-9);
        if (!j["b"].is_null()) {
            const Vec3d spin = test::vec_of(expected["b"]["angular_velocity"]);
            EXPECT_LE(relative_error(bodies.b.angular_velocity, spin), 1e-9);
        }
    }
    EXPECT_EQ(n, 150);
    RecordProperty("worst_relative_error", message(worst));
}

TEST(ImpactOracle, AllImpactsGivenAsContactsToNineDigits) {
    RIGOR_NEEDS_DATA();
    double worst = 0;
    const auto rows = test::reference_rows();
    EXPECT_GE(rows.size(), 490u);
    for (const auto& row : rows) {
        SCOPED_TRACE(message("row ", row.id));
        const ImpactOutcome outcome = solve_impact(row.impact);
        const double error = relative_error(outcome.impulse, row.impulse);
        EXPECT_LE(error, 1e-9);
        worst = std::max(worst, error);
        EXPECT_EQ(outcome.mode, row.mode);
        EXPECT_NEAR(outcome.work_compression, row.work_compression,
                    1e-9 * std::abs(row.work_compression));
    }
    RecordProperty("worst_relative_error", message(worst));
}

TEST(ImpactOracle, EulerStepsComeWithinAThousandth) {
    RIGOR_NEEDS_DATA();
    for (const auto& j : test::reference_impacts()) {
        const ContactFrameImpact contact = in_contact_frame(test::body_impact(j));
        const ImpactOutcome outcome = solve_impact(contact.impact, ImpactLaw::euler, 1e-5);
        EXPECT_LE(
            relative_error(contact.axes * outcome.impulse, test::vec_of(j["expect"]["impulse"])),
            1e-3);
        EXPECT_EQ(name(outcome.mode), j["expect"]["mode"].get<std::string>());
    }
}

TEST(BaberExample12, EndsSlidingAfterTwoCompressionsAndTwoDecompressions) {
    const ContactImpact impact = test::baber_example();
    std::vector<ImpactTracePoint> trace;
    const ImpactOutcome outcome = solve_impact(impact, ImpactLaw::energetic, 1e-3, &trace);
    const Vec3d u = test::velocity_after(impact, outcome);
    EXPECT_LE(length(outcome.impulse - Vec3d{-15.09702, 25.63525, 60.81154}), 1e-5);
    EXPECT_LE(length(u - Vec3d{-18.30499, -63.75658, 3.19135}), 1e-5);
    EXPECT_EQ(outcome.mode, ImpactMode::sliding);
    EXPECT_EQ(outcome.phases, 4);
    EXPECT_NEAR(outcome.work_decompression, -0.81 * outcome.work_compression, 1e-12);

    // Phases end, and u_z turns round, exactly at points of the trace.
    std::vector<double> roots;
    double highest = -1, at = 0;
    for (const auto& [p, v] : trace) {
        if (std::abs(v.z) < 1e-10) roots.push_back(p.z);
        if (p.z < 29 && v.z > highest) {
            highest = v.z;
            at = p.z;
        }
    }
    ASSERT_EQ(roots.size(), 3u);
    const double expected[] = {14.5960, 29.8306, 55.9807};
    for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(roots[i], expected[i], 5e-5);
    EXPECT_NEAR(at, 22.5105, 5e-5);
}

// Mirtich's rule cannot see the second compression and stops where it begins: at half the impulse,
// with bodies that do not part.
TEST(BaberExample12, IsWhereMirtichsRuleFails) {
    const ContactImpact impact = test::baber_example();
    const ImpactOutcome outcome = solve_impact(impact, ImpactLaw::mirtich, 1e-4);
    EXPECT_NEAR(outcome.impulse.z, 29.8306, 0.05);
    EXPECT_NEAR(test::velocity_after(impact, outcome).z, 0, 1e-3);
    EXPECT_EQ(outcome.phases, 2);
}

TEST(BaberExample37, HasFourRaysOfWhichOneDiverges) {
    const contact_dynamics::SlidingContact contact(
        {Mat3d::from_rows({20, 0, 1}, {0, 4, 6}, {1, 6, 10}), {}, 0.7, 0});
    const auto rays = contact_dynamics::sliding_rays(contact);
    const double expected[] = {86.6689, 209.0817, 281.3522, 322.8972};
    ASSERT_EQ(rays.account, 4);
    for (std::size_t i = 0; i < 4; ++i) {
        EXPECT_NEAR(rays.angle[i] * 180 / kPi<double>, expected[i], 5e-5);
        EXPECT_EQ(contact_dynamics::radial_rate(contact, rays.angle[i]) > 0, i == 0);
    }
    ASSERT_FALSE(contact.sticks());
    const contact_dynamics::Vec2 ray = contact_dynamics::diverging_ray(contact);
    EXPECT_NEAR(atan2(ray.y, ray.x), rays.angle[0], 1e-14);
}

} // namespace
} // namespace rigor
