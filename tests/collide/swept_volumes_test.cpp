// Swept volumes: they never separate what meets, and the search that skips by them finds the same.

#include "collide/swept_volumes.h"

#include "collide/impact_support.h"
#include "collide/time_of_impact_variants.h"
#include "geometry/surface_speed.h"

namespace rigor::test {
namespace {

template <class S>
struct SweptVolumes : testing::Test {};
TYPED_TEST_SUITE(SweptVolumes, Scalars);

constexpr std::array kAll{SweptVolume::none,    SweptVolume::aabb,    SweptVolume::oriented_box,
                          SweptVolume::kdop_14, SweptVolume::kdop_18, SweptVolume::kdop_26};

/// Whether two solids meet at one of many times.
template <class S>
bool meet(const Shape<S>& a, const Motion<S>& ma, const Shape<S>& b, const Motion<S>& mb) {
    for (int i = 0; i <= 40; ++i)
        if (gap_at(a, ma, b, mb, S(i) / S(40)) <= S(0)) return true;
    return false;
}

TYPED_TEST(SweptVolumes, NeverSeparateWhatMeets) {
    using S = TypeParam;
    Random random(51);
    const std::vector<Specimen<S>> samples = convex_samples<S>();
    std::array<int, kAll.size()> overlaps{};
    int met = 0;
    for (int i = 0; i < 1500; ++i) {
        const auto& x = samples[static_cast<std::size_t>(random.integer(0, 18))];
        const auto& y = samples[static_cast<std::size_t>(random.integer(0, 18))];
        const Motion<S> ma = random_motion<S>(random, 1.5, 1, random.uniform(0, 4));
        const Motion<S> mb = random_motion<S>(random, 1.5, 1, random.uniform(0, 4));
        const bool truth = meet(x.shape, ma, y.shape, mb);
        met += truth;
        for (std::size_t k = 0; k < kAll.size(); ++k) {
            const bool overlap = swept_volumes_overlap(kAll[k], x.shape, ma, y.shape, mb);
            ASSERT_TRUE(overlap || !truth)
                << i << ": " << x.name << " and " << y.name << ", volume " << k;
            overlaps[k] += overlap;
        }
    }
    EXPECT_GT(met, 300);
    EXPECT_LT(overlaps[1], overlaps[0]); // a box separates something,
    EXPECT_LT(overlaps[3], overlaps[1]); // and more directions more
    EXPECT_LE(overlaps[5], overlaps[3]);
    EXPECT_LE(overlaps[5], overlaps[4]);
}

// Corners of the swept oriented box: every point of the solid is inside at all times.
TYPED_TEST(SweptVolumes, OrientedBoxHoldsTheSolidAtAllTimes) {
    using S = TypeParam;
    Random random(53);
    for (const auto& [name, shape] : convex_samples<S>()) {
        for (const double angle : {0.0, 0.3, 2.0, 9.0}) {
            SCOPED_TRACE(message(name, ", angle ", angle));
            const Motion<S> motion = random_motion<S>(random, 1, 2, angle);
            const OrientedBox<S> box = swept_oriented_box(shape, motion);
            for (int i = 0; i < 200; ++i) {
                const Pose<S> now = pose_at(motion, S(random.unit()));
                const Vec3<S> p = transform(now, support(shape, random.template direction<S>()));
                ASSERT_FALSE(box.misses(Aabb<S>{p, p}));
                ASSERT_FALSE(box.misses(OrientedBox<S>({p, p}, {})));
            }
        }
    }
}

// Two oriented boxes at rest: the 15 axes agree with the distance, which is found otherwise.
TEST(OrientedBoxes, MissEachOtherExactlyWhenTheyAreApart) {
    Random random(57);
    int apart = 0;
    for (int i = 0; i < 2000; ++i) {
        const Vec3d x = random.vec(0.1, 1), y = random.vec(0.1, 1);
        const Posed a = random.pose(1), b = random.pose(1.5);
        const auto box_at = [](const Vec3d& half, const Posed& pose) {
            return OrientedBox<double>({-half, half}, {to_matrix(pose.q), pose.p});
        };
        const double gap = distance(Shape<double>{Box<double>{x, 0}},
                                    Shape<double>{Box<double>{y, 0}}, inverse(a) * b)
                               .distance;
        if (std::abs(gap) < 1e-9) continue;
        apart += gap > 0;
        ASSERT_EQ(box_at(x, a).misses(box_at(y, b)), gap > 0) << i << ", gap " << gap;
    }
    EXPECT_GT(apart, 300);
}

// The search of [Kavan 2003] with and without volumes: the same answer to its precision.
TYPED_TEST(SweptVolumes, SearchSkipsOnlyWhatIsApart) {
    using S = TypeParam;
    Random random(59);
    const std::vector<Specimen<S>> samples = convex_samples<S>();
    const Shape<S> plane = shape_of<S>(PlaneDef{});
    std::array<int, kAll.size()> queries{};
    int hits = 0;
    for (int i = 0; i < 60; ++i) {
        const auto& x = samples[static_cast<std::size_t>(random.integer(0, 18))];
        const bool on_plane = i % 5 == 0;
        const Shape<S>& y =
            on_plane ? plane : samples[static_cast<std::size_t>(random.integer(0, 18))].shape;
        Motion<S> ma = random_motion<S>(random, 0.2, 1, 2);
        const Motion<S> mb = on_plane ? resting<S>() : random_motion<S>(random, 0.2, 1, 2);
        const Vec3<S> away = on_plane ? Vec3<S>{0, 0, S(4)} : random.template direction<S>() * S(4);
        ma.start.p += away;
        ma.displacement -= away;
        VariantSettings<S> settings;
        settings.depth = S(0.02);
        settings.time_precision = S(1e-4);
        settings.volume = SweptVolume::none;
        const TimeOfImpact<S> plain = substep_impact(x.shape, ma, y, mb, settings);
        hits += plain.state == ToiStatus::hit;
        for (std::size_t k = 0; k < kAll.size(); ++k) {
            settings.volume = kAll[k];
            const TimeOfImpact<S> answer = substep_impact(x.shape, ma, y, mb, settings);
            EXPECT_EQ(answer.state, plain.state);
            EXPECT_NEAR(answer.t, plain.t, S(2e-4));
            EXPECT_NEAR(answer.distance.distance, plain.distance.distance, S(2e-3));
            queries[k] += answer.iterations;
        }
    }
    EXPECT_GT(hits, 30);
    for (std::size_t k = 1; k < kAll.size(); ++k) EXPECT_LT(2 * queries[k], queries[0]) << k;
}

// Two that fly side by side at 100 m/s: only relative translation counts.
TEST(SweptPairs, ThoseSideBySideAreApart) {
    const Shape<double> ball = shape_of<double>(SphereDef{0.5});
    const Motion<double> first = moving<double>({0, 0, 0}, {100, 0, 0});
    const Motion<double> behind = moving<double>({-2, 0, 0}, {100, 0, 0});
    for (const SweptVolume volume : kAll)
        EXPECT_EQ(swept_volumes_overlap(volume, ball, first, ball, behind),
                  volume == SweptVolume::none);
}

// The bound from the vertices takes fewer steps than that from the radius: a spinning needle falls
// onto a plate with the steps of its fall.
TEST(SweptPairs, SpinningNeedleTakesTheStepsOfItsFall) {
    const Shape<double> needle = shape_of<double>(BoxDef{{2, 1e-3, 1e-3}});
    const Shape<double> plate = shape_of<double>(BoxDef{{4, 4, 0.1}});
    const Motion<double> fall = moving<double>({0, 0, 0.3}, {0, 0, -0.5}, {200, 0, 0});
    VariantSettings<double> settings;
    settings.depth = 0.01;
    settings.volume = SweptVolume::none;
    const TimeOfImpact<double> answer =
        substep_impact(needle, fall, plate, resting<double>(), settings);
    EXPECT_EQ(answer.state, ToiStatus::hit);
    EXPECT_LT(answer.iterations, 100); // 65 of 0.64 m; the radius would ask for 20,000
    EXPECT_NEAR(answer.t, 0.5, 2e-3);
}

} // namespace
} // namespace rigor::test
