#include "literature/method_work.h"

namespace rigor::literature {

void record_work(std::span<const WorkLedger> by_body, MethodState& step) {
    for (std::size_t i = 0; i < by_body.size(); ++i) add(step.work[i], by_body[i]);
}

void record_displacement(const WorldState& state, std::span<const BodyMotion> before,
                         MethodState& step) {
    const std::vector<double> work = displacement_work(state, before, step.island);
    for (std::size_t i = 0; i < work.size(); ++i) step.work[i].contact_normal += work[i];
}

void record_gravity_work(const WorldState& state, std::span<const Vec3d> start, StepWork& work) {
    for (std::uint32_t i = 0; i < start.size(); ++i)
        if (is_dynamic(state.bodies, i))
            work.by_body[i].gravity += state.bodies.inertia[i].weight *
                                       dot(state.gravity, state.bodies.motion[i].x - start[i]);
}

} // namespace rigor::literature
