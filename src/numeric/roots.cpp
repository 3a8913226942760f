#include "numeric/roots.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/assert.h"
#include "math/double_double.h"

namespace rigor {
namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

// The state of a search: the newest point, the end of opposite sign, and the previous point.
struct Bracket {
    double x1, f1; // newest
    double x2, f2; // f2 has the other sign
    double x3, f3;

    double width() const { return std::abs(x2 - x1); }

    // The next point, as a fraction of the distance from x1 to x2: by inverse quadratic
    // interpolation where the three points make it monotone, else the midpoint [Chandrupatla 1997].
    double fraction() const {
        const double xi = (x1 - x2) / (x3 - x2), phi = (f1 - f2) / (f3 - f2);
        if (!(phi * phi < xi && (1 - phi) * (1 - phi) < 1 - xi)) return 0.5;
        const double t = f1 / (f2 - f1) * (f3 / (f2 - f3)) +
                         (x3 - x1) / (x2 - x1) * (f1 / (f3 - f1)) * (f2 / (f3 - f2));
        return std::isfinite(t) ? t : 0.5;
    }

    void add(double x, double f, bool same_sign_as_newest) {
        x3 = same_sign_as_newest ? x1 : x2;
        f3 = same_sign_as_newest ? f1 : f2;
        if (!same_sign_as_newest) {
            x2 = x1;
            f2 = f1;
        }
        x1 = x;
        f1 = f;
    }
};

} // namespace

BracketedRoot find_root(const std::function<double(double)>& f, double a, double b,
                        double tolerance, RootSide side) {
    const double fa = f(a), fb = f(b);
    if (!std::isfinite(fa) || !std::isfinite(fb) || !std::isfinite(b - a))
        return {RootStatus::not_finite, a, fa, 2};
    if (fa == 0) return {RootStatus::found, a, fa, 2};
    if (fb == 0) return {RootStatus::found, b, fb, 2};
    if ((fa < 0) == (fb < 0)) return {RootStatus::not_bracketed, a, fa, 2};

    // Zero belongs to the side that was not requested.
    const bool zero_is_negative = (side == RootSide::first) == (fa > 0);
    const auto negative = [&](double value) {
        return value < 0 || (value == 0 && zero_is_negative);
    };
    const double spacing = 2 * kEpsilon * std::max(std::abs(a), std::abs(b));
    const double goal = std::max({tolerance, spacing, std::numeric_limits<double>::min()});
    Bracket s{b, fb, a, fa, a, fa};
    int evaluations = 2;
    double checked_width = s.width();
    double t = 0.5;
    while (s.width() > goal) {
        // At least half the tolerance away from either end, so that the last two points bracket the
        // root.
        const double least = 0.5 * goal / s.width();
        const double x = s.x1 + std::clamp(t, least, 1 - least) * (s.x2 - s.x1), fx = f(x);
        ++evaluations;
        if (!std::isfinite(fx)) return {RootStatus::not_finite, x, fx, evaluations};
        if (fx == 0 && side == RootSide::nearest) return {RootStatus::found, x, fx, evaluations};
        s.add(x, fx, negative(fx) == negative(s.f1));
        t = s.fraction();
        // Three evaluations must at least halve the bracket, else the midpoint is taken.
        if (evaluations % 3 == 0) {
            if (s.width() > 0.5 * checked_width) t = 0.5;
            checked_width = s.width();
        }
    }
    bool take_newest = std::abs(s.f1) <= std::abs(s.f2);
    if (side != RootSide::nearest)
        take_newest = negative(s.f1) == negative(side == RootSide::first ? fa : fb);
    return {RootStatus::found, take_newest ? s.x1 : s.x2, take_newest ? s.f1 : s.f2, evaluations};
}

namespace {

// A power of two that scales the largest of the numbers to about 1.
double scale_of(std::span<const double> c) {
    double largest = 0;
    for (const double x : c) largest = std::max(largest, std::abs(x));
    int exponent = 0;
    std::frexp(largest, &exponent);
    return std::ldexp(1.0, std::clamp(-exponent, -1022, 1022));
}

void sort_two(RealRoots& roots) {
    if (roots.x[1] < roots.x[0]) std::swap(roots.x[0], roots.x[1]);
}

} // namespace

RealRoots quadratic_roots(double a, double b, double c) {
    const double scale = scale_of(std::array{a, b, c});
    a *= scale;
    b *= scale;
    c *= scale;
    if (!std::isfinite(a) || !std::isfinite(b) || !std::isfinite(c)) return {};
    if (a == 0) return b == 0 ? RealRoots{} : RealRoots{{-c / b}, 1};
    const double half = 0.5 * b;
    const DoubleDouble discriminant = two_product(half, half) + -two_product(a, c);
    if (discriminant.hi < 0) return {};
    if (discriminant.hi == 0) return {{-half / a}, 1};
    const double q = -(half + std::copysign(std::sqrt(discriminant.hi), half));
    RealRoots roots{{q / a, c / q}, 2};
    sort_two(roots);
    // A leading coefficient so small that the larger root overflows is treated as zero.
    if (!std::isfinite(roots.x[1])) --roots.count;
    if (!std::isfinite(roots.x[0])) return {{roots.x[1]}, roots.count - 1};
    return roots;
}

