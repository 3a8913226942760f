#include "contact_dynamics/joint_impulses.h"

#include <algorithm>
#include <cmath>

#include "contact_dynamics/joint_actions.h"
#include "numeric/least_norm.h"

namespace rigor::contact_dynamics {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kTwoPi = 6.283185307179586;

/// An impulse within bounds that brings the rate of a row to a target, as far as its softness lets
/// it: rate + softness * impulse = target.
struct BoundedRow {
    ConstraintRow row;
    double target = 0;
    double lo = -kInfinity, hi = kInfinity; ///< of the impulse
    double softness = 0;
    double impulse = 0;
    bool ends_ball = false; ///< the last of three rows whose impulse is bounded in length
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

void add_dof(const JointDof& dof, double h, std::vector<BoundedRow>& rows) {
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
    if (std::isfinite(dof.range.lo))
        rows.push_back({dof.row, (dof.range.lo - dof.coordinate) / h, 0, kInfinity});
    if (std::isfinite(dof.range.hi))
        rows.push_back({dof.row, (dof.range.hi - dof.coordinate) / h, -kInfinity, 0});
}

void add_soft_joint(const JointConstraintRows& joint, double h,
                    std::span<const BodyKinematics> bodies, std::vector<BoundedRow>& rows) {
    const double w = kTwoPi * joint.softness->frequency_hz;
    const DenseMatrix own = couplings(joint.rows, joint.rows, bodies);
    for (std::size_t i = 0; i < joint.rows.size(); ++i) {
        const double mass = own(i, i) > 0 ? 1 / own(i, i) : 0;
        const JointSpring spring{mass * w * w, 2 * joint.softness->damping_ratio * mass * w};
        rows.push_back(spring_row(joint.rows[i], joint.rows[i].error, spring, h));
    }
}

/// The bounded rows of an island, and how impulses along them act through its joints.
class BoundedProblem {
  public:
    BoundedProblem(const WorldState& state, const Island& island, double h)
        : bodies_(kinematics_of(state, island)) {
        for (const IslandJoint& joint : island.joints) {
            const JointConstraintRows own = joint_constraint_rows(state, joint, bodies_);
            if (own.softness) {
                add_soft_joint(own, h, bodies_, rows_);
            } else {
                enforced_.insert(enforced_.end(), own.rows.begin(), own.rows.end());
            }
            for (const JointDof& dof : joint_dofs(state, joint, bodies_)) add_dof(dof, h, rows_);
            const JointRecord& record = state.joints[joint.joint];
            if (record.type == JointType::ball && record.friction > 0)
                add_ball_friction(joint, h * record.friction);
        }
        if (!rows_.empty()) build();
    }

    /// Projected Gauss-Seidel.
    std::vector<SpatialVector> solve() {
        constexpr int kSweeps = 50;
        for (int sweep = 0; sweep < kSweeps; ++sweep)
            for (std::size_t i = 0; i < rows_.size(); ++i) {
                relax(i);
                if (rows_[i].ends_ball) bound_length(i);
            }
        std::vector<SpatialVector> total(bodies_.size());
        for (std::size_t i = 0; i < rows_.size(); ++i)
            for (std::size_t k = 0; k < total.size(); ++k) {
                total[k].linear += loads_[i][k].linear * rows_[i].impulse;
                total[k].angular += loads_[i][k].angular * rows_[i].impulse;
            }
        return total;
    }

    bool empty() const { return rows_.empty(); }

  private:
    void add_ball_friction(const IslandJoint& joint, double bound) {
        for (const ConstraintRow& row : ball_friction_rows(joint))
            rows_.push_back({row, 0, -bound, bound});
        rows_.back().ends_ball = true;
    }

    /// A unit impulse along a row, with the reactions of the joints.
    std::vector<SpatialVector> load_of(const ConstraintRow& row, const LeastNormSolver* joints) {
        std::vector<SpatialVector> load(bodies_.size());
        add_impulse(row, 1, load);
        if (!joints) return load;
        const std::array<ConstraintRow, 1> one{row};
        const DenseMatrix across = couplings(enforced_, one, bodies_);
        std::vector<double> target(enforced_.size()), lambda(enforced_.size());
        for (std::size_t k = 0; k < enforced_.size(); ++k) target[k] = -across(k, 0);
        joints->solve(target, lambda);
        for (std::size_t k = 0; k < enforced_.size(); ++k)
            add_impulse(enforced_[k], lambda[k], load);
        return load;
    }

    void build() {
        std::optional<LeastNormSolver> joints;
        if (!enforced_.empty()) joints.emplace(couplings(enforced_, enforced_, bodies_), true);
        matrix_ = DenseMatrix(rows_.size(), rows_.size());
        for (std::size_t j = 0; j < rows_.size(); ++j) {
            loads_.push_back(load_of(rows_[j].row, joints ? &*joints : nullptr));
            std::vector<SpatialVector> velocities(bodies_.size());
            for (std::size_t k = 0; k < bodies_.size(); ++k)
                velocities[k] = response(bodies_[k], loads_[j][k]);
            for (std::size_t i = 0; i < rows_.size(); ++i)
                matrix_(i, j) = rate(rows_[i].row, velocities);
            rates_.push_back(rate(rows_[j].row, bodies_));
        }
    }

    void relax(std::size_t i) {
        BoundedRow& row = rows_[i];
        const double inverse = matrix_(i, i) + row.softness;
        if (!(inverse > 1e-14 * (1 + row.softness))) return; // nothing moves along it
        double rate = rates_[i] + row.softness * row.impulse;
        for (std::size_t j = 0; j < rows_.size(); ++j) rate += matrix_(i, j) * rows_[j].impulse;
        row.impulse = std::clamp(row.impulse + (row.target - rate) / inverse, row.lo, row.hi);
    }

    /// The last of the three rows of the friction of a ball joint: a ball, and not a cube.
    void bound_length(std::size_t last) {
        double squared = 0;
        for (std::size_t i = last - 2; i <= last; ++i)
            squared += rows_[i].impulse * rows_[i].impulse;
        const double bound = rows_[last].hi;
        if (squared <= bound * bound) return;
        for (std::size_t i = last - 2; i <= last; ++i)
            rows_[i].impulse *= bound / std::sqrt(squared);
    }

    std::vector<BodyKinematics> bodies_;
    std::vector<ConstraintRow> enforced_;
    std::vector<BoundedRow> rows_;
    std::vector<std::vector<SpatialVector>> loads_;
    std::vector<double> rates_;
    DenseMatrix matrix_{0, 0};
};

} // namespace

void apply_joint_impulses(const WorldState& state, double h, Island& island) {
    if (island.joints.empty()) return;
    BoundedProblem problem(state, island, h);
    if (!problem.empty()) apply(island, state, problem.solve());
}

} // namespace rigor::contact_dynamics
