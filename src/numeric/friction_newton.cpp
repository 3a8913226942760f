// Nonsmooth Newton steps on the function of Alart and Curnier [Alart 1991], whose pieces are the
// modes of a contact: open (r = 0), sticking (u = 0), or sliding (u_n = 0 and r_T = mu r_n d, d the
// direction of r_T - rho u_T). Where the modes are right, convergence is quadratic, and without
// sliding one step is enough.
//
// Redundant contacts make W singular. The steps are then those of the proximal point method: a
// small multiple of the identity is added to W, which selects the shortest step and adds no motion
// along the null space of W. Where steps do not help, the multiple is increased.
#include <algorithm>
#include <cmath>

#include "base/deadline.h"
#include "numeric/friction_contact.h"
#include "numeric/friction_solvers.h"
#include "numeric/linear_solver.h"

namespace rigor::friction {
namespace {

constexpr double kMinShift = 1e-10; // of the diagonal of W, which is about one
constexpr double kMaxShift = 1;
constexpr int kAhead = 2;
constexpr double kFarAway = 4;

// The step of one contact is dr = fixed + C y with `count` unknowns y, and its equations are Rᵀ du
// + E y = right, for du = W dr. C and R have `count` columns.
struct Piece {
    int count = 0, first = 0;
    Mat3d columns = Mat3d::identity(), rows = Mat3d::identity(), own = Mat3d::zero();
    Vec3d right, fixed;
    bool slides = false;
};

Piece open_piece(const Vec3d& r) {
    Piece piece;
    piece.fixed = -r;
    return piece;
}

Piece sticking_piece(const Vec3d& u) {
    Piece piece;
    piece.count = 3;
    piece.right = -u;
    return piece;
}

Piece frictionless_piece(const Vec3d& r, const Vec3d& u) {
    Piece piece;
    piece.count = 1;
    piece.columns.cx = piece.rows.cx = {0, 0, 1};
    piece.right = {-u.z, 0, 0};
    piece.fixed = {-r.x, -r.y, 0};
    return piece;
}

Piece piece_of(const Mat3d& w, double mu, const Vec3d& r, const Vec3d& u) {
    const double largest = std::max({w.cx.x, w.cy.y, w.cz.z});
    const double rho = largest > 0 ? 1 / largest : 1;
    const Vec3d x = r - u * rho;
    if (!(x.z > 0)) return open_piece(r);
    if (mu == 0) return frictionless_piece(r, u);
    const double t = std::sqrt(x.x * x.x + x.y * x.y);
    if (t <= mu * x.z) return sticking_piece(u);
    // dr_T - mu d dr_n - h (1 - d dᵀ)(dr_T - rho du_T) = mu r_n d - r_T, and u_n + du_n = 0.
    Piece piece;
    const double dx = x.x / t, dy = x.y / t, h = std::min(1.0, mu * std::max(r.z, 0.0) / t);
    const double xx = h * dy * dy, xy = -h * dx * dy, yy = h * dx * dx;
    piece.count = 3;
    piece.slides = true;
    piece.rows = Mat3d{{xx, xy, 0}, {xy, yy, 0}, {}} * rho;
    piece.rows.cz = {0, 0, 1};
    piece.own = Mat3d::from_rows({1 - xx, -xy, -mu * dx}, {-xy, 1 - yy, -mu * dy}, {});
    piece.right = {mu * r.z * dx - r.x, mu * r.z * dy - r.y, -u.z};
    return piece;
}

class NewtonStep {
  public:
    NewtonStep(const Problem& problem, const Iterate& x, double shift)
        : p_(problem), shift_(shift) {
        pieces_.reserve(p_.size());
        for (std::size_t i = 0; i < p_.size(); ++i) {
            pieces_.push_back(piece_of(p_.w.diagonal(i), p_.mu[i], x.r[i], x.u[i]));
            pieces_[i].first = size_;
            size_ += pieces_[i].count;
            slides_ = slides_ || pieces_[i].slides;
        }
    }

