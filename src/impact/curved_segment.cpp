#include "impact/curved_segment.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

#include "impact/unroll.h"
#include "math/tolerances.h"

namespace rigor::contact_dynamics {
namespace {

constexpr std::size_t kOrder = kSeriesOrder;

/// x^(-1/order), or up to 4 % less: the root of the next power of two is in a table.
double inverse_root(double x) {
    static_assert(kOrder == 20);
    constexpr auto kRoots = [] { // 2^(-k/20)
        std::array<double, kOrder> roots{1};
        for (std::size_t k = 1; k < kOrder; ++k) roots[k] = roots[k - 1] * 0.96593632892484555107;
        return roots;
    }();
    constexpr int n = kOrder;
    const int exponent = static_cast<int>(std::bit_cast<std::uint64_t>(x) >> 52) - 1022;
    const int whole = exponent >= 0 ? exponent / n : (exponent - n + 1) / n;
    const auto power = std::bit_cast<double>(static_cast<std::uint64_t>(1023 - whole) << 52);
    return kRoots[static_cast<std::size_t>(exponent - whole * n)] * power;
}

double sum(const Pair& p) {
    return p[0] + p[1];
}

/// The integral of f by four-point Gauss quadrature.
template <class F>
double gauss(const F& f, double from, double to) {
    const double mid = 0.5 * (from + to), half = 0.5 * (to - from);
    const auto pair = [&](double place) { return f(mid - half * place) + f(mid + half * place); };
    return half * (0.65214515486254614263 * pair(0.33998104358485626480) +
                   0.34785484513745385737 * pair(0.86113631159405257522));
}

} // namespace

struct CurvedSegment::Slope {
    double value, derivative;
};

CurvedSegment::CurvedSegment(const SlidingContact& contact, const Vec3d& u,
                             const PathTolerance& tolerance)
    : contact_(contact),
      r_(length(Vec2{u.x, u.y})),
      rate_(contact.mu * contact.m.trace() + length(contact.h)),
      unit_(r_ / rate_),
      u_(u.z),
      c_{u.x / r_, u.y / r_},
      m_(contact.m * (contact.mu / rate_)),
      h_(contact.h * (1 / rate_)),
      mu_h_(contact.h * contact.mu) {
    set_end(expand(tolerance));
}

// (k+1) u_{k+1} = rho_k h - mu M u_k, and from rho² = x² + y² with rho_0 = 1 and c = u_0
//     rho_k = c·u_k + 1/2 sum_{0<i<k} (x_i x_{k-i} + y_i y_{k-i} - rho_i rho_{k-i}).
// Each order depends on the one before. To shorten this chain, the terms with coefficients of order
// k-1 are collected as factors of these three and added last. The returned length of the segment is
// such that the last terms of velocity and work are within the tolerance, hence nearly all that
// follow.
double CurvedSegment::expand(const PathTolerance& tolerance) {
    const Pair h{h_.x, h_.y}, m_x{m_.xx, m_.xy}, m_y{m_.xy, m_.yy};
    const Vec2 m_c = m_ * c_;
    const Pair mc{m_c.x, m_c.y}, mu_h{mu_h_.x, mu_h_.y};
    const double hc = dot(h_, c_), k_z = contact_.k, unit = unit_;
    std::array<Pair, kOrder + 1> v; // u_T
    std::array<double, kOrder> rho, u;
    double work = 0, work_before = 0; // the last terms of the integral of u_z rho
    v[0] = Pair{c_.x, c_.y};
    rho[0] = 1;
    u[0] = u_;
    sums_.a[0] = {v[0], Pair{1, 0}};
    unroll<kOrder>([&](auto last) {
        constexpr std::size_t k = last + 1;
        constexpr double part = 1.0 / static_cast<double>(k),
                         next = 1.0 / static_cast<double>(k + 1);
        v[k] = (h * part) * rho[last] - ((m_x * part) * v[last][0] + (m_y * part) * v[last][1]);
        if constexpr (k < kOrder) {
            // Half the squares of orders 1 to k-1: the middle, then pairs, without the newest.
            double square = 0;
            Pair squares{0, 0};
            if constexpr (k % 2 == 0) {
                square = 0.5 * rho[k / 2] * rho[k / 2];
                squares = 0.5 * v[k / 2] * v[k / 2];
            }
            if constexpr (k >= 5)
                unroll<last / 2 - 1>([&](auto n) {
                    constexpr std::size_t i = last / 2 - n, j = k - i;
                    square += rho[i] * rho[j];
                    squares += v[i] * v[j];
                });
            const double both = sum(squares);
            constexpr bool has_youngest = k >= 3; // the pair of orders 1 and k-1
            const Pair v_1 = has_youngest ? v[1] : Pair{0, 0};
            const double rho_1 = has_youngest ? rho[1] : 0;
            rho[k] = ((both - square) + (hc * part - rho_1) * rho[last]) +
                     sum((v_1 - mc * part) * v[last]);
            // rho² - c·u
            const double across = rho[k] + (both + square) + rho_1 * rho[last] + sum(v_1 * v[last]);
            sums_.a[k] = {v[k] * next, Pair{rho[k], across} * next};
            u[k] = (unit * part) * (k_z * rho[last] - sum(mu_h * v[last]));
            // Each pair is written as soon as it is known: vector loads of values just stored one
            // by one would wait for store forwarding.
            constexpr std::size_t to = kOrder - 1, before = kOrder - 2;
            if constexpr (2 * k > to) work += u[k] * rho[to - k] + u[to - k] * rho[k];
            if constexpr (2 * k > before && k <= before)
                work_before += u[k] * rho[before - k] + u[before - k] * rho[k];
            if constexpr (2 * k == before) work_before += u[k] * rho[k];
        }
    });

    constexpr std::size_t last = kOrder - 1;
    const double velocity =
        std::max({std::abs(v[last][0]), std::abs(v[last][1]), std::abs(rho[last]),
                  std::abs(v[kOrder][0]), std::abs(v[kOrder][1])});
    return length_within(tolerance, velocity, std::max(std::abs(work), std::abs(work_before)));
}

double CurvedSegment::length_within(const PathTolerance& tolerance, double velocity,
                                    double work) const {
    constexpr double part = 1.0 / static_cast<double>(kOrder);
    const double size =
        velocity * (r_ / tolerance.velocity) + work * part * (unit_ / tolerance.work);
    constexpr double kLongest = 8;
    return size > 1e-20 ? std::min(inverse_root(size), kLongest) : kLongest;
}

// du_z/dp = k - mu h·c is negative only for directions c near that of h, and c turns monotonically.
// So u_z can reverse only where c passes h or where that rate is zero: there the segment is cut.
void CurvedSegment::set_end(double length) {
    const Vec2 h = contact_.h;
    Four sums;
    Vec2 end;
    const auto go_to = [&](double s) {
        sums = sums_.at(s);
        end = sliding(sums);
    };
    go_to(length);
    while (dot(c_, end) < 0) go_to(length *= 0.5);
    trend_ = 1;
    if (contact_.k < contact_.mu * contact_dynamics::length(h)) {
        const auto cut_where = [&](auto changed) {
            for (double lo = 0; length - lo > 1e-13 * length;) {
                const double mid = 0.5 * (lo + length);
                (changed(sliding(sums_.at(mid))) ? length : lo) = mid;
            }
            go_to(length);
        };
        const double first = rise(c_), tiny = 1e-9 * contact_.k, side = cross(c_, h);
        if (first > -tiny && rise(end) > 0 && side * cross(end, h) < 0 && dot(c_, h) > 0)
            cut_where([&](const Vec2& v) { return side * cross(v, h) < 0; });
        if (std::abs(first) > tiny && first * rise(end) < 0)
            cut_where([&](const Vec2& v) { return first * rise(v) < 0; });
        trend_ = rise(sliding(sums_.at(0.5 * length))) > 0 ? 1 : -1;
    }
    last_sliding_ = end * r_;
    end_ = point(length, sums);
}

// The total work of an impact is the integral of u over p, which is (u_0 + u)·p/2. The work of
// friction is the integral of -mu |u_T|² over s; the rest is the normal work. With u_T·c subtracted
// from both, there is no cancellation:
//     p_z (u_z0 + u_z)/2 + mu (integral of u_T·(u_T - u_T0) - (u_T - u_T0)·(integral of u_T)/2).
PathPoint CurvedSegment::point(double s, const Four& sums) const {
    const Vec2 p{sums[0], sums[1]}, change = h_ * sums[2] - m_ * p;
    const double friction = -contact_.mu * unit_, p_z = unit_ * sums[2];
    const double u = normal_velocity(sums);
    return {s,
            {friction * p.x, friction * p.y, p_z},
            u,
            0.5 * p_z * (u_ + u) - friction * r_ * (sums[3] - 0.5 * dot(change, p))};
}

// Newton's method with bisection as safeguard, for a monotone quantity.
template <class Quantity>
double CurvedSegment::find(double target, const PathPoint& from, const PathPoint& to, double guess,
                           bool rising, const Quantity& quantity) {
    double lo = from.s, hi = to.s, s = guess;
    for (int i = 0; i < 100; ++i) {
        if (!(s > lo && s < hi)) s = 0.5 * (lo + hi);
        const Slope now = quantity(s);
        ((now.value < target) == rising ? lo : hi) = s;
        const double step = (target - now.value) / now.derivative;
        s += step;
        // The remaining error is about the square of this step.
        if (std::abs(step) <= 1e-7 * (s - from.s) || hi - lo <= kEpsilon<double> * hi) break;
    }
    return std::clamp(s, from.s, to.s);
}

std::optional<double> CurvedSegment::find_crossing(double velocity, const PathPoint& from,
                                                   const PathPoint& to, int sign) const {
    if (!(from.s < to.s) || trend_ * sign > 0 || !(sign * (to.u - velocity) < 0)) return {};
    // Initial guess by the parabola through both ends with the slope of the first.
    const double span = to.s - from.s, missing = velocity - from.u;
    const double slope = rise(from.s > 0 ? sliding(sums_.at(from.s)) : c_) * (unit_ * span);
    const double bend = to.u - from.u - slope;
    const double square = slope * slope + 4 * bend * missing;
    const double share = square > 0 ? 2 * missing / (slope + trend_ * std::sqrt(square)) : 0.5;
    return find(velocity, from, to, from.s + share * span, trend_ > 0, [&](double s) {
        const Four sums = sums_.at(s);
        return Slope{normal_velocity(sums), rise(sliding(sums)) * unit_};
    });
}

std::optional<double> CurvedSegment::sign_change(const PathPoint& from, int sign) const {
    return find_crossing(0, from, end_, sign);
}

std::optional<double> CurvedSegment::find_velocity(const PathPoint& from, const PathPoint& to,
                                                   double velocity) const {
    if (velocity <= from.u) return from.s;
    return find_crossing(velocity, from, to, -1);
}

std::optional<double> CurvedSegment::find_impulse(const PathPoint& from, const PathPoint& to,
                                                  double due) const {
    const double all = to.p.z - from.p.z;
    if (!(due > 0)) return from.s;
    if (!(all >= due)) return {};
    return find(from.p.z + due, from, to, from.s + (to.s - from.s) * due / all, true,
                [&](double s) {
                    const Four sums = sums_.at(s);
                    return Slope{unit_ * sums[2], unit_ * length(sliding(sums))};
                });
}

// The initial guess has u_z linear in s. Where little work is due, differences of work have lost
// their digits, and the work of the short interval is integrated instead.
std::optional<double> CurvedSegment::find_work(const PathPoint& from, const PathPoint& to,
                                               double due) const {
    if (!(due > 0)) return from.s;
    const double all = to.work - from.work;
    if (!(all >= due)) return {};
    const double u = std::max(from.u, 0.0), v = std::max(to.u, 0.0), share = due / all;
    const double root = u + std::sqrt(u * u + (v * v - u * u) * share);
    const double guess = from.s + (to.s - from.s) * (u + v) * share / root;
    const auto power = [&](const Four& sums) {
        return unit_ * normal_velocity(sums) * length(sliding(sums));
    };
    if (share < 1e-3)
        return find(due, from, to, guess, true, [&](double s) {
            const auto power_at = [&](double t) { return power(sums_.at(t)); };
            return Slope{gauss(power_at, from.s, s), power_at(s)};
        });
    return find(from.work + due, from, to, guess, true, [&](double s) {
        const Four sums = sums_.at(s);
        return Slope{point(s, sums).work, power(sums)};
    });
}

} // namespace rigor::contact_dynamics
