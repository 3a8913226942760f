// The point of the cones K nearest to g with A x = b is x = P(g + Aᵀ y), where P is the projection
// onto K and y minimizes the smooth convex function
//
//     |P(g + Aᵀ y)|² / 2 - b·y,    gradient A P(g + Aᵀ y) - b.
//
// Newton's method with line search finds it in a few steps; where the nearest solution of the
// system is within the cones, in one. Alternating projections need hundreds of rounds where the
// solutions hardly meet the cones, as for an arch that barely stands.
//
// There the multipliers y are many orders larger than x, and rounding of g + Aᵀ y is an error of x.
// So the last digits come from x itself: along the faces of the cones that it lies on.
#include "numeric/cone_projection.h"

#include <Eigen/Cholesky>
#include <Eigen/QR>
#include <cmath>

#include "base/deadline.h"
#include "numeric/friction_contact.h"

namespace rigor {
namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Vector = Eigen::VectorXd;
using Kind = ConeBlock::Kind;

constexpr int kMaxSteps = 200;
constexpr int kMaxFaceSteps = 10;
constexpr double kLeastShift = 1e-13; // of the largest diagonal entry
constexpr double kShortest = 1e-2;    // of a step
constexpr double kOnBoundary = 1e-9;  // relative distance from the boundary of a cone
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
        if (!is_solved(here)) walk_along_faces(here);
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

    Vector projected(Vector x) const {
        for (const ConeBlock& cone : cones_) {
            const auto i = static_cast<Eigen::Index>(cone.first);
            if (cone.kind == Kind::nonnegative) x(i) = std::max(x(i), 0.0);
            if (cone.kind != Kind::friction) continue;
            const Vec3d inside = friction::project({x(i), x(i + 1), x(i + 2)}, cone.mu);
            x(i) = inside.x, x(i + 1) = inside.y, x(i + 2) = inside.z;
        }
        return x;
    }

    Point at_multiplier(const Vector& y) const {
        Point point;
        point.y = y;
        point.argument = guess_ + a_.transpose() * y;
        point.x = projected(point.argument);
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

    /// Directions along the faces that x lies on, as columns: all three within a friction cone, on
    /// its boundary those along the ray and around, none at its apex.
    Matrix face_directions(const Vector& x) const {
        Matrix directions = Matrix::Zero(x.size(), x.size());
        Eigen::Index count = 0;
        for (const ConeBlock& cone : cones_) {
            const auto i = static_cast<Eigen::Index>(cone.first);
            if (cone.kind == Kind::free || (cone.kind == Kind::nonnegative && x(i) > 0))
                directions(i, count++) = 1;
            if (cone.kind != Kind::friction || x(i + 2) <= 0) continue;
            const double slip = std::sqrt(x(i) * x(i) + x(i + 1) * x(i + 1));
            if (slip < (1 - kOnBoundary) * cone.mu * x(i + 2)) {
                for (int axis = 0; axis < 3; ++axis) directions(i + axis, count++) = 1;
                continue;
            }
            const double along = slip > 0 ? x(i) / slip : 1,
                         across = slip > 0 ? x(i + 1) / slip : 0;
            directions(i, count) = cone.mu * along;
            directions(i + 1, count) = cone.mu * across;
            directions(i + 2, count++) = 1;
            if (cone.mu == 0) continue;
            directions(i, count) = -across;
            directions(i + 1, count++) = along;
        }
        return directions.leftCols(count);
    }

    /// Newton's method for A x = b on the faces.
    void walk_along_faces(Point& here) const {
        for (int k = 0; k < kMaxFaceSteps && !is_solved(here) && !deadline_has_passed(); ++k) {
            const Matrix directions = face_directions(here.x);
            if (directions.cols() == 0) return;
            const Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> factors(a_ * directions);
            Point next = here;
            next.x = projected(here.x - directions * factors.solve(here.gradient));
            next.gradient = a_ * next.x - b_;
            if (!(next.gradient.norm() < 0.5 * here.gradient.norm())) return;
            here = std::move(next);
        }
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
