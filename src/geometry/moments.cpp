#include "geometry/moments.h"

namespace rigor {

Moments translate(const Moments& moments, const Vec3d& d) {
    return {moments.m, moments.first + d * moments.m,
            moments.second + symmetric_product(moments.first, d) + square(d) * moments.m};
}

Moments rotate(const Mat3d& r, const Moments& moments) {
    return {moments.m, r * moments.first, rotate(r, moments.second)};
}

Sym3d inertia_of(const Sym3d& second) {
    // The sums are written out: tr(C) - C_xx would lose C_yy + C_zz of a long thin solid.
    return {second.yy + second.zz,
            second.xx + second.zz,
            second.xx + second.yy,
            -second.xy,
            -second.xz,
            -second.yz};
}

Sym3d second_of(const Sym3d& inertia) {
    const double half = inertia.trace() / 2;
    return {half - inertia.xx, half - inertia.yy, half - inertia.zz,
            -inertia.xy,       -inertia.xz,       -inertia.yz};
}

MassProperties to_mass_properties(const Moments& moments) {
    if (!(moments.m > 0)) return {};
    const Vec3d center = moments.first / moments.m;
    return {moments.m, center, inertia_of(moments.second - square(center) * moments.m)};
}

} // namespace rigor
