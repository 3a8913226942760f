// Times of impact: closed forms, fast thin things, and proof by sampling for all kinds of pairs.

#include "collide/time_of_impact.h"

#include "collide/impact_support.h"
#include "geometry/mesh_samples.h"
#include "math/trig.h"

namespace rigor::test {
namespace {

constexpr double kHalfTurn = kPi<double>;

template <class S>
struct Impact : testing::Test {
    static constexpr S kRelative = std::is_same_v<S, double> ? S(1e-12) : S(1e-5);
};
TYPED_TEST_SUITE(Impact, Scalars);

// |c + v t| = r_A + r_B + gap is a quadratic equation.
TYPED_TEST(Impact, OfBallsIsTheRootOfAQuadratic) {
    using S = TypeParam;
    Random random(1);
    const Shape<S> a = shape_of<S>(SphereDef{0.5}), b = shape_of<S>(SphereDef{0.25});
    int hits = 0;
    for (int i = 0; i < 500; ++i) {
        const Vec3d c = random.direction() * 3.0, v = c * -1.5 + random.vec(-1, 1);
        // Balls that spin look the same.
        const Motion<S> ma = moving<S>({}, {}, random.vec(-9, 9));
        const Motion<S> mb = moving<S>(c, v, random.vec(-9, 9));
        const TimeOfImpact<S> answer = time_of_impact(a, ma, b, mb);
        expect_first_impact(a, ma, b, mb, answer, 5);
        const double reach = 0.75 + static_cast<double>(answer.distance.distance);
        const double bb = dot(c, v), d = bb * bb - dot(v, v) * (dot(c, c) - reach * reach);
        const double t = d > 0 ? (-bb - std::sqrt(d)) / dot(v, v) : 2;
        EXPECT_EQ(answer.state == ToiStatus::hit, t > 0 && t < 1) << t;
        if (answer.state != ToiStatus::hit) continue;
        ++hits;
        // Where they only graze, the time depends on the gap by a square root.
        EXPECT_NEAR(static_cast<double>(answer.t), t,
                    static_cast<double>(this->kRelative) * (1 + 1 / std::sqrt(d)));
        EXPECT_LE(answer.iterations, 20);
    }
    EXPECT_GT(hits, 100);
}

TYPED_TEST(Impact, OfABallOnAPlaneIsHeightOverSpeed) {
    using S = TypeParam;
    const Shape<S> plane = shape_of<S>(PlaneDef{{0, 0, 1}, 0}), ball = shape_of<S>(SphereDef{0.5});
    const Motion<S> fall = moving<S>({3, 1, 4}, {2, 0, -7}, {0, 30, 0});
    const TimeOfImpact<S> answer = time_of_impact(plane, resting<S>(), ball, fall);
    EXPECT_EQ(answer.state, ToiStatus::hit);
    EXPECT_NEAR(answer.t, (S(3.5) - answer.distance.distance) / S(7), this->kRelative);
    EXPECT_LE(length(answer.distance.normal - Vec3<S>{S(0), S(0), S(1)}), S(0));
    EXPECT_EQ(answer.iterations, 1);
    expect_first_impact(plane, resting<S>(), ball, fall, answer);
}

// A rod at the distance D from a wall, turning about its center, meets it where its end does: at
// sin(angle) = (D - r)/l. The answer is the same for a plane, a box and a mesh as the wall.
TYPED_TEST(Impact, OfASpinningRodIsAtTheExactAngle) {
    using S = TypeParam;
    const Shape<S> rod = shape_of<S>(CapsuleDef{0.05, 2}); // 1 to either side, and the caps
    const auto soup = std::make_shared<const TriangleSoup>(box_mesh({4, 4, 1}, {0, 0, -0.5}));
    const Shape<S> walls[] = {shape_of<S>(PlaneDef{{0, 0, 1}, 0}), shape_of<S>(MeshDef{soup})};
    for (const Shape<S>& wall : walls) {
        Motion<S> spin = moving<S>({0.2, -0.3, 0.6}, {}, {0, -kHalfTurn, 0});
        const double half = std::sqrt(0.5);
        spin.start.q = cast<S>(Quatd{half, 0, half, 0}); // along x
        const TimeOfImpact<S> answer = time_of_impact(wall, resting<S>(), rod, spin);
        ASSERT_EQ(answer.state, ToiStatus::hit);
        const double rise = 0.6 - 0.05 - static_cast<double>(answer.distance.distance);
        EXPECT_NEAR(static_cast<double>(answer.t), asin(rise) / kHalfTurn,
                    10 * static_cast<double>(this->kRelative));
        expect_first_impact(wall, resting<S>(), rod, spin, answer);
    }
}

// A whole turn in a ring of walls just out of reach: it passes, however near.
TYPED_TEST(Impact, SpinningInPlaceNearAWallDoesNotHit) {
    using S = TypeParam;
    const Shape<S> rod = shape_of<S>(BoxDef{{2, 0.1, 0.1}}), wall = shape_of<S>(BoxDef{{1, 4, 4}});
    const double reach = std::sqrt(1 + 0.05 * 0.05);
    for (const double gap : {0.1, 1e-2, 1e-3}) {
        const Motion<S> spin = moving<S>({}, {}, {0, 0, 2 * kHalfTurn});
        const Motion<S> near = resting<S>({reach + gap + 0.5, 0, 0});
        const TimeOfImpact<S> answer = time_of_impact(rod, spin, wall, near);
        EXPECT_EQ(answer.state, ToiStatus::apart) << gap;
        EXPECT_TRUE(answer.converged);
        const Motion<S> nearer = resting<S>({reach - gap + 0.5, 0, 0.1});
        Motion<S> later = spin;
        later.start.q = from_rotation_vector(Vec3<S>{S(0), S(0), S(1)});
        const TimeOfImpact<S> caught = time_of_impact(rod, later, wall, nearer);
        EXPECT_EQ(caught.state, ToiStatus::hit) << gap;
        expect_first_impact(rod, later, wall, nearer, caught);
    }
}

// A wheel that rolls: turning about its own axis changes nothing, so the cost is that of sliding.
TYPED_TEST(Impact, AWheelCostsNoMoreForTurning) {
    using S = TypeParam;
    const Shape<S> wheel = shape_of<S>(CylinderDef{0.5, 0.2}),
                   step = shape_of<S>(BoxDef{{1, 1, 1}});
    const Motion<S> roll = moving<S>({-3, 0, 0.1}, {4, 0, 0}, {0, 0, -8});
    const Motion<S> still = resting<S>();
    const TimeOfImpact<S> answer = time_of_impact(wheel, roll, step, still);
    EXPECT_EQ(answer.state, ToiStatus::hit);
    EXPECT_NEAR(answer.t, (S(2) - answer.distance.distance) / S(4), this->kRelative);
    EXPECT_LE(answer.iterations, 4);
}

// ---- fast and thin ----

TYPED_TEST(Impact, ABulletAt1000MetersPerSecondDoesNotPassA1MillimeterWall) {
    using S = TypeParam;
    const Shape<S> bullet = shape_of<S>(CapsuleDef{0.004, 0.01});
    const Shape<S> wall = shape_of<S>(BoxDef{{0.001, 2, 2}});
    for (const double start : {-1.0, -8.0, -16.0}) {
        Motion<S> flight = moving<S>({start, 0.1, 0.2}, {1000.0 / 60, 0, 0}, {50, 0, 0});
        const double half = std::sqrt(0.5);
        flight.start.q = cast<S>(Quatd{half, 0, half, 0}); // along x
        const TimeOfImpact<S> answer = time_of_impact(wall, resting<S>(), bullet, flight);
        ASSERT_EQ(answer.state, ToiStatus::hit);
        const double way = -start - 0.0005 - 0.009 - static_cast<double>(answer.distance.distance);
        EXPECT_NEAR(static_cast<double>(answer.t), way * 60 / 1000,
                    static_cast<double>(this->kRelative));
        EXPECT_LE(answer.iterations, 4);
        expect_first_impact(wall, resting<S>(), bullet, flight, answer);
    }
}

TYPED_TEST(Impact, TwoBulletsMeetHeadOnInTheMiddle) {
    using S = TypeParam;
    const Shape<S> bullet = shape_of<S>(CapsuleDef{0.004, 0.01});
    const double half = std::sqrt(0.5), way = 1000.0 / 60;
    Motion<S> left = moving<S>({-5, 0, 0}, {way, 0, 0}, {80, 0, 0});
    Motion<S> right = moving<S>({5, 0, 0}, {-way, 0, 0}, {-90, 0, 0});
    left.start.q = right.start.q = cast<S>(Quatd{half, 0, half, 0});
    const TimeOfImpact<S> answer = time_of_impact(bullet, left, bullet, right);
    ASSERT_EQ(answer.state, ToiStatus::hit);
    const double apart = 10 - 0.018 - static_cast<double>(answer.distance.distance);
    EXPECT_NEAR(static_cast<double>(answer.t), apart / (2 * way),
                static_cast<double>(this->kRelative));
    // Four radii beside each other they pass.
    right.start.p.y = S(0.016);
    EXPECT_EQ(time_of_impact(bullet, left, bullet, right).state, ToiStatus::apart);
}

// 1 mm thick, 100 rad/s, a step of 1/60 s: more than a quarter turn. A pin in its way is hit at the
// angle where the face comes to it.
TYPED_TEST(Impact, ASpinningPlateOf1MillimeterHitsAPinInItsWay) {
    using S = TypeParam;
    const Shape<S> plate = shape_of<S>(BoxDef{{1, 0.3, 0.001}});
    const Shape<S> pin = shape_of<S>(CapsuleDef{0.002, 0.3});
    for (const double angle : {0.2, 0.8, 1.4}) {
        const double x = 0.4 * cos(angle), z = 0.4 * sin(angle);
        Motion<S> still = resting<S>({x, 0, z});
        still.start.q = cast<S>(from_axis_angle(Vec3d{1, 0, 0}, kHalfTurn / 2)); // along y
        const Motion<S> spin = moving<S>({}, {}, {0, -100.0 / 60, 0});
        const TimeOfImpact<S> answer = time_of_impact(plate, spin, pin, still);
        ASSERT_EQ(answer.state, ToiStatus::hit);
        // The pin's axis is then 0.0005 + 0.002 + gap above the plane of the plate.
        const double above = 0.0025 + static_cast<double>(answer.distance.distance);
        const double expected = (angle - asin(above / 0.4)) * 60 / 100;
        EXPECT_NEAR(static_cast<double>(answer.t), expected,
                    10 * static_cast<double>(this->kRelative));
        expect_first_impact(plate, spin, pin, still, answer, 500);
        EXPECT_LE(answer.iterations, 20);
    }
}

// ---- starts ----

TYPED_TEST(Impact, OverlapAtTheStartIsReported) {
    using S = TypeParam;
    const Shape<S> box = shape_of<S>(BoxDef{{1, 1, 1}});
    const auto soup = std::make_shared<const TriangleSoup>(box_mesh({4, 4, 4}));
    const Motion<S> still = resting<S>(), away = moving<S>({0.9, 0, 0}, {5, 0, 0});
    for (const Shape<S>& other : {box, shape_of<S>(MeshDef{soup}), // a closed mesh is solid
                                  shape_of<S>(PlaneDef{{1, 0, 0}, 0.5})}) {
        const TimeOfImpact<S> answer = time_of_impact(other, still, box, away);
        EXPECT_EQ(answer.state, ToiStatus::overlapping);
        EXPECT_EQ(answer.t, S(0));
        EXPECT_LT(answer.distance.distance, S(0));
    }
}

// A box that lies on the floor within the tolerance may leave or slide, and is stopped only when it
// presses on.
TYPED_TEST(Impact, WithinTheToleranceAtTheStartOnlyApproachHits) {
    using S = TypeParam;
    const Shape<S> box = shape_of<S>(BoxDef{{1, 1, 1}});
    const auto soup = std::make_shared<const TriangleSoup>(box_mesh({8, 8, 1}, {0, 0, -0.5}));
    const Shape<S> floors[] = {shape_of<S>(PlaneDef{{0, 0, 1}, 0}), shape_of<S>(MeshDef{soup})};
    ImpactSettings<S> settings;
    settings.tolerance = S(1e-3);
    for (const Shape<S>& floor : floors) {
        const Vec3d above{-1, 0, 0.5 + 2e-4};
        for (const Vec3d& way : {Vec3d{0, 0, 1}, Vec3d{2, 0, 0}, Vec3d{2, 1, 1}}) {
            const TimeOfImpact<S> answer =
                time_of_impact(floor, resting<S>(), box, moving<S>(above, way), settings);
            EXPECT_EQ(answer.state, ToiStatus::apart) << way;
        }
        const Motion<S> press = moving<S>(above, {0, 0, -1});
        const TimeOfImpact<S> answer = time_of_impact(floor, resting<S>(), box, press, settings);
        EXPECT_EQ(answer.state, ToiStatus::hit);
        EXPECT_LE(answer.t, S(2e-4));
        expect_first_impact(floor, resting<S>(), box, press, answer);
    }
}

TYPED_TEST(Impact, NothingMovesNothingHappens) {
    using S = TypeParam;
    const Shape<S> box = shape_of<S>(BoxDef{{1, 1, 1}});
    const Motion<S> a = resting<S>(), b = resting<S>({3, 0, 0});
    EXPECT_EQ(time_of_impact(box, a, box, b).state, ToiStatus::apart);
    // Together they may go wherever they want.
    const Motion<S> c = moving<S>({}, {100, 0, 0}), d = moving<S>({3, 0, 0}, {100, 0, 0});
    EXPECT_EQ(time_of_impact(box, c, box, d).state, ToiStatus::apart);
}

// ---- all kinds ----

template <class S>
std::vector<Specimen<S>> all_kinds() {
    std::vector<Specimen<S>> samples = convex_samples<S>();
    HeightFieldDef bumps{4, 3, 9, 7, {}};
    Random random(31);
    for (int i = 0; i < 9 * 7; ++i) bumps.heights.push_back(random.uniform(0, 0.3));
    const TriangleSoup sheet{{{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}},
                             {{0, 1, 2}, {0, 2, 3}}};
    samples.push_back({"sheet", shape_of<S>(MeshDef{std::make_shared<const TriangleSoup>(sheet)})});
    samples.push_back(
        {"mesh",
         shape_of<S>(MeshDef{std::make_shared<const TriangleSoup>(box_mesh({1, 1.2, 0.8}))})});
    samples.push_back({"ground", shape_of<S>(bumps)});
    samples.push_back({"plane", shape_of<S>(PlaneDef{{0, 0, 1}, -0.5})});
    CompoundDef dumbbell;
    for (const double x : {-0.7, 0.7}) {
        ShapeDef end =
            define(x < 0 ? ShapeGeometry(SphereDef{0.3}) : ShapeGeometry(BoxDef{{0.4, 0.4, 0.4}}));
        end.position = {x, 0, 0};
        dumbbell.shapes.push_back(end);
    }
    samples.push_back({"dumbbell", shape_of<S>(dumbbell)});
    return samples;
}

TYPED_TEST(Impact, IsProvedBySamplingForAllPairs) {
    using S = TypeParam;
    Random random(7);
    const std::vector<Specimen<S>> samples = all_kinds<S>();
    const Vec3<S> up{S(0), S(0), S(1)};
    int hits = 0, aparts = 0;
    for (const Specimen<S>& x : samples) {
        for (const Specimen<S>& y : samples) {
            if (x.name == "ground" && y.name == "ground") continue; // one would be upside down
            const bool surfaces = !is_convex(x.shape) && !is_convex(y.shape);
            for (int i = 0; i < (surfaces ? 1 : 3); ++i) {
                SCOPED_TRACE(message(x.name, " and ", y.name, ", ", i));
                Motion<S> ma = random_motion<S>(random, 0.2, 1, i == 0 ? 0 : 2 * i);
                Motion<S> mb = random_motion<S>(random, 0.2, 1, i == 2 ? 5 : 0);
                Vec3<S> away = random.direction<S>() * S(3);
                // The sides of the ground are no surface: it is met from above.
                if (x.name == "ground" || y.name == "ground") {
                    const Vec3<S> above = x.name == "ground" ? up : -up;
                    away = normalize(multiply(away, {S(0.1), S(0.1), S(0)}) + above) * S(3);
                    (x.name == "ground" ? ma : mb) = resting<S>();
                }
                mb.start.p += away;
                mb.displacement -= away * S(1.2);
                const TimeOfImpact<S> answer = time_of_impact(x.shape, ma, y.shape, mb);
                expect_first_impact(x.shape, ma, y.shape, mb, answer, 12);
                hits += answer.state == ToiStatus::hit;
                aparts += answer.state == ToiStatus::apart;
                // The other way round it is the same impact.
                const TimeOfImpact<S> back = time_of_impact(y.shape, mb, x.shape, ma);
                EXPECT_EQ(back.state, answer.state);
                if (answer.state != ToiStatus::hit || back.state != ToiStatus::hit) continue;
                expect_first_impact(y.shape, mb, x.shape, ma, back, 0);
            }
        }
    }
    EXPECT_GT(hits, 500);
    EXPECT_GT(aparts, 100);
}

// A ball between two walls of a corridor of triangles, thrown at 45 degrees: of two walls the
// nearer one on its way counts, whatever the order of the tree.
TYPED_TEST(Impact, OfSeveralTrianglesTheFirstOnTheWayCounts) {
    using S = TypeParam;
    TriangleSoup soup;
    for (int i = 0; i < 40; ++i) append(soup, box_mesh({0.1, 4, 4}, {1.0 * i, 0, 0}));
    const Shape<S> walls = shape_of<S>(MeshDef{std::make_shared<const TriangleSoup>(soup)});
    const Shape<S> ball = shape_of<S>(SphereDef{0.2});
    for (const int cell : {0, 7, 38}) {
        const Motion<S> right = moving<S>({cell + 0.5, 0, 0}, {30, 0.5, 0});
        const TimeOfImpact<S> answer = time_of_impact(walls, resting<S>(), ball, right);
        ASSERT_EQ(answer.state, ToiStatus::hit);
        EXPECT_NEAR(answer.t, (S(0.25) - answer.distance.distance) / S(30),
                    S(10) * this->kRelative);
        EXPECT_NEAR(answer.distance.normal.x, S(-1), S(1e-3));
    }
}

TYPED_TEST(Impact, AMirroredAnswerNamesTheMirroredParts) {
    using S = TypeParam;
    const Shape<S> ground = shape_of<S>(
        MeshDef{std::make_shared<const TriangleSoup>(box_mesh({8, 8, 1}, {0, 0, -0.5}))});
    CompoundDef two;
    for (const double z : {0.0, -1.0}) {
        ShapeDef ball = define(SphereDef{0.3});
        ball.position = {0, 0, z};
        two.shapes.push_back(ball);
    }
    const Shape<S> pair = shape_of<S>(two);
    const Motion<S> fall = moving<S>({1, 2, 4}, {0, 0, -5}), still = resting<S>();
    const TimeOfImpact<S> there = time_of_impact(ground, still, pair, fall);
    const TimeOfImpact<S> back = time_of_impact(pair, fall, ground, still);
    ASSERT_EQ(there.state, ToiStatus::hit);
    EXPECT_NEAR(there.t, back.t, S(1e-4));
    EXPECT_EQ(there.distance.part_b.child, 1u); // the lower one
    EXPECT_EQ(back.distance.part_a.child, 1u);
    EXPECT_EQ(back.distance.part_b.triangle, there.distance.part_a.triangle);
    EXPECT_LE(length(there.distance.normal - Vec3<S>{S(0), S(0), S(1)}), this->kRelative);
    EXPECT_LE(length(back.distance.normal + Vec3<S>{S(0), S(0), S(1)}), this->kRelative);
    EXPECT_LE(length(there.distance.point_a - Vec3<S>{S(1), S(2), S(0)}), S(10) * this->kRelative);
}

// Half the tolerance, half the gap left: the time is of first order in it, for any pair.
TYPED_TEST(Impact, TheTimeConvergesWithTheTolerance) {
    using S = TypeParam;
    const Shape<S> a = shape_of<S>(ConeDef{0.6, 1.3}), b = shape_of<S>(BoxDef{{1, 0.6, 1.4}});
    const Motion<S> ma = moving<S>({0, 0.1, 0}, {0, 0, 0.2}, {0, 2, 1});
    const Motion<S> mb = moving<S>({3, 0, 0.2}, {-2.5, 0, 0}, {1, 1, -1});
    S last = S(0);
    for (const double tolerance : {1e-1, 1e-2, 1e-3}) {
        ImpactSettings<S> settings;
        settings.tolerance = S(tolerance);
        const TimeOfImpact<S> answer = time_of_impact(a, ma, b, mb, settings);
        ASSERT_EQ(answer.state, ToiStatus::hit);
        EXPECT_GT(answer.t, last);
        if (last > S(0)) {
            EXPECT_LE(answer.t - last, S(10 * tolerance));
        }
        last = answer.t;
    }
}

// Numbers that are none give no answer, and no endless loop.
TYPED_TEST(Impact, AMotionThatIsNotFiniteIsNotSafe) {
    using S = TypeParam;
    const Shape<S> box = shape_of<S>(BoxDef{{1, 1, 1}});
    for (const double bad :
         {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
        for (int i = 0; i < 3; ++i) {
            const Vec3d v{bad, 0, 0};
            const Motion<S> motion =
                moving<S>(i == 0 ? v : Vec3d{3, 0, 0}, i == 1 ? v : Vec3d{}, i == 2 ? v : Vec3d{});
            const TimeOfImpact<S> answer = time_of_impact(box, resting<S>(), box, motion);
            EXPECT_FALSE(answer.converged);
            EXPECT_EQ(answer.t, S(0));
        }
    }
}

// Too few iterations: the time is early and says so, but never late.
TYPED_TEST(Impact, CutShortItStaysOnTheSafeSide) {
    using S = TypeParam;
    Random random(9);
    const std::vector<Specimen<S>> samples = convex_samples<S>();
    ImpactSettings<S> hasty;
    hasty.max_iterations = 2;
    int cut = 0;
    for (int i = 0; i < 200; ++i) {
        const Shape<S>& a = samples[static_cast<std::size_t>(random.integer(0, 18))].shape;
        const Shape<S>& b = samples[static_cast<std::size_t>(random.integer(0, 18))].shape;
        const Motion<S> ma = random_motion<S>(random, 0.1, 1, 2);
        Motion<S> mb = random_motion<S>(random, 0.1, 1, 2);
        mb.start.p.x += S(3);
        mb.displacement.x -= S(3);
        const TimeOfImpact<S> early = time_of_impact(a, ma, b, mb, hasty);
        const TimeOfImpact<S> full = time_of_impact(a, ma, b, mb);
        EXPECT_LE(early.t, full.t + S(1e-3));
        if (early.converged) continue;
        ++cut;
        EXPECT_EQ(early.state, ToiStatus::hit);
        EXPECT_GT(early.distance.distance, S(0));
    }
    EXPECT_GT(cut, 20);
}

} // namespace
} // namespace rigor::test
