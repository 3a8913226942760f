#include "math/eigen3.h"

#include <limits>
#include <utility>

#include "rigor/export.h"

namespace rigor {
namespace {

// Rotates the axes p and q (r is the third) so that a(p, q) vanishes [Golub 2013, 8.5].
template <class S>
void rotate_axes(Mat3<S>& a, Mat3<S>& v, int p, int q) {
    const int r = 3 - p - q;
    const S apq = a(p, q);
    if (apq == S(0)) return;
    a(p, q) = a(q, p) = S(0);
    // Below the rounding errors of both eigenvalues.
    const S negligible = std::numeric_limits<S>::epsilon() / S(16);
    if (std::abs(apq) <= negligible * std::sqrt(std::abs(a(p, p))) * std::sqrt(std::abs(a(q, q))))
        return;

    // The tangent of the smaller of the two possible angles.
    const S tau = (a(q, q) - a(p, p)) / (S(2) * apq);
    const S t = std::copysign(S(1), tau) / (std::abs(tau) + std::sqrt(S(1) + tau * tau));
    const S c = S(1) / std::sqrt(S(1) + t * t), s = t * c;
    a(p, p) -= t * apq;
    a(q, q) += t * apq;
    const S arp = a(r, p), arq = a(r, q);
    a(r, p) = a(p, r) = c * arp - s * arq;
    a(r, q) = a(q, r) = s * arp + c * arq;
    const Vec3<S> vp = v.column(p), vq = v.column(q);
    v.column(p) = vp * c - vq * s;
    v.column(q) = vp * s + vq * c;
}

template <class S>
bool is_diagonal(const Mat3<S>& a) {
    return a(0, 1) == S(0) && a(0, 2) == S(0) && a(1, 2) == S(0);
}

template <class S>
void sort_ascending(Vec3<S>& values, Mat3<S>& vectors) {
    for (const auto& [i, j] : {std::pair{0, 1}, std::pair{1, 2}, std::pair{0, 1}}) {
        if (values[j] < values[i]) {
            std::swap(values[i], values[j]);
            std::swap(vectors.column(i), vectors.column(j));
        }
    }
}

// Orthonormalizes the axes, which removes the rounding errors of the rotations, and makes them
// right-handed.
template <class S>
Mat3<S> orthonormalize(const Mat3<S>& v) {
    const Vec3<S> x = normalize(v.cx);
    const Vec3<S> y = normalize(v.cy - x * dot(x, v.cy));
    return {x, y, cross(x, y)};
}

// The power of two that scales the largest entry into [1/2, 1).
template <class S>
int scale_exponent(const Mat3<S>& a) {
    const S largest = max_component(max(max(abs(a.cx), abs(a.cy)), abs(a.cz)));
    int exponent = 0;
    std::frexp(largest, &exponent);
    return exponent;
}

template <class S>
Vec3<S> scale_by_power(const Vec3<S>& v, int exponent) {
    return {std::ldexp(v.x, exponent), std::ldexp(v.y, exponent), std::ldexp(v.z, exponent)};
}

} // namespace

template <class S>
Eigen3<S> eigen(const Sym3<S>& sym) {
    if (!is_finite(sym)) {
        const S nan = std::numeric_limits<S>::quiet_NaN();
        return {{nan, nan, nan}, {}};
    }
    Mat3<S> a = sym.matrix(), v;
    const int exponent = scale_exponent(a);
    for (int j = 0; j < 3; ++j) a.column(j) = scale_by_power(a.column(j), -exponent);

    // Convergence is quadratic: five or six sweeps suffice, the bound is for safety only.
    for (int sweep = 0; sweep < 30 && !is_diagonal(a); ++sweep) {
        rotate_axes(a, v, 0, 1);
        rotate_axes(a, v, 0, 2);
        rotate_axes(a, v, 1, 2);
    }
    Vec3<S> values = scale_by_power(Vec3<S>{a(0, 0), a(1, 1), a(2, 2)}, exponent);
    sort_ascending(values, v);
    return {values, orthonormalize(v)};
}

template Eigen3<float> eigen(const Sym3<float>&);
template RIGOR_API Eigen3<double> eigen(const Sym3<double>&);

} // namespace rigor
