// Motions for the tests of impacts, and the proof of an answer by sampling.
#pragma once

#include "collide/distance.h"
#include "collide/time_of_impact.h"
#include "geometry/sample_shapes.h"

namespace rigor::test {

template <class S>
Shape<S> shape_of(ShapeGeometry geometry, double rounding = 0) {
    const Shape<double> shape = make_shape(define(std::move(geometry), rounding)).value();
    if constexpr (std::is_same_v<S, double>) {
        return shape;
    } else {
        return to_float(shape);
    }
}

template <class S>
Motion<S> moving(const Vec3d& from, const Vec3d& way, const Vec3d& turn = {}) {
    return {{cast<S>(from), {}}, {}, cast<S>(way), cast<S>(turn)};
}
template <class S>
Motion<S> resting(const Vec3d& at = {}) {
    return moving<S>(at, {});
}

template <class S>
Motion<S> random_motion(Random& random, double reach, double way, double turn) {
    return {random.pose<S>(reach), random.vec<S>(-0.3, 0.3), random.vec<S>(-way, way),
            random.direction<S>() * static_cast<S>(turn)};
}

/// By the poses of both, as a caller would: not by the relative motion that is tested.
template <class S>
S gap_at(const Shape<S>& a, const Motion<S>& ma, const Shape<S>& b, const Motion<S>& mb, S t) {
    return distance(a, b, inverse(pose_at(ma, t)) * pose_at(mb, t)).distance;
}

/// What rounding makes of a distance between two moving shapes.
template <class S>
S gap_noise(const Motion<S>& ma, const Motion<S>& mb) {
    const S size = S(4) + length(ma.start.p) + length(mb.start.p) + length(ma.displacement) +
                   length(mb.displacement);
    return S(100) * std::numeric_limits<S>::epsilon() * size;
}

/// The gap at t is in (0, tolerance], and before t, or through the whole motion, no sample finds
/// an overlap. Together: the time is that of the first impact, and not past it.
template <class S>
void expect_first_impact(const Shape<S>& a, const Motion<S>& ma, const Shape<S>& b,
                         const Motion<S>& mb, const TimeOfImpact<S>& answer, int samples = 50) {
    const S noise = gap_noise(ma, mb);
    if (answer.state == ToiStatus::overlapping) {
        EXPECT_EQ(answer.t, S(0));
        EXPECT_LE(gap_at(a, ma, b, mb, S(0)), noise);
        return;
    }
    ASSERT_TRUE(answer.converged) << answer.iterations << " iterations, at " << answer.t;
    for (int i = 0; i < samples; ++i) {
        const S t = answer.t * S(i) / S(samples);
        ASSERT_GT(gap_at(a, ma, b, mb, t), -noise) << "at " << t << " before " << answer.t;
    }
    const S gap = gap_at(a, ma, b, mb, answer.t);
    EXPECT_GT(gap, S(0));
    if (answer.state == ToiStatus::apart) {
        EXPECT_EQ(answer.t, S(1));
        return;
    }
    EXPECT_LE(gap, answer.tolerance + noise);
    EXPECT_GT(answer.distance.distance, S(0));
    EXPECT_LE(answer.distance.distance, answer.tolerance);
    EXPECT_NEAR(answer.distance.distance, gap, S(0.5) * answer.tolerance + noise);
}

} // namespace rigor::test
