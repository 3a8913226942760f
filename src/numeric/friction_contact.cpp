#include "numeric/friction_contact.h"

#include <array>
#include <cmath>

#include "numeric/roots.h"

namespace rigor::friction {
namespace {

struct Vec2 {
    double x = 0, y = 0;
};
Vec2 operator+(Vec2 a, Vec2 b) {
    return {a.x + b.x, a.y + b.y};
}
Vec2 operator*(Vec2 a, double s) {
    return {a.x * s, a.y * s};
}
double dot(Vec2 a, Vec2 b) {
    return a.x * b.x + a.y * b.y;
}
double cross(Vec2 a, Vec2 b) {
    return a.x * b.y - a.y * b.x;
}
Vec2 quarter_turn(Vec2 a) {
    return {-a.y, a.x};
}
Vec2 unit(Vec2 a) {
    const double length = std::sqrt(dot(a, a));
    return length > 0 ? a * (1 / length) : Vec2{1, 0};
}

// Sliding along the unit vector d, r = r_n (-mu d, 1) and u_n = 0 give
//
//     r_n = -q_n / D(d),   D(d) = W_nn - mu W_nT·d,
//     D(d) u_T = a + B d,  a = W_nn q_T - q_n W_Tn,  B = mu (q_n W_TT - q_T W_nTᵀ),
//
// and d is a solution when u_T points along it: g(d) = d x (a + B d) = 0 with d·(a + B d) >= 0.
struct Sliding {
    Vec2 a, bx, by; // B by columns
    Vec2 w_nt;
    double w_nn, mu;

    Sliding(const Mat3d& w, const Vec3d& q, double friction)
        : a{w.cz.z * q.x - q.z * w.cz.x, w.cz.z * q.y - q.z * w.cz.y},
          bx{friction * (q.z * w.cx.x - q.x * w.cx.z), friction * (q.z * w.cx.y - q.y * w.cx.z)},
          by{friction * (q.z * w.cy.x - q.x * w.cy.z), friction * (q.z * w.cy.y - q.y * w.cy.z)},
          w_nt{w.cx.z, w.cy.z},
          w_nn(w.cz.z),
          mu(friction) {}

