// Volume, area and mass of the convex solids, solid or hollow, in closed form.
#pragma once

#include "geometry/box.h"
#include "geometry/capsule.h"
#include "geometry/cone.h"
#include "geometry/cylinder.h"
#include "geometry/hull.h"
#include "geometry/rounded_moments.h"
#include "geometry/sphere.h"

namespace rigor {

RoundedMoments rounded_moments(const Sphere<double>& sphere);
RoundedMoments rounded_moments(const Box<double>& box);
RoundedMoments rounded_moments(const Capsule<double>& capsule);
RoundedMoments rounded_moments(const Cylinder<double>& cylinder);
RoundedMoments rounded_moments(const Cone<double>& cone);

/// The reference point of the moments, inside the solid.
template <class Solid>
Vec3d moments_center(const Solid&) {
    return {};
}
inline Vec3d moments_center(const Hull<double>& hull) {
    return hull.center;
}

/// Integrals over the solid, or over its surface when hollow, about `moments_center`.
template <class Solid>
Moments moments(const Solid& solid, bool hollow) {
    const RoundedMoments parallel = rounded_moments(solid);
    return hollow ? shell_at(parallel, radius_of(solid)) : solid_at(parallel, radius_of(solid));
}

template <class Solid>
requires requires(const Solid& s) {
    rounded_moments(s);
}
double volume(const Solid& solid) {
    return moments(solid, false).m;
}

template <class Solid>
requires requires(const Solid& s) {
    rounded_moments(s);
}
double area(const Solid& solid) {
    return moments(solid, true).m;
}

/// The density is per volume, of a hollow solid per area.
template <class Solid>
requires requires(const Solid& s) {
    rounded_moments(s);
}
MassProperties mass_properties(const Solid& solid, double density, bool hollow) {
    MassProperties mass = to_mass_properties(moments(solid, hollow) * density);
    mass.center += moments_center(solid);
    return mass;
}

} // namespace rigor
