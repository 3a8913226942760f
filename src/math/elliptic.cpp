#include "math/elliptic.h"

#include <algorithm>
#include <array>
#include <limits>

#include "math/double_double.h"
#include "math/trig.h"

namespace rigor {
namespace {

double clamp_parameter(double kc2) {
    return kc2 > 1e-300 ? std::min(kc2, 1.0) : 1e-300;
}

// pi / (2 agm(1, k')). Each step of the arithmetic-geometric mean halves the number of digits in
// which its two values differ; for k' = 1e-150 they agree after nine steps.
DoubleDouble compute_quarter_period(double kc2) {
    DoubleDouble a{1, 0}, b = sqrt(DoubleDouble{kc2, 0});
    for (int i = 0; i < 20 && std::abs(a.hi - b.hi) > 1e-15 * a.hi; ++i) {
        const DoubleDouble sum = a + b;
        b = sqrt(a * b);
        a = {0.5 * sum.hi, 0.5 * sum.lo};
    }
    const DoubleDouble sum = a + b;
    return kHalfPi / DoubleDouble{0.5 * sum.hi, 0.5 * sum.lo};
}

// A body that turns freely asks for the functions of one parameter many times in a row.
DoubleDouble quarter_period(double kc2) {
    struct Known {
        double kc2;
        DoubleDouble period;
    };
    thread_local Known last{1, compute_quarter_period(1)};
    if (last.kc2 != kc2) last = {kc2, compute_quarter_period(kc2)};
    return last.period;
}

// sn u / cn u for 0 <= u <= K/2. [Bulirsch 1965]
double sn_over_cn(double u, double kc2) {
    if (u < 1e-9) return u; // u + O(u³)
    std::array<double, 20> a_steps{}, b_steps{};
    double a = 1, b = std::sqrt(kc2);
    std::size_t n = 0;
    for (bool close = false; !close && n < a_steps.size(); ++n) {
        a_steps[n] = a;
        b_steps[n] = b;
        close = std::abs(a - b) <= 1e-9 * a;
        const double mean = 0.5 * (a + b);
        b = std::sqrt(a * b);
        a = mean;
    }
    // c goes from a cot(phase), at the last Landen step, up to cn/sn.
    const SinCos<double> phase = sin_cos(u * a);
    double ratio = phase.cos / phase.sin, c = a * ratio, dn = 1;
    while (n-- > 0) {
        ratio *= c;
        c *= dn;
        dn = (b_steps[n] + ratio) / (a_steps[n] + ratio);
        ratio = c / a_steps[n];
    }
    return 1 / c;
}

// For 0 <= u <= K, given both u and v = K - u, of which the smaller is the more exact:
//     cn u / sn u = k' sn v / cn v.
Jacobi jacobi_quarter(double u, double v, double kc2) {
    const bool first_half = u <= v;
    const double t = first_half ? sn_over_cn(u, kc2) : std::sqrt(kc2) * sn_over_cn(v, kc2);
    const double longer = 1 / std::sqrt(1 + t * t), shorter = t * longer;
    const double sn = first_half ? shorter : longer, cn = first_half ? longer : shorter;
    return {sn, cn, std::sqrt(cn * cn + kc2 * (sn * sn))};
}

} // namespace

Jacobi jacobi(double u, double kc2) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    if (!std::isfinite(u) || std::isnan(kc2)) return {nan, nan, nan};
    kc2 = clamp_parameter(kc2);
    const DoubleDouble k = quarter_period(kc2);
    // u = 2 K half_turns + rest, |rest| <= K; a half turn changes the signs of sn and cn.
    const double half_turns = std::floor(u / (2 * k.hi) + 0.5);
    const DoubleDouble rest = DoubleDouble{u, 0} + -(DoubleDouble{2 * half_turns, 0} * k);
    const double sign = std::floor(half_turns / 2) * 2 == half_turns ? 1 : -1;
    const DoubleDouble size = rest.hi < 0 ? -rest : rest, left = k + -size;
    const Jacobi j = jacobi_quarter(size.hi, std::max(left.hi, 0.0), kc2);
    return {std::copysign(j.sn, rest.hi) * sign, j.cn * sign, j.dn};
}

double complete_k(double kc2) {
    return std::isnan(kc2) ? kc2 : quarter_period(clamp_parameter(kc2)).hi;
}

double carlson_rf(double x, double y, double z) {
    // Each step leaves the integral unchanged and reduces the differences of the three numbers by a
    // factor of four; the series about their mean then has an error of the sixth power of the
    // differences.
    for (int i = 0; i < 100; ++i) {
        const double mean = (x + y + z) / 3;
        const double dx = (mean - x) / mean, dy = (mean - y) / mean, dz = -(dx + dy);
        const double distance = std::max({std::abs(dx), std::abs(dy), std::abs(dz)});
        if (!(distance > 2e-3)) {
            const double e2 = dx * dy - dz * dz, e3 = dx * dy * dz;
            const double series = 1 - e2 / 10 + e3 / 14 + e2 * e2 / 24 - 3 * e2 * e3 / 44;
            return series / std::sqrt(mean);
        }
        const double root_x = std::sqrt(x), root_y = std::sqrt(y), root_z = std::sqrt(z);
        const double lambda = root_x * root_y + root_z * (root_x + root_y);
        x = 0.25 * (x + lambda);
        y = 0.25 * (y + lambda);
        z = 0.25 * (z + lambda);
    }
    return std::numeric_limits<double>::infinity(); // two of the three were zero
}

double incomplete_f(double s, double c, double kc2) {
    kc2 = clamp_parameter(kc2);
    const double largest = std::max(std::abs(s), std::abs(c));
    if (!(largest > 0)) return s;
    s /= largest;
    c /= largest;
    const double radius = std::sqrt(s * s + c * c);
    s /= radius;
    c /= radius;
    // F = s RF(c², 1 - k² s², 1), where 1 - k² s² = c² + kc2 s² has no cancellation.
    const double from_axis = std::abs(s) * carlson_rf(c * c, c * c + kc2 * s * s, 1);
    const DoubleDouble k = quarter_period(kc2);
    const double whole = c < 0 ? 2 * k.hi - from_axis + 2 * k.lo : from_axis;
    return std::copysign(whole, s);
}

} // namespace rigor
