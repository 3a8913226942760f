// Jacobi elliptic integrals and functions in double, for the exact motion of a free top and of a
// pendulum.
//
// The modulus is given by its complement, kc2 = k'² = 1 - k², in [0, 1]. Motion near a separatrix
// (a top spinning about its intermediate axis, a pendulum near its upper equilibrium) has kc2 close
// to zero, where a parameter 1 - kc2 would lose just the digits that determine the period. Values
// of kc2 below 1e-300 are taken as 1e-300, so everything is finite.
#pragma once

namespace rigor {

struct Jacobi {
    double sn, cn, dn;
};

/// sn, cn, dn of u, by descending Landen steps that only add, multiply and divide positive
/// numbers [Bulirsch 1965]: cn and dn keep their relative precision where they are small.
/// The period is known to 106 bits, so the error stays at 1e-15 over hundreds of periods.
Jacobi jacobi(double u, double kc2);

/// K, the quarter period of sn: pi/2 at kc2 = 1, log(4/k') for small k'.
double complete_k(double kc2);

/// Carlson's symmetric integral of the first kind, for x, y, z >= 0 and at most one of them
/// zero. [Carlson 1995]
///     RF = 1/2 ∫_0^∞ dt / sqrt((t + x)(t + y)(t + z))
double carlson_rf(double x, double y, double z);

/// F(phi), the u with sn u = sin phi and cn u = cos phi, for the angle phi in [-pi, pi] of the
/// point (c, s), which need not be on the unit circle.
///     F = ∫_0^phi dt / sqrt(cos² t + kc2 sin² t)
double incomplete_f(double s, double c, double kc2);

} // namespace rigor