    /// The change of r; false when the system cannot be factored.
    bool solve(std::vector<Vec3d>& step) {
        right_.assign(static_cast<std::size_t>(size_), 0.0);
        for (std::size_t i = 0; i < p_.size(); ++i) assemble(i);
        const bool definite = p_.symmetric && !slides_;
        LinearSolver solver(size_, entries_, definite ? Symmetry::definite : Symmetry::none);
        if (!solver.factor()) return false;
        solver.solve(right_);
        step.resize(p_.size());
        for (std::size_t i = 0; i < p_.size(); ++i) {
            const Piece& piece = pieces_[i];
            step[i] = piece.fixed;
            for (int k = 0; k < piece.count; ++k)
                step[i] +=
                    piece.columns.column(k) * right_[static_cast<std::size_t>(piece.first + k)];
            if (!is_finite(step[i])) return false;
        }
        return true;
    }

  private:
    void assemble(std::size_t i) {
        const Piece& piece = pieces_[i];
        if (piece.count == 0) return;
        Vec3d moved = piece.fixed * shift_;
        for (const BlockEntry& entry : p_.w.row(i)) {
            const Piece& other = pieces_[entry.column];
            moved += entry.block * other.fixed;
            Mat3d block = entry.block;
            if (entry.column == i) block = block + Mat3d::diagonal({shift_, shift_, shift_});
            for (int b = 0; b < other.count; ++b) {
                const Vec3d column = block * other.columns.column(b);
                for (int a = 0; a < piece.count; ++a)
                    put(piece.first + a, other.first + b, dot(piece.rows.column(a), column));
            }
        }
        for (int a = 0; a < piece.count; ++a) {
            right_[static_cast<std::size_t>(piece.first + a)] =
                piece.right[a] - dot(piece.rows.column(a), moved);
            for (int b = 0; b < piece.count; ++b)
                put(piece.first + a, piece.first + b, piece.own(a, b));
        }
    }

    void put(int row, int column, double value) {
        if (value != 0) entries_.push_back({row, column, value});
    }

    const Problem& p_;
    double shift_;
    std::vector<Piece> pieces_;
    std::vector<MatrixEntry> entries_;
    std::vector<double> right_;
    int size_ = 0;
    bool slides_ = false;
};

// The first of the step lengths 1, 1/2, 1/4, 1/8 that improves x.
bool line_search(const Problem& problem, const Iterate& x, std::span<const Vec3d> step,
                 double tolerance, Iterate& end) {
    for (double length = 1; length > 0.1; length /= 2) {
        end.r = x.r;
        for (std::size_t i = 0; i < step.size(); ++i) end.r[i] += step[i] * length;
        evaluate(problem, end);
        if (end.error < (1 - 0.05 * length) * x.error || end.merit <= tolerance) return true;
    }
    return false;
}

} // namespace

// A step may change the modes of many contacts and be worse at first (nonmonotone search): up to
// kAhead full steps are accepted, unless they lead far away, before returning to the last good
// point.
int newton(const Problem& problem, Iterate& x, double tolerance, int steps) {
    std::vector<Vec3d> step;
    Iterate here = x, end;
    double shift = kMinShift;
    int ahead = 0;
    for (int k = 0; k < steps; ++k) {
        if (deadline_has_passed()) return k;
        if (!NewtonStep(problem, here, shift).solve(step)) return k;
        end.r = here.r;
        for (std::size_t i = 0; i < step.size(); ++i) end.r[i] += step[i];
        evaluate(problem, end);
        bool better = end.error < 0.95 * x.error || end.merit <= tolerance;
        if (!better && ahead < kAhead && end.error < kFarAway * x.error) {
            ++ahead;
            here = end;
            continue;
        }
        if (!better && ahead == 0) better = line_search(problem, x, step, tolerance, end);
        ahead = 0;
        if (better) {
            x = here = end;
            if (x.merit <= tolerance) return k + 1;
            shift = std::max(shift / 10, kMinShift);
        } else {
            here = x;
            shift = std::max(100 * shift, x.merit);
            if (shift > kMaxShift) return k + 1;
        }
    }
    return steps;
}

} // namespace rigor::friction
