// 3x3 matrices, general and symmetric.
#pragma once

#include "rigor/vec.h"

namespace rigor {

/// A general 3x3 matrix, held by columns, so that A*v is a sum of columns.
template <class S>
struct Mat3 {
    Vec3<S> cx{S(1), S(0), S(0)};
    Vec3<S> cy{S(0), S(1), S(0)};
    Vec3<S> cz{S(0), S(0), S(1)};

    static constexpr Mat3 identity() { return {}; }
    static constexpr Mat3 zero() { return diagonal({}); }
    static constexpr Mat3 diagonal(const Vec3<S>& d) {
        return {{d.x, S(0), S(0)}, {S(0), d.y, S(0)}, {S(0), S(0), d.z}};
    }
    static constexpr Mat3 from_rows(const Vec3<S>& rx, const Vec3<S>& ry, const Vec3<S>& rz) {
        return {{rx.x, ry.x, rz.x}, {rx.y, ry.y, rz.y}, {rx.z, ry.z, rz.z}};
    }

    constexpr const Vec3<S>& column(int j) const { return j == 0 ? cx : j == 1 ? cy : cz; }
    constexpr Vec3<S>& column(int j) { return j == 0 ? cx : j == 1 ? cy : cz; }
    constexpr Vec3<S> row(int i) const { return {cx[i], cy[i], cz[i]}; }
    constexpr S operator()(int i, int j) const { return column(j)[i]; }
    constexpr S& operator()(int i, int j) { return column(j)[i]; }

    friend constexpr Vec3<S> operator*(const Mat3& a, const Vec3<S>& v) {
        return a.cx * v.x + a.cy * v.y + a.cz * v.z;
    }
    friend constexpr Mat3 operator*(const Mat3& a, const Mat3& b) {
        return {a * b.cx, a * b.cy, a * b.cz};
    }
    friend constexpr Mat3 operator*(const Mat3& a, S s) { return {a.cx * s, a.cy * s, a.cz * s}; }
    friend constexpr Mat3 operator+(const Mat3& a, const Mat3& b) {
        return {a.cx + b.cx, a.cy + b.cy, a.cz + b.cz};
    }
    friend constexpr Mat3 operator-(const Mat3& a, const Mat3& b) {
        return {a.cx - b.cx, a.cy - b.cy, a.cz - b.cz};
    }
    friend constexpr bool operator==(const Mat3&, const Mat3&) = default;
};

using Mat3d = Mat3<double>;
using Mat3f = Mat3<float>;

template <class S>
constexpr Mat3<S> transpose(const Mat3<S>& a) {
    return Mat3<S>::from_rows(a.cx, a.cy, a.cz);
}

/// transpose(a) * v, without forming the transpose.
template <class S>
constexpr Vec3<S> transpose_multiply(const Mat3<S>& a, const Vec3<S>& v) {
    return {dot(a.cx, v), dot(a.cy, v), dot(a.cz, v)};
}

template <class S>
constexpr S determinant(const Mat3<S>& a) {
    return dot(a.cx, cross(a.cy, a.cz));
}

/// The inverse by cofactors; the entries of a singular matrix's inverse are not finite.
template <class S>
constexpr Mat3<S> inverse(const Mat3<S>& a) {
    const S inv_det = S(1) / determinant(a);
    return Mat3<S>::from_rows(cross(a.cy, a.cz) * inv_det, cross(a.cz, a.cx) * inv_det,
                              cross(a.cx, a.cy) * inv_det);
}

/// The matrix of the cross product: skew(v) * u = cross(v, u).
template <class S>
constexpr Mat3<S> skew(const Vec3<S>& v) {
    return {{S(0), v.z, -v.y}, {-v.z, S(0), v.x}, {v.y, -v.x, S(0)}};
}

/// a bᵀ.
template <class S>
constexpr Mat3<S> outer(const Vec3<S>& a, const Vec3<S>& b) {
    return {a * b.x, a * b.y, a * b.z};
}

/// A symmetric 3x3 matrix: six numbers instead of nine.
template <class S>
struct Sym3 {
    S xx{}, yy{}, zz{}, xy{}, xz{}, yz{};

    static constexpr Sym3 identity() { return diagonal({S(1), S(1), S(1)}); }
    static constexpr Sym3 diagonal(const Vec3<S>& d) { return {d.x, d.y, d.z, S(0), S(0), S(0)}; }
    /// The symmetric part of a.
    static constexpr Sym3 from(const Mat3<S>& a) {
        return {a.cx.x,
                a.cy.y,
                a.cz.z,
                (a.cx.y + a.cy.x) / S(2),
                (a.cx.z + a.cz.x) / S(2),
                (a.cy.z + a.cz.y) / S(2)};
    }

    constexpr Mat3<S> matrix() const { return {{xx, xy, xz}, {xy, yy, yz}, {xz, yz, zz}}; }
    constexpr S trace() const { return xx + yy + zz; }

    friend constexpr Vec3<S> operator*(const Sym3& a, const Vec3<S>& v) {
        return {a.xx * v.x + a.xy * v.y + a.xz * v.z, a.xy * v.x + a.yy * v.y + a.yz * v.z,
                a.xz * v.x + a.yz * v.y + a.zz * v.z};
    }
    friend constexpr Sym3 operator*(const Sym3& a, S s) {
        return {a.xx * s, a.yy * s, a.zz * s, a.xy * s, a.xz * s, a.yz * s};
    }
    friend constexpr Sym3 operator+(const Sym3& a, const Sym3& b) {
        return {a.xx + b.xx, a.yy + b.yy, a.zz + b.zz, a.xy + b.xy, a.xz + b.xz, a.yz + b.yz};
    }
    friend constexpr Sym3 operator-(const Sym3& a, const Sym3& b) { return a + b * S(-1); }
    friend constexpr bool operator==(const Sym3&, const Sym3&) = default;
};

using Sym3d = Sym3<double>;
using Sym3f = Sym3<float>;

/// The inverse by cofactors, again symmetric; not finite when a is singular.
template <class S>
constexpr Sym3<S> inverse(const Sym3<S>& a) {
    const S c_xx = a.yy * a.zz - a.yz * a.yz;
    const S c_xy = a.xz * a.yz - a.xy * a.zz;
    const S c_xz = a.xy * a.yz - a.xz * a.yy;
    const S inv_det = S(1) / (a.xx * c_xx + a.xy * c_xy + a.xz * c_xz);
    return Sym3<S>{c_xx, a.xx * a.zz - a.xz * a.xz, a.xx * a.yy - a.xy * a.xy, c_xy,
                   c_xz, a.xy * a.xz - a.xx * a.yz} *
           inv_det;
}

/// R a Rᵀ: a tensor seen from axes turned by R.
template <class S>
constexpr Sym3<S> rotate(const Mat3<S>& r, const Sym3<S>& a) {
    return Sym3<S>::from(r * a.matrix() * transpose(r));
}

template <class S>
bool is_finite(const Mat3<S>& a) {
    return is_finite(a.cx) && is_finite(a.cy) && is_finite(a.cz);
}

template <class S>
bool is_finite(const Sym3<S>& a) {
    return is_finite(a.matrix());
}

} // namespace rigor
