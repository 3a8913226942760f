// The methods of the literature beside ours: where they agree, and what each of them misses.

#include "collide/time_of_impact_variants.h"

#include "collide/impact_support.h"

namespace rigor::test {
namespace {

template <class S>
struct Variants : testing::Test {};
TYPED_TEST_SUITE(Variants, Scalars);

// Figure 1 of [Kavan 2003]: a ball passes a thin obstacle between two frames. Static detection
// sees it before and behind; dynamic detection catches it in front, whichever way.
TYPED_TEST(Variants, StaticDetectionLetsTheBallPassTheObstacleAndDynamicDoesNot) {
    using S = TypeParam;
    const Shape<S> ball = shape_of<S>(SphereDef{0.1});
    const Shape<S> obstacle = shape_of<S>(BoxDef{{0.01, 2, 2}});
    const Motion<S> still = resting<S>();
    const Motion<S> flight = moving<S>({-1, 0, 0}, {2, 0.3, 0}, {0, 3, 0});
    const auto by = [&](ImpactMethod method) {
        return time_of_impact_by(method, ball, flight, obstacle, still);
    };
    EXPECT_EQ(by(ImpactMethod::static_only).state, ToiStatus::apart);
    EXPECT_EQ(by(ImpactMethod::bisection).state, ToiStatus::apart); // it looks at the ends too
    const S contact = (S(1) - S(0.105)) / S(2);
    for (const ImpactMethod method : {ImpactMethod::substep, ImpactMethod::advancement}) {
        const TimeOfImpact<S> caught = by(method);
        EXPECT_EQ(caught.state, ToiStatus::hit);
        EXPECT_NEAR(caught.t, contact, S(1e-4));
        EXPECT_LT(caught.t, contact);
        EXPECT_GT(caught.distance.distance, S(0));
    }
}

// Where the motion ends in an overlap and was apart before, all ways lead to the same time, each
// to its own precision and on the side without collision.
TYPED_TEST(Variants, AgreeWhereTheMotionEndsInAnOverlap) {
    using S = TypeParam;
    Random random(21);
    const std::vector<Specimen<S>> samples = convex_samples<S>();
    VariantSettings<S> settings;
    settings.depth = S(0.01);
    settings.time_precision = S(1e-5);
    int compared = 0;
    for (int i = 0; i < 150; ++i) {
        const Specimen<S>& x = samples[static_cast<std::size_t>(random.integer(0, 18))];
        const Specimen<S>& y = samples[static_cast<std::size_t>(random.integer(0, 18))];
        SCOPED_TRACE(message(i, ": ", x.name, " and ", y.name));
        const Motion<S> ma = random_motion<S>(random, 0.1, 0.1, 0.3);
        Motion<S> mb = random_motion<S>(random, 0.1, 0.1, 0.3);
        const Vec3<S> away = random.direction<S>() * S(2.5);
        mb.start.p += away;
        mb.displacement -= away;
        const auto by = [&](ImpactMethod method) {
            return time_of_impact_by(method, x.shape, ma, y.shape, mb, settings);
        };
        const TimeOfImpact<S> ours = by(ImpactMethod::advancement);
        const TimeOfImpact<S> steps = by(ImpactMethod::substep);
        const TimeOfImpact<S> halves = by(ImpactMethod::bisection);
        if (by(ImpactMethod::static_only).state != ToiStatus::hit) continue;
        ++compared;
        ASSERT_EQ(ours.state, ToiStatus::hit);
        ASSERT_EQ(steps.state, ToiStatus::hit);
        ASSERT_EQ(halves.state, ToiStatus::hit);
        // They approach at 2 or more per motion, and the gap is at most 1e-4 (float: rounding).
        EXPECT_NEAR(steps.t, ours.t, S(1e-3));
        EXPECT_NEAR(halves.t, ours.t, S(1e-3));
        EXPECT_GT(steps.distance.distance, S(0));
        EXPECT_GE(halves.distance.distance, S(0));
        EXPECT_LT(halves.distance.distance, settings.tolerance);
    }
    EXPECT_GT(compared, 100);
}

// The bound (17): steps are so small that what they miss is no deeper than epsilon. A plate of
// twice that thickness is always seen, with however many steps that takes: equation (18).
TYPED_TEST(Variants, SubstepsSeeWhatIsThickerThanTheirDepth) {
    using S = TypeParam;
    const Shape<S> bullet = shape_of<S>(SphereDef{0.01}), wall = shape_of<S>(BoxDef{{0.02, 1, 1}});
    VariantSettings<S> settings;
    settings.depth = S(0.01);
    for (int i = 0; i < 10; ++i) {
        const Motion<S> flight = moving<S>({-3.0 - 0.001 * i, 0, 0}, {8, 0, 0});
        const TimeOfImpact<S> answer = substep_impact(bullet, flight, wall, resting<S>(), settings);
        EXPECT_EQ(answer.state, ToiStatus::hit);
        EXPECT_TRUE(answer.converged);
        EXPECT_LE(answer.iterations, 8 / 0.01 + 30);
    }
    // A cap on the number of steps is told, since then (17) does not hold.
    settings.max_steps = 10;
    const Motion<S> flight = moving<S>({-3, 0, 0}, {8, 0, 0});
    EXPECT_FALSE(substep_impact(bullet, flight, wall, resting<S>(), settings).converged);
}

// The lecture's loop halves the time without end when the solids overlap from the start: no time
// is ever free. Here all methods say so.
TYPED_TEST(Variants, OverlapAtTheStartIsToldInsteadOfLoopingForever) {
    using S = TypeParam;
    const Shape<S> box = shape_of<S>(BoxDef{{1, 1, 1}});
    const Motion<S> a = resting<S>(), b = moving<S>({0.5, 0, 0}, {-0.2, 0, 0});
    for (const ImpactMethod method : {ImpactMethod::advancement, ImpactMethod::substep,
                                      ImpactMethod::bisection, ImpactMethod::static_only}) {
        const TimeOfImpact<S> answer = time_of_impact_by(method, box, a, box, b);
        EXPECT_EQ(answer.state, ToiStatus::overlapping);
        EXPECT_EQ(answer.t, S(0));
        EXPECT_LT(answer.distance.distance, S(0));
    }
}

// A tolerance that no time meets: the loop ends where time has no finer steps.
TYPED_TEST(Variants, BisectionEndsAtTheResolutionOfTime) {
    using S = TypeParam;
    const Shape<S> ball = shape_of<S>(SphereDef{0.1}), wall = shape_of<S>(BoxDef{{1, 1, 1}});
    VariantSettings<S> settings;
    settings.tolerance = S(0);
    const TimeOfImpact<S> answer =
        bisection_impact(ball, moving<S>({-1, 0, 0}, {0.7, 0, 0}), wall, resting<S>(), settings);
    EXPECT_EQ(answer.state, ToiStatus::hit);
    EXPECT_FALSE(answer.converged);
    EXPECT_NEAR(answer.t, S(0.4) / S(0.7), S(1e-6));
    EXPECT_LE(answer.iterations, 1100);
}

} // namespace
} // namespace rigor::test
