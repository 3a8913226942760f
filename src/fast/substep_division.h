// Adaptive substeps: how finely substeps are divided for bodies that swing fast under joint loads.
//
// A link that carries a force F at an arm r swings with a frequency of sqrt(F r/I), however exactly
// its joints are solved: the direction of the force is that of the beginning of a substep. As in
// every explicit scheme the motion grows without bound when such a frequency times the substep
// exceeds 2. A rope with a heavy load, or a whip that cracks, gets shorter substeps.
#pragma once

#include <cstdint>
#include <vector>

#include "rigor/mat.h"

namespace rigor::fast {

struct StepData;

inline constexpr std::uint32_t kMaxDivisions = 64;

/// The squared frequency of a body about its center under a force at an arm and a torque that keep
/// their directions.
float squared_frequency(const Sym3f& inv_inertia, const Vec3f& arm, const Vec3f& force,
                        const Vec3f& torque);
/// No less, from lengths alone: a fifth of the time.
float squared_frequency_bound(const Sym3f& inv_inertia, double arm, float force, float torque);

/// Into how many parts each substep is divided, by the root of a group of bodies that joints
/// connect: a power of two. `joints` are how many a group has.
///
/// Reads    joints with the loads of the last step, solver bodies.
/// Order    serial, by joint.
void find_divisions(const StepData& step, const std::vector<std::uint32_t>& joints,
                    std::vector<std::uint32_t>& of_group);

} // namespace rigor::fast
