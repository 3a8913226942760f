#include "literature/integrate_ode.h"

#include <algorithm>

#include "contact_dynamics/state_packing.h"
#include "dynamics/angular_velocity.h"
#include "numeric/ode.h"
#include "rigor/rotation.h"

namespace rigor::literature {
namespace {

constexpr std::size_t kWorkEntries = 3; // forces, contact normals, contact friction

/// The island with the motion of a state vector.
Island with_motion(const Island& island, std::span<const double> y) {
    Island now = island;
    for (std::size_t i = 0; i < now.bodies.size(); ++i) now.motion[i] = unpack(&y[kStateSize * i]);
    return now;
}

/// The rate of change of the motion of a body under a wrench. Momenta of locked axes do not change.
BodyMotion motion_rate(const WorldState& state, const Island& island, std::size_t i,
                       const SpatialVector& wrench) {
    BodyMotion rate{{}, {0, 0, 0, 0}, {}, {}};
    const std::uint32_t body = island.bodies[i];
    if (body == kWorldBody) return rate;
    const BodyKinematics kinematics = kinematics_of(state.bodies, body, island.motion[i]);
    rate.x = kinematics.v;
    rate.q = derivative(island.motion[i].q, kinematics.w);
    if (!responds_to_impulses(state, body)) return rate;
    const std::uint8_t lock = state.bodies.traits[body].lock;
    rate.p = without_locked(wrench.linear, lock, lock_tx);
    rate.l = without_locked(wrench.angular, lock, lock_rx);
    return rate;
}

} // namespace

void integrate_ode(const ForceModel& model, double h, Island& island, IntervalRecord& record) {
    const WorldState& state = model.state;
    const std::size_t n = island.bodies.size(), contacts = island.contacts.size();
    const std::size_t first_work = kStateSize * n, first_contact = first_work + kWorkEntries * n;
    const auto rates = [&](double, std::span<const double> y, std::span<double> rate) {
        const Island now = with_motion(island, y);
        const BodyWrenches wrenches = body_wrenches(model, now);
        const std::vector<BodyKinematics> bodies = kinematics_of(state, now);
        for (std::size_t i = 0; i < n; ++i) {
            pack(motion_rate(state, now, i, wrenches.sum(i)), &rate[kStateSize * i]);
            const WorkLedger power = powers(state, now, wrenches, i, bodies[i]);
            const double numbers[] = {power.forces, power.contact_normal, power.contact_friction};
            std::copy_n(numbers, kWorkEntries, &rate[first_work + kWorkEntries * i]);
        }
        for (std::size_t i = 0; i < contacts; ++i)
            for (int axis = 0; axis < 3; ++axis)
                rate[first_contact + 3 * i + static_cast<std::size_t>(axis)] =
                    wrenches.contacts.forces[i][axis];
    };
    std::vector<double> y(first_contact + 3 * contacts);
    for (std::size_t i = 0; i < n; ++i) pack(island.motion[i], &y[kStateSize * i]);
    if (model.method.integrator == Integrator::euler)
        ExplicitEuler().step(rates, 0, h, y);
    else
        RungeKutta4().step(rates, 0, h, y);
    island = with_motion(island, y);
    for (std::size_t i = 0; i < n; ++i) {
        const double* done = &y[first_work + kWorkEntries * i];
        record.work[i].forces += done[0];
        record.work[i].contact_normal += done[1];
        record.work[i].contact_friction += done[2];
    }
    for (std::size_t i = 0; i < contacts; ++i) {
        const double* done = &y[first_contact + 3 * i];
        record.contact_impulses[i] += {done[0], done[1], done[2]};
    }
}

} // namespace rigor::literature
