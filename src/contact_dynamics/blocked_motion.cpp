#include "contact_dynamics/blocked_motion.h"

#include <algorithm>
#include <cmath>

#include "base/disjoint_sets.h"
#include "contact_dynamics/joint_actions.h"
#include "numeric/null_space.h"

namespace rigor::contact_dynamics {
namespace {

constexpr double kSingular = 3e-6; // singular values relative to the largest: the slope of a link
                                   // that is as good as straight
constexpr double kNone = 1e-9;     // curvature that counts as none
constexpr double kFast = 1e-6;     // m/s, rad/s: what moves faster along blocked motion is not held

/// Whether the joints of an island form a loop; static bodies and the world are one. In a tree of
/// joints every row is independent of the others.
bool has_loop(std::span<const BodyKinematics> bodies, const Island& island) {
    DisjointSets sets(bodies.size() + 1);
    const auto node = [&](std::uint32_t i) { return responds_to_impulses(bodies[i]) ? i + 1 : 0u; };
    for (const IslandJoint& joint : island.joints) {
        const std::uint32_t ends[] = {node(joint.a), node(joint.b), node(joint.c), node(joint.d)};
        const bool is_gear = joint.c != joint.a || joint.d != joint.b;
        if (is_gear || sets.find(ends[0]) == sets.find(ends[1])) return true;
        sets.unite(ends[0], ends[1]);
    }
    return false;
}

/// Anchors that move give way, or tear the loop apart: nothing can be said of it at one instant.
bool has_moving_anchor(std::span<const BodyKinematics> bodies, const Island& island) {
    const auto moves = [&](std::uint32_t i) {
        return !responds_to_impulses(bodies[i]) &&
               (bodies[i].v != Vec3d{} || bodies[i].w != Vec3d{});
    };
    return std::any_of(island.joints.begin(), island.joints.end(), [&](const IslandJoint& j) {
        return moves(j.a) || moves(j.b) || moves(j.c) || moves(j.d);
    });
}

bool is_slow(std::span<const BodyKinematics> bodies) {
    return std::all_of(bodies.begin(), bodies.end(), [](const BodyKinematics& body) {
        return length(body.v) + length(body.w) <= kFast;
    });
}

/// The degrees of freedom of the bodies, as columns.
struct Column {
    std::size_t body = 0;
    int axis = 0; ///< 0 to 2: along, 3 to 5: about
};

double component(const SpatialVector& v, int axis) {
    return axis < 3 ? v.linear[axis] : v.angular[axis - 3];
}

class SecondOrder {
  public:
    SecondOrder(const WorldState& state, const Island& island)
        : state_(state), island_(island), bodies_(kinematics_of(state, island)) {
        for (std::size_t i = 0; i < bodies_.size(); ++i)
            for (int axis = 0; axis < 6; ++axis) {
                const bool moves =
                    axis < 3 ? bodies_[i].inv_mass[axis] > 0 : bodies_[i].inv_inertia.trace() > 0;
                if (moves) columns_.push_back({i, axis});
            }
        rows_ = rows_at(bodies_);
    }

    std::size_t row_count() const { return rows_.size(); }

    /// Velocities that are not blocked, as a basis; nothing when all that joints allow are.
    bool find_free_motion() {
        const NullSpaces spaces = null_spaces(jacobian(), kSingular);
        if (spaces.left.empty() || spaces.right.empty()) return false;
        const DenseMatrix curvature = curvature_of(spaces);
        if (curvature.rows() == 0) return false;
        const SymmetricEigenvectors eigen = symmetric_eigenvectors(curvature);
        const double largest = eigen.values.back();
        if (!(largest > kNone) || eigen.values.front() < -kNone * largest) return false;
        for (std::size_t i = 0; i < eigen.values.size(); ++i) {
            std::vector<double> v(columns_.size());
            for (std::size_t k = 0; k < v.size(); ++k)
                for (std::size_t j = 0; j < spaces.right.size(); ++j)
                    v[k] += eigen.vectors[i][j] * spaces.right[j][k];
            const bool is_blocked = eigen.values[i] > 1e-6 * largest;
            if (is_blocked && std::abs(speed_along(v)) > kFast) return false;
            if (!is_blocked) free_motion_.push_back(std::move(v));
        }
        return true;
    }

    /// Rows of single bodies that hold them against everything else.
    std::vector<LockedRow> locked_rows() const {
        std::vector<LockedRow> locks;
        for (std::size_t i = 0; i < bodies_.size(); ++i) add_locks_of(i, locks);
        return locks;
    }

