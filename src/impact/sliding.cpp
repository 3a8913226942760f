#include "impact/sliding.h"

#include <algorithm>
#include <cmath>

#include "math/trig.h"
#include "numeric/roots.h"

namespace rigor::contact_dynamics {

SlidingContact::SlidingContact(const ContactImpact& impact)
    : m{impact.k(0, 0), impact.k(0, 1), impact.k(1, 1)},
      h{impact.k(0, 2), impact.k(1, 2)},
      k(impact.k(2, 2)),
      mu(impact.friction) {}

bool SlidingContact::sticks() const {
    return length(m.solve(h)) <= mu;
}

double SlidingContact::sticking_rate() const {
    return k + dot(h, sticking_friction());
}

Vec2 SlidingContact::sticking_friction() const {
    return m.solve(h) * -1;
}

// On the ray h = (lambda + mu M) c with |c| = 1 and lambda > 0. Unlike the quartic this has one
// solution, the diverging ray.
Vec2 diverging_ray(const SlidingContact& contact) {
    return least_on_circle(contact.m * contact.mu, contact.h, 1);
}

SlidingRays sliding_rays(const SlidingContact& contact) {
    const auto& [m, h, k, mu] = contact;
    const double a4 = mu * m.xy + h.y;
    const double coefficients[] = {mu * m.xy - h.y, 2 * (h.x + mu * (m.yy - m.xx)), -6 * mu * m.xy,
                                   2 * (h.x + mu * (m.xx - m.yy)), a4};
    SlidingRays rays;
    const auto add = [&](double angle) { // at its sorted position
        int i = rays.account++;
        for (; i > 0 && rays.angle[static_cast<std::size_t>(i - 1)] > angle; --i)
            rays.angle[static_cast<std::size_t>(i)] = rays.angle[static_cast<std::size_t>(i - 1)];
        rays.angle[static_cast<std::size_t>(i)] = angle;
    };
    for (double p : polynomial_roots(coefficients)) {
        const double angle = 2 * atan(p);
        add(angle < 0 ? angle + 2 * kPi<double> : angle);
    }
    const bool any = std::any_of(std::begin(coefficients), std::end(coefficients),
                                 [](double a) { return a != 0; });
    if (a4 == 0 && any && rays.account < 4) add(kPi<double>);
    return rays;
}

double radial_rate(const SlidingContact& contact, double angle) {
    const SinCos<double> a = sin_cos(angle);
    const Vec2 c{a.cos, a.sin};
    return dot(c, contact.tangent_rate(c));
}

} // namespace rigor::contact_dynamics
