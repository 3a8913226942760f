// Impacts whose answers are known in closed form, and inputs at the edge of what is allowed.

#include <limits>

#include "impact/impact_support.h"
#include "impact/sliding.h"

namespace rigor {
namespace {

using test::message;
using test::Random;

constexpr ImpactLaw kLaws[] = {ImpactLaw::newton, ImpactLaw::poisson, ImpactLaw::energetic,
                               ImpactLaw::euler,  ImpactLaw::mirtich, ImpactLaw::planar};

ContactImpact random_contact(Random& random) {
    return in_contact_frame(test::random_impact(random)).impact;
}

/// A solid ball of mass m and any radius on the ground: K = diag(7/2, 7/2, 1)/m.
ContactImpact ball(double m, const Vec3d& u, double friction, double restitution) {
    return {Mat3d::diagonal({3.5 / m, 3.5 / m, 1 / m}), u, friction, restitution};
}

TEST(ImpactLaws, HaveNames) {
    for (ImpactLaw law : kLaws) EXPECT_EQ(impact_law_named(name(law)), law);
    EXPECT_EQ(impact_law_named("elastic"), std::nullopt);
}

// A ball sticks iff |u_t| <= 3.5 mu (1+e) |u_n|; else friction is mu times the normal
// impulse all along.
TEST(ObliqueBall, SticksOrSlidesAsTheConeSays) {
    Random random;
    for (int i = 0; i < 2000; ++i) {
        const double m = std::exp(random.uniform(-3, 3)), mu = random.uniform(0, 1.5);
        const double e = i % 5 == 0 ? 0 : i % 5 == 1 ? 1 : random.unit();
        const Vec3d u{random.uniform(-5, 5), random.uniform(-5, 5), -random.uniform(0.1, 5)};
        const double sliding = std::hypot(u.x, u.y), normal = m * (1 + e) * -u.z;
        const ContactImpact impact = ball(m, u, mu, e);
        for (ImpactLaw law :
             {ImpactLaw::energetic, ImpactLaw::newton, ImpactLaw::poisson, ImpactLaw::planar}) {
            SCOPED_TRACE(message(name(law), " mu ", mu, " e ", e, " u ", u));
            const ImpactOutcome outcome = solve_impact(impact, law);
            const Vec3d after = test::velocity_after(impact, outcome);
            EXPECT_NEAR(outcome.impulse.z, normal, 1e-13 * normal);
            if (sliding <= 3.5 * mu * (1 + e) * -u.z) {
                EXPECT_EQ(outcome.mode, ImpactMode::stable_sticking);
                EXPECT_NEAR(std::hypot(after.x, after.y), 0, 1e-13 * sliding);
            } else {
                EXPECT_EQ(outcome.mode, ImpactMode::sliding);
                const Vec3d expected{-mu * normal * u.x / sliding, -mu * normal * u.y / sliding,
                                     normal};
                EXPECT_LE(length(outcome.impulse - expected), 1e-13 * length(expected));
            }
        }
    }
}

// Equation (14) of [Baber 2006]: without friction all laws are one.
TEST(FrictionlessImpact, IsNewtonsUnderEveryLaw) {
    Random random;
    for (int i = 0; i < 300; ++i) {
        ContactImpact impact = random_contact(random);
        impact.friction = 0;
        const double expected = -(1 + impact.restitution) * impact.u.z / impact.k(2, 2);
        for (ImpactLaw law : kLaws) {
            SCOPED_TRACE(name(law));
            const bool steps = law == ImpactLaw::euler || law == ImpactLaw::mirtich;
            const ImpactOutcome outcome = solve_impact(impact, law, 1e-4);
            EXPECT_NEAR(outcome.impulse.z, expected, (steps ? 1e-2 : 1e-13) * expected);
            EXPECT_NEAR(std::hypot(outcome.impulse.x, outcome.impulse.y), 0,
                        (steps ? 1e-2 : 0) * expected);
        }
    }
}

// An immovable body is the limit of large mass.
TEST(ImmovableBody, IsTheLimitOfALargeMass) {
    Random random;
    for (int i = 0; i < 200; ++i) {
        BodyImpact impact = test::random_impact(random);
        const Vec3d v = impact.b.velocity;
        impact.b = {0, {}, random.vec(), v, {}};
        const ImpactOutcome fixed = solve_impact(in_contact_frame(impact).impact);
        impact.b.inverse_mass = 1e-12;
        impact.b.inverse_inertia = Sym3d::identity() * 1e-12;
        const ImpactOutcome heavy = solve_impact(in_contact_frame(impact).impact);
        EXPECT_LE(length(fixed.impulse - heavy.impulse), 1e-8 * length(fixed.impulse));
    }
}

// The end each law promises, and what friction may do on the way there.
TEST(Restitution, EndsWhereEachLawSays) {
    Random random;
    for (int i = 0; i < 1000; ++i) {
        const ContactImpact impact = random_contact(random);
        const double e = impact.restitution, speed = -impact.u.z;

        const ImpactOutcome newton = solve_impact(impact, ImpactLaw::newton);
        EXPECT_NEAR(test::velocity_after(impact, newton).z, e * speed, 1e-11 * length(impact.u));

        const ImpactOutcome energetic = solve_impact(impact, ImpactLaw::energetic);
        EXPECT_NEAR(energetic.work_decompression, -e * e * energetic.work_compression,
                    1e-11 * std::abs(energetic.work_compression));

        std::vector<ImpactTracePoint> trace;
        const ImpactOutcome poisson = solve_impact(impact, ImpactLaw::poisson, 1e-3, &trace);
        double compression = 0, decompression = 0;
        for (std::size_t k = 1; k < trace.size(); ++k) {
            const double middle = 0.5 * (trace[k].u.z + trace[k - 1].u.z);
            (middle < 0 ? compression : decompression) += trace[k].p.z - trace[k - 1].p.z;
        }
        EXPECT_NEAR(decompression, e * compression, 1e-9 * poisson.impulse.z) << i;
    }
}

// A collision in a plane, as [Baber 2011, 5.2] computes it, step by step.
struct PlanarOracle {
    double kxx, kxy, kyy, mu, e;
    double ux, uy;

