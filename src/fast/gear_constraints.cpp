#include "fast/gear_constraints.h"

#include <algorithm>

#include "fast/joint_kernels.h"
#include "fast/lane_columns.h"
#include "model/joint_builder.h"

namespace rigor::fast {
namespace {

/// The degree of freedom of a hinge or slider: its last row, even if nothing else acts along it.
void fill_dof(JointBlock<1>& block, JointConstraint constraint, const WorldState& state,
              const SolverBodies& bodies, std::vector<JointMemory>& memory, float h) {
    constraint.layout.dofs = 1;
    reset_block<1>(block, constraint.layout);
    fill_lane<1>(block, 0, constraint, state, bodies, memory, h);
}

void add_body(std::vector<GearConstraint::BodyRow>& rows, SolverBodyIndex body, const Vec3f& linear,
              const Vec3f& angular) {
    if (!body.responds_to_impulses()) return;
    const auto known =
        std::find_if(rows.begin(), rows.end(),
                     [&](const GearConstraint::BodyRow& row) { return row.body == body; });
    if (known == rows.end()) {
        rows.push_back({body, linear, angular});
    } else {
        known->linear += linear;
        known->angular += angular;
    }
}

void add_dof(std::vector<GearConstraint::BodyRow>& rows, const JointBlock<1>& block, float factor) {
    const JointBlock<1>::Row& row = block.rows[block.layout.equality_rows];
    const Vec3f linear = vector_at<1>(row.linear, 0) * factor;
    add_body(rows, block.body_b[0], linear, vector_at<1>(row.angular_b, 0) * factor);
    add_body(rows, block.body_a[0], -linear, vector_at<1>(row.angular_a, 0) * -factor);
}

float rate_of(const GearConstraint& gear, const SolverBodies& bodies) {
    float rate = 0;
    for (const GearConstraint::BodyRow& row : gear.rows) {
        const std::array<float, 8>& v = bodies.bodies[row.body.index()].velocity;
        rate += dot(row.linear, {v[0], v[1], v[2]}) + dot(row.angular, {v[3], v[4], v[5]});
    }
    return rate;
}

void apply_impulse(GearConstraint& gear, float impulse, SolverBodies& bodies) {
    for (const GearConstraint::BodyRow& row : gear.rows) {
        const SolverMass& mass = bodies.mass_of(row.body);
        const Vec3f v = row.linear * (mass.inv_mass * impulse);
        const Vec3f w = mass.inv_inertia * row.angular * impulse;
        std::array<float, 8>& out = bodies.bodies[row.body.index()].velocity;
        for (int i = 0; i < 3; ++i) {
            out[static_cast<std::size_t>(i)] += v[i];
            out[static_cast<std::size_t>(i) + 3] += w[i];
        }
        add_body(gear.given, row.body, row.linear * impulse, row.angular * impulse);
    }
}

} // namespace

GearConstraint make_gear(std::uint32_t slot, const JointConstraint& driving,
                         const JointConstraint& driven, const WorldState& state,
                         const SolverBodies& bodies, std::vector<JointMemory>& memory, float h) {
    const JointRecord& joint = state.joints[slot];
    GearConstraint gear;
    gear.joint = slot;
    fill_dof(gear.driving, driving, state, bodies, memory, h);
    fill_dof(gear.driven, driven, state, bodies, memory, h);
    gear.ratio = static_cast<float>(joint.gear_ratio);
    gear.offset = static_cast<float>(joint.gear_offset);
    const Softness soft = joint_softness(joint.spring, JointCompany::few, h);
    gear.bias_rate = soft.bias_rate;
    gear.mass_scale = soft.mass_scale;
    gear.impulse_scale = soft.impulse_scale;
    gear.impulse = memory_of(memory, state, slot).impulses[0];
    return gear;
}

void update_rows(GearConstraint& gear, const SolverBodies& bodies, float moved_for) {
    update_inertia<1>(&gear.driving, 1, bodies.mass.data());
    update_inertia<1>(&gear.driven, 1, bodies.mass.data());
    update_rows<1>(&gear.driving, 1, bodies.bodies.data(), moved_for);
    update_rows<1>(&gear.driven, 1, bodies.bodies.data(), moved_for);
    gear.rows.clear();
    add_dof(gear.rows, gear.driven, 1);
    add_dof(gear.rows, gear.driving, -gear.ratio);
    float k = 0;
    for (const GearConstraint::BodyRow& row : gear.rows) {
        const SolverMass& mass = bodies.mass_of(row.body);
        k += mass.inv_mass * dot(row.linear, row.linear) +
             dot(row.angular, mass.inv_inertia * row.angular);
    }
    gear.mass = k > 0 ? 1 / k : 0;
}

GearLoad load_of(const GearConstraint& gear, const WorldState& state, float h) {
    const JointRecord& driving = state.joints[state.joints[gear.joint].gear_a];
    const Vec3f axis = cast<float>(rotate(end_pose(state, driving.a).q, Vec3d{1, 0, 0}));
    const Vec3f load = axis * (-gear.ratio * gear.impulse / h);
    if (driving.type == JointType::hinge) return {{}, load};
    return {load, {}};
}

void warm_start(GearConstraint& gear, SolverBodies& bodies) {
    apply_impulse(gear, gear.impulse, bodies);
}

void solve(GearConstraint& gear, SolverBodies& bodies, bool use_bias) {
    const float error = gear.driven.dofs[0].coordinate[0] - gear.offset -
                        gear.ratio * gear.driving.dofs[0].coordinate[0];
    const float bias = use_bias ? gear.bias_rate * error : 0;
    const float scale = use_bias ? gear.mass_scale : 1, back = use_bias ? gear.impulse_scale : 0;
    const float change = -gear.mass * scale * (rate_of(gear, bodies) + bias) - back * gear.impulse;
    gear.impulse += change;
    apply_impulse(gear, change, bodies);
}

void accumulate_work(GearConstraint& gear, const SolverBodies& bodies,
                     const SolverBody* end_of_last) {
    for (const GearConstraint::BodyRow& given : gear.given) {
        const SolverBody &now = bodies.bodies[given.body.index()],
                         &last = end_of_last[given.body.index()];
        gear.work += 0.5f * (dot(given.linear, linear_velocity(now) + linear_velocity(last)) +
                             dot(given.angular, angular_velocity(now) + angular_velocity(last)));
    }
    gear.given.clear();
}

} // namespace rigor::fast
