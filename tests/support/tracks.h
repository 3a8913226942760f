// Curves of tracks that tests share, and the motion of a bead on one as an equation of its arc
// length alone.
#pragma once

#include <array>
#include <cmath>
#include <vector>

#include "model/track_curve.h"
#include "numeric/ode.h"
#include "rigor/world.h"

namespace rigor::test {

inline constexpr double kTrackPi = 3.14159265358979323846;

/// In the vertical plane x, z; from the lowest point, anticlockwise.
inline std::vector<Vec3d> vertical_circle(int n, double radius) {
    std::vector<Vec3d> points;
    for (int i = 0; i < n; ++i) {
        const double a = 2 * kTrackPi * i / n;
        points.push_back({radius * std::sin(a), 0, -radius * std::cos(a)});
    }
    return points;
}

inline std::vector<Vec3d> level_circle(int n, double radius) {
    std::vector<Vec3d> points;
    for (int i = 0; i < n; ++i) {
        const double a = 2 * kTrackPi * i / n;
        points.push_back({radius * std::cos(a), radius * std::sin(a), 0});
    }
    return points;
}

/// Down the z axis.
inline std::vector<Vec3d> falling_helix(int n, int turns, double radius, double pitch) {
    std::vector<Vec3d> points;
    for (int i = 0; i <= n; ++i) {
        const double a = 2 * kTrackPi * turns * i / n;
        points.push_back({radius * std::cos(a), radius * std::sin(a), -pitch * a / (2 * kTrackPi)});
    }
    return points;
}

/// z = x² / 2.
inline std::vector<Vec3d> parabola(int n, double half_width) {
    std::vector<Vec3d> points;
    for (int i = 0; i <= n; ++i) {
        const double x = half_width * (2.0 * i / n - 1);
        points.push_back({x, 0, 0.5 * x * x});
    }
    return points;
}

/// A smooth closed course with hills and a crossing.
inline std::vector<Vec3d> course(int n) {
    std::vector<Vec3d> points;
    for (int i = 0; i < n; ++i) {
        const double a = 2 * kTrackPi * i / n;
        points.push_back(
            {6 * std::sin(a), 3 * std::sin(2 * a), 1.5 * std::cos(a) + 0.5 * std::cos(3 * a)});
    }
    return points;
}

inline BodyDef bead(const Vec3d& position, const Vec3d& velocity = {}, double mass = 2) {
    BodyDef def;
    def.position = position;
    def.velocity = velocity;
    def.mass_properties = MassProperties{mass, {}, Sym3d::diagonal({0.1, 0.2, 0.25})};
    return def;
}

/// Arc length and speed after a time: s'' = g·T(s).
inline std::array<double, 2> bead_after(const TrackCurve& curve, const Vec3d& gravity, double s,
                                        double speed, double time) {
    std::array<double, 2> y{s, speed};
    OdeSettings settings;
    settings.relative_tolerance = settings.absolute_tolerance = 1e-13;
    DormandPrince(settings).integrate(
        [&](double, auto at, auto rate) {
            rate[0] = at[1];
            rate[1] = dot(gravity, curve.at(at[0]).tangent);
        },
        0, time, y);
    return y;
}

} // namespace rigor::test
