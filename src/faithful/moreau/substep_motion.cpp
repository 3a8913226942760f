#include "faithful/moreau/substep_motion.h"

#include "contact_dynamics/contact_forces.h"
#include "contact_dynamics/free_flight.h"
#include "faithful/static_body.h"
#include "rigor/rotation.h"

namespace rigor::faithful {

void apply_external_forces(MoreauData& data, double h) {
    const WorldState& state = data.state;
    Island& world = data.world;
    std::vector<SpatialVector> impulses = external_forces(state, world, world.motion);
    for (SpatialVector& f : impulses) f = {f.linear * h, f.angular * h};
    const std::vector<BodyKinematics> start = kinematics_of(state, world);
    apply(world, state, impulses);
    const std::vector<BodyKinematics> end = kinematics_of(state, world);
    for (std::size_t i = 0; i < world.bodies.size(); ++i) {
        const std::uint32_t body = world.bodies[i];
        if (!responds_to_impulses(state, body)) continue;
        // The work of an impulse: its product with the mean of the velocities before and after.
        const double work = 0.5 * (dot(impulses[i].linear, start[i].v + end[i].v) +
                                   dot(impulses[i].angular, start[i].w + end[i].w));
        const Vec3d weight = state.gravity * state.bodies.inertia[body].weight;
        const double gravity = 0.5 * h * dot(weight, start[i].v + end[i].v);
        WorkLedger& ledger = data.outcome.work.by_body[body];
        ledger.gravity += gravity;
        ledger.forces += work - gravity;
    }
}

void integrate_positions(const WorldState& state, Island& island, double h) {
    for (std::size_t i = 0; i < island.bodies.size(); ++i) {
        const std::uint32_t body = island.bodies[i];
        BodyMotion& m = island.motion[i];
        if (is_static(state, body)) continue;
        if (!responds_to_impulses(state, body)) {
            m = free_flight_motion(state, body, m, h);
            continue;
        }
        const BodyKinematics now = kinematics_of(state.bodies, body, m);
        m.x += now.v * h;
        if (is_in_free_flight(state, body))
            m.q = free_flight_motion(state, body, m, h).q;
        else
            m.q = normalize(from_rotation_vector(now.w * h) * m.q);
    }
}

} // namespace rigor::faithful
