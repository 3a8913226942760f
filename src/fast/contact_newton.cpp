#include "fast/contact_newton.h"

#include <algorithm>
#include <cmath>

namespace rigor::fast {
namespace {

constexpr int kMaxRounds = 5;             // of the parting of sliding points
constexpr double kPartingTolerance = 5e-3; // m/s
constexpr int kMaxIterations = 25;
constexpr int kMaxHalvings = 12;
constexpr double kTolerance = 1e-7;      // m/s, rad/s
constexpr double kLoadTolerance = 1e-12; // of the impulses at a body

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

/// The impulse at a relative velocity, and its negative derivative: symmetric, in the axes of
/// normal and tangents.
struct ContactNewton::Law {
    Vec3d impulse;
    Sym3d stiffness;
    bool slides = false;
};

void ContactNewton::reset(std::size_t bodies) {
    points.clear();
    mass_.assign(bodies, 0);
    inertia_.assign(bodies, {});
    inv_inertia_.assign(bodies, {});
    for (std::vector<Vec6d>* list : {&free_, &v_, &trial_, &gradient_, &direction_, &load_})
        list->assign(bodies, Vec6d{});
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

bool ContactNewton::solve() {
    for (int round = 0; round < kMaxRounds; ++round) {
        if (!solve_convex()) return false;
        double change = 0;
        for (NewtonPoint& point : points) {
            double parting = 0;
            if (point.slides) {
                const Vec3d u = relative_velocity(point, v_);
                parting = point.friction * std::hypot(u.y, u.z);
            }
            change = std::max(change, std::abs(parting - point.parting));
            point.parting = parting;
        }
        if (change < kPartingTolerance) return true;
    }
    return true;
}

/// Normal, tangents.
Vec3d ContactNewton::relative_velocity(const NewtonPoint& point,
                                       const std::vector<Vec6d>& v) const {
    Vec3d u = point.drive;
    if (point.a != NewtonPoint::kImmovable)
        u -= linear(v[point.a]) + cross(angular(v[point.a]), point.arm_a);
    if (point.b != NewtonPoint::kImmovable)
        u += linear(v[point.b]) + cross(angular(v[point.b]), point.arm_b);
    return {dot(u, point.normal), dot(u, point.tangent_1), dot(u, point.tangent_2)};
}

ContactNewton::Law ContactNewton::law_of(const NewtonPoint& point, const Vec3d& velocity) const {
    const double per_n = 1 / compliance_.normal, per_t = 1 / compliance_.tangential;
    const double mu = point.friction, y_n = (point.wanted - point.parting - velocity.x) * per_n;
    const double y_1 = -velocity.y * per_t, y_2 = -velocity.z * per_t, y_t = std::hypot(y_1, y_2);
    const double ratio = mu * compliance_.tangential * per_n; // μ R_t/R_n
    if (y_t <= mu * y_n) return {{y_n, y_1, y_2}, Sym3d::diagonal({per_n, per_t, per_t}), false};
    if (y_n <= -ratio * y_t) return {};
    if (mu == 0) return {{y_n, 0, 0}, Sym3d::diagonal({per_n, 0, 0}), false};
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

double ContactNewton::merit(const std::vector<Vec6d>& v) const {
    double sum = 0;
    for (std::size_t i = 0; i < v.size(); ++i) {
        const Vec3d dv = linear(v[i]) - linear(free_[i]), dw = angular(v[i]) - angular(free_[i]);
        sum += mass_[i] * dot(dv, dv) + dot(dw, inertia_[i] * dw);
    }
    for (const NewtonPoint& point : points) {
        const Vec3d g = law_of(point, relative_velocity(point, v)).impulse;
        sum += compliance_.normal * g.x * g.x +
               compliance_.tangential * (g.y * g.y + g.z * g.z);
    }
    return 0.5 * sum;
}

/// Of the merit at v_; also the impulses there.
void ContactNewton::find_gradient() {
    for (std::size_t i = 0; i < v_.size(); ++i) {
        const Vec3d dv = linear(v_[i]) - linear(free_[i]), dw = angular(v_[i]) - angular(free_[i]);
        gradient_[i] = load_[i] = {};
        add(gradient_[i], dv * mass_[i], inertia_[i] * dw);
    }
    for (NewtonPoint& point : points) {
        const Law law = law_of(point, relative_velocity(point, v_));
        point.impulse = law.impulse;
        point.slides = law.slides;
        if (law.impulse == Vec3d{}) continue;
        const Vec3d push = point.normal * law.impulse.x + point.tangent_1 * law.impulse.y +
                           point.tangent_2 * law.impulse.z;
        const double size = length(push);
        if (point.a != NewtonPoint::kImmovable) {
            add(gradient_[point.a], push, cross(point.arm_a, push));
            load_[point.a][0] += size;
            load_[point.a][3] += size * length(point.arm_a);
        }
        if (point.b != NewtonPoint::kImmovable) {
            add(gradient_[point.b], -push, -cross(point.arm_b, push));
            load_[point.b][0] += size;
            load_[point.b][3] += size * length(point.arm_b);
        }
    }
}

bool ContactNewton::is_converged() const {
    for (std::size_t i = 0; i < gradient_.size(); ++i) {
        const double v = length(linear(gradient_[i])) / mass_[i],
                     w = length(inv_inertia_[i] * angular(gradient_[i]));
        const double rounding_v = kLoadTolerance * load_[i][0] / mass_[i],
                     rounding_w = kLoadTolerance * load_[i][3] * inv_inertia_[i].trace();
        if (v > kTolerance + rounding_v || w > kTolerance + rounding_w) return false;
    }
    return true;
}

void ContactNewton::add_curvature(const NewtonPoint& point) {
    const Law law = law_of(point, relative_velocity(point, v_));
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

/// A step of Newton's method with a line search. False when there is no better point.
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
    for (const NewtonPoint& point : points) add_curvature(point);
    if (!hessian_.factorize()) return false;
    direction_ = gradient_;
    hessian_.solve(direction_);
    const double now = merit(v_);
    double part = 1;
    for (int i = 0; i < kMaxHalvings; ++i, part *= 0.5) {
        for (std::size_t k = 0; k < v_.size(); ++k)
            for (std::size_t c = 0; c < 6; ++c) trial_[k][c] = v_[k][c] - part * direction_[k][c];
        if (merit(trial_) <= now) {
            std::swap(v_, trial_);
            return true;
        }
    }
    return false;
}

bool ContactNewton::solve_convex() {
    for (int i = 0; i < kMaxIterations; ++i) {
        find_gradient();
        if (is_converged()) return true;
        if (!step()) return true; // to rounding
    }
    find_gradient();
    return is_converged();
}

} // namespace rigor::fast