  private:
    std::vector<ConstraintRow> rows_at(std::span<const BodyKinematics> bodies) const {
        std::vector<ConstraintRow> rows;
        for (const IslandJoint& joint : island_.joints) {
            if (is_soft(state_.joints[joint.joint])) continue;
            const JointConstraintRows of_joint = joint_constraint_rows(state_, joint, bodies);
            rows.insert(rows.end(), of_joint.rows.begin(), of_joint.rows.end());
        }
        return rows;
    }

    DenseMatrix jacobian() const {
        DenseMatrix j(rows_.size(), columns_.size());
        for (std::size_t r = 0; r < rows_.size(); ++r)
            for (const ConstraintRow::Side& s : rows_[r].sides())
                for (std::size_t c = 0; c < columns_.size(); ++c)
                    if (columns_[c].body == s.body)
                        j(r, c) += component({s.linear, s.angular}, columns_[c].axis);
        return j;
    }

    /// s·J'v of every self-stress s as a quadratic form of the velocities of two or four bodies, by
    /// polarization, added to `forms`.
    void add_forms_of(std::size_t joint, std::size_t first_row, const NullSpaces& spaces,
                      std::vector<DenseMatrix>& forms) const {
        const IslandJoint& j = island_.joints[joint];
        std::vector<std::size_t> own;
        for (std::size_t c = 0; c < columns_.size(); ++c) {
            const std::size_t body = columns_[c].body;
            if (body == j.a || body == j.b || body == j.c || body == j.d) own.push_back(c);
        }
        std::vector<BodyKinematics> bodies = bodies_;
        for (const std::uint32_t body : {j.a, j.b, j.c, j.d}) bodies[body].v = bodies[body].w = {};
        const auto biases_at = [&](std::size_t c, std::size_t d) {
            speed(bodies, c) += 1, speed(bodies, d) += 1;
            std::vector<double> biases;
            for (const ConstraintRow& row : joint_constraint_rows(state_, j, bodies).rows)
                biases.push_back(row.bias_acceleration);
            speed(bodies, c) = speed(bodies, d) = 0;
            return biases; // of one column alone: four times its form
        };
        std::vector<std::vector<double>> alone;
        for (const std::size_t c : own) alone.push_back(biases_at(c, c));
        for (std::size_t m = 0; m < own.size(); ++m)
            for (std::size_t n = 0; n < m; ++n) {
                const std::vector<double> both = biases_at(own[m], own[n]);
                for (std::size_t r = 0; r < both.size(); ++r) {
                    const double form = 0.5 * (both[r] - 0.25 * (alone[m][r] + alone[n][r]));
                    for (std::size_t k = 0; k < forms.size(); ++k) {
                        forms[k](own[m], own[n]) += spaces.left[k][first_row + r] * form;
                        forms[k](own[n], own[m]) = forms[k](own[m], own[n]);
                    }
                }
            }
        for (std::size_t m = 0; m < own.size(); ++m)
            for (std::size_t r = 0; r < alone[m].size(); ++r)
                for (std::size_t k = 0; k < forms.size(); ++k)
                    forms[k](own[m], own[m]) += spaces.left[k][first_row + r] * 0.25 * alone[m][r];
    }

    double& speed(std::vector<BodyKinematics>& bodies, std::size_t c) const {
        BodyKinematics& body = bodies[columns_[c].body];
        const int axis = columns_[c].axis;
        return axis < 3 ? body.v[axis] : body.w[axis - 3];
    }

    /// The form on the null space, of the self-stress for which its trace is largest: if some
    /// combination is semidefinite, so is, as a rule, this one.
    DenseMatrix curvature_of(const NullSpaces& spaces) const {
        std::vector<DenseMatrix> forms(spaces.left.size(),
                                       DenseMatrix(columns_.size(), columns_.size()));
        for (std::size_t joint = 0, row = 0; joint < island_.joints.size(); ++joint) {
            if (is_soft(state_.joints[island_.joints[joint].joint])) continue;
            add_forms_of(joint, row, spaces, forms);
            row += joint_constraint_rows(state_, island_.joints[joint], bodies_).rows.size();
        }
        const std::size_t n = spaces.right.size();
        std::vector<DenseMatrix> on_null_space;
        std::vector<double> traces;
        for (const DenseMatrix& form : forms) {
            on_null_space.push_back(restricted(form, spaces.right));
            traces.push_back(0);
            for (std::size_t i = 0; i < n; ++i) traces.back() += on_null_space.back()(i, i);
        }
        double size = 0;
        for (const double trace : traces) size += trace * trace;
        size = std::sqrt(size);
        if (!(size > kNone)) return {};
        DenseMatrix sum(n, n);
        for (std::size_t k = 0; k < forms.size(); ++k)
            for (std::size_t i = 0; i < n; ++i)
                for (std::size_t j = 0; j < n; ++j)
                    sum(i, j) += traces[k] / size * on_null_space[k](i, j);
        return sum;
    }

