// Root finding: bracketed roots of any function, and real roots of polynomials.
#pragma once

#include <array>
#include <functional>
#include <span>

namespace rigor {

/// On which side of the root the result must lie.
enum class RootSide {
    nearest, // whichever end of the last bracket has the smaller value
    first,   // where f has the sign it has at the first end (a time before contact, say)
    second,  // where f has the sign it has at the second end
};

enum class RootStatus { found, not_bracketed, not_finite };

struct BracketedRoot {
    RootStatus status = RootStatus::not_bracketed;
    double x = 0;     // within `tolerance` of a change of sign
    double value = 0; // f(x)
    int evaluations = 0;
};

/// A change of sign of f between a and b, by inverse quadratic interpolation and bisection
/// [Chandrupatla 1997]: about ten evaluations for smooth functions, and never more than six times
/// those of bisection, for any f. The bracket is narrowed to `tolerance`, or to the spacing of
/// doubles when that is wider. When a side is requested, a value of zero counts as the other side;
/// an end where f is zero is a root at once.
BracketedRoot find_root(const std::function<double(double)>& f, double a, double b,
                        double tolerance = 0, RootSide side = RootSide::nearest);

/// Real roots in ascending order, each once, regardless of multiplicity.
struct RealRoots {
    std::array<double, 4> x{};
    int count = 0;

    const double* begin() const { return x.data(); }
    const double* end() const { return x.data() + count; }
    double operator[](int i) const { return x[static_cast<std::size_t>(i)]; }
};

/// a x² + b x + c = 0. The discriminant is formed exactly and the smaller root comes from the
/// product of both, which avoids cancellation. a may be zero; a = b = 0 has no roots.
RealRoots quadratic_roots(double a, double b, double c);

/// c[0] + c[1] x + ... + c[n] xⁿ = 0 for n <= 4. Leading coefficients may be zero; if all
/// coefficients are zero, or one is not finite, there are no roots.
///
/// Between two roots of its derivative a polynomial is monotone, so every simple root is
/// bracketed and found. A point where it only touches zero counts as a root when its value
/// there is within rounding of zero.
RealRoots polynomial_roots(std::span<const double> coefficients);

} // namespace rigor
