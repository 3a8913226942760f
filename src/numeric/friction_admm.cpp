// Alternating direction method of multipliers (ADMM): r minimizes the energy, z is its projection
// onto the cones, and y, the multiplier of r = z, is the velocity in units of the penalty rho [Boyd
// 2011, Acary 2018]. One factorization of W + rho I is used until rho changes, and W may have any
// rank. De Saxce's term mu |u_T| follows the multiplier in every iteration.
#include <algorithm>
#include <cmath>

#include "base/deadline.h"
#include "numeric/friction_contact.h"
#include "numeric/friction_solvers.h"
#include "numeric/shifted_blocks.h"

namespace rigor::friction {
namespace {

constexpr double kRelaxation = 1.6; // over-relaxation; 1.5 to 1.8 is usual
constexpr double kFirstPenalty = 0.1;
constexpr int kBetweenChecks = 10;

} // namespace

class Admm::State {
  public:
    State(const Problem& problem, const Iterate& start)
        : p_(problem),
          system_(problem.w, problem.symmetric ? Symmetry::definite : Symmetry::none),
          r_(problem.size()),
          z_(start.r),
          checked_(start.r),
          y_(problem.size()) {
        for (std::size_t i = 0; i < p_.size(); ++i)
            y_[i] = dual_velocity(start.u[i], p_.mu[i]) * (-1 / kFirstPenalty);
    }

    int run(Iterate& x, double tolerance, int iterations) {
        if (count_ == 0) failed_ = !set_penalty(kFirstPenalty);
        Iterate trial;
        int done = 0;
        while (done < iterations && !failed_) {
            iterate();
            ++done;
            if (++count_ % kBetweenChecks != 0) continue;
            trial.r = z_;
            evaluate(p_, trial);
            if (trial.merit < x.merit) x = trial;
            failed_ = !std::isfinite(trial.merit);
            if (failed_ || x.merit <= tolerance || deadline_has_passed()) break;
            adapt_penalty();
        }
        return done;
    }

  private:
    bool set_penalty(double rho) {
        for (Vec3d& y : y_) y *= rho_ / rho;
        rho_ = rho;
        return system_.factor(rho);
    }

    void iterate() {
        for (std::size_t i = 0; i < p_.size(); ++i) {
            const double s = p_.mu[i] * rho_ * std::sqrt(y_[i].x * y_[i].x + y_[i].y * y_[i].y);
            r_[i] = (z_[i] - y_[i]) * rho_ - p_.q[i] - Vec3d{0, 0, s};
        }
        system_.solve(r_);
        for (std::size_t i = 0; i < p_.size(); ++i) {
            const Vec3d relaxed = r_[i] * kRelaxation + z_[i] * (1 - kRelaxation);
            const Vec3d z = project(relaxed + y_[i], p_.mu[i]);
            y_[i] += relaxed - z;
            z_[i] = z;
        }
    }

    /// |W dz| / |dz| for the change dz of z since the last check: the eigenvalue of the modes that
    /// converge last. 0 when z does not change.
    double spectral_estimate() {
        std::vector<Vec3d> dz(p_.size()), change(p_.size());
        for (std::size_t i = 0; i < p_.size(); ++i) dz[i] = z_[i] - checked_[i];
        add_product(p_.w, dz, change);
        double from = 0, to = 0;
        for (std::size_t i = 0; i < p_.size(); ++i) {
            from += length_squared(dz[i]);
            to += length_squared(change[i]);
        }
        checked_ = z_;
        return from > 0 ? std::sqrt(to / from) : 0;
    }

    // The best penalty lies between the eigenvalue of W on the modes that still move and the
    // present one, under which they converge slowly. It is changed ever more rarely, so that
    // convergence is not lost.
    void adapt_penalty() {
        const double estimate = spectral_estimate();
        if (estimate == 0 || count_ == kBetweenChecks || count_ < 1.4 * last_change_) return;
        const double factor = std::clamp(std::sqrt(estimate / rho_), 0.1, 10.0);
        if (factor < 1.8 && factor > 1 / 1.8) return;
        failed_ = !set_penalty(rho_ * factor);
        last_change_ = count_;
    }

    const Problem& p_;
    ShiftedBlocks system_;
    std::vector<Vec3d> r_, z_, checked_, y_;
    double rho_ = kFirstPenalty;
    int count_ = 0, last_change_ = 0;
    bool failed_ = false;
};

Admm::Admm(const Problem& problem, const Iterate& start)
    : state_(std::make_unique<State>(problem, start)) {}
Admm::~Admm() = default;

int Admm::run(Iterate& x, double tolerance, int iterations) {
    return state_->run(x, tolerance, iterations);
}

} // namespace rigor::friction