    Vec2 turned(Vec2 d) const { return bx * d.x + by * d.y; } // B d
    double denominator(Vec2 d) const { return w_nn - mu * dot(w_nt, d); }
    bool is_answer(Vec2 d, Vec2 velocity) const {
        return denominator(d) > 0 && dot(d, velocity) >= 0;
    }
};

std::optional<Vec2> direction_by_newton(const Sliding& s, Vec2 d) {
    const double size = std::abs(s.a.x) + std::abs(s.a.y) + std::abs(s.bx.x) + std::abs(s.bx.y) +
                        std::abs(s.by.x) + std::abs(s.by.y);
    for (int i = 0; i < 12; ++i) {
        const Vec2 velocity = s.a + s.turned(d);
        const double g = cross(d, velocity);
        if (std::abs(g) <= 1e-15 * size) {
            if (s.is_answer(d, velocity)) return d;
            return std::nullopt;
        }
        // dg/dangle; where it has the wrong sign, d is set to the direction of the velocity.
        const double slope = -dot(d, velocity) + cross(d, s.turned(quarter_turn(d)));
        d = slope < 0 && std::abs(g) < -slope ? unit(d + quarter_turn(d) * (-g / slope))
                                              : unit(velocity);
    }
    return std::nullopt;
}

// With d = (c, s) seen from e, and t the tangent of half the angle, (1 + t²)² g is a quartic in t.
// The direction -e is t at infinity.
std::optional<Vec2> direction_by_quartic(const Sliding& sliding, Vec2 e) {
    const Vec2 f = quarter_turn(e);
    const double ax = dot(e, sliding.a), ay = dot(f, sliding.a);
    const Vec2 be = sliding.turned(e), bf = sliding.turned(f);
    const double xx = dot(e, be), yx = dot(f, be), xy = dot(e, bf), yy = dot(f, bf);
    const std::array<double, 5> quartic{ay + yx, 2 * (yy - xx - ax), -2 * yx - 4 * xy,
                                        2 * (xx - yy - ax), yx - ay};
    std::optional<Vec2> best;
    double least = 0;
    const auto consider = [&](Vec2 d) {
        const Vec2 velocity = sliding.a + sliding.turned(d);
        if (!sliding.is_answer(d, velocity)) return;
        const double error = std::abs(cross(d, velocity)) / std::sqrt(dot(velocity, velocity));
        if (best && !(error < least)) return;
        best = d;
        least = error;
    };
    for (const double t : polynomial_roots(quartic)) consider(unit(e * (1 - t * t) + f * (2 * t)));
    if (!best) consider(e * -1);
    return best && least <= 1e-6 ? best : std::nullopt;
}

} // namespace

Vec3d project(const Vec3d& x, double mu) {
    const double t = std::sqrt(x.x * x.x + x.y * x.y);
    if (mu * t <= -x.z)
        return {}; // first: without friction the next test would also accept tensile x
    if (t <= mu * x.z) return x;
    const double n = (x.z + mu * t) / (1 + mu * mu), scale = mu * n / t;
    return t > 0 ? Vec3d{x.x * scale, x.y * scale, n} : Vec3d{0, 0, n};
}

Mat3d projection_derivative(const Vec3d& x, double mu) {
    const double t = std::sqrt(x.x * x.x + x.y * x.y);
    if (t <= mu * x.z) return Mat3d::identity();
    if (mu * t <= -x.z) return Mat3d::zero();
    // 1 along the ray below x, the ratio of the radii along the circle, 0 across.
    const Vec3d along = Vec3d{mu * x.x / t, mu * x.y / t, 1} / std::sqrt(1 + mu * mu);
    const Vec3d around{-x.y / t, x.x / t, 0};
    const double ratio = mu * (x.z + mu * t) / ((1 + mu * mu) * t);
    return outer(along, along) + outer(around, around) * ratio;
}

Vec3d dual_velocity(const Vec3d& u, double mu) {
    return {u.x, u.y, u.z + mu * std::sqrt(u.x * u.x + u.y * u.y)};
}

// A rank-deficient block gets a small multiple of the identity, too small to be visible in u.
Contact::Contact(const Mat3d& w, double mu) : w_(w), mu_(mu) {
    const double trace = w.cx.x + w.cy.y + w.cz.z;
    Mat3d regular = w;
    if (!(std::abs(determinant(w)) > 1e-14 * trace * trace * trace))
        regular = w + Mat3d::diagonal({1e-13 * trace, 1e-13 * trace, 1e-13 * trace});
    inverse_ = inverse(regular);
}

std::optional<Vec3d> Contact::solve(const Vec3d& q, const Vec3d& guess) const {
    if (q.z >= 0) return Vec3d{};
    if (mu_ == 0) {
        if (!(w_.cz.z > 0)) return std::nullopt;
        return Vec3d{0, 0, -q.z / w_.cz.z};
    }
    const Vec3d stick = -(inverse_ * q);
    const double tangential = stick.x * stick.x + stick.y * stick.y;
    if (stick.z >= 0 && tangential <= mu_ * mu_ * stick.z * stick.z) return stick;
    return slide(q, guess.x != 0 || guess.y != 0 ? guess : stick);
}

std::optional<Vec3d> Contact::slide(const Vec3d& q, const Vec3d& direction) const {
    const Sliding sliding(w_, q, mu_);
    const Vec2 start = unit({-direction.x, -direction.y}); // sliding is against the friction force
    std::optional<Vec2> d = direction_by_newton(sliding, start);
    if (!d) d = direction_by_quartic(sliding, start);
    if (!d) return std::nullopt;
    const double n = -q.z / sliding.denominator(*d);
    return Vec3d{-mu_ * n * d->x, -mu_ * n * d->y, n};
}

} // namespace rigor::friction
