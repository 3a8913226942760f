// The point of the cones K nearest to g with A x = b is x = P(g + Aᵀ y), where P is the projection
// onto K and y minimizes the smooth convex function
//
//     |P(g + Aᵀ y)|² / 2 - b·y,    gradient A P(g + Aᵀ y) - b.
//
// Newton's method with line search finds it in a few steps; where the nearest solution of the
// system is within the cones, in one. Alternating projections need hundreds of rounds where the
// solutions hardly meet the cones, as for an arch that barely stands.
#include "numeric/cone_projection.h"

#include <Eigen/Cholesky>
#include <cmath>

#include "base/deadline.h"
#include "numeric/friction_contact.h"

namespace rigor {
namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Vector = Eigen::VectorXd;
using Kind = ConeBlock::Kind;

constexpr int kMaxSteps = 200;
constexpr double kLeastShift = 1e-13; // of the largest diagonal entry
constexpr double kShortest = 1e-2;    // of a step
constexpr double kRounding = 1e-15;   // of a residual, relative to the terms of its sum

class Search {
  public:
    Search(const DenseMatrix& a, std::span<const double> b, std::span<const ConeBlock> cones,
           std::span<const double> guess)
        : cones_(cones) {
        const auto n = static_cast<Eigen::Index>(b.size());
        a_ = Eigen::Map<const Matrix>(a.data(), n, n);
        const double largest = a_.cwiseAbs().maxCoeff();
        scale_ = largest > 0 ? 1 / largest : 1;
        a_ *= scale_;
        b_ = Eigen::Map<const Vector>(b.data(), n) * scale_;
        guess_ = Eigen::Map<const Vector>(guess.data(), n);
    }

    /// The best point found, of which `residual` is the largest component of the gradient.
    Vector run(double& residual) {
        Point here = at_multiplier(Vector::Zero(b_.size()));
        double shift = kLeastShift;
        for (int k = 0; k < kMaxSteps && !is_solved(here) && !deadline_has_passed(); ++k) {
            const Vector step = newton_step(here, shift);
            const double slope = here.gradient.dot(step);
            double length = 1;
            Point next = at_multiplier(here.y + step);
            while (!is_lower(next, here, 1e-4 * length * slope) && length > kShortest) {
                length /= 2;
                next = at_multiplier(here.y + step * length);
            }
            const bool is_better = is_lower(next, here, 0);
            if (!is_better && shift >= 1) break;
            // Where a step fails it was too long in directions that hardly matter.
            shift = is_better && length == 1 ? std::max(0.01 * shift, kLeastShift)
                                             : std::min(100 * shift, 1.0);
            if (is_better) here = std::move(next);
        }
        residual = here.gradient.cwiseAbs().maxCoeff();
        return here.x;
    }

    /// By which A and b are multiplied.
    double scale() const { return scale_; }

  private:
    struct Point {
        Vector y, argument, x, gradient; ///< argument = g + Aᵀ y, x = P(argument)
        double value = 0;
    };

    Point at_multiplier(const Vector& y) const {
        Point point;
        point.y = y;
        point.argument = guess_ + a_.transpose() * y;
        point.x = point.argument;
        for (const ConeBlock& cone : cones_) {
            const auto i = static_cast<Eigen::Index>(cone.first);
            if (cone.kind == Kind::nonnegative) point.x(i) = std::max(point.x(i), 0.0);
            if (cone.kind != Kind::friction) continue;
            const Vec3d inside =
                friction::project({point.x(i), point.x(i + 1), point.x(i + 2)}, cone.mu);
            point.x(i) = inside.x, point.x(i + 1) = inside.y, point.x(i + 2) = inside.z;
        }
        point.gradient = a_ * point.x - b_;
        point.value = 0.5 * point.x.squaredNorm() - b_.dot(y);
        return point;
    }

    bool is_solved(const Point& here) const {
        const double terms = b_.cwiseAbs().maxCoeff() + here.x.cwiseAbs().maxCoeff();
        return here.gradient.cwiseAbs().maxCoeff() <= kRounding * terms;
    }

    // Near the minimum, rounding of the value hides its change; there the gradient decides.
    static bool is_lower(const Point& next, const Point& here, double at_least) {
        const double rounding = 1e-14 * (std::abs(here.value) + here.x.squaredNorm());
        if (next.value < here.value + at_least - rounding) return true;
        return next.value <= here.value + rounding &&
               next.gradient.norm() < 0.5 * here.gradient.norm();
    }

    /// A D with the derivative D of the projection.
    Matrix scaled_columns(const Point& here) const {
        Matrix ad = a_;
        for (const ConeBlock& cone : cones_) {
            const auto i = static_cast<Eigen::Index>(cone.first);
            if (cone.kind == Kind::nonnegative && here.argument(i) < 0) ad.col(i).setZero();
            if (cone.kind != Kind::friction) continue;
            const Vec3d at{here.argument(i), here.argument(i + 1), here.argument(i + 2)};
            const Mat3d d = friction::projection_derivative(at, cone.mu);
            Eigen::Matrix3d block;
            for (int row = 0; row < 3; ++row)
                for (int column = 0; column < 3; ++column) block(row, column) = d(row, column);
            ad.middleCols<3>(i) = (a_.middleCols<3>(i) * block).eval();
        }
        return ad;
    }

    // A D Aᵀ is singular where A is; a small multiple of the identity keeps the step short there.
    Vector newton_step(const Point& here, double least_shift) const {
        const Matrix hessian = scaled_columns(here) * a_.transpose();
        const double largest = std::max(hessian.diagonal().cwiseAbs().maxCoeff(), 1e-300);
        for (double shift = least_shift; shift <= 1; shift *= 100) {
            Matrix shifted = hessian;
            shifted.diagonal().array() += shift * largest;
            const Eigen::LLT<Matrix> factors(shifted);
            if (factors.info() != Eigen::Success) continue;
            const Vector step = factors.solve(-here.gradient);
            if (step.allFinite() && step.dot(here.gradient) < 0) return step;
        }
        return -here.gradient;
    }

    std::span<const ConeBlock> cones_;
    Matrix a_;
    Vector b_, guess_;
    double scale_ = 1;
};

} // namespace

double project_on_cones(const DenseMatrix& a, std::span<const double> b,
                        std::span<const ConeBlock> cones, std::span<double> x) {
    if (b.empty()) return 0;
    const double largest = Eigen::Map<const Vector>(b.data(), static_cast<Eigen::Index>(b.size()))
                               .cwiseAbs()
                               .maxCoeff();
    double residual = 0;
    Search search(a, b, cones, x);
    const Vector found = search.run(residual);
    Eigen::Map<Vector>(x.data(), found.size()) = found;
    return largest > 0 ? residual / (largest * search.scale()) : 0;
}

} // namespace rigor
