// Impacts of bodies that move in a plane: found as such, and solved in closed form.

#include <gtest/gtest.h>

#include <array>

#include "impact/impact_laws.h"
#include "impact_support.h"
#include "multi_impact/impact_problem.h"

namespace rigor::test {
namespace {

using contact_dynamics::ImpactProblem;
using contact_dynamics::MultiImpactSettings;

/// A body that is symmetric to the xz plane and moves in it.
ImpactBody planar_body(Random& random) {
    ImpactBody body = random_impact_body(random);
    const double xx = std::exp(random.uniform(-2, 2)), zz = std::exp(random.uniform(-2, 2));
    const double xz = random.uniform(-0.9, 0.9) * std::sqrt(xx * zz);
    body.inverse_inertia = {xx, std::exp(random.uniform(-2, 2)), zz, 0, xz, 0};
    body.r.y = body.velocity.y = 0;
    body.angular_velocity = {0, body.angular_velocity.y, 0};
    return body;
}

ImpactBody turned(const Mat3d& axes, const ImpactBody& body) {
    return {body.inverse_mass, rotate(axes, body.inverse_inertia), axes * body.r,
            axes * body.velocity, axes * body.angular_velocity};
}

/// Two such bodies that approach, in any plane; some do not slide.
ContactImpact random_planar_impact(Random& random) {
    for (;;) {
        BodyImpact flat{
            planar_body(random), planar_body(random), {}, random.uniform(0, 2), random.unit()};
        const Vec3d normal = random.direction();
        flat.normal = normalize(Vec3d{normal.x, 0, normal.z});
        if (random.integer(0, 2) == 0) flat.b = {};
        const Mat3d axes = to_matrix(random.rotation());
        const BodyImpact impact{turned(axes, flat.a), turned(axes, flat.b), axes * flat.normal,
                                flat.friction, flat.restitution};
        const ContactImpact found = in_contact_frame(impact).impact;
        if (found.u.z < -1e-3) return found;
    }
}

Vec3d impulse_by_euler_in_the_engine(const ContactImpact& impact, double delta) {
    ImpactProblem problem;
    problem.w.add_row(std::array{BlockEntry{0, impact.k}});
    problem.u = {impact.u};
    problem.friction = {impact.friction};
    problem.restitution = {impact.restitution};
    MultiImpactSettings settings;
    settings.multi = MultiImpact::propagation;
    settings.law = ImpactLaw::euler;
    settings.delta = delta;
    settings.planar_in_plane = true;
    return contact_dynamics::solve_impacts(problem, settings).r.at(0);
}

// With steps of a tenth of the impulse `euler` is far off: only the closed form gets there.
TEST(PlanarPath, AgreesWithThatInSpace) {
    Random random;
    int far_off = 0;
    for (int i = 0; i < 10'000; ++i) {
        const ContactImpact impact = random_planar_impact(random);
        SCOPED_TRACE(i);
        ASSERT_TRUE(contact_dynamics::is_planar(impact));
        const Vec3d in_space = solve_impact(impact, ImpactLaw::energetic).impulse;
        const Vec3d in_plane = impulse_by_euler_in_the_engine(impact, 0.1);
        ASSERT_LE(length(in_plane - in_space), 1e-9 * length(in_space));
        const Vec3d stepped = solve_impact(impact, ImpactLaw::euler, 0.1).impulse;
        far_off += length(stepped - in_space) > 1e-3 * length(in_space);
    }
    EXPECT_GT(far_off, 1000);
}

TEST(PlanarPath, IsNotTakenByImpactsInSpace) {
    Random random;
    for (int i = 0; i < 1000; ++i) {
        BodyImpact impact = random_impact(random);
        impact.friction = std::max(impact.friction, 0.1);
        const ContactImpact found = in_contact_frame(impact).impact;
        EXPECT_FALSE(contact_dynamics::is_planar(found));
        EXPECT_EQ(impulse_by_euler_in_the_engine(found, 0.1),
                  solve_impact(found, ImpactLaw::euler, 0.1).impulse);
    }
}

// [Baber 2011] prints delta as an impulse: the same step whatever the size of the impact.
TEST(AbsoluteDelta, IsTheStepItself) {
    const ContactImpact impact = baber_example();
    const double whole = solve_impact(impact).impulse.z;
    const Vec3d exact = solve_impact(impact).impulse;
    double error = 0;
    for (const double step : {4e-3, 2e-3, 1e-3}) {
        const Vec3d found =
            solve_impact(impact, ImpactLaw::euler, ImpulseStep::absolute(step)).impulse;
        const Vec3d relative = solve_impact(impact, ImpactLaw::euler, step / whole).impulse;
        EXPECT_LT(length(found - relative), 1e-9 * whole);
        const double now = length(found - exact);
        if (error > 0) {
            EXPECT_NEAR(now / error, 0.5, 0.1) << "first order";
        }
        error = now;
    }
    // A hundredth of the impact with the same step is a hundred times coarser, unlike a share.
    ContactImpact small = impact;
    small.u *= 0.01;
    const auto relative_error = [&](ImpulseStep step) {
        return length(solve_impact(small, ImpactLaw::euler, step).impulse - exact * 0.01) /
               (0.01 * length(exact));
    };
    EXPECT_GT(relative_error(ImpulseStep::absolute(1e-3)), 30 * error / length(exact));
    EXPECT_LT(relative_error(1e-3 / whole), 2 * error / length(exact));
}

} // namespace
} // namespace rigor::test
