#include "fast/contact_newton.h"

#include <algorithm>
#include <cmath>

namespace rigor::fast {
namespace {

constexpr int kMaxRounds = 8;              // of the parting of sliding points
constexpr double kPartingTolerance = 1e-3; // m/s
constexpr int kMaxSearch = 40;
constexpr double kTolerance = 1e-7;      // m/s, rad/s
constexpr double kLoadTolerance = 1e-10; // of the impulses at a body

Vec3d linear(const Vec6d& v) {
    return {v[0], v[1], v[2]};
}
Vec3d angular(const Vec6d& v) {
    return {v[3], v[4], v[5]};
}
void add(Vec6d& v, const Vec3d& linear, const Vec3d& angular) {
    v[0] += linear.x;
    v[1] += linear.y;
    v[2] += linear.z;
    v[3] += angular.x;
    v[4] += angular.y;
    v[5] += angular.z;
}
Vec6d row_of(const Vec3d& direction, const Vec3d& arm, double sign) {
    const Vec3d turn = cross(arm, direction);
    return {sign * direction.x, sign * direction.y, sign * direction.z,
            sign * turn.x,      sign * turn.y,      sign * turn.z};
}

} // namespace

void ContactNewton::reset(std::size_t bodies) {
    points.clear();
    mass_.assign(bodies, 0);
    inertia_.assign(bodies, {});
    inv_inertia_.assign(bodies, {});
    for (std::vector<Vec6d>* list : {&free_, &v_, &gradient_, &direction_})
        list->assign(bodies, Vec6d{});
    load_.assign(bodies, {});
}

void ContactNewton::set_mass(std::size_t body, double mass, const Sym3d& inertia) {
    mass_[body] = mass;
    inertia_[body] = inertia.matrix();
    inv_inertia_[body] = inverse(inertia);
}

void ContactNewton::find_envelope() {
    first_.resize(mass_.size());
    for (std::size_t i = 0; i < first_.size(); ++i) first_[i] = i;
    for (const NewtonPoint& point : points) {
        if (point.a == NewtonPoint::kImmovable || point.b == NewtonPoint::kImmovable) continue;
        const auto [low, high] = std::minmax(point.a, point.b);
        first_[high] = std::min<std::size_t>(first_[high], low);
    }
    hessian_.reset(first_);
}

void ContactNewton::set_velocity(std::size_t body, const Vec6d& without, const Vec6d& guess) {
    free_[body] = without;
    v_[body] = guess;
}

bool ContactNewton::solve(int max_iterations) {
    iterations_ = 0;
    max_iterations_ = max_iterations;
    for (int round = 0; round < kMaxRounds; ++round) {
        if (!solve_convex()) return false;
        double change = 0;
        for (std::size_t i = 0; i < points.size(); ++i) {
            NewtonPoint& point = points[i];
            const Vec3d& u = velocities_[i];
            const double parting =
                point.slides ? point.friction * std::sqrt(u.y * u.y + u.z * u.z) : 0;
            change = std::max(change, std::abs(parting - point.parting));
            point.parting = parting;
        }
        if (change < kPartingTolerance) return true;
    }
    return true;
}

/// Of a point by the velocities of bodies: normal, tangents.
Vec3d ContactNewton::velocity_at(const NewtonPoint& point, const std::vector<Vec6d>& v) const {
    Vec3d u;
    if (point.a != NewtonPoint::kImmovable)
        u -= linear(v[point.a]) + cross(angular(v[point.a]), point.arm_a);
    if (point.b != NewtonPoint::kImmovable)
        u += linear(v[point.b]) + cross(angular(v[point.b]), point.arm_b);
    return {dot(u, point.normal), dot(u, point.tangent_1), dot(u, point.tangent_2)};
}

ContactNewton::Law ContactNewton::law_of(const NewtonPoint& point, const Vec3d& velocity) const {
    const double per_n = 1 / compliance_.normal, per_t = 1 / compliance_.tangential;
    const double mu = point.friction, y_n = (point.wanted - point.parting - velocity.x) * per_n;
    const double y_1 = -velocity.y * per_t, y_2 = -velocity.z * per_t,
                 y_t = std::sqrt(y_1 * y_1 + y_2 * y_2);
    const double ratio = mu * compliance_.tangential * per_n; // μ R_t/R_n
    if (y_n <= -ratio * y_t) return {};
    if (mu == 0) return {{y_n, 0, 0}, Sym3d::diagonal({per_n, 0, 0}), false};
    if (y_t <= mu * y_n) return {{y_n, y_1, y_2}, Sym3d::diagonal({per_n, per_t, per_t}), false};
    // On the surface of the cone.
    const double part = 1 / (1 + mu * ratio), n = (y_n + ratio * y_t) * part;
    const double d_1 = y_1 / y_t, d_2 = y_2 / y_t;
    const double across = mu * n / y_t * per_t, along = mu * mu * per_n * part - across;
    Law law;
    law.impulse = {n, mu * n * d_1, mu * n * d_2};
    law.stiffness = {per_n * part,
                     across + along * d_1 * d_1,
                     across + along * d_2 * d_2,
                     mu * per_n * part * d_1,
                     mu * per_n * part * d_2,
                     along * d_1 * d_2};
    law.slides = true;
    return law;
}

/// The derivative of the merit along the direction, at v_ + part of it: it rises with the part, and
/// has digits where the merit itself has none left.
double ContactNewton::slope(double part) const {
    double sum = inertial_slope_ + part * inertial_curvature_;
    for (std::size_t i = 0; i < points.size(); ++i) {
        const Vec3d impulse = law_of(points[i], velocities_[i] + changes_[i] * part).impulse;
        sum -= dot(impulse, changes_[i]);
    }
    return sum;
}

/// How much of the direction to go: all of it, unless the merit rises again before; then to about
/// where it is least, by false position with halved ends [Dowell 1971].
double ContactNewton::line_search() {
    changes_.resize(points.size());
    for (std::size_t i = 0; i < points.size(); ++i)
        changes_[i] = velocity_at(points[i], direction_);
    inertial_slope_ = inertial_curvature_ = 0;
    for (std::size_t i = 0; i < v_.size(); ++i) {
        const Vec3d d = linear(direction_[i]), e = angular(direction_[i]);
        const Vec3d dv = linear(v_[i]) - linear(free_[i]), dw = angular(v_[i]) - angular(free_[i]);
        const Vec3d turn = inertia_[i] * e;
        inertial_slope_ += mass_[i] * dot(d, dv) + dot(turn, dw);
        inertial_curvature_ += mass_[i] * dot(d, d) + dot(turn, e);
    }
    constexpr double kFlat = 0.01; // of the slope at the beginning
    double low = 0, high = 1, at_low = slope(0), at_high = slope(1);
    const double flat = kFlat * std::abs(at_low);
    if (at_high <= flat) return 1;
    double part = 1;
    int side = 0;
    for (int i = 0; i < kMaxSearch; ++i) {
        part = (low * at_high - high * at_low) / (at_high - at_low);
        const double now = slope(part);
        if (std::abs(now) <= flat) break;
        if (now > 0) {
            high = part;
            at_high = now;
            if (side == 1) at_low *= 0.5;
            side = 1;
        } else {
            low = part;
            at_low = now;
            if (side == -1) at_high *= 0.5;
            side = -1;
        }
    }
    return part;
}

/// Of the merit at v_, and the laws of all points there.
void ContactNewton::find_gradient() {
    for (std::size_t i = 0; i < v_.size(); ++i) {
        const Vec3d dv = linear(v_[i]) - linear(free_[i]), dw = angular(v_[i]) - angular(free_[i]);
        gradient_[i] = {};
        load_[i] = {};
        add(gradient_[i], dv * mass_[i], inertia_[i] * dw);
    }
    velocities_.resize(points.size());
    laws_.resize(points.size());
    for (std::size_t i = 0; i < points.size(); ++i) {
        NewtonPoint& point = points[i];
        velocities_[i] = velocity_at(point, v_) + point.drive;
        laws_[i] = law_of(point, velocities_[i]);
        point.impulse = laws_[i].impulse;
        point.slides = laws_[i].slides;
        if (point.impulse == Vec3d{}) continue;
        const Vec3d push = point.normal * point.impulse.x + point.tangent_1 * point.impulse.y +
                           point.tangent_2 * point.impulse.z;
        push_back(point.a, push, point.arm_a);
        push_back(point.b, -push, point.arm_b);
    }
}

/// Adds the impulse on a body to its gradient.
void ContactNewton::push_back(std::uint32_t body, const Vec3d& push, const Vec3d& arm) {
    if (body == NewtonPoint::kImmovable) return;
    add(gradient_[body], push, cross(arm, push));
    const double size = length(push);
    load_[body].linear += size;
    load_[body].angular += size * length(arm);
}

bool ContactNewton::is_converged() const {
    for (std::size_t i = 0; i < gradient_.size(); ++i) {
        const double v = length(linear(gradient_[i])) / mass_[i],
                     w = length(inv_inertia_[i] * angular(gradient_[i]));
        const double rounding_v = kLoadTolerance * load_[i].linear / mass_[i],
                     rounding_w = kLoadTolerance * load_[i].angular * inv_inertia_[i].trace();
        if (!(v <= kTolerance + rounding_v && w <= kTolerance + rounding_w)) return false;
    }
    return true; // and all is finite
}

void ContactNewton::add_curvature(const NewtonPoint& point, const Law& law) {
    if (law.stiffness.xx == 0) return;
    const Mat3d k = law.stiffness.matrix();
    const std::array<Vec3d, 3> axes{point.normal, point.tangent_1, point.tangent_2};
    std::array<Vec6d, 3> a, b, scaled;
    for (std::size_t p = 0; p < 3; ++p) {
        a[p] = row_of(axes[p], point.arm_a, -1);
        b[p] = row_of(axes[p], point.arm_b, 1);
    }
    const auto scale = [&](const std::array<Vec6d, 3>& rows) {
        for (std::size_t i = 0; i < 6; ++i) {
            const Vec3d column = k * Vec3d{rows[0][i], rows[1][i], rows[2][i]};
            scaled[0][i] = column.x;
            scaled[1][i] = column.y;
            scaled[2][i] = column.z;
        }
    };
    const auto add_to = [&](Block6& block, const std::array<Vec6d, 3>& rows) { // rowsᵀ scaled
        for (std::size_t i = 0; i < 6; ++i)
            for (std::size_t j = 0; j < 6; ++j)
                block[i][j] += rows[0][i] * scaled[0][j] + rows[1][i] * scaled[1][j] +
                               rows[2][i] * scaled[2][j];
    };
    const bool has_a = point.a != NewtonPoint::kImmovable,
               has_b = point.b != NewtonPoint::kImmovable;
    if (has_a) {
        scale(a);
        add_to(hessian_.at(point.a, point.a), a);
        if (has_b && point.b > point.a) add_to(hessian_.at(point.b, point.a), b);
    }
    if (has_b) {
        scale(b);
        add_to(hessian_.at(point.b, point.b), b);
        if (has_a && point.a > point.b) add_to(hessian_.at(point.a, point.b), a);
    }
}

/// A step of Newton's method with a line search. False when the Hessian is not positive definite,
/// as by masses that are not finite.
bool ContactNewton::step() {
    hessian_.clear();
    for (std::size_t i = 0; i < mass_.size(); ++i) {
        Block6& block = hessian_.at(i, i);
        const Mat3d& inertia = inertia_[i];
        for (std::size_t k = 0; k < 3; ++k) block[k][k] = mass_[i];
        const std::array<Vec3d, 3> columns{inertia.cx, inertia.cy, inertia.cz};
        for (std::size_t k = 0; k < 3; ++k) {
            block[3][3 + k] = columns[k].x;
            block[4][3 + k] = columns[k].y;
            block[5][3 + k] = columns[k].z;
        }
    }
    for (std::size_t i = 0; i < points.size(); ++i) add_curvature(points[i], laws_[i]);
    if (!hessian_.factorize()) return false;
    direction_ = gradient_;
    hessian_.solve(direction_);
    for (Vec6d& d : direction_)
        for (double& x : d) x = -x;
    const double part = line_search();
    for (std::size_t i = 0; i < v_.size(); ++i)
        for (std::size_t k = 0; k < 6; ++k) v_[i][k] += part * direction_[i][k];
    return true;
}

bool ContactNewton::solve_convex() {
    for (; iterations_ < max_iterations_; ++iterations_) {
        find_gradient();
        if (is_converged()) return true;
        if (!step()) return false;
    }
    find_gradient();
    return is_converged();
}

} // namespace rigor::fast
