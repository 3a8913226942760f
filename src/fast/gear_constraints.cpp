#include "fast/gear_constraints.h"

#include <algorithm>
#include <cmath>

#include "dynamics/joint_coordinates.h"
#include "fast/joint_kernels.h"
#include "fast/lane_columns.h"
#include "fast/limit_rows.h"
#include "math/trig.h"
#include "model/joint_builder.h"

namespace rigor::fast {
namespace {

/// The degree of freedom of a hinge or slider: its last row, even if nothing else acts along it. In
/// a system it is no more than that: the joint is held by others.
void fill_dof(JointBlock<1>& block, JointConstraint constraint, bool is_direct,
              const WorldState& state, const SolverBodies& bodies, std::vector<JointMemory>& memory,
              float h) {
    constraint.layout.dofs = 1;
    constraint.layout.has_limit_rows = is_direct;
    reset_block<1>(block, constraint.layout);
    fill_lane<1>(block, 0, constraint, state, bodies, memory, h);
}

void add_body(std::vector<GearConstraint::BodyRow>& rows, SolverBodyIndex body, const Vec3f& linear,
              const Vec3f& angular) {
    if (body == kStaticSolverBody) return;
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

const JointBlock<1>::Row& dof_row(const JointBlock<1>& block) {
    return block.rows[block.layout.equality_rows];
}

void add_dof(std::vector<GearConstraint::BodyRow>& rows, const JointBlock<1>& block, float factor) {
    const JointBlock<1>::Row& row = dof_row(block);
    const Vec3f linear = vector_at<1>(row.linear, 0) * factor;
    add_body(rows, block.body_b[0], linear, vector_at<1>(row.angular_b, 0) * factor);
    add_body(rows, block.body_a[0], -linear, vector_at<1>(row.angular_a, 0) * -factor);
}

double rate_of_dof(const JointBlock<1>& block, const SolverBody* bodies) {
    const SolverBody &a = bodies[block.body_a[0].index()], &b = bodies[block.body_b[0].index()];
    const JointBlock<1>::Row& row = dof_row(block);
    return static_cast<double>(
        dot(vector_at<1>(row.linear, 0), linear_velocity(b) - linear_velocity(a)) +
        dot(vector_at<1>(row.angular_b, 0), angular_velocity(b)) -
        dot(vector_at<1>(row.angular_a, 0), angular_velocity(a)));
}

/// What a coordinate is measured by: itself, or the cosine and sine of an angle.
std::array<float, 2> place_of(const JointBlock<1>& block, const SolverBody* at) {
    LimitPlace<1> place[6];
    limit_places<1>(pose_now<1>(block, at), block, place);
    Column<1> x, y;
    write<1>(x, place[0].x);
    write<1>(y, place[0].y);
    return {x[0], y[0]};
}

/// How far a coordinate goes in a time h from where it was to the displacements `at`, however many
/// turns that is: a wheel may spin by more than half of one in a substep.
double way_to(const JointBlock<1>& block, const SolverBody* bodies, const SolverBody* at, float h) {
    const std::array<float, 2> now = place_of(block, at);
    const auto x = static_cast<double>(block.dofs[0].place_x[0]),
               y = static_cast<double>(block.dofs[0].place_y[0]);
    const auto to_x = static_cast<double>(now[0]), to_y = static_cast<double>(now[1]);
    if (block.layout.type == JointType::slider) return to_x - x;
    constexpr double kTurn = 2 * kPi<double>;
    const double way = atan2(x * to_y - y * to_x, x * to_x + y * to_y);
    const double expected = rate_of_dof(block, bodies) * static_cast<double>(h);
    return way + kTurn * std::round((expected - way) / kTurn);
}

void keep_place(JointBlock<1>& block, const SolverBody* bodies) {
    const std::array<float, 2> now = place_of(block, bodies);
    block.dofs[0].place_x[0] = now[0];
    block.dofs[0].place_y[0] = now[1];
}

double coordinate_of(std::uint32_t slot, const WorldState& state,
                     std::vector<JointMemory>& memory) {
    return first_coordinate(state, state.joints[slot], memory_of(memory, state, slot).angle);
}

} // namespace

SolverBodyIndex GearedJoints::responding_body() const {
    for (const SolverBodyIndex body :
         {driving.body_a, driving.body_b, driven.body_a, driven.body_b})
        if (body.responds_to_impulses()) return body;
    return {};
}

GearConstraint make_gear(const GearedJoints& geared, const WorldState& state,
                         const SolverBodies& bodies, std::vector<JointMemory>& memories, float h) {
    const JointRecord& joint = state.joints[geared.joint];
    GearConstraint gear;
    gear.joint = geared.joint;
    gear.is_direct = geared.is_direct;
    fill_dof(gear.driving, geared.driving, geared.is_direct, state, bodies, memories, h);
    fill_dof(gear.driven, geared.driven, geared.is_direct, state, bodies, memories, h);
    gear.ratio = static_cast<float>(joint.gear_ratio);
    gear.driving_at = coordinate_of(joint.gear_a, state, memories);
    gear.driven_at = coordinate_of(joint.gear_b, state, memories);
    gear.error =
        static_cast<float>(gear.driven_at - joint.gear_offset - joint.gear_ratio * gear.driving_at);
    const JointCompany company = geared.is_direct ? JointCompany::alone : JointCompany::few;
    const Softness soft = joint_softness(joint.spring, company, h);
    gear.bias_rate = soft.bias_rate;
    gear.mass_scale = soft.mass_scale;
    gear.impulse_scale = soft.impulse_scale;
    const JointMemory& memory = memory_of(memories, state, geared.joint);
    gear.impulse = memory.impulses[0] * (memory.substep > 0 ? h / memory.substep : 1);
    gear.first_half_share =
        std::max(gear.driving.first_half_share[0], gear.driven.first_half_share[0]);
    gear.second_half = gear.impulse * gear.first_half_share;
    return gear;
}

void store_impulses(const GearConstraint& gear, const WorldState& state,
                    std::vector<JointMemory>& memories, float h) {
    const JointRecord &joint = state.joints[gear.joint], &driving = state.joints[joint.gear_a];
    JointMemory& memory = memories[gear.joint];
    const Vec3f axis = cast<float>(rotate(end_pose(state, driving.a).q, Vec3d{1, 0, 0}));
    const Vec3f load = axis * (-gear.ratio * gear.impulse / h);
    const bool turns = driving.type == JointType::hinge;
    memory.force = turns ? Vec3f{} : load;
    memory.torque = turns ? load : Vec3f{};
    const bool is_half = gear.is_direct && gear.first_half_share < 0.75f;
    memory.impulses[0] = is_half ? 2 * (gear.impulse - gear.second_half) : gear.impulse;
    memory.substep = h;
    // A wheel that makes more than half a turn in a step would seem to have turned by less.
    if (turns) memories[joint.gear_a].angle = gear.driving_at;
    if (state.joints[joint.gear_b].type == JointType::hinge)
        memories[joint.gear_b].angle = gear.driven_at;
}

void update_rows(GearConstraint& gear, const SolverBodies& bodies, float moved_for) {
    const SolverBody* now = bodies.bodies.data();
    if (moved_for > 0) {
        gear.error = static_cast<float>(error_ahead(gear, bodies, now, moved_for));
        gear.driving_at += way_to(gear.driving, now, now, moved_for);
        gear.driven_at += way_to(gear.driven, now, now, moved_for);
    }
    update_inertia<1>(&gear.driving, 1, bodies.mass.data());
    update_inertia<1>(&gear.driven, 1, bodies.mass.data());
    update_rows<1>(&gear.driving, 1, now, moved_for);
    update_rows<1>(&gear.driven, 1, now, moved_for);
    keep_place(gear.driving, now);
    keep_place(gear.driven, now);
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

double rate_of(const GearConstraint& gear, const SolverBody* bodies) {
    double rate = 0;
    for (const GearConstraint::BodyRow& row : gear.rows) {
        const SolverBody& body = bodies[row.body.index()];
        rate += dot(cast<double>(row.linear), cast<double>(linear_velocity(body))) +
                dot(cast<double>(row.angular), cast<double>(angular_velocity(body)));
    }
    return rate;
}

double error_ahead(const GearConstraint& gear, const SolverBodies& bodies, const SolverBody* ahead,
                   float h) {
    const SolverBody* now = bodies.bodies.data();
    return static_cast<double>(gear.error) + way_to(gear.driven, now, ahead, h) -
           static_cast<double>(gear.ratio) * way_to(gear.driving, now, ahead, h);
}

void apply_impulse(GearConstraint& gear, float impulse, SolverBodies& bodies) {
    for (const GearConstraint::BodyRow& row : gear.rows) {
        if (!row.body.responds_to_impulses()) continue;
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

void warm_start(GearConstraint& gear, SolverBodies& bodies) {
    if (gear.is_direct && gear.first_half_share < 0.75f) {
        gear.impulse -= gear.second_half; // the latest: see WarmHalves
        gear.second_half = gear.impulse;
    } else {
        gear.second_half = 0;
    }
    apply_impulse(gear, gear.impulse, bodies);
}

void warm_start_second_half(GearConstraint& gear, SolverBodies& bodies) {
    if (!gear.is_direct) return;
    const float first = gear.impulse;
    apply_impulse(gear, gear.second_half, bodies);
    gear.impulse += gear.second_half;
    gear.second_half = first;
}

void solve(GearConstraint& gear, SolverBodies& bodies, bool use_bias) {
    if (gear.is_direct) return;
    const float bias = use_bias ? gear.bias_rate * gear.error : 0;
    const float scale = use_bias ? gear.mass_scale : 1, back = use_bias ? gear.impulse_scale : 0;
    const auto rate = static_cast<float>(rate_of(gear, bodies.bodies.data()));
    const float change = -gear.mass * scale * (rate + bias) - back * gear.impulse;
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
