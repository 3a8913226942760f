// Torque-free rotation (Euler top) by Jacobi elliptic functions. [Jacobi 1849], [van Zon and
// Schofield 2007], [Celledoni et al. 2008]; the quadrature for the angle about L is our own choice.
//
// In principal axes, with I1 <= I2 <= I3, the direction m = L/|L| of the angular momentum seen from
// the body follows a closed curve about the axis of the largest or of the smallest moment. Call
// that axis c, the other outer one a, the intermediate one b:
//
//     m_a = A cn u,   m_b = s B sn u,   m_c = s C dn u,   u = u0 + rate t,   s = sign m_c.
//
// All constants are functions of
//
//     D1 = 1 - ε I1,   D2 = 1 - ε I2,   D3 = ε I3 - 1,   ε = 2E/L²,
//
// written as sums over the components of m so that D1 and D3 have no cancellation. The sign of D2
// determines the axis c. The complementary parameter k'² is proportional to |D2|, so it keeps its
// digits near the separatrix, where they determine the flips of an intermediate-axis spin.
//
// The remaining unknown is the angle about L itself. Let e = s times the axis c, and M(m) the
// shortest rotation that takes m to e. Then R(t) = R(0) M(m0)⁻¹ Rot(e, α) M(m1) with
//
//     α' = w·(m + e) / (1 + m·e) = l/I_c + (2E/l - l/I_c) / (1 + C dn u) .
//
// The last term is analytic in a strip of half-width at least K(k') >= π/2 about the real axis and
// of period 2K: a Gauss-Legendre rule of 12 points on panels of width 1 has an error below 1e-17
// (the Bernstein ellipse has ρ > 6.4 and the error falls as ρ^-24). The incomplete integral of the
// third kind, which is the textbook solution, has a pole as C approaches 1, the most common case of
// all: a body spinning nearly about a principal axis.

#include "dynamics/free_rotation.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "math/elliptic.h"
#include "rigor/rotation.h"

namespace rigor {
namespace {

// The principal axes by ascending moments, as a right-handed frame: for an odd permutation the last
// axis is reversed.
struct AscendingAxes {
    std::array<int, 3> order{0, 1, 2};
    double sign = 1;

    explicit AscendingAxes(const Vec3d& moments) {
        const auto sort = [&](std::size_t a, std::size_t b) {
            if (moments[order[a]] <= moments[order[b]]) return;
            std::swap(order[a], order[b]);
            sign = -sign;
        };
        sort(0, 1);
        sort(1, 2);
        sort(0, 1);
    }

