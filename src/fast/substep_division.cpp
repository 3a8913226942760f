#include "fast/substep_division.h"

#include <algorithm>
#include <cmath>

#include "dynamics/joint_coordinates.h"
#include "fast/step_data.h"

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

/// The squared frequency of a body about its center under a force at an arm and a torque that keep
/// their directions: a turn v changes the torque by (v x r) x F, of which the symmetric part
/// stores energy, and by (v x T)/2.
float squared_frequency(const Sym3f& inv_inertia, const Vec3f& arm, const Vec3f& force,
                        const Vec3f& torque) {
    const float along = dot(arm, force);
    const Mat3<float> bending{Vec3f{along, 0, 0} - (arm * force.x + force * arm.x) * 0.5f,
                              Vec3f{0, along, 0} - (arm * force.y + force * arm.y) * 0.5f,
                              Vec3f{0, 0, along} - (arm * force.z + force * arm.z) * 0.5f};
    const Vec3f t = torque * 0.5f;
    const Mat3<float> turning{{0, t.z, -t.y}, {-t.z, 0, t.x}, {t.y, -t.x, 0}};
    return std::sqrt(std::max(squared_norm(inv_inertia, bending), 0.0f)) +
           std::sqrt(std::max(-squared_norm(inv_inertia, turning), 0.0f));
}

std::uint32_t divisions_for(float squared_frequency, float h) {
    const float phase = std::sqrt(squared_frequency) * h;
    std::uint32_t divisions = 1;
    while (divisions < kMaxDivisions && phase > kMaxPhase * static_cast<float>(divisions))
        divisions *= 2;
    return divisions;
}

} // namespace

void find_divisions(const StepData& step, std::vector<std::uint32_t>& of_group) {
    Scratch& scratch = step.scratch;
    const SolverBodies& bodies = scratch.bodies;
    std::vector<float>& squares = scratch.squared_frequencies;
    squares.assign(bodies.size(), 0);
    for (const JointConstraint& joint : scratch.joints) {
        const JointMemory& memory = memory_of(step.memory.joints, step.state, joint.joint);
        if (memory.force == Vec3f{} && memory.torque == Vec3f{}) continue;
        const JointFrames frames = joint_frames(step.state, step.state.joints[joint.joint]);
        const auto add = [&](SolverBodyIndex i, const Posed& frame) {
            if (!i.responds_to_impulses()) return;
            const Vec3d& center = step.state.bodies.motion[bodies.body_slot[i.index()]].x;
            squares[i.index()] +=
                squared_frequency(bodies.mass_of(i).inv_inertia, cast<float>(frame.p - center),
                                  memory.force, memory.torque);
        };
        add(joint.body_a, frames.a);
        add(joint.body_b, frames.b);
    }
    of_group.assign(bodies.size(), 1);
    for (const JointConstraint& joint : scratch.joints) {
        const JointMemory& memory = memory_of(step.memory.joints, step.state, joint.joint);
        if (!(memory.substep > 0)) continue;
        const SolverBodyIndex i = joint.body_a.responds_to_impulses() ? joint.body_a : joint.body_b;
        std::uint32_t& divisions = of_group[scratch.joint_groups.find(i.index())];
        const float wanted = 0.5f * std::round(step.h / memory.substep);
        while (divisions < kMaxDivisions && static_cast<float>(divisions) < wanted) divisions *= 2;
    }
    for (std::uint32_t i = 1; i < bodies.size(); ++i) {
        std::uint32_t& divisions = of_group[scratch.joint_groups.find(i)];
        if (squares[i] > 0) divisions = std::max(divisions, divisions_for(squares[i], step.h));
    }
}

} // namespace rigor::fast
