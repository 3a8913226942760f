#include "fast/gears.h"

#include <algorithm>

#include "fast/columns.h"
#include "fast/joint_kernels.h"

namespace rigor::fast {
namespace {

/// The freedom of a hinge or slider: its last row, whatever else acts along it.
void fill_freedom(JointBlock<1>& block, JointTask task, const WorldState& state,
                  const BodyRows& bodies, std::vector<JointMemory>& memory, float h) {
    task.shape.freedoms = 1;
    clear<1>(block);
    fill_lane<1>(block, 0, task, state, bodies, memory, h);
}

void add_side(std::vector<GearRow::Side>& sides, std::uint32_t row, const Vec3f& linear,
              const Vec3f& angular) {
    if ((row & kReadOnly) != 0) return;
    const auto known = std::find_if(sides.begin(), sides.end(),
                                    [&](const GearRow::Side& side) { return side.row == row; });
    if (known == sides.end()) {
        sides.push_back({row, linear, angular});
    } else {
        known->linear += linear;
        known->angular += angular;
    }
}

void add_freedom(std::vector<GearRow::Side>& sides, const JointBlock<1>& block, float factor) {
    const JointBlock<1>::Row& row = block.rows[block.shape.hard];
    const Vec3f push = vector_at<1>(row.linear, 0) * factor;
    add_side(sides, block.row_b[0], push, vector_at<1>(row.angular_b, 0) * factor);
    add_side(sides, block.row_a[0], -push, vector_at<1>(row.angular_a, 0) * -factor);
}

float rate_of(const GearRow& gear, const BodyRows& bodies) {
    float rate = 0;
    for (const GearRow::Side& side : gear.sides) {
        const std::array<float, 8>& v = bodies.rows[side.row].velocity;
        rate += dot(side.linear, {v[0], v[1], v[2]}) + dot(side.angular, {v[3], v[4], v[5]});
    }
    return rate;
}

void push(const GearRow& gear, float impulse, BodyRows& bodies) {
    for (const GearRow::Side& side : gear.sides) {
        const BodyMass& mass = bodies.mass[side.row];
        const Vec3f v = side.linear * (mass.inv_mass * impulse);
        const Vec3f w = mass.inv_inertia * side.angular * impulse;
        std::array<float, 8>& out = bodies.rows[side.row].velocity;
        for (int i = 0; i < 3; ++i) {
            out[static_cast<std::size_t>(i)] += v[i];
            out[static_cast<std::size_t>(i) + 3] += w[i];
        }
    }
}

} // namespace

GearRow make_gear(std::uint32_t slot, const JointTask& driving, const JointTask& driven,
                  const WorldState& state, const BodyRows& bodies, std::vector<JointMemory>& memory,
                  float h) {
    const JointRecord& joint = state.joints[slot];
    GearRow gear;
    gear.joint = slot;
    fill_freedom(gear.driving, driving, state, bodies, memory, h);
    fill_freedom(gear.driven, driven, state, bodies, memory, h);
    gear.ratio = static_cast<float>(joint.gear_ratio);
    gear.offset = static_cast<float>(joint.gear_offset);
    const Softness soft = joint_softness(joint.spring, false, h);
    gear.bias_rate = soft.bias_rate;
    gear.mass_scale = soft.mass_scale;
    gear.impulse_scale = soft.impulse_scale;
    gear.impulse = memory_of(memory, state, slot).impulses[0];
    return gear;
}

void refresh(GearRow& gear, const BodyRows& bodies, float moved_for) {
    refresh<1>(&gear.driving, 1, bodies.rows.data(), moved_for);
    refresh<1>(&gear.driven, 1, bodies.rows.data(), moved_for);
    gear.sides.clear();
    add_freedom(gear.sides, gear.driven, 1);
    add_freedom(gear.sides, gear.driving, -gear.ratio);
    float k = 0;
    for (const GearRow::Side& side : gear.sides) {
        const BodyMass& mass = bodies.mass[side.row];
        k += mass.inv_mass * dot(side.linear, side.linear) +
             dot(side.angular, mass.inv_inertia * side.angular);
    }
    gear.mass = k > 0 ? 1 / k : 0;
}

void warm_start(const GearRow& gear, BodyRows& bodies) {
    push(gear, gear.impulse, bodies);
}

void solve(GearRow& gear, BodyRows& bodies, bool use_bias) {
    const float error = gear.driven.freedoms[0].coordinate[0] - gear.offset -
                        gear.ratio * gear.driving.freedoms[0].coordinate[0];
    const float bias = use_bias ? gear.bias_rate * error : 0;
    const float scale = use_bias ? gear.mass_scale : 1, back = use_bias ? gear.impulse_scale : 0;
    const float change = -gear.mass * scale * (rate_of(gear, bodies) + bias) - back * gear.impulse;
    gear.impulse += change;
    push(gear, change, bodies);
}

} // namespace rigor::fast