    Vec3d enter(const Vec3d& v) const { return {v[order[0]], v[order[1]], v[order[2]] * sign}; }
    Vec3d leave(const Vec3d& v) const {
        Vec3d out;
        out[order[0]] = v.x;
        out[order[1]] = v.y;
        out[order[2]] = v.z * sign;
        return out;
    }
};

// The curve of m in the body, and the position of the body on it at t = 0.
struct Polhode {
    int a, b, c;     // axes: cn, sn, dn
    double sign;     // of m_c
    Vec3d amplitude; // A, B, C
    double rate;     // of the argument u, per unit of |L|
    double kc2;      // complementary parameter 1 - k²
    double u0;       // argument at t = 0
    double drift;    // 2E/l - l/I_c, per unit of |L|
};

Polhode polhode(const Vec3d& moments, const Vec3d& m) {
    const auto& [i1, i2, i3] = moments;
    const double i21 = i2 - i1, i31 = i3 - i1, i32 = i3 - i2;
    const Vec3d m2 = multiply(m, m);
    const double d1 = m2.y * i21 / i2 + m2.z * i31 / i3;
    const double d2 = m2.z * i32 / i3 - m2.x * i21 / i1;
    const double d3 = m2.x * i31 / i1 + m2.y * i32 / i2;
    const double product = i1 * i2 * i3;

    Polhode p;
    double ratio; // B/A
    p.b = 1;
    if (d2 > 0 || (d2 == 0 && i32 >= i21)) { // about the largest moment
        p.a = 0, p.c = 2;
        p.amplitude = {std::sqrt(i1 * d3 / i31), std::sqrt(i2 * d3 / i32),
                       std::sqrt(i3 * d1 / i31)};
        p.rate = std::sqrt(d1 * i32 / product);
        p.kc2 = i31 * d2 / (i32 * d1);
        p.drift = d3 / i3;
        ratio = std::sqrt(i2 * i31 / (i1 * i32));
    } else { // about the smallest
        p.a = 2, p.c = 0;
        p.amplitude = {std::sqrt(i3 * d1 / i31), std::sqrt(i2 * d1 / i21),
                       std::sqrt(i1 * d3 / i31)};
        p.rate = std::sqrt(d3 * i21 / product);
        p.kc2 = i31 * -d2 / (i21 * d3);
        p.drift = -d1 / i1;
        ratio = std::sqrt(i2 * i31 / (i3 * i21));
    }
    p.sign = std::copysign(1.0, m[p.c]);
    p.kc2 = std::clamp(p.kc2, 0.0, 1.0);
    p.amplitude.z = std::min(p.amplitude.z, 1.0);
    // From the ratio of the two components: both amplitudes may be nearly zero.
    p.u0 = incomplete_f(p.sign * m[p.b], m[p.a] * ratio, p.kc2);
    return p;
}

Vec3d direction_at(const Polhode& p, double u) {
    const Jacobi f = jacobi(u, p.kc2);
    Vec3d m;
    m[p.a] = p.amplitude.x * f.cn;
    m[p.b] = p.amplitude.y * f.sn * p.sign;
    m[p.c] = p.amplitude.z * f.dn * p.sign;
    return normalize(m);
}

// True when w is parallel to L to double precision: a spin about a principal axis, or a body with
// equal moments. It continues indefinitely, even about the unstable axis: there is no disturbance.
bool is_steady(const Vec3d& moments, const Vec3d& m) {
    const auto& [i1, i2, i3] = moments;
    constexpr double kEqual = 1e-15; // moments of a ball differ by rounding
    if (i3 - i1 <= kEqual * i3) return true;
    const Vec3d torque{m.y * m.z * (i3 - i2) / (i3 * i2), m.z * m.x * (i3 - i1) / (i3 * i1),
                       m.x * m.y * (i2 - i1) / (i2 * i1)};
    return length_squared(torque * i1) == 0;
}

// Nodes and weights on [-1, 1], the positive half: the rule is symmetric.
struct GaussPoint {
    double node, weight;
};
constexpr std::array<GaussPoint, 3> kGauss6 = {{
    {0.23861918608319690863, 0.46791393457269104739},
    {0.66120938646626451366, 0.36076157304813860757},
    {0.93246951420315202781, 0.17132449237917034504},
}};
constexpr std::array<GaussPoint, 6> kGauss12 = {{
    {0.12523340851146891547, 0.24914704581340278500},
    {0.36783149899818019375, 0.23349253653835480876},
    {0.58731795428661744730, 0.20316742672306592175},
    {0.76990267419430468704, 0.16007832854334622633},
    {0.90411725637047485668, 0.10693932599531843096},
    {0.98156063424671925069, 0.04717533638651182720},
}};

// The mean of 1/(1 + c dn u) over a panel.
template <std::size_t N>
double panel_mean(const std::array<GaussPoint, N>& rule, double from, double width, double c,
                  double kc2) {
    const double middle = from + 0.5 * width, half = 0.5 * width;
    double sum = 0;
    for (const GaussPoint& g : rule) {
        const double left = 1 + c * jacobi(middle - half * g.node, kc2).dn;
        const double right = 1 + c * jacobi(middle + half * g.node, kc2).dn;
        sum += g.weight * (1 / left + 1 / right);
    }
    return 0.5 * sum;
}

double panels_mean(double from, double width, double c, double kc2) {
    // A step of a simulation is short: half the points suffice. (ρ > 50 at a width of 0.12.)
    if (std::abs(width) <= 0.12) return panel_mean(kGauss6, from, width, c, kc2);
    const int n = static_cast<int>(std::ceil(std::abs(width)));
    const double part = width / n;
    double sum = 0;
    for (int i = 0; i < n; ++i) sum += panel_mean(kGauss12, from + i * part, part, c, kc2);
    return sum / n;
}

// The mean of 1/(1 + c dn u) from u0 to u0 + width. A mean, so that a slow body (a rate near zero)
// loses no digits. Whole periods 2K are evaluated at once, by the symmetry of dn from a quarter.
double mean(double u0, double width, double c, double kc2) {
    const double period = 2 * complete_k(kc2);
    if (std::abs(width) <= period) return panels_mean(u0, width, c, kc2);
    const double whole = panels_mean(0, period / 2, c, kc2);
    // After so many periods the phase is lost to rounding, and the fraction of a period is
    // negligible.
    if (!(std::abs(width) < 1e15 * period)) return whole;
    const double rest = width - std::trunc(width / period) * period;
    return whole + (panels_mean(u0, rest, c, kc2) - whole) * (rest / width);
}

} // namespace

Quatd rotate_freely(const Vec3d& moments, const Quatd& q, const Vec3d& l, double t) {
    const double magnitude = length(l);
    if (magnitude == 0) return q;
    if (!std::isfinite(magnitude * t)) return q * std::numeric_limits<double>::quiet_NaN();
    const AscendingAxes axes(moments);
    const Vec3d ascending = {moments[axes.order[0]], moments[axes.order[1]],
                             moments[axes.order[2]]};
    const Vec3d m0 = axes.enter(normalize(inverse_rotate(q, l / magnitude)));

    if (is_steady(ascending, m0)) {
        const Vec3d w = axes.leave({m0.x / ascending.x, m0.y / ascending.y, m0.z / ascending.z});
        return normalize(from_rotation_vector(rotate(q, w) * (magnitude * t)) * q);
    }

    const Polhode p = polhode(ascending, m0);
    const double width = p.rate * magnitude * t;
    const double angle =
        magnitude * t * (1 / ascending[p.c] + p.drift * mean(p.u0, width, p.amplitude.z, p.kc2));
    Vec3d axis;
    axis[p.c] = p.sign;
    const Quatd start = rotation_between(m0, axis);
    const Quatd end = rotation_between(direction_at(p, p.u0 + width), axis);
    const Quatd rotation = conjugate(start) * from_axis_angle(axis, angle) * end;
    return normalize(q * Quatd::from_parts(rotation.w, axes.leave(rotation.vec())));
}

} // namespace rigor
