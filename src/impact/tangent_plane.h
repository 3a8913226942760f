// Vectors and symmetric matrices of the tangent plane of a contact.
#pragma once

#include <cmath>

namespace rigor::contact_dynamics {

struct Vec2 {
    double x = 0, y = 0;

    friend constexpr Vec2 operator+(const Vec2& a, const Vec2& b) { return {a.x + b.x, a.y + b.y}; }
    friend constexpr Vec2 operator-(const Vec2& a, const Vec2& b) { return {a.x - b.x, a.y - b.y}; }
    friend constexpr Vec2 operator*(const Vec2& v, double s) { return {v.x * s, v.y * s}; }
    friend constexpr bool operator==(const Vec2&, const Vec2&) = default;
};

constexpr double dot(const Vec2& a, const Vec2& b) {
    return a.x * b.x + a.y * b.y;
}
/// The cross product of a and b in the plane: how far b is to the left of a.
constexpr double cross(const Vec2& a, const Vec2& b) {
    return a.x * b.y - a.y * b.x;
}
inline double length(const Vec2& v) {
    return std::sqrt(dot(v, v));
}

struct Sym2 {
    double xx = 0, xy = 0, yy = 0;

    constexpr double trace() const { return xx + yy; }
    constexpr double determinant() const { return xx * yy - xy * xy; }
    /// The inverse times v. Where the matrix is singular to rounding, as for a body on a rail, the
    /// solution of least norm: with only one nonzero eigenvalue, the trace, that is (M/trace²) v.
    constexpr Vec2 solve(const Vec2& v) const {
        const double det = determinant(), square = trace() * trace();
        if (!(det > 1e-13 * square)) return square > 0 ? (*this * v) * (1 / square) : Vec2{};
        return Vec2{yy * v.x - xy * v.y, xx * v.y - xy * v.x} * (1 / det);
    }
    friend constexpr Vec2 operator*(const Sym2& a, const Vec2& v) {
        return {a.xx * v.x + a.xy * v.y, a.xy * v.x + a.yy * v.y};
    }
    friend constexpr Sym2 operator*(const Sym2& a, double s) {
        return {a.xx * s, a.xy * s, a.yy * s};
    }
};

/// The minimum of x·Nx/2 - x·v on the circle of `radius`, given that the unconstrained minimum is
/// outside: (N + lambda) x = v for some lambda >= 0. N is positive semidefinite.
Vec2 least_on_circle(const Sym2& n, const Vec2& v, double radius);

} // namespace rigor::contact_dynamics
