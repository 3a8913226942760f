#include "fast/finalize_bodies.h"

#include <cmath>

#include "dynamics/angular_velocity.h"
#include "dynamics/energy.h"
#include "fast/gyroscopic_bodies.h"
#include "fast/solver_work.h"

namespace rigor::fast {
namespace {

/// The rotation of a solver body in double. The vector part of a small rotation has all its digits,
/// the scalar part has not and is computed from it.
Quatd exact_rotation(const SolverBody& body) {
    const Vec3d v = cast<double>(rotation_vector_part(body));
    const double rest = 1 - dot(v, v);
    const float scalar = body.displacement[6];
    const double w = rest > 0.5 ? std::sqrt(rest) : std::abs(static_cast<double>(scalar));
    return normalize(Quatd::from_parts(scalar < 0 ? -w : w, v));
}

/// Adds what the solver changed to the momenta, so that these keep the digits that a float has not.
void add_impulses(BodyStore& bodies, std::uint32_t slot, const SolverBody& body,
                  const SolverMass& mass, double dt) {
    BodyMotion& motion = bodies.motion[slot];
    const BodyTraits& traits = bodies.traits[slot];
    const Vec3d v =
        cast<double>(linear_velocity(body)) - cast<double>(start_velocity(bodies, slot));
    motion.p = without_locked(motion.p + v * traits.mass, traits.lock, lock_tx);
    if (mass.turns) return;
    // At the orientation at which the solver's inertia was computed.
    const Vec3f start_w =
        mass.has_mean_rate ? mean_rate(bodies, slot, dt) : start_angular_velocity(bodies, slot);
    const Vec3d w = cast<double>(angular_velocity(body)) - cast<double>(start_w);
    const Vec3d change = rotate(motion.q, multiply(traits.moments, inverse_rotate(motion.q, w)));
    motion.l = without_locked(motion.l + change, traits.lock, lock_rx);
}

/// False when the new state would not be finite.
bool move_body(BodyStore& bodies, std::uint32_t slot, const SolverBody& body,
               const SolverMass& mass, const TurnedBody* turned, double dt) {
    BodyMotion& motion = bodies.motion[slot];
    add_impulses(bodies, slot, body, mass, dt);
    motion.x += cast<double>(translation(body));
    if (turned) {
        motion.q = turned->q;
        motion.l = turned->angular_momentum;
    } else if (mass.is_fast) {
        motion.q = with_same_energy(bodies, slot, exact_rotation(body) * motion.q);
    } else {
        motion.q = normalize(exact_rotation(body) * motion.q);
    }
    return is_finite(motion.x) && is_finite(motion.q) && is_finite(motion.p) && is_finite(motion.l);
}

double kinetic(const BodyStore& bodies, std::uint32_t slot) {
    return kinetic_energy(bodies.motion[slot], bodies.inertia[slot], bodies.traits[slot]);
}

/// Stops a body where it was, and takes it out of the simulation.
void quarantine(StepData& step, std::uint32_t slot, const BodyMotion& at) {
    BodyStore& bodies = step.state.bodies;
    const double lost = kinetic(bodies, slot);
    step.state.ledger.edits -= lost;
    if (Ledger* island = step.state.islands.of(slot)) island->edits -= lost;
    bodies.motion[slot] = at;
    bodies.motion[slot].p = bodies.motion[slot].l = {};
    bodies.mobility[slot] = Mobility::immobile;
    step.outcome.quarantined.push_back(slot);
}

/// Poses and momenta, and the work on the body.
FinalizedBody finalize_body(StepData& step, std::uint32_t i) {
    BodyStore& bodies = step.state.bodies;
    const SolverBodies& solver = step.scratch.bodies;
    const std::uint32_t slot = solver.body_slot[i];
    FinalizedBody result{{slot}, BodyFate::not_dynamic};
    if (bodies.traits[slot].type != BodyType::dynamic_body) return result;
    TurnedBody turned;
    const bool turns = solver.mass[i].turns;
    if (turns) turned = turned_body(solver, solver.mass[i].turning_number);
    const BodyMotion old = bodies.motion[slot];
    if (!move_body(bodies, slot, solver.bodies[i], solver.mass[i], turns ? &turned : nullptr,
                   step.dt)) {
        bodies.motion[slot] = old;
        result.fate = BodyFate::not_finite;
        return result;
    }
    const Vec3d displacement = bodies.motion[slot].x - old.x;
    result.fate = BodyFate::moved;
    result.work.gravity = bodies.inertia[slot].weight * dot(step.state.gravity, displacement);
    result.work.forces = solver.force_work[i];
    result.work.damping = static_cast<double>(solver.damping_work[i]);
    return result;
}

void finalize_all(StepData& step) {
    constexpr std::size_t kGrain = 64; // bodies per task
    std::vector<FinalizedBody>& finalized = step.scratch.finalized;
    finalized.resize(step.scratch.bodies.size());
    step.context.team.parallel_for_shares(
        finalized.size() - 1, kGrain, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin + 1; i <= end; ++i)
                finalized[i] = finalize_body(step, static_cast<std::uint32_t>(i));
        });
}

} // namespace

void finalize_bodies(StepData& step) {
    SolverBodies& solver = step.scratch.bodies;
    const BodyStore& bodies = step.state.bodies;
    SolverWork work;
    absorb_impulses(solver);
    for (const std::uint32_t slot : solver.runaway) quarantine(step, slot, bodies.motion[slot]);
    finalize_all(step);
    const bool has_islands = step.state.islands.are_kept();
    for (std::uint32_t i = 1; i < solver.size(); ++i) {
        const auto& [body, fate] = step.scratch.finalized[i];
        if (fate == BodyFate::not_finite) quarantine(step, body.body, bodies.motion[body.body]);
        if (fate != BodyFate::moved) continue;
        ++step.outcome.moved;
        work.add(body);
        if (has_islands) work.each.push_back(body);
    }
    update_ledger(work, step.scratch, step.state.ledger);
    if (has_islands)
        update_island_ledgers(work, step.scratch, step.memory.sleep.awake_joints, step.state);
}

} // namespace rigor::fast
