// Minimum-norm impulses: of all impulses with the same velocities, the shortest. Given u, each
// contact's impulse is in a convex cone F: the point 0 where bodies separate, a ray where they
// slide, the friction cone where they stick. The shortest r in F with W r = c is the projection of
// Wᵀ y on F for some y, and y minimizes the smooth convex function
//
//     |P(Wᵀ y)|² / 2 - c·y,    gradient W P(Wᵀ y) - c.
//
// Newton's method with line search finds it in a few steps, and in one when no contact reaches the
// boundary of its cone, as for a table on four legs.
#include <Eigen/Sparse>
#include <cmath>

#include "numeric/friction_contact.h"
#include "numeric/friction_solvers.h"

namespace rigor::friction {
namespace {

using Eigen::VectorXd;
using SparseMatrix = Eigen::SparseMatrix<double>;

constexpr int kSteps = 60;

// The convex set of the impulse of one contact, and the projection onto it with its derivative.
struct Face {
    enum class Kind { point, ray, cone } kind = Kind::cone;
    Vec3d axis; ///< of a ray, a unit vector
    double mu = 0;

    Vec3d nearest(const Vec3d& x) const {
        if (kind == Kind::point) return {};
        if (kind == Kind::ray) return axis * std::max(0.0, dot(axis, x));
        return project(x, mu);
    }

    Mat3d derivative(const Vec3d& x) const {
        if (kind == Kind::point) return Mat3d::zero();
        if (kind == Kind::ray) return dot(axis, x) >= 0 ? outer(axis, axis) : Mat3d::zero();
        return projection_derivative(x, mu);
    }
};

Face ray(const Vec3d& direction) {
    return {Face::Kind::ray, normalize(direction), 0};
}

// Velocities smaller than `zero` count as zero.
Face face_of(const FrictionProblem& problem, std::size_t i, const Vec3d& u, double zero) {
    const double mu = problem.mu[i];
    if (u.z > zero) return {Face::Kind::point, {}, 0};
    if (!problem.slip.empty() && length_squared(problem.slip[i]) > 0)
        return ray(problem.slip[i] * -mu + Vec3d{0, 0, 1});
    const double speed = std::sqrt(u.x * u.x + u.y * u.y);
    if (mu == 0) return ray({0, 0, 1});
    if (speed > zero) return ray({-mu * u.x / speed, -mu * u.y / speed, 1});
    return {Face::Kind::cone, {}, mu};
}

// Separating contacts are left out: for a symmetric positive semidefinite W, an impulse that moves
// none of the other contacts moves nothing.
class Search {
  public:
    Search(const FrictionProblem& problem, std::span<const Vec3d> r, std::vector<Face> faces)
        : faces_(std::move(faces)) {
        std::vector<int> place(r.size(), -1);
        for (std::size_t i = 0; i < r.size(); ++i) {
            if (faces_[i].kind == Face::Kind::point) continue;
            place[i] = 3 * static_cast<int>(active_.size());
            active_.push_back(i);
        }
        size_ = static_cast<Eigen::Index>(3 * active_.size());
        std::vector<Eigen::Triplet<double>> entries;
        for (const std::size_t i : active_)
            for (const BlockEntry& entry : problem.w.row(i))
                for (int a = 0; a < 3 && place[entry.column] >= 0; ++a)
                    for (int b = 0; b < 3; ++b)
                        entries.emplace_back(place[i] + a, place[entry.column] + b,
                                             entry.block(a, b));
        w_.resize(size_, size_);
        w_.setFromTriplets(entries.begin(), entries.end());
        const double largest = size_ > 0 ? w_.coeffs().abs().maxCoeff() : 0;
        if (largest > 0) w_ *= 1 / largest;
        VectorXd flat(size_);
        for (std::size_t k = 0; k < active_.size(); ++k) set(flat, k, r[active_[k]]);
        c_ = w_ * flat;
    }

