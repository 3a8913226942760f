#include "faithful/impact/curved_piece.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "math/tolerances.h"

namespace rigor::faithful {
namespace {

constexpr std::size_t kOrder = kSeriesOrder;

/// x^(-1/order), or up to four in a hundred less: the power of two above x has its root in a table.
double inverse_root(double x) {
    static_assert(kOrder == 20);
    constexpr auto kRoots = [] { // 2^(-k/20)
        std::array<double, kOrder> roots{1};
        for (std::size_t k = 1; k < kOrder; ++k) roots[k] = roots[k - 1] * 0.96593632892484555107;
        return roots;
    }();
    constexpr int n = kOrder;
    int exponent = 0;
    std::frexp(x, &exponent);
    const int whole = exponent >= 0 ? exponent / n : (exponent - n + 1) / n;
    return std::ldexp(kRoots[static_cast<std::size_t>(exponent - whole * n)], -whole);
}

/// The integral of f by Gauss's rule of four points.
template <class F>
double gauss(const F& f, double from, double to) {
    const double mid = 0.5 * (from + to), half = 0.5 * (to - from);
    const auto pair = [&](double place) { return f(mid - half * place) + f(mid + half * place); };
    return half * (0.65214515486254614263 * pair(0.33998104358485626480) +
                   0.34785484513745385737 * pair(0.86113631159405257522));
}

} // namespace

struct CurvedPiece::Slope {
    double value, derivative;
};

CurvedPiece::CurvedPiece(const SlidingContact& contact, const Vec3d& u,
                         const PathTolerance& tolerance)
    : contact_(contact),
      r_(length(Vec2{u.x, u.y})),
      rate_(contact.mu * contact.m.trace() + length(contact.h)),
      unit_(r_ / rate_) {
    x_[0] = u.x / r_;
    y_[0] = u.y / r_;
    u_[0] = u.z;
    expand();
    expand_normal();
    end_ = at(monotone_reach(reach(tolerance)));
}

// (k+1) u_{k+1} = rho_k h - mu M u_k, and from rho² = x² + y² with rho_0 = 1 and c = u_0
//     rho_k = c·u_k + 1/2 sum_{0<i<k} (x_i x_{k-i} + y_i y_{k-i} - rho_i rho_{k-i}).
// Each order waits for the one before: c·u_k is therefore taken from u_{k-1} directly, and the
// youngest terms are added last.
void CurvedPiece::expand() {
    const Sym2 m = contact_.m * (contact_.mu / rate_);
    const Vec2 h = contact_.h * (1 / rate_), c{x_[0], y_[0]}, mc = m * c;
    const double hc = dot(h, c);
    Series x, y, rho; // copies that nothing else can change
    x[0] = c.x;
    y[0] = c.y;
    rho[0] = 1;
    unroll<kOrder>([&](auto last) {
        constexpr std::size_t k = last + 1;
        constexpr double part = 1.0 / static_cast<double>(k);
        const auto square = [&](std::size_t i, std::size_t j) {
            return x[i] * x[j] + y[i] * y[j] - rho[i] * rho[j];
        };
        double sum = k % 2 == 0 ? 0.5 * square(k / 2, k / 2) : 0;
        unroll<last / 2>([&](auto i) { sum += square(last / 2 - i, k - last / 2 + i); });
        x[k] = (h.x * part) * rho[last] - (m.xx * x[last] + m.xy * y[last]) * part;
        y[k] = (h.y * part) * rho[last] - (m.xy * x[last] + m.yy * y[last]) * part;
        rho[k] = (hc * part) * rho[last] + (sum - (mc.x * x[last] + mc.y * y[last]) * part);
    });
    x_ = x;
    y_ = y;
    rho_ = rho;
}

void CurvedPiece::expand_normal() {
    p_x_ = integral(x_);
    p_y_ = integral(y_);
    p_z_ = integral(rho_);
    const double k = unit_ * contact_.k;
    const Vec2 friction = contact_.h * (contact_.mu * unit_);
    for (std::size_t i = 1; i <= kOrder; ++i)
        u_[i] = k * p_z_[i] - friction.x * p_x_[i] - friction.y * p_y_[i];
    work_ = integral_of_product(u_, rho_);
}

// The last terms are within the tolerance, hence all that follow are, nearly.
double CurvedPiece::reach(const PathTolerance& tolerance) const {
    const double per_velocity = r_ / tolerance.velocity, per_work = unit_ / tolerance.work;
    const auto size = [&](std::size_t k) {
        return std::max({std::abs(x_[k]), std::abs(y_[k]), std::abs(rho_[k])}) * per_velocity +
               std::abs(work_[k]) * per_work;
    };
    constexpr double kLongest = 8;
    const double last = std::max(size(kOrder - 1), size(kOrder));
    return last > 1e-20 ? std::min(inverse_root(last), kLongest) : kLongest;
}

// du_z/dp = k - mu h·c is negative only for directions c near that of h, and c turns one way. So
// u_z can turn round only where c passes h or where that rate is zero: there the piece is cut.
double CurvedPiece::monotone_reach(double length) {
    const Vec2 start{x_[0] * r_, y_[0] * r_}, h = contact_.h;
    Vec2 end = sliding(length);
    while (dot(start, end) < 0) end = sliding(length *= 0.5);
    trend_ = 1;
    if (contact_.k < contact_.mu * faithful::length(h)) {
        const auto cut_where = [&](auto changed) {
            for (double lo = 0; length - lo > 1e-13 * length;) {
                const double mid = 0.5 * (lo + length);
                (changed(sliding(mid)) ? length : lo) = mid;
            }
            end = sliding(length);
        };
        const double first = rise(start), tiny = 1e-9 * contact_.k * r_, side = cross(start, h);
        if (first > -tiny && rise(end) > 0 && side * cross(end, h) < 0 && dot(start, h) > 0)
            cut_where([&](const Vec2& v) { return side * cross(v, h) < 0; });
        if (std::abs(first) > tiny && first * rise(end) < 0)
            cut_where([&](const Vec2& v) { return first * rise(v) < 0; });
        trend_ = rise(sliding(0.5 * length)) > 0 ? 1 : -1;
    }
    last_sliding_ = end;
    return length;
}

PathPoint CurvedPiece::at(double s) const {
    const double friction = -contact_.mu * unit_;
    return {s,
            {friction * value(p_x_, s), friction * value(p_y_, s), unit_ * value(p_z_, s)},
            value(u_, s),
            unit_ * value(work_, s)};
}

// Newton's method, kept inside by bisection, for a quantity that rises or falls all along.
template <class Quantity>
double CurvedPiece::find(double target, const PathPoint& from, const PathPoint& to, double guess,
                         bool rising, const Quantity& quantity) {
    double lo = from.s, hi = to.s, s = guess;
    for (int i = 0; i < 100; ++i) {
        if (!(s > lo && s < hi)) s = 0.5 * (lo + hi);
        const Slope now = quantity(s);
        ((now.value < target) == rising ? lo : hi) = s;
        const double step = (target - now.value) / now.derivative;
        s += step;
        // What is left is about the square of this step.
        if (std::abs(step) <= 1e-7 * (s - from.s) || hi - lo <= kEpsilon<double> * hi) break;
    }
    return std::clamp(s, from.s, to.s);
}

std::optional<double> CurvedPiece::where_becomes(double velocity, const PathPoint& from,
                                                 const PathPoint& to, int sign) const {
    if (!(from.s < to.s) || trend_ * sign > 0 || !(sign * (to.u - velocity) < 0)) return {};
    // A first guess by the parabola through both ends with the slope of the first.
    const double span = to.s - from.s, missing = velocity - from.u;
    const double slope = rise(sliding(from.s)) / rate_ * span, bend = to.u - from.u - slope;
    const double square = slope * slope + 4 * bend * missing;
    const double share = square > 0 ? 2 * missing / (slope + trend_ * std::sqrt(square)) : 0.5;
    return find(velocity, from, to, from.s + share * span, trend_ > 0, [&](double s) {
        return Slope{value(u_, s), rise(sliding(s)) / rate_};
    });
}

std::optional<double> CurvedPiece::sign_change(const PathPoint& from, int sign) const {
    return where_becomes(0, from, end_, sign);
}

std::optional<double> CurvedPiece::where_velocity(const PathPoint& from, const PathPoint& to,
                                                  double velocity) const {
    if (velocity <= from.u) return from.s;
    return where_becomes(velocity, from, to, -1);
}

std::optional<double> CurvedPiece::where_impulse(const PathPoint& from, const PathPoint& to,
                                                 double due) const {
    const double all = to.p.z - from.p.z;
    if (!(due > 0)) return from.s;
    if (!(all >= due)) return {};
    return find(from.p.z + due, from, to, from.s + (to.s - from.s) * due / all, true,
                [&](double s) {
                    return Slope{unit_ * value(p_z_, s), unit_ * value(rho_, s)};
                });
}

// A first guess has u_z linear in s. Where little is due, differences of work have lost their
// digits, and a short way is integrated instead.
std::optional<double> CurvedPiece::where_work(const PathPoint& from, const PathPoint& to,
                                              double due) const {
    if (!(due > 0)) return from.s;
    const double all = to.work - from.work;
    if (!(all >= due)) return {};
    const double u = std::max(from.u, 0.0), v = std::max(to.u, 0.0), share = due / all;
    const double root = u + std::sqrt(u * u + (v * v - u * u) * share);
    const double guess = from.s + (to.s - from.s) * (u + v) * share / root;
    const auto power = [&](double s) { return unit_ * value(u_, s) * value(rho_, s); };
    if (share < 1e-3)
        return find(due, from, to, guess, true, [&](double s) {
            return Slope{gauss(power, from.s, s), power(s)};
        });
    return find(from.work + due, from, to, guess, true, [&](double s) {
        return Slope{unit_ * value(work_, s), power(s)};
    });
}

} // namespace rigor::faithful
