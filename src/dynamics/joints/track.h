// Track: a point of a moves along a curve fixed to b. Its coordinate is the arc length.
#pragma once

#include "dynamics/joints/row.h"
#include "model/track_curve.h"

namespace rigor {

/// Two directions across the curve, in its frame.
struct TrackNormals {
    Vec3d first, second;
};

/// Those nearest to a direction that is not along the tangent. Along a curve, with the last first
/// normal as the direction, they turn about the tangent no more than they must.
inline TrackNormals track_normals(const Vec3d& tangent, const Vec3d& direction) {
    const Vec3d first = normalize(direction - tangent * dot(tangent, direction));
    return {first, cross(tangent, first)};
}

inline TrackNormals track_normals(const Vec3d& tangent) {
    const double x = std::abs(tangent.x), y = std::abs(tangent.y), z = std::abs(tangent.z);
    const bool is_x = x <= y && x <= z, is_y = !is_x && y <= z;
    return track_normals(tangent, {is_x ? 1.0 : 0.0, is_y ? 1.0 : 0.0, is_x || is_y ? 0.0 : 1.0});
}

template <class F>
Vec3<F> lifted(const Vec3d& v) {
    return {F(v.x), F(v.y), F(v.z)};
}

/// Rows 0 and 1 keep the point of a on the curve, row 2 is its coordinate. `place` is the point of
/// the curve that is nearest, and C the way from there to the point of a. With derivatives by the
/// arc length s,
///
///     s' = T·v / (1 - k·C),    n_i' = -(n_i·k) T s',
///
/// where v is the velocity of the point of a seen from b, T the tangent and k the curvature.
/// Normals that turn so make the rate of n_i·C exactly n_i·v.
template <class F>
void track_rows(const JointPose<F>& pose, const TrackCurve::Place& place,
                const TrackNormals& normals, JointRow<F>* rows) {
    const Vec3<F> point = transpose_multiply(pose.axes_b, -pose.gap);
    const auto curvature_factor = [](const Vec3<F>& curvature, const Vec3<F>& away) {
        // Never at or beyond the center of curvature, from which the nearest point is not unique.
        const F room = F(1) - dot(curvature, away), least = F(0.1);
        return room < least ? least : room;
    };
    const Vec3<F> position = lifted<F>(place.position), tangent = lifted<F>(place.tangent),
                  curvature = lifted<F>(place.curvature);
    // Zero, but its rate is that of the arc length.
    const F ds = dot(tangent, point - position) / curvature_factor(curvature, point - position);
    const Vec3<F> away = point - (position + tangent * ds);
    const Vec3<F> arm_b = pose.arm_b - pose.gap;
    const auto row = [&](const Vec3<F>& local, const F& error) {
        const Vec3<F> d = pose.axes_b * local;
        return JointRow<F>{d, cross(pose.arm_a, d), cross(arm_b, d), error};
    };
    int i = 0;
    for (const Vec3d& normal : {normals.first, normals.second}) {
        const Vec3<F> n = lifted<F>(normal);
        const Vec3<F> turned = n - tangent * (dot(n, curvature) * ds);
        rows[i++] = row(turned, -dot(turned, away));
    }
    const Vec3<F> ahead = tangent + curvature * ds;
    const Vec3<F> bending = curvature + lifted<F>(place.curvature_rate) * ds;
    rows[2] = row(ahead * (F(-1) / curvature_factor(bending, away)), F(0));
}

} // namespace rigor
