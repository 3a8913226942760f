// Moments: integrals of 1, x and x xᵀ over a solid or a surface, from which mass properties follow.
// They are additive, which mass properties are not.
#pragma once

#include "rigor/mass.h"
#include "rigor/mat.h"

namespace rigor {

/// About the origin of the axes they are given in.
struct Moments {
    double m = 0; ///< volume or area; mass when scaled by a density
    Vec3d first;  ///< the integral of x
    Sym3d second; ///< the integral of x xᵀ

    friend Moments operator+(const Moments& a, const Moments& b) {
        return {a.m + b.m, a.first + b.first, a.second + b.second};
    }
    Moments& operator+=(const Moments& b) { return *this = *this + b; }
    friend Moments operator*(const Moments& a, double s) {
        return {a.m * s, a.first * s, a.second * s};
    }
};

/// v vᵀ.
inline Sym3d square(const Vec3d& v) {
    return {v.x * v.x, v.y * v.y, v.z * v.z, v.x * v.y, v.x * v.z, v.y * v.z};
}

/// a bᵀ + b aᵀ.
inline Sym3d symmetric_product(const Vec3d& a, const Vec3d& b) {
    return {2 * a.x * b.x,         2 * a.y * b.y,         2 * a.z * b.z,
            a.x * b.y + a.y * b.x, a.x * b.z + a.z * b.x, a.y * b.z + a.z * b.y};
}

/// Over a triangle of the given area; a negative area subtracts it.
inline Moments triangle_moments(const Vec3d& a, const Vec3d& b, const Vec3d& c, double area) {
    const Vec3d sum = a + b + c;
    return {area, sum * (area / 3),
            (square(a) + square(b) + square(c) + square(sum)) * (area / 12)};
}

/// Of the same solid translated by d.
Moments translate(const Moments& moments, const Vec3d& d);
/// Of the same solid rotated about the origin.
Moments rotate(const Mat3d& r, const Moments& moments);

/// tr(C) 1 - C: the inertia tensor of the second moments C. The inverse map is tr(I)/2 1 - I.
Sym3d inertia_of(const Sym3d& second);
Sym3d second_of(const Sym3d& inertia);

/// Mass, center and inertia about the center. The moments should be about a point in or near the
/// solid: the shift to the center subtracts m c cᵀ, which cancels when c is far away.
MassProperties to_mass_properties(const Moments& moments);

} // namespace rigor