    std::pair<double, double> solve() const {
        double x = ux, y = uy, wc = 0, wd = 0;
        const auto ray = [&](double friction) {
            return std::pair{kxx * friction + kxy, kxy * friction + kyy};
        };
        auto [kx, ky] = ray(x > 0 ? -mu : mu);
        bool stuck = x == 0;
        if (!stuck && kx * x < 0) {
            const double origin = y - ky / kx * x;
            if (origin <= 0) {
                wc = -x * y / kx + ky * x * x / (2 * kx * kx);
                stuck = true;
            } else if (origin < -e * y) {
                wc = -y * y / (2 * ky);
                wd = origin * origin / (2 * ky);
                stuck = true;
            } else {
                return impulse(x - (1 + e) * kx / ky * y, -e * y);
            }
            x = 0;
            y = origin;
        }
        if (stuck) {
            if (std::abs(kxy) <= mu * kxx) {
                kx = 0;
                ky = kyy - kxy * kxy / kxx;
            } else {
                std::tie(kx, ky) = ray(-mu);
                if (!(kx > 0)) std::tie(kx, ky) = ray(mu);
            }
        }
        const double old = y;
        if (y < 0) {
            wc -= y * y / (2 * ky);
            y = 0;
        }
        y = std::sqrt(2 * ky * (-e * e * wc - wd) + y * y);
        return impulse(x + kx / ky * (y - old), y);
    }

