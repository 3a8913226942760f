// Motion along tracks: bead_on_track.

#include <algorithm>
#include <cmath>

#include "checks.h"
#include "worlds.h"

namespace rigor::validation {
namespace {

constexpr double kRadius = 0.5;                      // of the circle that generates the cycloid, m
constexpr double kReleases[] = {0.5, 1.0, 1.6, 2.4}; // angles of that circle

/// Its cusps are above, the lowest point is at pi.
Vec3d cycloid(double angle) {
    return Vec3d{angle - std::sin(angle), 0, std::cos(angle) - 1} * kRadius;
}

/// The time from rest to the lowest point, on a curve through so many points of the cycloid.
double time_of_descent(Method method, int points, double release) {
    World world = world_of(method);
    std::vector<Vec3d> curve;
    for (int i = 0; i < points; ++i) curve.push_back(cycloid(2 * kPi * i / (points - 1)));
    const BodyId bead = world.add_body(point_mass(cycloid(release), 1)).value();
    world.add_joint({.a = bead, .anchor = cycloid(release), .kind = TrackJoint{curve}}).value();
    return first_passage(
               world, [&] { return world.state(bead).position.x; }, kPi * kRadius, 2)
        .time;
}

} // namespace

// The tautochrone: from every height the descent takes pi sqrt(a / g). A cubic spline through more
// points is nearer to the cycloid.
void check_bead_on_track(Reporter& reporter) {
    const double expected = kPi * std::sqrt(kRadius / kGravity);
    for (const auto& [method, tolerance] :
         {std::pair{Method::fast, 0.01}, {Method::faithful, 1e-6}}) {
        const Bound bound{method, tolerance};
        std::vector<double> errors;
        for (const int points : {50, 100, 200}) {
            double worst = 0, time = 0;
            for (const double release : kReleases) {
                const double t = time_of_descent(method, points, release);
                const double error = relative(t, expected);
                if (!(error <= worst)) worst = error, time = t;
            }
            errors.push_back(worst);
            if (points == 200)
                reporter.expect(bound, "slowest or fastest of four descents, s", {expected}, {time},
                                worst);
        }
        if (method == Method::faithful)
            reporter.expect(Bound{method, 0.25}, "error with 200 points over that with 100", {0},
                            {errors[2] / errors[1]}, errors[2] / errors[1]);
    }
}

} // namespace rigor::validation