    /// Vᵀ F V.
    static DenseMatrix restricted(const DenseMatrix& form,
                                  const std::vector<std::vector<double>>& basis) {
        DenseMatrix result(basis.size(), basis.size());
        std::vector<double> image(form.rows());
        for (std::size_t j = 0; j < basis.size(); ++j) {
            for (std::size_t r = 0; r < form.rows(); ++r) {
                image[r] = 0;
                for (std::size_t c = 0; c < form.columns(); ++c)
                    image[r] += form(r, c) * basis[j][c];
            }
            for (std::size_t i = 0; i < basis.size(); ++i)
                for (std::size_t r = 0; r < image.size(); ++r)
                    result(i, j) += basis[i][r] * image[r];
        }
        return result;
    }

    double speed_along(std::span<const double> v) const {
        double speed = 0;
        for (std::size_t c = 0; c < columns_.size(); ++c) {
            const BodyKinematics& body = bodies_[columns_[c].body];
            speed += v[c] * component({body.v, body.w}, columns_[c].axis);
        }
        return speed;
    }

    std::uint32_t joint_of(std::size_t body) const {
        const auto at = [&](bool second) {
            return std::find_if(island_.joints.begin(), island_.joints.end(),
                                [&](const IslandJoint& j) { return (second ? j.b : j.a) == body; });
        };
        const auto as_b = at(true), found = as_b != island_.joints.end() ? as_b : at(false);
        return found == island_.joints.end()
                   ? UINT32_MAX
                   : static_cast<std::uint32_t>(found - island_.joints.begin());
    }

    /// A body that does not move, or only spins about a fixed axis through its center, is held
    /// against everything else. Others move, and are held by their joints to those.
    void add_locks_of(std::size_t body, std::vector<LockedRow>& locks) const {
        const std::uint32_t joint = joint_of(body);
        if (joint == UINT32_MAX || !responds_to_impulses(bodies_[body])) return;
        DenseMatrix spins(free_motion_.size() + 1, 3);
        double largest = 0;
        for (std::size_t i = 0; i < free_motion_.size(); ++i)
            for (std::size_t c = 0; c < columns_.size(); ++c) {
                if (columns_[c].body != body) continue;
                const double v = free_motion_[i][c];
                if (std::abs(v) < kSingular) continue;
                if (columns_[c].axis < 3) return;
                spins(i, static_cast<std::size_t>(columns_[c].axis - 3)) = v;
                largest = std::max(largest, std::abs(v));
            }
        const auto add = [&](const Vec3d& linear, const Vec3d& angular) {
            LockedRow& lock = locks.emplace_back();
            lock.joint = joint;
            lock.row.side_count = 1;
            lock.row.all_sides[0] = {static_cast<std::uint32_t>(body), linear, angular};
        };
        const std::vector<std::vector<double>> held =
            largest > 0 ? null_spaces(spins, kSingular).right : unit_vectors();
        if (held.size() < 2) return;
        for (const std::vector<double>& n : held) add({}, {n[0], n[1], n[2]});
        for (const std::vector<double>& n : unit_vectors()) add({n[0], n[1], n[2]}, {});
    }

    static std::vector<std::vector<double>> unit_vectors() {
        return {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    }

    const WorldState& state_;
    const Island& island_;
    std::vector<BodyKinematics> bodies_;
    std::vector<Column> columns_;
    std::vector<ConstraintRow> rows_;
    std::vector<std::vector<double>> free_motion_;
};

} // namespace

bool hold_blocked_motion(const WorldState& state, BlockedMotionSearch search, Island& island) {
    island.locks_known = true;
    if (island.joints.empty() || !island.locks.empty()) return false;
    const std::vector<BodyKinematics> bodies = kinematics_of(state, island);
    if (!has_loop(bodies, island) || has_moving_anchor(bodies, island)) return false;
    constexpr std::size_t kSmall = 60, kMost = 300; // rows
    SecondOrder analysis(state, island);
    const bool is_patient = search == BlockedMotionSearch::all || is_slow(bodies);
    if (analysis.row_count() > (is_patient ? kMost : kSmall)) return false;
    if (!analysis.find_free_motion()) return false;
    island.locks = analysis.locked_rows();
    return !island.locks.empty();
}

} // namespace rigor::contact_dynamics
