// Moments of rounded solids of revolution, from their profile.

#include "geometry/rounded_moments.h"
#include "math/trig.h"

namespace rigor {
namespace {

constexpr double kTau = 2 * kPi<double>;

// Powers c^i s^j of a direction (c, s) of the profile: of one direction, or summed over an arc.
struct DirectionSums {
    double c0s0 = 0, c1s0 = 0, c0s1 = 0, c2s0 = 0, c1s1 = 0, c0s2 = 0, c3s0 = 0, c1s2 = 0;
};

DirectionSums single(double c, double s, double weight) {
    return {weight,         weight * c,     weight * s,         weight * c * c,
            weight * c * s, weight * s * s, weight * c * c * c, weight * c * s * s};
}

// Integrals over the angle from direction (c0, s0) clockwise to (c1, s1).
DirectionSums arc(double c0, double s0, double c1, double s1) {
    const double angle = atan2(c1 * s0 - s1 * c0, c0 * c1 + s0 * s1);
    const double turn = s0 * c0 - s1 * c1;
    const auto cubed = [](double x) { return x * x * x; };
    return {angle,
            s0 - s1,
            c1 - c0,
            (angle + turn) / 2,
            (s0 * s0 - s1 * s1) / 2,
            (angle - turn) / 2,
            (s0 - s1) - (cubed(s0) - cubed(s1)) / 3,
            (cubed(s0) - cubed(s1)) / 3};
}

// With x² + y² = r² spread evenly, both x² and y² get half.
Moments axial(double m, double z, double zz, double rr) {
    return {m, {0, 0, z}, Sym3d::diagonal({rr / 2, rr / 2, zz})};
}

// The points (r, z) + u (c, s) with u from 0 to the rounding, revolved: each contributes 2 pi (r +
// u c) times 1, z + u s, (z + u s)², (r + u c)². The measure is u^extra du: extra is 0 along a
// segment and 1 around a corner. Sorted by powers of u, then integrated.
void add_offsets(RoundedMoments& out, double r, double z, const DirectionSums& d, int extra) {
    const double zz = z * z, rr = r * r;
    const Moments by_power[4] = {
        axial(r * d.c0s0, r * z * d.c0s0, r * zz * d.c0s0, rr * r * d.c0s0),
        axial(d.c1s0, r * d.c0s1 + z * d.c1s0, 2 * r * z * d.c0s1 + zz * d.c1s0, 3 * rr * d.c1s0),
        axial(0, d.c1s1, r * d.c0s2 + 2 * z * d.c1s1, 3 * r * d.c2s0),
        axial(0, 0, d.c1s2, d.c3s0),
    };
    for (int k = 0; k < 4; ++k) {
        const int power = k + 1 + extra;
        out.power[static_cast<std::size_t>(power)] += by_power[k] * (kTau / power);
    }
}

// Gauss-Legendre on [0, 1]: two nodes are exact to degree 3, three to degree 5.
constexpr double kGauss2 = 0.28867513459481288225; // half of 1/sqrt(3)
constexpr double kGauss3 = 0.38729833462074168852; // half of sqrt(3/5)

// Between the axis and the segment: disks of area pi r², whose integrands are of degree 4.
void add_core(RoundedMoments& out, const ProfilePiece& p) {
    const double height = p.z0 - p.z1;
    for (const auto& [t, weight] : {std::pair(0.5 - kGauss3, 5.0 / 18), std::pair(0.5, 8.0 / 18),
                                    std::pair(0.5 + kGauss3, 5.0 / 18)}) {
        const double r = p.r0 + (p.r1 - p.r0) * t, z = p.z0 + (p.z1 - p.z0) * t;
        const double disk = weight * height * kPi<double> * r * r;
        out.power[0] += axial(disk, disk * z, disk * z * z, disk * r * r / 2);
    }
}

// Along the segment: integrands of degree 3.
void add_side(RoundedMoments& out, const ProfilePiece& p) {
    const double length = std::sqrt((p.r1 - p.r0) * (p.r1 - p.r0) + (p.z1 - p.z0) * (p.z1 - p.z0));
    for (const double t : {0.5 - kGauss2, 0.5 + kGauss2}) {
        add_offsets(out, p.r0 + (p.r1 - p.r0) * t, p.z0 + (p.z1 - p.z0) * t,
                    single(p.normal_r, p.normal_z, length / 2), 0);
    }
}

} // namespace

RoundedMoments revolve(std::span<const ProfilePiece> pieces) {
    RoundedMoments out;
    double c = 0, s = 1;
    for (const ProfilePiece& p : pieces) {
        add_offsets(out, p.r0, p.z0, arc(c, s, p.normal_r, p.normal_z), 1);
        add_core(out, p);
        add_side(out, p);
        c = p.normal_r;
        s = p.normal_z;
    }
    add_offsets(out, pieces.back().r1, pieces.back().z1, arc(c, s, 0, -1), 1);
    return out;
}

} // namespace rigor
