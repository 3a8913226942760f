#include "dynamics/joint_stiffness.h"

#include "dynamics/joint_coordinates.h"
#include "dynamics/joints/row.h"
#include "rigor/rotation.h"

namespace rigor {
namespace {

/// One end of a joint seen from its frame.
struct RestEnd {
    Vec3d arm;
    double inv_mass = 0;
    Quatd frame;
    Vec3d inv_moments;

    RestEnd(const WorldState& state, const JointEnd& end) {
        if (end.body.is_null() || !is_dynamic(state.bodies, end.body.index)) return;
        const BodyInertia& inertia = state.bodies.inertia[end.body.index];
        arm = inverse_rotate(end.frame.q, end.frame.p);
        inv_mass = inertia.inv_mass;
        frame = end.frame.q;
        inv_moments = inertia.inv_moments;
    }
    /// I⁻¹ v.
    Vec3d turned(const Vec3d& v) const {
        return inverse_rotate(frame, multiply(inv_moments, rotate(frame, v)));
    }
};

/// The rows of six_dof_rows() where the frames coincide, seen from there.
struct RestRows {
    RestRows(const SixDofShape& shape, const Vec3d& arm_a, const Vec3d& arm_b) {
        const Vec3d axes[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
        JointRow<double>* next = row;
        for (int i = 0; i < 3; ++i)
            if (shape.is_locked(i))
                *next++ = {axes[i], cross(arm_a, axes[i]), cross(arm_b, axes[i])};
        // Those that align an axis begin with the one after it.
        const int free = shape.is_locked(3) ? (shape.is_locked(4) ? 2 : 1) : 0;
        const int first = shape.locked_turns() == 2 ? free : 0;
        for (int k = 0; k < 3; ++k) {
            const int i = (first + k) % 3;
            if (shape.is_locked(3 + i)) *next++ = turn_row(axes[i]);
        }
    }
    JointRow<double> row[6];
};

/// By L D Lᵀ. A pivot that all but vanishes belongs to a row that nothing moves along: its
/// stiffness is none.
void invert(int n, const std::array<double, 21>& matrix, std::array<double, 21>& inverse) {
    constexpr double kLeastPivot = 1e-9;
    double lower[6][6] = {}, pivots[6] = {}, inv_pivots[6] = {};
    for (int i = 0; i < n; ++i)
        for (int j = 0; j <= i; ++j) {
            double k = matrix[triangle_index(i, j)];
            for (int l = 0; l < j; ++l) k -= lower[i][l] * lower[j][l] * pivots[l];
            if (j < i) {
                lower[i][j] = k * inv_pivots[j];
                continue;
            }
            pivots[i] = k;
            inv_pivots[i] = k > kLeastPivot * matrix[triangle_index(i, i)] ? 1 / k : 0;
        }
    for (int c = 0; c < n; ++c) {
        double x[6] = {};
        x[c] = 1;
        for (int i = 0; i < n; ++i)
            for (int j = 0; j < i; ++j) x[i] -= lower[i][j] * x[j];
        for (int i = n - 1; i >= 0; --i) {
            x[i] *= inv_pivots[i];
            for (int j = i + 1; j < n; ++j) x[i] -= lower[j][i] * x[j];
        }
        for (int i = c; i < n; ++i) inverse[triangle_index(i, c)] = x[i];
    }
}

/// Leaves translations the reduced mass of the bodies, the same in all directions, and rotations
/// what they have with the anchors held. What couples both, and masses that differ by direction,
/// would turn a body whose joint gives way with a lever as long as the gap.
void divide(const SixDofShape& shape, double inv_mass, RestMass& found) {
    const int n = shape.locked_count(), translations = n - shape.locked_turns();
    RestMass turns;
    for (int i = translations; i < n; ++i)
        for (int j = translations; j <= i; ++j)
            turns.mass[triangle_index(i - translations, j - translations)] =
                found.mass[triangle_index(i, j)];
    invert(n - translations, turns.mass, turns.inverse);
    found = {};
    for (int i = 0; i < translations; ++i) {
        found.inverse[triangle_index(i, i)] = inv_mass;
        found.mass[triangle_index(i, i)] = inv_mass > 0 ? 1 / inv_mass : 0;
    }
    for (int i = translations; i < n; ++i)
        for (int j = translations; j <= i; ++j) {
            const std::size_t at = triangle_index(i, j),
                              from = triangle_index(i - translations, j - translations);
            found.inverse[at] = turns.inverse[from];
            found.mass[at] = turns.mass[from];
        }
}

} // namespace

SixDofShape soft_shape(const JointRecord& joint) {
    if (joint.type == JointType::ball) return {7, 0};
    if (joint.type == JointType::fixed) return {63, 0};
    return six_dof_shape(joint);
}

RestMass rest_mass(const WorldState& state, const JointRecord& joint, const SixDofShape& shape) {
    const RestEnd a(state, joint.a), b(state, joint.b);
    const RestRows rows(shape, a.arm, b.arm);
    RestMass found;
    for (int i = 0; i < shape.locked_count(); ++i)
        for (int j = 0; j <= i; ++j)
            found.inverse[triangle_index(i, j)] =
                (a.inv_mass + b.inv_mass) * dot(rows.row[i].linear, rows.row[j].linear) +
                dot(rows.row[i].angular_a, a.turned(rows.row[j].angular_a)) +
                dot(rows.row[i].angular_b, b.turned(rows.row[j].angular_b));
    invert(shape.locked_count(), found.inverse, found.mass);
    divide(shape, a.inv_mass + b.inv_mass, found);
    return found;
}

double reduced_mass(const WorldState& state, const JointRecord& joint) {
    const double inverse = RestEnd(state, joint.a).inv_mass + RestEnd(state, joint.b).inv_mass;
    return inverse > 0 ? 1 / inverse : 0;
}

} // namespace rigor