namespace {

// A polynomial of degree <= 4 with coefficients of size about 1, on [-1, 1].
struct Polynomial {
    std::array<double, 5> c{};
    int degree = 0;

    double operator[](int i) const { return c[static_cast<std::size_t>(i)]; }

    double value(double x) const {
        double sum = 0;
        for (int i = degree; i >= 0; --i) sum = sum * x + (*this)[i];
        return sum;
    }
    // Bound of the rounding error of value(x).
    double noise(double x) const {
        double sum = 0;
        for (int i = degree; i >= 0; --i) sum = sum * std::abs(x) + std::abs((*this)[i]);
        return 2 * (degree + 1) * kEpsilon * sum;
    }
    bool vanishes_at(double x) const { return std::abs(value(x)) <= noise(x); }

    Polynomial derivative() const {
        Polynomial d{{}, degree - 1};
        for (int i = 1; i <= degree; ++i) d.c[static_cast<std::size_t>(i - 1)] = i * (*this)[i];
        return d;
    }
    // xⁿ p(1/x), whose roots within [-1, 1] are the reciprocals of those outside.
    Polynomial reversed() const {
        Polynomial r{{}, degree};
        for (int i = 0; i <= degree; ++i) r.c[static_cast<std::size_t>(i)] = (*this)[degree - i];
        return r;
    }
};

// Appends x unless it repeats the last root: the polynomial is zero everywhere between the two.
void append(RealRoots& roots, const Polynomial& p, double x) {
    if (roots.count > 0) {
        const double last = roots[roots.count - 1];
        if (x == last || (std::abs(x - last) < 1e-3 && p.vanishes_at(0.5 * (x + last)))) return;
    }
    if (roots.count < 4) roots.x[static_cast<std::size_t>(roots.count++)] = x;
}

// Newton steps give a root near zero its relative precision; a step away from the bracketed root is
// rejected.
double polish(const Polynomial& p, double x) {
    const Polynomial d = p.derivative();
    for (int i = 0; i < 2; ++i) {
        const double slope = d.value(x), next = slope != 0 ? x - p.value(x) / slope : x;
        if (!(std::abs(next - x) <= 1e-14 * std::max(1.0, std::abs(x))) ||
            std::abs(p.value(next)) > std::abs(p.value(x)))
            break;
        x = next;
    }
    return x;
}

RealRoots roots_within_one(const Polynomial& p) {
    RealRoots roots;
    if (p.degree <= 0) return roots;
    const RealRoots turns = roots_within_one(p.derivative());
    std::array<double, 6> points{-1};
    std::size_t count = 1;
    for (const double x : turns) points[count++] = x;
    points[count++] = 1;
    if (p.vanishes_at(points[0])) append(roots, p, points[0]);
    for (std::size_t i = 1; i < count; ++i) {
        const double a = points[i - 1], b = points[i];
        if (p.vanishes_at(b)) {
            append(roots, p, b);
        } else if (!p.vanishes_at(a) && (p.value(a) < 0) != (p.value(b) < 0)) {
            const auto f = [&](double x) { return p.value(x); };
            append(roots, p, polish(p, find_root(f, a, b).x));
        }
    }
    return roots;
}

} // namespace

RealRoots polynomial_roots(std::span<const double> coefficients) {
    RIGOR_ASSERT(coefficients.size() <= 5);
    const double scale = scale_of(coefficients);
    // Powers of x that divide the polynomial: the root zero, exactly.
    std::size_t zeros = 0;
    while (zeros < coefficients.size() && coefficients[zeros] == 0) ++zeros;
    Polynomial p;
    for (std::size_t i = zeros; i < coefficients.size(); ++i) {
        p.c[i - zeros] = coefficients[i] * scale;
        if (!std::isfinite(p.c[i - zeros])) return {};
        if (coefficients[i] != 0) p.degree = static_cast<int>(i - zeros);
    }
    if (zeros == coefficients.size()) return {};

    // Ascending: below -1, [-1, 0), 0, (0, 1], above 1.
    const RealRoots inner = roots_within_one(p), outer = roots_within_one(p.reversed());
    RealRoots roots;
    const auto append_outer = [&](bool positive) {
        for (int i = outer.count; i-- > 0;) {
            const double x = 1 / outer[i];
            if (std::abs(outer[i]) < 1 && (outer[i] > 0) == positive && std::isfinite(x))
                append(roots, p, polish(p, x));
        }
    };
    append_outer(false);
    for (const double x : inner)
        if (x < 0) append(roots, p, x);
    if (zeros > 0 && roots.count < 4) roots.x[static_cast<std::size_t>(roots.count++)] = 0;
    for (const double x : inner)
        if (x > 0) append(roots, p, x);
    append_outer(true);
    return roots;
}

} // namespace rigor
