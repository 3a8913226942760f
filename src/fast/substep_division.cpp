#include "fast/substep_division.h"

#include <algorithm>
#include <cmath>

#include "fast/step_data.h"
#include "model/joint_builder.h"

namespace rigor::fast {
namespace {

// The largest frequency times a substep: half of where motion would grow, since loads may grow
// fourfold within a step.
constexpr float kMaxPhase = 1;

/// The trace of W K W K, the squares of the eigenvalues of W K added up.
float squared_norm(const Sym3f& w, const Mat3<float>& k) {
    const Vec3f x = w * k.cx, y = w * k.cy, z = w * k.cz;
    return x.x * x.x + y.y * y.y + z.z * z.z + 2 * (x.y * y.x + x.z * z.x + y.z * z.y);
}

// The same of a body on one joint, which goes round with its load: its energy is as wrong as the
// square of this.
constexpr float kMaxTurn = 0.25f;

std::uint32_t divisions_for(float squared_frequency, float h, float most) {
    const float phase = std::sqrt(squared_frequency) * h;
    std::uint32_t divisions = 1;
    while (divisions < kMaxDivisions && phase > most * static_cast<float>(divisions))
        divisions *= 2;
    return divisions;
}

/// Tracks last.
template <class Visit>
void for_all_joints(const StepData& step, const Visit& visit) {
    for (const JointConstraint& joint : step.scratch.joints) visit(joint);
    for (const JointConstraint& joint : step.scratch.track_joints) visit(joint);
}

/// Calls visit(memory, body, end) for the ends of loaded joints that respond to impulses.
template <class Visit>
void for_loaded_ends(const StepData& step, const Visit& visit) {
    for_all_joints(step, [&](const JointConstraint& joint) {
        const JointMemory& memory = memory_of(step.memory.joints, step.state, joint.joint);
        if (memory.force == Vec3f{} && memory.torque == Vec3f{}) return;
        const JointRecord& record = step.state.joints[joint.joint];
        if (joint.body_a.responds_to_impulses()) visit(memory, joint.body_a, record.a);
        if (joint.body_b.responds_to_impulses()) visit(memory, joint.body_b, record.b);
    });
}

/// Of bodies whose bound does not show that the substep is short enough; negative for others.
void find_squared_frequencies(const StepData& step, std::vector<float>& squares) {
    const SolverBodies& bodies = step.scratch.bodies;
    const float most = 0.99f * kMaxPhase * kMaxPhase / (step.h * step.h);
    squares.assign(bodies.size(), 0);
    for_loaded_ends(step, [&](const JointMemory& memory, SolverBodyIndex i, const JointEnd& end) {
        squares[i.index()] +=
            squared_frequency_bound(bodies.mass_of(i).inv_inertia, length(end.frame.p),
                                    length(memory.force), length(memory.torque));
    });
    bool all_are_short = true;
    for (float& square : squares) {
        const bool is_short = square < most;
        square = is_short ? -1.0f : 0.0f;
        all_are_short = all_are_short && is_short;
    }
    if (all_are_short) return;
    for_loaded_ends(step, [&](const JointMemory& memory, SolverBodyIndex i, const JointEnd& end) {
        if (squares[i.index()] < 0) return;
        const Quatd& q = step.state.bodies.motion[bodies.body_slot[i.index()]].q;
        squares[i.index()] +=
            squared_frequency(bodies.mass_of(i).inv_inertia, cast<float>(rotate(q, end.frame.p)),
                              memory.force, memory.torque);
    });
}

/// Of a body about a pivot at an arm under the force there.
float squared_rate_about_pivot(const SolverMass& mass, double arm, float force) {
    const Sym3f& i = mass.inv_inertia;
    const float most = i.xx + i.yy + i.zz, r = static_cast<float>(arm);
    if (!(most > 0 && mass.inv_mass > 0)) return 0;
    return force * r / (1 / most + r * r / mass.inv_mass);
}

/// A body alone on a track does not go round a pivot: the point that is held slides along, and the
/// body swings about its center. As if about a pivot, small ones on sharp curves gained energy.
void divide_on_tracks(const StepData& step, const std::vector<std::uint32_t>& joints,
                      std::vector<std::uint32_t>& of_group) {
    const SolverBodies& bodies = step.scratch.bodies;
    for (const JointConstraint& track : step.scratch.track_joints) {
        if (!track.body_a.responds_to_impulses()) continue;
        const std::uint32_t group = step.scratch.joint_groups.find(track.body_a.index());
        if (joints[group] != 1) continue;
        const JointMemory& memory = memory_of(step.memory.joints, step.state, track.joint);
        const Quatd& q = step.state.bodies.motion[bodies.body_slot[track.body_a.index()]].q;
        const Vec3f arm = cast<float>(rotate(q, step.state.joints[track.joint].a.frame.p));
        const float square =
            squared_frequency(bodies.mass_of(track.body_a).inv_inertia, arm, memory.force, {});
        of_group[group] = std::max(of_group[group], divisions_for(square, step.h, kMaxTurn));
    }
}

} // namespace

// A turn v changes the torque by (v x r) x F, of which the symmetric part stores energy, and by
// (v x T)/2.
float squared_frequency(const Sym3f& inv_inertia, const Vec3f& arm, const Vec3f& force,
                        const Vec3f& torque) {
    const float along = dot(arm, force);
    const Mat3<float> bending{Vec3f{along, 0, 0} - (arm * force.x + force * arm.x) * 0.5f,
                              Vec3f{0, along, 0} - (arm * force.y + force * arm.y) * 0.5f,
                              Vec3f{0, 0, along} - (arm * force.z + force * arm.z) * 0.5f};
    const float bent = std::sqrt(std::max(squared_norm(inv_inertia, bending), 0.0f));
    if (torque == Vec3f{}) return bent; // as of balls
    const Vec3f t = torque * 0.5f;
    const Mat3<float> turning{{0, t.z, -t.y}, {-t.z, 0, t.x}, {t.y, -t.x, 0}};
    return bent + std::sqrt(std::max(-squared_norm(inv_inertia, turning), 0.0f));
}

float squared_frequency_bound(const Sym3f& inv_inertia, double arm, float force, float torque) {
    constexpr float kBending = 2.74f, kTurning = 0.71f; // 1 + sqrt(3), sqrt(1/2)
    return (inv_inertia.xx + inv_inertia.yy + inv_inertia.zz) *
           (kBending * static_cast<float>(arm) * force + kTurning * torque);
}

void find_divisions(const StepData& step, const std::vector<std::uint32_t>& joints,
                    std::vector<std::uint32_t>& of_group) {
    Scratch& scratch = step.scratch;
    const SolverBodies& bodies = scratch.bodies;
    std::vector<float>& squares = scratch.squared_frequencies;
    find_squared_frequencies(step, squares);
    of_group.assign(bodies.size(), 1);
    for_all_joints(step, [&](const JointConstraint& joint) {
        const JointMemory& memory = memory_of(step.memory.joints, step.state, joint.joint);
        if (!(memory.substep > 0)) return;
        const SolverBodyIndex i = joint.body_a.responds_to_impulses() ? joint.body_a : joint.body_b;
        std::uint32_t& divisions = of_group[scratch.joint_groups.find(i.index())];
        const float wanted = 0.5f * std::round(step.h / memory.substep);
        while (divisions < kMaxDivisions && static_cast<float>(divisions) < wanted) divisions *= 2;
    });
    bool any_is_alone = false;
    for (std::uint32_t i = 1; i < bodies.size(); ++i) {
        const std::uint32_t group = scratch.joint_groups.find(i);
        std::uint32_t& divisions = of_group[group];
        any_is_alone = any_is_alone || joints[group] == 1;
        if (squares[i] > 0 && joints[group] > 1)
            divisions = std::max(divisions, divisions_for(squares[i], step.h, kMaxPhase));
    }
    if (!any_is_alone) return;
    for_loaded_ends(step, [&](const JointMemory& memory, SolverBodyIndex i, const JointEnd& end) {
        const std::uint32_t group = scratch.joint_groups.find(i.index());
        if (joints[group] != 1) return;
        const float square =
            squared_rate_about_pivot(bodies.mass_of(i), length(end.frame.p), length(memory.force));
        of_group[group] = std::max(of_group[group], divisions_for(square, step.h, kMaxTurn));
    });
    divide_on_tracks(step, joints, of_group);
}

} // namespace rigor::fast
