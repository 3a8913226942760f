#include "contact_dynamics/joint_impulses.h"

#include <algorithm>
#include <cmath>

#include "contact_dynamics/joint_actions.h"
#include "numeric/least_norm.h"

namespace rigor::contact_dynamics {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// An impulse within bounds that brings the rate of a row to a target, as far as its softness lets
/// it: rate + softness * impulse = target.
struct BoundedRow {
    ConstraintRow row;
    double target = 0;
    double lo = -kInfinity, hi = kInfinity; ///< of the impulse
    double softness = 0;
    double impulse = 0;
    bool begins_ball = false; ///< the first of three rows whose impulse is bounded in length
};

/// A spring by its force at the end of the time: f = -k (x + h v) - d (v - v0).
BoundedRow spring_row(const ConstraintRow& row, double x, const JointSpring& spring, double h) {
    const double slope =
        h * (spring.damping + h * spring.stiffness); // of the impulse over the rate
    BoundedRow bounded{row};
    if (!(slope > 0)) {
        bounded.lo = bounded.hi = 0;
        return bounded;
    }
    bounded.softness = 1 / slope;
    bounded.target = (spring.damping * spring.rest_rate - spring.stiffness * x) * h / slope;
    bounded.hi = h * spring.max_force;
    bounded.lo = -bounded.hi;
    return bounded;
}

void add_dof(const JointDof& dof, const JointTimes& times, std::vector<BoundedRow>& rows) {
    const double h = times.interval;
    if (dof.spring) {
        const double within = std::clamp(dof.coordinate, dof.range.lo, dof.range.hi);
        const double x = dof.coordinate - (dof.has_soft_limits ? within : dof.spring->rest);
        if (!dof.has_soft_limits || x != 0) rows.push_back(spring_row(dof.row, x, *dof.spring, h));
    }
    for (const std::optional<RateDrive>& drive : {dof.motor, dof.friction})
        if (drive)
            rows.push_back(
                {dof.row, drive->target_rate, -h * drive->max_force, h * drive->max_force});
    if (dof.has_soft_limits) return;
    const double below = dof.range.lo - dof.coordinate, above = dof.coordinate - dof.range.hi;
    if (std::isfinite(below))
        rows.push_back({dof.row, below / (below > 0 ? times.recovery : h), 0, kInfinity});
    if (std::isfinite(above))
        rows.push_back({dof.row, -above / (above > 0 ? times.recovery : h), -kInfinity, 0});
}

/// The bounded rows of an island, and how impulses along them act through its joints.
class BoundedProblem {
  public:
    BoundedProblem(const WorldState& state, const Island& island, const JointTimes& times)
        : bodies_(kinematics_of(state, island)) {
        const double h = times.interval;
        for (const IslandJoint& joint : island.joints) {
            const JointConstraintRows own = joint_constraint_rows(state, joint, bodies_);
            for (std::size_t i = 0; i < own.rows.size(); ++i) {
                if (own.springs.empty())
                    enforced_.push_back(own.rows[i]);
                else
                    rows_.push_back(spring_row(own.rows[i], own.rows[i].error, own.springs[i], h));
            }
            for (const JointDof& dof : joint_dofs(state, joint, bodies_))
                add_dof(dof, times, rows_);
            const JointRecord& record = state.joints[joint.joint];
            if (record.type == JointType::ball && record.friction > 0)
                add_ball_friction(joint, h * record.friction);
        }
        if (!rows_.empty()) build();
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
            total.push_back({enforced_[k], reaction, &WorkLedger::joints});
        }
        return total;
    }

    bool empty() const { return rows_.empty(); }

  private:
    void add_ball_friction(const IslandJoint& joint, double bound) {
        for (const ConstraintRow& row : ball_friction_rows(joint))
            rows_.push_back({row, 0, -bound, bound});
        rows_[rows_.size() - 3].begins_ball = true;
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

    void build() {
        std::optional<LeastNormSolver> joints;
        if (!enforced_.empty()) joints.emplace(couplings(enforced_, enforced_, bodies_), true);
        matrix_ = DenseMatrix(rows_.size(), rows_.size());
        for (std::size_t j = 0; j < rows_.size(); ++j) {
            reactions_.push_back(reactions_to(rows_[j].row, joints ? &*joints : nullptr));
            const std::vector<SpatialVector> velocities =
                velocities_by(rows_[j].row, reactions_[j]);
            for (std::size_t i = 0; i < rows_.size(); ++i)
                matrix_(i, j) = rate(rows_[i].row, velocities);
            rates_.push_back(rate(rows_[j].row, bodies_));
        }
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
            stepped[i] = rows_[row].impulse - rate_of(row) / inverse;
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

    std::vector<BodyKinematics> bodies_;
    std::vector<ConstraintRow> enforced_;
    std::vector<BoundedRow> rows_;
    std::vector<std::vector<double>> reactions_; // of the joints, to a unit impulse of each row
    std::vector<double> rates_;
    DenseMatrix matrix_{0, 0};
};

} // namespace

std::vector<RowImpulse> joint_impulses(const WorldState& state, const JointTimes& times,
                                       const Island& island) {
    if (island.joints.empty()) return {};
    BoundedProblem problem(state, island, times);
    if (problem.empty()) return {};
    return problem.solve();
}

} // namespace rigor::contact_dynamics
