#include "impact_path.h"

namespace check {
namespace {

double tangential(Vec u) {
    return std::hypot(u.x, u.y);
}

/// A point of the way through an impact: the impulse so far and what its normal part has done.
struct Point {
    Vec p;
    double compression = 0, restitution = 0; ///< works while u.z < 0 and after
    double compressed = 0;                   ///< normal impulse while u.z < 0
};

struct Impact {
    const Mat& k;
    Vec u0;
    double friction, e;
    const std::string& law;

    Vec u(Vec p) const { return u0 + k * p; }

    /// Not negative where the law ends the impact.
    double end(const Point& at) const {
        if (law == "newton") return u(at.p).z + e * u0.z;
        if (law == "poisson") return at.p.z - at.compressed * (1 + e);
        return at.restitution + e * e * at.compression;
    }
    /// Sliding: friction is largest and acts against the slip. As a function of s with dp = |u_T|
    /// ds the slip decays and never ends, and nothing is singular.
    Vec sliding(Vec p) const {
        const Vec v = u(p);
        return {-friction * v.x, -friction * v.y, tangential(v)};
    }
    /// One step of Runge and Kutta, with the work u.z dp.z.
    Point slide(const Point& from, double ds, bool compresses) const {
        const Vec p1 = from.p, k1 = sliding(p1), p2 = p1 + k1 * (ds / 2), k2 = sliding(p2);
        const Vec p3 = p1 + k2 * (ds / 2), k3 = sliding(p3), p4 = p1 + k3 * ds, k4 = sliding(p4);
        const double work =
            ds / 6 * (u(p1).z * k1.z + 2 * u(p2).z * k2.z + 2 * u(p3).z * k3.z + u(p4).z * k4.z);
        return moved(from, (k1 + k2 * 2 + k3 * 2 + k4) * (ds / 6), work, compresses);
    }
    /// Along a straight way u is linear, and so the work is exact.
    Point straight(const Point& from, Vec d, double normal, bool compresses) const {
        return moved(from, d * normal, u(from.p).z * normal + 0.5 * (k * d).z * normal * normal,
                     compresses);
    }
    static Point moved(Point at, Vec dp, double work, bool compresses) {
        at.p += dp;
        (compresses ? at.compression : at.restitution) += work;
        if (compresses) at.compressed += dp.z;
        return at;
    }
};

/// The first length of a stretch, at most `most`, at which `passed` holds; it does at `most`.
template <class Passed>
double first_length(double most, Passed passed) {
    double low = 0, high = most;
    for (int i = 0; i < 80; ++i) (passed((low + high) / 2) ? high : low) = (low + high) / 2;
    return high;
}

/// From a point on, to the end of the impact without slip; false if friction cannot hold it.
bool stick(const Impact& impact, Point& at, bool compresses) {
    const Mat& k = impact.k;
    const double a = k.row[0].x, b = k.row[0].y, c = k.row[1].y, det = a * c - b * b;
    const double x = k.row[0].z, y = k.row[1].z;
    Vec d{0, 0, 1};
    if (impact.friction > 0) {
        if (!(det > 1e-12 * a * c)) return false;
        d = {-(c * x - b * y) / det, -(a * y - b * x) / det, 1};
        if (std::hypot(d.x, d.y) > impact.friction) return false;
    }
    const double slope = (k * d).z;
    if (!(slope > 0)) return false;
    if (compresses) at = impact.straight(at, d, -impact.u(at.p).z / slope, true);
    const auto over = [&](double normal) {
        return impact.end(impact.straight(at, d, normal, false)) >= 0;
    };
    if (over(0)) return true;
    double most = length(impact.u0) / slope;
    while (!over(most)) most *= 2;
    at = impact.straight(at, d, first_length(most, over), false);
    return true;
}

} // namespace

ImpactResult follow_impact(const Mat& k, Vec u0, double friction, double e,
                           const std::string& law) {
    const Impact impact{k, u0, friction, e, law};
    Point at;
    const auto result = [&](bool certain) {
        return ImpactResult{at.p, at.compression, at.restitution, certain};
    };
    // The direction of the slip turns, and its speed falls, at no more than this rate.
    const double fastest =
        friction * (k.row[0].x + k.row[1].y) + std::hypot(k.row[0].z, k.row[1].z);
    const double h = 0.01 / fastest;
    bool compresses = true;
    for (int step = 0; step < 100'000; ++step) {
        if (friction == 0 || tangential(impact.u(at.p)) < 1e-11 * length(u0))
            return result(stick(impact, at, compresses));
        const auto has_passed = [&](double ds) {
            const Point next = impact.slide(at, ds, compresses);
            const double un = impact.u(next.p).z;
            return compresses ? un >= 0 : un < 0 || impact.end(next) >= 0;
        };
        if (!has_passed(h)) {
            at = impact.slide(at, h, compresses);
            continue;
        }
        at = impact.slide(at, first_length(h, has_passed), compresses);
        if (!compresses && impact.end(at) >= 0) return result(true);
        compresses = !compresses;
        if (!compresses && impact.end(at) >= 0) return result(true);
    }
    return result(false);
}

} // namespace check