    std::vector<Vec3d> run(double tolerance) {
        Point here = at_multiplier(VectorXd::Zero(size_));
        const double near = tolerance * c_.norm();
        for (int k = 0; k < kSteps && here.gradient.norm() > 1e-4 * near; ++k) {
            const VectorXd step = newton_step(here);
            const double slope = here.gradient.dot(step);
            double length = 1;
            Point next = at_multiplier(here.y + step);
            while (!is_lower(next, here, 1e-4 * length * slope) && length > 1e-3) {
                length /= 2;
                next = at_multiplier(here.y + step * length);
            }
            // c itself is known to the tolerance only, so no r near it may satisfy it exactly.
            const bool stuck =
                here.gradient.norm() < near && next.gradient.norm() > 0.5 * here.gradient.norm();
            if (stuck || !is_lower(next, here, 0)) break;
            here = std::move(next);
        }
        std::vector<Vec3d> r(faces_.size());
        for (std::size_t k = 0; k < active_.size(); ++k) r[active_[k]] = at(here.r, k);
        return r;
    }

  private:
    static void set(VectorXd& v, std::size_t i, const Vec3d& value) {
        for (int k = 0; k < 3; ++k) v(static_cast<Eigen::Index>(3 * i) + k) = value[k];
    }
    static Vec3d at(const VectorXd& v, std::size_t i) {
        const Eigen::Index k = static_cast<Eigen::Index>(3 * i);
        return {v(k), v(k + 1), v(k + 2)};
    }

    struct Point {
        VectorXd y, x, r, gradient; ///< x = Wᵀ y, r = P(x)
        double value;
    };

    Point at_multiplier(const VectorXd& y) const {
        Point point{y, w_.transpose() * y, VectorXd(size_), {}, 0};
        for (std::size_t k = 0; k < active_.size(); ++k)
            set(point.r, k, faces_[active_[k]].nearest(at(point.x, k)));
        point.gradient = w_ * point.r - c_;
        point.value = 0.5 * point.r.squaredNorm() - c_.dot(y);
        return point;
    }

    // Near the minimum, rounding of the value hides its change; there the gradient decides.
    static bool is_lower(const Point& next, const Point& here, double at_least) {
        const double rounding = 1e-14 * std::abs(here.value);
        if (next.value < here.value + at_least - rounding) return true;
        return next.value <= here.value + rounding &&
               next.gradient.norm() < 0.5 * here.gradient.norm();
    }

    // W D Wᵀ is singular where W is; a small multiple of the identity keeps the step short there.
    VectorXd newton_step(const Point& here) const {
        std::vector<Eigen::Triplet<double>> entries;
        for (std::size_t i = 0; i < active_.size(); ++i) {
            const Mat3d d = faces_[active_[i]].derivative(at(here.x, i));
            for (int a = 0; a < 3; ++a)
                for (int b = 0; b < 3; ++b)
                    entries.emplace_back(static_cast<int>(3 * i) + a, static_cast<int>(3 * i) + b,
                                         d(a, b));
        }
        SparseMatrix d(size_, size_);
        d.setFromTriplets(entries.begin(), entries.end());
        const SparseMatrix wd = w_ * d;
        SparseMatrix hessian = wd * SparseMatrix(w_.transpose());
        SparseMatrix identity(size_, size_);
        identity.setIdentity();
        Eigen::SimplicialLDLT<SparseMatrix> factors;
        for (double trace = 1e-12; trace < 1; trace *= 100) {
            factors.compute(hessian + trace * identity);
            if (factors.info() != Eigen::Success) continue;
            const VectorXd step = factors.solve(-here.gradient);
            if (step.allFinite() && step.dot(here.gradient) < 0) return step;
        }
        return -here.gradient;
    }

    std::vector<Face> faces_;
    std::vector<std::size_t> active_;
    Eigen::Index size_ = 0;
    SparseMatrix w_;
    VectorXd c_;
};

double norm(std::span<const Vec3d> v) {
    double sum = 0;
    for (const Vec3d& x : v) sum += length_squared(x);
    return std::sqrt(sum);
}

} // namespace

std::vector<Vec3d> shortest(const FrictionProblem& problem, std::span<const Vec3d> r,
                            double tolerance) {
    std::vector<Vec3d> u = problem.q;
    add_product(problem.w, r, u);
    const double zero = std::max(1e-9, 100 * tolerance) * std::max(norm(problem.q), norm(u));
    std::vector<Face> faces;
    for (std::size_t i = 0; i < r.size(); ++i) faces.push_back(face_of(problem, i, u[i], zero));
    std::vector<Vec3d> found = Search(problem, r, std::move(faces)).run(tolerance);
    const bool good = friction_merit(problem, found) <= tolerance &&
                      norm(found) <= norm(r) * (1 + 10 * tolerance);
    return good ? found : std::vector<Vec3d>(r.begin(), r.end());
}

} // namespace rigor::friction
