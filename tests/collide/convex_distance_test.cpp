// Distances of convex solids: closed forms, and properties that hold for every pair.

#include "collide/certificate.h"
#include "collide/distance.h"
#include "geometry/sample_shapes.h"

namespace rigor::test {
namespace {

template <class S>
struct ConvexDistance : testing::Test {
    static constexpr bool kDouble = std::is_same_v<S, double>;
    static constexpr S kTolerance = kDistanceTolerance<S>;
    /// Of points and directions on curved cores, which enter the distance by their squares.
    static constexpr S kPointTolerance = kDouble ? S(1e-9) : S(1e-4);

    static Shape<S> shape(ShapeGeometry geometry, double rounding = 0) {
        const Shape<double> made = make_shape(define(std::move(geometry), rounding)).value();
        if constexpr (kDouble) {
            return made;
        } else {
            return to_float(made);
        }
    }
    /// Near, touching or overlapping, and now and then with parallel axes.
    static Pose<S> some_pose(Random& random) {
        const double reach[] = {0.1, 0.6, 1.5, 4};
        Pose<S> pose = random.pose<S>(reach[random.integer(0, 3)]);
        if (random.integer(0, 5) == 0) pose.q = {};
        return pose;
    }
};
TYPED_TEST_SUITE(ConvexDistance, Scalars);

template <class S>
Pose<S> at(double x, double y, double z) {
    return {cast<S>(Vec3d{x, y, z}), {}};
}

TYPED_TEST(ConvexDistance, OfSpheresIsThatOfTheirCentersLessTheRadii) {
    using S = TypeParam;
    const Shape<S> a = this->shape(SphereDef{0.5}), b = this->shape(SphereDef{2});
    const Distance<S> apart = distance(a, b, at<S>(0, 3, 4));
    EXPECT_NEAR(apart.distance, S(2.5), round_off(S(5)));
    EXPECT_LE(length(apart.normal - Vec3<S>{S(0), S(0.6), S(0.8)}), round_off(S(1)));
    EXPECT_NEAR(distance(a, b, at<S>(0, 0.3, 0.4)).distance, S(-2), round_off(S(5)));
    // Concentric ones may part in any direction, but they have to part.
    const Distance<S> same = distance(a, b, at<S>(0, 0, 0));
    EXPECT_EQ(same.distance, S(-2.5));
    EXPECT_EQ(length(same.normal), S(1));
}

// Beside the shafts of capsules the distance is that of their axes; beyond, that of the caps.
TYPED_TEST(ConvexDistance, OfCapsulesIsThatOfTheirAxes) {
    using S = TypeParam;
    const Shape<S> a = this->shape(CapsuleDef{0.25, 2});
    EXPECT_NEAR(distance(a, a, at<S>(3, 0, 0.7)).distance, S(2.5), round_off(S(4)));
    EXPECT_NEAR(distance(a, a, at<S>(3, 0, 6)).distance, S(4.5), round_off(S(8)));
    const S half = std::sqrt(S(0.5));
    const Pose<S> across{{S(1), S(0), S(0)}, {half, S(0), half, S(0)}}; // along x, centered at 1
    EXPECT_NEAR(distance(a, a, across).distance, S(-0.5), round_off(S(4)));
    const Pose<S> crossed{{S(0.1), S(0), S(0)}, {half, half, S(0), S(0)}}; // along y
    EXPECT_NEAR(distance(a, a, crossed).distance, S(-0.4), round_off(S(4)));
}

// Crossing axes and collinear ones leave no way between them; the way out is across both, or
// across the one line, as long as the two radii.
TYPED_TEST(ConvexDistance, OfCapsulesWhoseAxesMeetIsMinusTheRadii) {
    using S = TypeParam;
    const Shape<S> a = this->shape(CapsuleDef{0.25, 2});
    const S half = std::sqrt(S(0.5));
    for (const Quat<S>& q : {Quat<S>{half, half, S(0), S(0)}, Quat<S>{}}) {
        const Distance<S> d = distance(a, a, Pose<S>{{S(0), S(0), S(0.5)}, q});
        EXPECT_NEAR(d.distance, S(-0.5), round_off(S(4)));
        EXPECT_NEAR(d.normal.z, S(0), round_off(S(1)));
        expect_certified(a, a, Pose<S>{{S(0), S(0), S(0.5)}, q}, d, round_off(S(8)));
    }
}

TYPED_TEST(ConvexDistance, OfBoxesFaceToFaceEdgeToEdgeAndCornerToCorner) {
    using S = TypeParam;
    const Shape<S> box = this->shape(BoxDef{{2, 2, 2}});
    EXPECT_NEAR(distance(box, box, at<S>(3, 0.5, 0)).distance, S(1), round_off(S(4)));
    EXPECT_NEAR(distance(box, box, at<S>(5, 6, 0)).distance, S(5), round_off(S(8)));
    EXPECT_NEAR(distance(box, box, at<S>(3, 4, 4)).distance, S(3), round_off(S(8)));
    const Distance<S> deep = distance(box, box, at<S>(0.2, 0.3, -1.5));
    EXPECT_NEAR(deep.distance, S(-0.5), round_off(S(4)));
    EXPECT_NEAR(deep.normal.z, S(-1), round_off(S(1)));
}

TYPED_TEST(ConvexDistance, OfABoxAndASphereInsideIsByTheNearestFace) {
    using S = TypeParam;
    const Shape<S> box = this->shape(BoxDef{{2, 4, 6}}), ball = this->shape(SphereDef{0.5});
    EXPECT_NEAR(distance(box, ball, at<S>(0.25, 0, 0)).distance, S(-1.25), round_off(S(8)));
    EXPECT_NEAR(distance(box, ball, at<S>(0, -1.75, 0)).distance, S(-0.75), round_off(S(8)));
}

TYPED_TEST(ConvexDistance, IsProvedByPointsAndAPlane) {
    using S = TypeParam;
    Random random(11);
    int stuck = 0, total = 0;
    const auto samples = convex_samples<S>();
    for (const Specimen<S>& a : samples) {
        for (const Specimen<S>& b : samples) {
            for (int i = 0; i < 12; ++i) {
                const Pose<S> pose = this->some_pose(random);
                SCOPED_TRACE(message(a.name, ", ", b.name, " at ", pose.p, pose.q));
                const Distance<S> d = distance(a.shape, b.shape, pose);
                stuck += d.converged ? 0 : 1;
                ++total;
                expect_certified(a.shape, b.shape, pose, d,
                                 d.converged ? this->kPointTolerance : S(1e-2));
            }
        }
    }
    EXPECT_LE(stuck, total / 500);
}

// No direction leaves more room than the one found; where the solids overlap this is what makes
// it the depth.
TYPED_TEST(ConvexDistance, NoOtherDirectionLeavesMoreRoom) {
    using S = TypeParam;
    Random random(12);
    const auto samples = convex_samples<S>();
    for (const Specimen<S>& a : samples) {
        for (const Specimen<S>& b : samples) {
            const Pose<S> pose = random.pose<S>(0.7);
            SCOPED_TRACE(message(a.name, ", ", b.name, " at ", pose.p, pose.q));
            const Distance<S> d = distance(a.shape, b.shape, pose);
            for (int i = 0; i < 60; ++i) {
                const Vec3<S> n = normalize(i % 2 == 0 ? random.direction<S>()
                                                       : d.normal + random.vec<S>() * S(0.05));
                EXPECT_LE(room_along(a.shape, b.shape, pose, n), d.distance + this->kTolerance);
            }
        }
    }
}

TYPED_TEST(ConvexDistance, ChangesByTheWayMovedAlongTheNormal) {
    using S = TypeParam;
    Random random(13);
    const auto samples = convex_samples<S>();
    for (const Specimen<S>& a : samples) {
        for (const Specimen<S>& b : samples) {
            Pose<S> pose = this->some_pose(random);
            SCOPED_TRACE(message(a.name, ", ", b.name, " at ", pose.p, pose.q));
            const Distance<S> d = distance(a.shape, b.shape, pose);
            pose.p += d.normal * S(0.25); // away: the same features stay nearest
            if (d.distance < S(0)) pose.p += d.normal * -d.distance;
            const S expected = std::max(d.distance, S(0)) + S(0.25);
            EXPECT_NEAR(distance(a.shape, b.shape, pose).distance, expected, this->kPointTolerance);
        }
    }
}

TYPED_TEST(ConvexDistance, SeenFromTheOtherSideIsMirrored) {
    using S = TypeParam;
    Random random(14);
    const auto samples = convex_samples<S>();
    for (const Specimen<S>& a : samples) {
        for (const Specimen<S>& b : samples) {
            const Pose<S> pose = this->some_pose(random);
            SCOPED_TRACE(message(a.name, ", ", b.name, " at ", pose.p, pose.q));
            const Distance<S> d = distance(a.shape, b.shape, pose);
            const Distance<S> back = distance(b.shape, a.shape, inverse(pose));
            EXPECT_NEAR(back.distance, d.distance, this->kTolerance);
            // Well apart, the direction is unique.
            if (d.distance < S(0.05)) continue;
            EXPECT_LE(length(rotate(pose.q, back.normal) + d.normal), std::sqrt(this->kTolerance));
        }
    }
}

// Where the two are in the world does not matter, only how they lie to each other.
TYPED_TEST(ConvexDistance, StaysWhenBothAreMovedTogether) {
    using S = TypeParam;
    Random random(17);
    const auto samples = convex_samples<S>();
    for (const Specimen<S>& a : samples) {
        for (const Specimen<S>& b : samples) {
            const Posed pose_a = random.pose(1), pose_b = random.pose(1), motion = random.pose(100);
            SCOPED_TRACE(message(a.name, ", ", b.name, " at ", pose_a.p, pose_b.p));
            const Distance<S> here = distance(a.shape, b.shape, relative_pose<S>(pose_a, pose_b));
            const Distance<S> there =
                distance(a.shape, b.shape, relative_pose<S>(motion * pose_a, motion * pose_b));
            EXPECT_NEAR(there.distance, here.distance, this->kTolerance);
        }
    }
}

// A cache only shortens the way: after a small motion, and after a large one.
TYPED_TEST(ConvexDistance, IsTheSameWarmAndCold) {
    using S = TypeParam;
    Random random(15);
    const auto samples = convex_samples<S>();
    long cold_iterations = 0, warm_iterations = 0;
    for (const Specimen<S>& a : samples) {
        for (const Specimen<S>& b : samples) {
            DistanceCache<S> cache;
            Pose<S> pose = this->some_pose(random);
            for (int step = 0; step < 8; ++step) {
                if (step == 5) {
                    pose = this->some_pose(random);
                } else {
                    pose.p += random.vec<S>() * S(1e-3);
                    pose.q = normalize(pose.q * from_rotation_vector(random.vec<S>() * S(1e-3)));
                }
                SCOPED_TRACE(message(a.name, ", ", b.name, " step ", step, pose.p, pose.q));
                const Distance<S> warm = distance(a.shape, b.shape, pose, &cache);
                const Distance<S> cold = distance(a.shape, b.shape, pose);
                EXPECT_NEAR(warm.distance, cold.distance, this->kTolerance);
                if (step > 0 && step != 5 && cold.distance > S(0)) {
                    warm_iterations += warm.iterations;
                    cold_iterations += cold.iterations;
                }
            }
        }
    }
    EXPECT_LT(warm_iterations, 0.75 * static_cast<double>(cold_iterations));
}

} // namespace

TEST(ConvexDistance, InFloatIsThatInDouble) {
    Random random(16);
    const auto in_double = convex_samples<double>();
    const auto in_float = convex_samples<float>();
    for (std::size_t i = 0; i < in_double.size(); ++i) {
        for (std::size_t j = 0; j < in_double.size(); ++j) {
            for (int k = 0; k < 5; ++k) {
                const Pose<float> pose = random.pose<float>(k < 3 ? 0.5 : 2);
                SCOPED_TRACE(message(in_double[i].name, ", ", in_double[j].name, " at ", pose.p));
                const Pose<double> same = {cast<double>(pose.p), normalize(cast<double>(pose.q))};
                EXPECT_NEAR(distance(in_float[i].shape, in_float[j].shape, pose).distance,
                            distance(in_double[i].shape, in_double[j].shape, same).distance, 5e-5);
            }
        }
    }
}

} // namespace rigor::test