    std::pair<double, double> impulse(double x, double y) const {
        const double det = kxx * kyy - kxy * kxy, dx = x - ux, dy = y - uy;
        return {(kyy * dx - kxy * dy) / det, (kxx * dy - kxy * dx) / det};
    }
};

TEST(PlanarImpact, IsThatOfTheDocumentAndOfTheSpace) {
    Random random;
    int modes[4] = {};
    for (int i = 0; i < 20'000; ++i) {
        const double kxx = random.uniform(0.2, 5), kyy = random.uniform(0.2, 5);
        const double kxy = random.uniform(-0.98, 0.98) * std::sqrt(kxx * kyy);
        const double ux = i % 10 == 0 ? 0 : random.uniform(-3, 3), uy = -random.uniform(0.01, 3);
        const double mu = random.uniform(0, 2), e = random.unit();
        const auto [px, py] = PlanarOracle{kxx, kxy, kyy, mu, e, ux, uy}.solve();
        // The plane is turned about the normal.
        const double angle = random.uniform(0, 6), c = std::cos(angle), s = std::sin(angle);
        const Mat3d turn{{c, s, 0}, {-s, c, 0}, {0, 0, 1}};
        const Mat3d k = Mat3d::from_rows({kxx, 0, kxy}, {0, 2.5, 0}, {kxy, 0, kyy});
        const ContactImpact impact{turn * k * transpose(turn), turn * Vec3d{ux, 0, uy}, mu, e};
        const Vec3d expected = turn * Vec3d{px, 0, py};
        for (ImpactLaw law : {ImpactLaw::planar, ImpactLaw::energetic}) {
            SCOPED_TRACE(message(name(law), " ", i, " kxx ", kxx, " kxy ", kxy, " kyy ", kyy,
                                 " ux ", ux, " uy ", uy, " mu ", mu, " e ", e));
            const ImpactOutcome outcome = solve_impact(impact, law);
            ASSERT_LE(length(outcome.impulse - expected), 1e-11 * length(expected));
            ++modes[static_cast<int>(outcome.mode)];
        }
    }
    for (int mode = 1; mode < 4; ++mode) EXPECT_GT(modes[mode], 1000);
}

TEST(Sticking, AtTheStartIsHeldOrLeavesAlongTheRay) {
    // Friction holds ...
    ContactImpact impact{Mat3d::from_rows({2, 0, 1}, {0, 2, 0}, {1, 0, 2}), {0, 0, -1}, 0.6, 0.5};
    ImpactOutcome outcome = solve_impact(impact);
    EXPECT_EQ(outcome.mode, ImpactMode::stable_sticking);
    EXPECT_NEAR(outcome.impulse.x, -0.5 * outcome.impulse.z, 1e-15);
    // ... and does not: sliding starts along x, which K_Tn leads to.
    impact.friction = 0.4;
    outcome = solve_impact(impact);
    EXPECT_EQ(outcome.mode, ImpactMode::unstable_sticking);
    EXPECT_NEAR(outcome.impulse.x, -0.4 * outcome.impulse.z, 1e-15);
    EXPECT_GT(test::velocity_after(impact, outcome).x, 0);
    // Slower than 1e-12 of the whole counts as sticking.
    impact.u.y = 1e-13;
    EXPECT_EQ(solve_impact(impact).impulse, outcome.impulse);
}

// The ray at 180 degrees, where the quartic in tan(angle/2) loses its leading term.
TEST(SlidingRays, KnowTheOneBehindTheTangent) {
    const ContactImpact impact{
        Mat3d::from_rows({2, 0, -1.5}, {0, 3, 0}, {-1.5, 0, 2}), {0, 0, -1}, 0.4, 0.5};
    const contact_dynamics::SlidingContact contact(impact);
    const auto rays = contact_dynamics::sliding_rays(contact);
    bool found = false;
    for (double angle : rays)
        if (angle == 3.141592653589793) found = contact_dynamics::radial_rate(contact, angle) > 0;
    EXPECT_TRUE(found);
    const ImpactOutcome smooth = solve_impact(impact),
                        euler = solve_impact(impact, ImpactLaw::euler);
    EXPECT_EQ(smooth.mode, ImpactMode::unstable_sticking);
    EXPECT_LE(length(smooth.impulse - euler.impulse), 1e-12);
    EXPECT_LT(test::velocity_after(impact, smooth).x, 0);
}

// Two ways at equal p never draw apart, so sliding that is all but none at the start makes no
// difference, in whatever direction it is. One that turns little is still not the ray.
TEST(AlmostAtRest, LeavesAlongTheRay) {
    Random random;
    int left = 0;
    for (int i = 0; i < 20'000; ++i) {
        ContactImpact impact = random_contact(random);
        impact.u = {0, 0, -1};
        const ImpactOutcome from_rest = solve_impact(impact);
        if (from_rest.mode != ImpactMode::unstable_sticking) continue;
        ++left;
        const Vec3d ray = normalize(Vec3d{from_rest.impulse.x, from_rest.impulse.y, 0}) * -1.0;
        const Vec3d c = normalize(ray + cross({0, 0, 1}, ray) * random.uniform(-0.02, 0.02));
        const double speed = std::pow(10, random.uniform(-14, -10));
        impact.u = {speed * c.x, speed * c.y, -1};
        const ImpactOutcome outcome = solve_impact(impact);
        EXPECT_LE(length(outcome.impulse - from_rest.impulse), 1e-9 * length(outcome.impulse))
            << i << " " << speed;
    }
    EXPECT_GT(left, 100);
}

// Whatever e is, the impulse depends on it smoothly; at e = 0 it ends with compression.
TEST(SmallRestitution, LosesNoDigits) {
    Random random;
    for (int i = 0; i < 200; ++i) {
        ContactImpact impact = random_contact(random);
        impact.restitution = 0;
        const ImpactOutcome none = solve_impact(impact);
        EXPECT_EQ(none.phases % 2, 1);
        EXPECT_EQ(none.work_decompression, 0);
        const double size = length(none.impulse);
        for (double e : {1e-12, 1e-10, 1e-8, 1e-6, 1e-4}) {
            impact.restitution = e;
            const double some = length(solve_impact(impact).impulse - none.impulse);
            impact.restitution = 2 * e;
            const double more = length(solve_impact(impact).impulse - none.impulse);
            EXPECT_NEAR(more, 2 * some, 10 * e * some + 1e-9 * size) << i << " e " << e;
        }
    }
}

// Bodies that hardly approach but slide fast: an impulse as small as the approach.
TEST(GrazingImpact, KeepsItsRelativePrecision) {
    Random random;
    for (int i = 0; i < 200; ++i) {
        ContactImpact impact = random_contact(random);
        const double sliding = std::hypot(impact.u.x, impact.u.y);
        if (impact.k(2, 2) < 1.1 * impact.friction * std::hypot(impact.k(0, 2), impact.k(1, 2)))
            continue; // sliding could press them together
        impact.u.z = -1e-9 * sliding;
        const Vec3d c{impact.u.x / sliding, impact.u.y / sliding, 0};
        const Vec3d way = Vec3d{0, 0, 1} - c * impact.friction;
        const Vec3d expected =
            way * (-(1 + impact.restitution) * impact.u.z / dot(impact.k * way, {0, 0, 1}));
        const ImpactOutcome outcome = solve_impact(impact);
        EXPECT_LE(length(outcome.impulse - expected), 1e-6 * length(expected)) << i;
    }
}

TEST(ImpactInput, AtTheEdgeIsDecided) {
    const ContactImpact impact = test::baber_example();
    const double nan = std::numeric_limits<double>::quiet_NaN();
    for (ImpactLaw law : kLaws) {
        SCOPED_TRACE(name(law));
        const auto has_no_impulse = [&](const ContactImpact& changed) {
            const ImpactOutcome outcome = solve_impact(changed, law);
            return outcome.impulse == Vec3d{} && outcome.mode == ImpactMode::separating;
        };
        ContactImpact changed = impact;
        changed.u.z = 0;
        EXPECT_TRUE(has_no_impulse(changed));
        changed.u.z = 1;
        EXPECT_TRUE(has_no_impulse(changed));
        changed.u.z = nan;
        EXPECT_TRUE(has_no_impulse(changed));
        changed = impact;
        changed.k = Mat3d::zero();
        EXPECT_TRUE(has_no_impulse(changed));
        changed.k(0, 1) = nan;
        EXPECT_TRUE(has_no_impulse(changed));
        for (double mu : {0.0, 1e-12, 1e3, 1e9}) {
            changed = impact;
            changed.friction = mu;
            EXPECT_TRUE(is_finite(solve_impact(changed, law).impulse)) << mu;
        }
    }
}

// On a rail along a, K = a aᵀ/m. The body comes to rest; then friction holds it where
// mu |a_T| >= a_z, jammed, and else it leaves along the rail.
TEST(BodyOnARail, BouncesOrJams) {
    const Vec3d a{0.6, 0, 0.8};
    for (double mass : {1.0, 0.1, 7.3}) {
        for (double mu : {0.5, 1.2, 1.4, 2.0}) {
            const ContactImpact impact{outer(a, a) * (1 / mass), a * -2.0, mu, 0.5};
            const ImpactOutcome outcome = solve_impact(impact);
            const Vec3d u = test::velocity_after(impact, outcome);
            SCOPED_TRACE(message("mass ", mass, " mu ", mu, " u ", u));
            EXPECT_LE(length(u - a * dot(u, a)), 1e-14);
            if (mu * 0.6 >= 0.8) {
                EXPECT_EQ(outcome.mode, ImpactMode::stable_sticking);
                EXPECT_LE(length(u), 1e-13);
            } else {
                EXPECT_EQ(outcome.mode, ImpactMode::unstable_sticking);
                EXPECT_GT(dot(u, a), 0.1);
            }
        }
    }
}

// Where bodies hardly move in some direction K is nearly singular, and knows the way out of a jam
// only to few digits or none. Written as K = J Jᵀ, with u = J v, energy is |v|²/2.
TEST(NearlySingularContact, IsFiniteAndAddsNoEnergy) {
    Random random;
    for (int i = 0; i < 20'000; ++i) {
        const Vec3d axis = random.direction(), other = cross(axis, random.direction());
        const double small = std::exp(random.uniform(-30, 0));
        Mat3d j = outer(axis, random.direction()) + Mat3d::identity() * small;
        if (i % 2 == 0) j = j + outer(other, random.direction());
        Vec3d v = random.vec();
        if ((j * v).z > 0) v = -v;
        const Mat3d k = Sym3d::from(j * transpose(j)).matrix();
        const ContactImpact impact{k, j * v, random.uniform(0, 3), random.unit()};
        const ImpactOutcome outcome = solve_impact(impact);
        ASSERT_TRUE(is_finite(outcome.impulse));
        const double before = length(v), after = length(v + transpose(j) * outcome.impulse);
        EXPECT_LE(after, before * (1 + 1e-8)) << i << " " << small;
    }
}

TEST(Euler, OfBodiesOnRailsIsThatOfTheSmoothForm) {
    Random random;
    for (int i = 0; i < 200; ++i) {
        const Vec3d rail = normalize(Vec3d{random.uniform(-1, 1), random.uniform(-1, 1), 0});
        const Mat3d j = Mat3d::identity() - outer(rail, rail);
        const Mat3d k = Sym3d::from(j * Mat3d::diagonal({1, 2, 3}) * transpose(j)).matrix();
        Vec3d u = j * random.vec();
        if (u.z > 0) u = -u;
        const ContactImpact impact{k, u, random.uniform(0, 1), random.unit()};
        const Vec3d smooth = k * solve_impact(impact).impulse;
        const Vec3d euler = k * solve_impact(impact, ImpactLaw::euler, 1e-4).impulse;
        ASSERT_TRUE(is_finite(euler));
        EXPECT_NEAR(length(euler - smooth), 0, 1e-2 * length(smooth)) << i;
    }
}

// A body held at a point only turns about it: K = -[r] I⁻¹ [r] knows nothing of impulses along r.
// Taken back from the velocities by K⁻¹ they were anything, up to infinite.
TEST(Euler, OfBodiesHeldAtAPointIsThatOfTheSmoothForm) {
    Random random;
    for (int i = 0; i < 2000; ++i) {
        const Mat3d r = skew(random.direction());
        const Mat3d inverse = Mat3d::diagonal({1, random.uniform(0.5, 2), random.uniform(0.5, 2)});
        const Mat3d k = Sym3d::from(r * inverse * transpose(r)).matrix();
        Vec3d u = r * random.vec();
        if (u.z > 0) u = -u;
        const ContactImpact impact{k, u, random.uniform(0, 1), random.unit()};
        const Vec3d smooth = solve_impact(impact).impulse;
        const Vec3d euler = solve_impact(impact, ImpactLaw::euler, 1e-4).impulse;
        ASSERT_LE(length(euler), 2 * length(smooth)) << i;
        EXPECT_LE(length(k * euler - k * smooth), 1e-2 * length(k * smooth)) << i;
        EXPECT_LE(length(Vec3d{smooth.x, smooth.y, 0}), impact.friction * smooth.z * (1 + 1e-9));
    }
}

TEST(ContactFrame, IsRightHandedForEveryNormal) {
    Random random;
    for (int i = 0; i < 100; ++i) {
        BodyImpact impact = test::random_impact(random);
        impact.normal = i == 0 ? Vec3d{0, 0, 1} : i == 1 ? Vec3d{0, 0, -1} : random.direction();
        const Mat3d axes = in_contact_frame(impact).axes;
        EXPECT_EQ(axes.cz, impact.normal);
        EXPECT_NEAR(determinant(axes), 1, 1e-14);
        EXPECT_NEAR(dot(axes.cx, axes.cy), 0, 1e-15);
        EXPECT_NEAR(length(axes.cx), 1, 1e-15);
    }
}

} // namespace
} // namespace rigor
