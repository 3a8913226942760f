#include "contact_dynamics/bounded_rows.h"

#include <algorithm>
#include <optional>

#include "numeric/least_norm.h"

namespace rigor::contact_dynamics {
namespace {

/// Bounded rows, and how impulses along them act through the joints.
class BoundedProblem {
  public:
    BoundedProblem(std::span<const EnforcedRow> enforced, std::span<BoundedRow> rows,
                   std::span<const BodyKinematics> bodies)
        : rows_(rows), bodies_(bodies), own_(enforced.size()), matrix_(rows.size(), rows.size()) {
        for (const EnforcedRow& e : enforced) enforced_.push_back(e.row);
        std::optional<LeastNormSolver> joints;
        if (!enforced_.empty()) joints.emplace(couplings(enforced_, enforced_, bodies_), true);
        const std::vector<SpatialVector> changes =
            changes_by(enforced, joints ? &*joints : nullptr);
        for (std::size_t j = 0; j < rows_.size(); ++j) {
            reactions_.push_back(reactions_to(rows_[j].row, joints ? &*joints : nullptr));
            const std::vector<SpatialVector> velocities =
                velocities_by(rows_[j].row, reactions_[j]);
            for (std::size_t i = 0; i < rows_.size(); ++i)
                matrix_(i, j) = rate(rows_[i].row, velocities);
            rates_.push_back(rate(rows_[j].row, bodies_));
            if (!changes.empty()) rates_[j] += rate(rows_[j].row, changes);
        }
    }

    /// Projected Gauss-Seidel. The impulses of all rows, and the reactions of the joints.
    std::vector<RowImpulse> solve() {
        constexpr int kSweeps = 50;
        for (int sweep = 0; sweep < kSweeps; ++sweep)
            for (std::size_t i = 0; i < rows_.size(); ++i) {
                if (rows_[i].begins_ball)
                    relax_ball(i), i += 2;
                else
                    relax(i);
            }
        std::vector<RowImpulse> total;
        for (const BoundedRow& row : rows_)
            total.push_back({row.row, row.impulse, &WorkLedger::joints});
        for (std::size_t k = 0; k < enforced_.size(); ++k) {
            double reaction = 0;
            for (std::size_t i = 0; i < rows_.size(); ++i)
                reaction += reactions_[i][k] * rows_[i].impulse;
            total.push_back({enforced_[k], reaction + own_[k], &WorkLedger::joints});
        }
        return total;
    }

  private:
    /// Velocities by the changes that the joints make by themselves; empty without any.
    std::vector<SpatialVector> changes_by(std::span<const EnforcedRow> enforced,
                                          const LeastNormSolver* joints) {
        std::vector<double> target;
        double largest = 0;
        for (const EnforcedRow& e : enforced) {
            target.push_back(e.change);
            largest = std::max(largest, std::abs(e.change));
        }
        if (largest == 0) return {};
        joints->solve(target, own_);
        std::vector<SpatialVector> velocities(bodies_.size());
        for (std::size_t k = 0; k < own_.size(); ++k)
            add_impulse(enforced_[k], own_[k], velocities);
        for (std::size_t k = 0; k < bodies_.size(); ++k)
            velocities[k] = response(bodies_[k], velocities[k]);
        return velocities;
    }

    /// The reactions of the joints to a unit impulse along a row.
    std::vector<double> reactions_to(const ConstraintRow& row, const LeastNormSolver* joints) {
        std::vector<double> target(enforced_.size()), lambda(enforced_.size());
        if (!joints) return lambda;
        const std::array<ConstraintRow, 1> one{row};
        const DenseMatrix across = couplings(enforced_, one, bodies_);
        for (std::size_t k = 0; k < enforced_.size(); ++k) target[k] = -across(k, 0);
        joints->solve(target, lambda);
        return lambda;
    }

    /// Velocities by a unit impulse along a row, with the reactions of the joints.
    std::vector<SpatialVector> velocities_by(const ConstraintRow& row,
                                             std::span<const double> reactions) {
        std::vector<SpatialVector> velocities(bodies_.size());
        add_impulse(row, 1, velocities);
        for (std::size_t k = 0; k < enforced_.size(); ++k)
            add_impulse(enforced_[k], reactions[k], velocities);
        for (std::size_t k = 0; k < bodies_.size(); ++k)
            velocities[k] = response(bodies_[k], velocities[k]);
        return velocities;
    }

    /// The rate of a row after all impulses.
    double rate_of(std::size_t i) const {
        double rate = rates_[i];
        for (std::size_t j = 0; j < rows_.size(); ++j) rate += matrix_(i, j) * rows_[j].impulse;
        return rate;
    }

    void relax(std::size_t i) {
        BoundedRow& row = rows_[i];
        const double inverse = matrix_(i, i) + row.softness;
        if (!(inverse > 1e-14 * (1 + row.softness))) return; // nothing moves along it
        const double rate = rate_of(i) + row.softness * row.impulse;
        row.impulse = std::clamp(row.impulse + (row.target - rate) / inverse, row.lo, row.hi);
    }

    /// The three rows of the friction of a ball joint: bounded by a ball, not by a cube. Where it
    /// slips it takes a step with one mass for all axes, so that it ends against the rotation.
    void relax_ball(std::size_t first) {
        Vec3d stepped, relaxed;
        double inverse = 1e-300;
        for (std::size_t i = 0; i < 3; ++i)
            inverse = std::max(inverse, matrix_(first + i, first + i));
        for (int i = 0; i < 3; ++i) {
            const std::size_t row = first + static_cast<std::size_t>(i);
            stepped[i] = rows_[row].impulse + (rows_[row].target - rate_of(row)) / inverse;
        }
        for (int i = 0; i < 3; ++i) {
            const std::size_t row = first + static_cast<std::size_t>(i);
            relax(row);
            relaxed[i] = rows_[row].impulse;
        }
        const double bound = rows_[first].hi;
        if (length(relaxed) <= bound) return;
        stepped *= std::min(1.0, bound / length(stepped));
        for (int i = 0; i < 3; ++i) rows_[first + static_cast<std::size_t>(i)].impulse = stepped[i];
    }

    std::span<BoundedRow> rows_;
    std::span<const BodyKinematics> bodies_;
    std::vector<ConstraintRow> enforced_;
    std::vector<double> own_;                    // impulses of the joints' own changes
    std::vector<std::vector<double>> reactions_; // of the joints, to a unit impulse of each row
    std::vector<double> rates_;
    DenseMatrix matrix_;
};

} // namespace

std::vector<RowImpulse> solve_bounded_rows(std::span<const EnforcedRow> enforced,
                                           std::span<BoundedRow> rows,
                                           std::span<const BodyKinematics> bodies) {
    return BoundedProblem(enforced, rows, bodies).solve();
}

} // namespace rigor::contact_dynamics
