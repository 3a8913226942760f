#include "geometry/solid_moments.h"

#include "math/trig.h"

namespace rigor {
namespace {

constexpr double kPid = kPi<double>;

// One component of the second moments of a rounded box: the integral of x² by powers of r, with a
// the half extent of the core along x, b and c those across. Opposite and diagonal parts are
// combined: four quarter cylinders make a cylinder, eight octants a ball, separated by the core, so
// that x = ±(a + u).
std::array<double, 6> box_second(double a, double b, double c) {
    const double aa = a * a;
    return {8 * a * b * c * aa / 3,
            8 * aa * (b * c + a * (b + c) / 3),
            8 * a * b * c + 2 * kPid * aa * (a / 3 + b + c),
            8 * b * c / 3 + 16 * a * (b + c) / 3 + 4 * kPid * aa / 3,
            kPid * ((b + c) / 2 + a),
            4 * kPid / 15};
}

} // namespace

RoundedMoments rounded_moments(const Sphere<double>&) {
    const ProfilePiece point{0, 0, 0, 0, 1, 0};
    return revolve(std::span(&point, 1));
}

RoundedMoments rounded_moments(const Capsule<double>& capsule) {
    const ProfilePiece segment{0, capsule.half_length, 0, -capsule.half_length, 1, 0};
    return revolve(std::span(&segment, 1));
}

RoundedMoments rounded_moments(const Cylinder<double>& cylinder) {
    const double r = cylinder.radius, h = cylinder.half_height;
    const ProfilePiece pieces[] = {{0, h, r, h, 0, 1}, {r, h, r, -h, 1, 0}, {r, -h, 0, -h, 0, -1}};
    return revolve(pieces);
}

RoundedMoments rounded_moments(const Cone<double>& cone) {
    const Vec3d n = normalize(Vec3d{cone.apex - cone.base, 0, cone.radius});
    const ProfilePiece pieces[] = {{0, cone.apex, cone.radius, cone.base, n.x, n.z},
                                   {cone.radius, cone.base, 0, cone.base, 0, -1}};
    return revolve(pieces);
}

RoundedMoments rounded_moments(const Box<double>& box) {
    const auto [a, b, c] = box.half;
    RoundedMoments out;
    out.power[0].m = 8 * a * b * c;
    out.power[1].m = 8 * (a * b + b * c + c * a);
    out.power[2].m = 2 * kPid * (a + b + c);
    out.power[3].m = 4 * kPid / 3;
    const std::array<double, 6> xx = box_second(a, b, c), yy = box_second(b, c, a),
                                zz = box_second(c, a, b);
    for (std::size_t k = 0; k < 6; ++k) {
        out.power[k].second = Sym3d::diagonal({xx[k], yy[k], zz[k]});
    }
    return out;
}

} // namespace rigor
