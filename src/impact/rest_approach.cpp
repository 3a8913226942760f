#include "impact/rest_approach.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "impact/unroll.h"

namespace rigor::contact_dynamics {
namespace {

constexpr std::size_t kTerms = 18;
using Terms = std::array<double, kTerms>;

/// sqrt(1 + v²) as a series in v.
constexpr Terms kRoot = [] {
    Terms root{};
    root[0] = 1;
    for (std::size_t k = 2; k < kTerms; k += 2)
        root[k] = root[k - 2] * (3 - static_cast<double>(k)) / static_cast<double>(k);
    return root;
}();

/// Radians: farther from their ray the series do not converge fast enough.
constexpr double kFarthest = 0.8;

/// The ray to which sliding in the direction c turns, when it is near. Newton's method on f, the
/// angular rate times r: f' = -g - mu m with g = c·du_T/dp and m the part of M across.
std::optional<Vec2> attracting_ray(const SlidingContact& contact, Vec2 c) {
    double turned = 0;
    for (int i = 0; i < 8; ++i) {
        const Vec2 left{-c.y, c.x}, rate = contact.tangent_rate(c);
        const double f = dot(left, rate);
        const double slope = -dot(c, rate) - contact.mu * dot(left, contact.m * left);
        if (!(slope < 0)) return {};
        const double turn = -f / slope;
        turned += turn;
        if (!(std::abs(turned) < kFarthest)) return {};
        c = c + left * turn;
        c = c * (1 / length(c));
        if (std::abs(turn) < 1e-9) return c; // the next step would be its square
    }
    return {};
}

/// Whether u_z is monotone between two directions less than a right angle apart: du_z/dp is
/// negative only near that of h.
bool is_monotone(const SlidingContact& contact, const Vec2& from, const Vec2& to) {
    const double first = contact.normal_rate(from * (1 / length(from)));
    const double last = contact.normal_rate(to);
    if (first < 0 && last < 0) return true;
    const bool passes_h = cross(from, contact.h) * cross(to, contact.h) < 0 &&
                          dot(from, contact.h) > 0 && contact.k < contact.mu * length(contact.h);
    return first > 0 && last > 0 && !passes_h;
}

/// With u_T = (x, v x) along and across the ray: v' = F(v) and x' = G(v) x, per unit of s.
struct RayFlow {
    Terms g{};
    std::array<double, kTerms + 1> f{}; ///< f[0] = 0

    RayFlow(const Sym2& n, double h) {
        for (std::size_t k = 0; k < kTerms; ++k) g[k] = h * kRoot[k];
        g[0] -= n.xx;
        g[1] -= n.xy;
        for (std::size_t k = 1; k < kTerms; ++k) f[k] = n.xy * kRoot[k] - g[k - 1];
        f[1] -= n.yy;
        f[kTerms] = 0; // multiplies dq[0] = 0 only
    }

    /// The series q with (x^d q)' = -x^d rhs along the flow: the remaining integral of x^d rhs
    /// until rest. From d G q + F q' = -rhs, term by term; all divisors are negative.
    Terms remaining(double d, const Terms& rhs) const {
        Terms q, dq; // dq[k] = k q[k]
        unroll<kTerms>([&](auto k) {
            double with_g = 0, with_f = 0;
            unroll<k>([&](auto i) { // the newest term last: it is the only dependency
                with_g += g[k - i] * q[i];
                with_f += f[k - i + 1] * dq[i];
            });
            constexpr double n = k;
            const double inverse = -1 / (d * g[0] + n * f[1]);
            q[k] = (rhs[k] + d * with_g + with_f) * inverse;
            dq[k] = n * q[k];
        });
        return q;
    }
};

/// The sum, or nothing when its last terms exceed the tolerance.
std::optional<double> sum_of(const Terms& q, double v, double tolerance) {
    double sum = 0, power = 1;
    for (std::size_t k = kTerms; k-- > 0;) sum = sum * v + q[k];
    for (std::size_t k = 0; k + 2 < kTerms; ++k) power *= v;
    const double last = std::max(std::abs(q[kTerms - 2]), std::abs(q[kTerms - 1] * v));
    if (!(last * std::abs(power) <= tolerance * std::abs(q[0]))) return {};
    return sum;
}

} // namespace

RestRay::RestRay(const SlidingContact& contact, const Vec2& c)
    : contact_(&contact),
      c_(c),
      left_{-c.y, c.x},
      h_(dot(c, contact.h)),
      t_(contact.sticking_friction() * -1),
      rate_(contact.sticking_rate()) {
    const Vec2 mc = contact.m * c;
    n_ = Sym2{dot(c, mc), dot(left_, mc), dot(left_, contact.m * left_)} * contact.mu;
}

std::optional<RestRay> RestRay::near(const SlidingContact& contact, const Vec3d& u) {
    const Vec2 sliding{u.x, u.y};
    const auto c = attracting_ray(contact, sliding * (1 / length(sliding)));
    if (!c || !(dot(*c, contact.tangent_rate(*c)) < 0)) return {};
    return RestRay(contact, *c);
}

// With P the remaining normal impulse, the integral of |u_T| over s, t = M⁻¹h and k_s = k - h·t:
//     p_T = -M⁻¹ u_T - t P,   u_z(now) = u_z(rest) + t·u_T - k_s P,
// and the work, the integral of u_z over P, is u_z(rest) P - k_s P²/2 + b, b being that of t·u_T.
RestApproach RestRay::complete(const Vec3d& u, double p, double b) const {
    const Vec2 sliding{u.x, u.y};
    const double at_rest = u.z - dot(t_, sliding) + rate_ * p;
    const Vec2 friction = contact_->m.solve(sliding) * -1 - t_ * p;
    return {{0, {}, u.z, 0},
            {1, {friction.x, friction.y, p}, at_rest, (at_rest - 0.5 * rate_ * p) * p + b}};
}

RestApproach RestRay::estimate(const Vec3d& u) const {
    const Vec2 sliding{u.x, u.y};
    const double p = dot(sliding, c_) / (n_.xx - h_);
    return complete(u, p, 0.5 * dot(t_, sliding) * p);
}

std::optional<RestApproach> RestRay::approach(const Vec3d& u, double tolerance) const {
    const Vec2 here = seen({u.x, u.y});
    const double v = here.y / here.x;
    if (!(std::abs(v) < kFarthest) || !is_monotone(*contact_, {u.x, u.y}, c_)) return {};

    const RayFlow flow(n_, h_);
    const auto p = sum_of(flow.remaining(1, kRoot), v, tolerance);
    if (!p) return {};
    const Vec2 t = seen(t_);
    Terms t_rhs; // (t·u_T / x) sqrt(1 + v²)
    for (std::size_t k = 0; k < kTerms; ++k)
        t_rhs[k] = t.x * kRoot[k] + (k > 0 ? t.y * kRoot[k - 1] : 0);
    const auto b = sum_of(flow.remaining(2, t_rhs), v, tolerance);
    if (!b) return {};
    return complete(u, here.x * *p, here.x * here.x * *b);
}

} // namespace rigor::contact_dynamics
