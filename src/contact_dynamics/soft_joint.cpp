#include "contact_dynamics/soft_joint.h"

#include "dynamics/joint_stiffness.h"
#include "math/eigen3.h"

namespace rigor::contact_dynamics {
namespace {

/// The sum of three rows between the same bodies, or of the first of them.
ConstraintRow weighted_sum(std::span<const ConstraintRow> rows, const Vec3d& weights) {
    ConstraintRow sum = rows[0];
    for (ConstraintRow::Side& side : sum.sides()) side.linear = side.angular = {};
    sum.bias_acceleration = sum.error = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const double weight = weights[static_cast<int>(i)];
        for (std::size_t k = 0; k < sum.side_count; ++k) {
            sum.all_sides[k].linear += rows[i].all_sides[k].linear * weight;
            sum.all_sides[k].angular += rows[i].all_sides[k].angular * weight;
        }
        sum.bias_acceleration += rows[i].bias_acceleration * weight;
        sum.error += rows[i].error * weight;
    }
    return sum;
}

/// The masses of the rows of a shape; those of rotations become principal axes.
std::vector<double> principal_masses(const RestMass& rest, const SixDofShape& shape,
                                     std::vector<ConstraintRow>& rows) {
    const int n = shape.locked_count(), first = n - shape.locked_turns();
    std::vector<double> masses;
    for (int i = 0; i < first; ++i) masses.push_back(rest.mass[triangle_index(i, i)]);
    const auto entry = [&](int i, int j) {
        return first + i < n ? rest.mass[triangle_index(first + i, first + j)] : 0;
    };
    const Eigen3<double> turns =
        eigen(Sym3d{entry(0, 0), entry(1, 1), entry(2, 2), entry(1, 0), entry(2, 0), entry(2, 1)});
    const std::vector<ConstraintRow> along_axes(rows.begin() + first, rows.end());
    rows.resize(static_cast<std::size_t>(first));
    for (int i = 0; i < 3; ++i) {
        if (!(turns.values[i] > 0)) continue;
        rows.push_back(weighted_sum(along_axes, turns.vectors.column(i)));
        masses.push_back(turns.values[i]);
    }
    return masses;
}

/// Of one row alone, as the bodies are now.
double current_mass(const ConstraintRow& row, std::span<const BodyKinematics> bodies) {
    const double inverse = coupling(row, velocity_response(row, bodies));
    return inverse > 0 ? 1 / inverse : 0;
}

std::vector<double> row_masses(const WorldState& state, const JointRecord& joint,
                               std::span<const BodyKinematics> bodies,
                               std::vector<ConstraintRow>& rows) {
    switch (joint.type) {
        case JointType::distance:
            return {joint.spring_mass > 0 ? joint.spring_mass : current_mass(rows[0], bodies)};
        case JointType::gear:
            return {current_mass(rows[0], bodies)};
        case JointType::track:
            return std::vector<double>(rows.size(), reduced_mass(state, joint));
        default: {
            const SixDofShape shape = soft_shape(joint);
            return principal_masses(rest_mass(state, joint, shape), shape, rows);
        }
    }
}

} // namespace

std::vector<JointSpring> soft_joint_springs(const WorldState& state, const JointRecord& joint,
                                            std::span<const BodyKinematics> bodies,
                                            std::vector<ConstraintRow>& rows) {
    std::vector<JointSpring> springs;
    for (const double mass : row_masses(state, joint, bodies, rows))
        springs.push_back(spring_of(*joint.spring, mass));
    return springs;
}

} // namespace rigor::contact_dynamics
