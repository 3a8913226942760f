#include "dynamics/energy.h"

#include "dynamics/angular_velocity.h"

namespace rigor {

double kinetic_energy(const BodyMotion& motion, const BodyInertia& inertia,
                      const BodyTraits& traits) {
    const Vec3d w = (traits.lock & kRotationLocks) != 0
                        ? LockedTurning(traits.moments, traits.lock)(motion.q, motion.l)
                        : FreeTurning(inertia)(motion.q, motion.l);
    return 0.5 * (dot(motion.p, motion.p * inertia.inv_mass) + dot(motion.l, w));
}

double kinetic_energy(const BodyStore& bodies, std::uint32_t body) {
    if (!is_dynamic(bodies, body)) return 0;
    return kinetic_energy(bodies.motion[body], bodies.inertia[body], bodies.traits[body]);
}

void record_edit(WorldState& state, std::uint32_t body, double energy) {
    state.ledger.edits += energy;
    if (Ledger* island = state.islands.of(body)) island->edits += energy;
}

Energy energy(const BodyStore& bodies, const Vec3d& gravity) {
    Energy total;
    for (std::size_t i = 0; i < bodies.slot_count(); ++i) {
        if (bodies.traits[i].type != BodyType::dynamic_body) continue;
        total.kinetic += kinetic_energy(bodies.motion[i], bodies.inertia[i], bodies.traits[i]);
        total.potential -= bodies.inertia[i].weight * dot(gravity, bodies.motion[i].x);
    }
    return total;
}

Momentum momentum(const BodyStore& bodies) {
    Momentum total;
    for (std::size_t i = 0; i < bodies.slot_count(); ++i) {
        const BodyMotion& m = bodies.motion[i];
        const BodyTraits& traits = bodies.traits[i];
        if (traits.type != BodyType::dynamic_body) continue;
        Vec3d spin = m.l;
        if ((traits.lock & kRotationLocks) != 0) {
            const Vec3d w = LockedTurning(traits.moments, traits.lock)(m.q, m.l);
            spin = rotate(m.q, multiply(traits.moments, inverse_rotate(m.q, w)));
        }
        total.linear += m.p;
        total.angular += cross(m.x, m.p) + spin;
    }
    return total;
}

} // namespace rigor
