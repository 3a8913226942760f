#include "fast/solver_bodies.h"

#include <algorithm>
#include <cmath>

#include "dynamics/angular_velocity.h"

namespace rigor::fast {
namespace {

Sym3f to_float(const Sym3d& m) {
    return {static_cast<float>(m.xx), static_cast<float>(m.yy), static_cast<float>(m.zz),
            static_cast<float>(m.xy), static_cast<float>(m.xz), static_cast<float>(m.yz)};
}

/// Whether the mass of a body, and its velocity now and after its applied forces have acted, are
/// within what float can represent well.
bool is_reasonable(const BodyStore& bodies, std::uint32_t body, const Vec3f& v, const Vec3f& w,
                   double h) {
    constexpr float kMaxSpeed = 1e6f; // m/s, rad/s: a substep of kilometers
    const auto is_small = [](const Vec3f& x) {
        return std::abs(x.x) < kMaxSpeed && std::abs(x.y) < kMaxSpeed && std::abs(x.z) < kMaxSpeed;
    };
    if (!is_small(v) || !is_small(w)) return false;
    constexpr double kMaxMass = 1e30; // kg: impulses of more leave the range of float
    if (is_dynamic(bodies, body) && bodies.inertia[body].inv_mass < 1 / kMaxMass) return false;
    if (bodies.wrenches.empty()) return true;
    const Wrench& wrench = bodies.wrenches[body];
    const BodyInertia& inertia = bodies.inertia[body];
    return is_small(cast<float>(wrench.force * (inertia.inv_mass * h))) &&
           is_small(cast<float>(wrench.torque * (max_component(inertia.inv_moments) * h)));
}

} // namespace

Sym3f world_inverse_inertia(const BodyStore& bodies, std::uint32_t body, const Quatd& q) {
    const std::uint8_t lock = bodies.traits[body].lock;
    if ((lock & kRotationLocks) == 0) {
        const Mat3d axes = to_matrix(q);
        const Vec3d& i = bodies.inertia[body].inv_moments;
        const Vec3d x = axes.cx * i.x, y = axes.cy * i.y, z = axes.cz * i.z;
        return to_float({x.x * axes.cx.x + y.x * axes.cy.x + z.x * axes.cz.x,
                         x.y * axes.cx.y + y.y * axes.cy.y + z.y * axes.cz.y,
                         x.z * axes.cx.z + y.z * axes.cy.z + z.z * axes.cz.z,
                         x.x * axes.cx.y + y.x * axes.cy.y + z.x * axes.cz.y,
                         x.x * axes.cx.z + y.x * axes.cy.z + z.x * axes.cz.z,
                         x.y * axes.cx.z + y.y * axes.cy.z + z.y * axes.cz.z});
    }
    // The angular acceleration by a unit torque about each axis, with some axes locked.
    const LockedTurning turning(bodies.traits[body].moments, lock);
    const Vec3f x = cast<float>(turning(q, without_locked(Vec3d{1, 0, 0}, lock, lock_rx)));
    const Vec3f y = cast<float>(turning(q, without_locked(Vec3d{0, 1, 0}, lock, lock_rx)));
    const Vec3f z = cast<float>(turning(q, without_locked(Vec3d{0, 0, 1}, lock, lock_rx)));
    return {x.x, y.y, z.z, x.y, x.z, y.z};
}

/// Not inlined: where two casts meet in a vector, gcc 12 takes (double)(float)x for x (-O2), and
/// the velocity would differ from that of the solver body.
[[gnu::noinline]] Vec3f start_velocity(const BodyStore& bodies, std::uint32_t body) {
    return cast<float>(velocity(bodies, body));
}
[[gnu::noinline]] Vec3f start_angular_velocity(const BodyStore& bodies, std::uint32_t body) {
    return cast<float>(rigor::angular_velocity(bodies, body));
}

void SolverBodies::reset(std::size_t body_count) {
    // Only what the last step added is cleared, so bodies at rest cost nothing.
    for (const std::uint32_t body : added_) index_of[body] = {};
    added_.clear();
    index_of.resize(body_count);
    bodies.assign(1, {});
    mass.assign(1, {});
    body_slot.assign(1, UINT32_MAX);
    turning.clear();
    turning_count = 0;
    runaway.clear();
    only_smooth_joints.assign(1, 0);
    has_joints.assign(1, 0);
    has_contacts.assign(1, 0);
    is_pushed.assign(1, 0);
    impact_rate.assign(1, 0);
    damping_work.assign(1, 0);
    force_work.assign(1, 0);
}

void SolverBodies::append(const SolverBody& body, std::uint32_t slot) {
    bodies.push_back(body);
    body_slot.push_back(slot);
    only_smooth_joints.push_back(1);
    has_joints.push_back(0);
    has_contacts.push_back(0);
    is_pushed.push_back(0);
    impact_rate.push_back(0);
    damping_work.push_back(0);
    force_work.push_back(0);
}

SolverBodyIndex SolverBodies::add_copy(SolverBodyIndex of) {
    const auto index = static_cast<std::uint32_t>(bodies.size());
    const SolverBody body = bodies[of.index()];
    const SolverMass copied = mass[of.index()];
    append(body, body_slot[of.index()]);
    mass.push_back(copied);
    return SolverBodyIndex::immovable(index);
}

SolverBodyIndex SolverBodies::add(const WorldState& state, std::uint32_t body, double h) {
    const BodyStore& store = state.bodies;
    const BodyTraits& traits = store.traits[body];
    if (traits.type == BodyType::static_body || store.mobility[body] == Mobility::immobile)
        return kStaticSolverBody;
    const auto index = static_cast<std::uint32_t>(bodies.size());
    const Vec3f v = start_velocity(store, body), w = start_angular_velocity(store, body);
    if (!is_reasonable(store, body, v, w, h)) {
        runaway.push_back(body);
        return kStaticSolverBody; // so its velocity does not spread to its neighbors
    }
    const bool is_slow = length_squared(v) + length_squared(w) < kSlowSpeed * kSlowSpeed;
    SolverBody moving;
    moving.velocity = {v.x, v.y, v.z, w.x, w.y, w.z, 0, 0};
    append(moving, body);
    if (traits.type != BodyType::dynamic_body) {
        mass.emplace_back();
        mass.back().is_slow = is_slow;
        return SolverBodyIndex::immovable(index);
    }
    const BodyInertia& inertia = store.inertia[body];
    const Quatd& q = store.motion[body].q;
    SolverMass& added = mass.emplace_back();
    added.inv_mass = static_cast<float>(inertia.inv_mass);
    added.inv_inertia = world_inverse_inertia(store, body, q);
    added.gravity_acceleration = cast<float>(state.gravity * (inertia.weight * inertia.inv_mass));
    added.is_slow = is_slow;
    return SolverBodyIndex::responding(index);
}

} // namespace rigor::fast
