// Equations of a sliding contact during an impact with Coulomb friction [Keller 1986].
//
// The normal impulse p is the independent variable. While a slides over b in the direction c,
// friction is mu dp against c, so that
//
//     du_T/dp = h - mu M c,   du_z/dp = k - mu h·c,   with  K = [ M  h ]
//                                                               [ hᵀ k ].
#pragma once

#include <array>
#include <optional>

#include "impact/tangent_plane.h"
#include "rigor/impact.h"

namespace rigor::contact_dynamics {

struct SlidingContact {
    Sym2 m;
    Vec2 h;
    double k = 0;
    double mu = 0;

    explicit SlidingContact(const ContactImpact& impact);

    Vec2 tangent_rate(const Vec2& c) const { return h - (m * c) * mu; }
    double normal_rate(const Vec2& c) const { return k - mu * dot(h, c); }

    /// Whether friction can prevent sliding of a sticking contact: |M⁻¹h| <= mu.
    bool sticks() const;
    /// du_z/dp during sticking: k - h·M⁻¹h, the inverse of (K⁻¹)_zz.
    double sticking_rate() const;
    /// dp_T/dp during sticking: -M⁻¹h.
    Vec2 sticking_friction() const;
    /// Where K is singular an impulse that friction allows may have no effect: du_z/dp is rounding.
    bool jams(double normal_rate) const { return !(normal_rate > 1e-13 * k); }
};

/// The direction in which sliding starts when friction cannot prevent it: the one c for which
/// du_T/dp is along c itself and away from rest. `contact` does not stick.
Vec2 diverging_ray(const SlidingContact& contact);

/// All invariant sliding directions, as angles in [0, 2 pi), ascending: the roots of a quartic in
/// tan(angle/2), and pi where that has no leading term [Baber 2011, 3.8]. None when every direction
/// is invariant.
struct SlidingRays {
    std::array<double, 4> angle{};
    int account = 0;

    const double* begin() const { return angle.data(); }
    const double* end() const { return angle.data() + account; }
};
SlidingRays sliding_rays(const SlidingContact& contact);

/// c·du_T/dp: positive where a ray leads away from rest.
double radial_rate(const SlidingContact& contact, double angle);

} // namespace rigor::contact_dynamics
