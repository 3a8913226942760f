#include "fast/collect_contacts.h"

#include <algorithm>

#include "fast/resolve_penetration.h"
#include "model/contact_material.h"
#include "model/friction_ellipse.h"

namespace rigor::fast {
namespace {

void find_active_pairs(StepData& step) {
    step.scratch.active_pairs.clear();
    for (const PairStore::Entry& entry : step.memory.pairs.order)
        if (entry.active) step.scratch.active_pairs.push_back(entry.slot);
}

/// A pair that will be visited soon, and the manifold of one that will be sooner.
void prefetch_pair(const StepData& step, std::size_t i) {
    const std::vector<PoolSlot<ContactPair>>& active = step.scratch.active_pairs;
    const PairStore& store = step.memory.pairs;
    if (i < active.size()) prefetch(store.pairs[active[i]]);
    if (i - 4 >= active.size()) return;
    const ContactPair& pair = store.pairs[active[i - 4]];
    if (!pair.contacts.is_none() && !pair.composite)
        prefetch_manifold(store.manifolds[pair.contacts.manifold()]);
}

/// Of the surface of A relative to that of B, world axes.
Vec3f surface_velocity_of(const WorldState& state, const ContactPair& pair) {
    const auto surface = [&](std::uint32_t shape, std::uint32_t body) {
        const Material& material = state.shapes[shape].material;
        const Quatd q =
            state.bodies.motion[body].q * conjugate(state.bodies.traits[body].principal);
        return cast<float>(rotate(q, material.surface_velocity));
    };
    return surface(pair.shape_a, pair.body_a) - surface(pair.shape_b, pair.body_b);
}

/// The grain of both surfaces: the first tangent along an axis of the friction ellipse, scaled by
/// the ratio of its axes, and friction by the factor across.
void apply_grain(const WorldState& state, ContactConstraint& contact) {
    const auto grain = [&](std::uint32_t shape, std::uint32_t body) {
        const SurfaceDirections surface = surface_directions(state, shape);
        return Grain{rotate(state.bodies.motion[body].q, surface.grain), surface.ratio};
    };
    const ContactPair& pair = *contact.pair;
    const FrictionEllipse ellipse =
        friction_ellipse(cast<double>(contact.manifold->normal), grain(pair.shape_a, pair.body_a),
                         grain(pair.shape_b, pair.body_b));
    contact.tangent = cast<float>(ellipse.axis);
    contact.tangent_scale = static_cast<float>(ellipse.along / ellipse.across);
    contact.friction *= static_cast<float>(ellipse.across);
    contact.kinetic_friction *= static_cast<float>(ellipse.across);
}

/// At which the bodies of a contact slide on each other.
float slip_speed(const ContactConstraint& contact, const SolverBodies& bodies) {
    const ContactManifold& manifold = *contact.manifold;
    const ManifoldPoint& first = manifold.points[0];
    const Vec3f slip = velocity_at(bodies[contact.body_b], manifold.anchor_b(first)) -
                       velocity_at(bodies[contact.body_a], first.anchor_a) -
                       contact.surface_velocity;
    return length(slip - manifold.normal * dot(slip, manifold.normal));
}

/// The angular velocity that meeting something immovable may add to a body in this step. A rod that
/// turns slowly and is hit at its edge spins about its axis at once, and its inertia must follow.
float impact_rate(const ContactConstraint& contact, const SolverBodies& bodies, float dt) {
    constexpr float kMinApproach = 0.1f; // m/s: slower ones add little
    constexpr float kReach = 2;          // they may come faster than they do now
    const ContactManifold& manifold = *contact.manifold;
    const bool moves_b = contact.body_b.responds_to_impulses();
    const SolverMass& mass = bodies.mass_of(moves_b ? contact.body_b : contact.body_a);
    float rate = 0;
    for (const ManifoldPoint& point : manifold.used()) {
        const Vec3f anchor_b = manifold.anchor_b(point);
        const float approach =
            dot(manifold.normal, velocity_at(bodies[contact.body_a], point.anchor_a) -
                                     velocity_at(bodies[contact.body_b], anchor_b));
        if (!(approach > kMinApproach && kReach * approach * dt > point.separation)) continue;
        const Vec3f arm = cross(moves_b ? anchor_b : point.anchor_a, manifold.normal);
        const Vec3f turn = mass.inv_inertia * arm;
        const float impulse =
            (1 + contact.restitution) * approach / (mass.inv_mass + dot(arm, turn));
        rate = std::max(rate, impulse * length(turn));
    }
    return rate;
}

void note_impact_rate(const ContactConstraint& contact, double dt, SolverBodies& bodies) {
    const SolverBodyIndex mover =
        contact.body_b.responds_to_impulses() ? contact.body_b : contact.body_a;
    float& rate = bodies.impact_rate[mover.index()];
    rate = std::max(rate, impact_rate(contact, bodies, static_cast<float>(dt)));
}

/// Friction of a round patch that spins about the normal while it slides: by [Zhuravlev 1998]
///
///     mu N v / (v + 8 R |w| / (3 pi)) ,
///
/// as where the patch spins fast its points slide in all directions. So slow sliding is viscous.
void apply_patch(const WorldState& state, const SolverBodies& bodies, ContactConstraint& contact) {
    const auto radius_of = [&](std::uint32_t shape) {
        return static_cast<float>(state.shapes[shape].material.patch_radius);
    };
    const float radius =
        std::max(radius_of(contact.pair->shape_a), radius_of(contact.pair->shape_b));
    const Vec3f spin =
        angular_velocity(bodies[contact.body_b]) - angular_velocity(bodies[contact.body_a]);
    const float of_spin = 8.0f / (3.0f * std::numbers::pi_v<float>)*radius *
                          std::abs(dot(spin, contact.manifold->normal));
    if (of_spin == 0) return;
    const float v = slip_speed(contact, bodies);
    contact.friction *= v / (v + of_spin);
    contact.kinetic_friction *= v / (v + of_spin);
}

/// Lets the user's hook change a contact. False: the contact is disabled.
bool apply_hook(const StepData& step, ContactConstraint& contact) {
    const auto now =
        static_cast<double>(contact.manifold->slides ? contact.kinetic_friction : contact.friction);
    ContactChoice choice{true, now, static_cast<double>(contact.restitution), {}};
    step.context.hooks->modify(view_of(step.state, *contact.pair, *contact.manifold), choice);
    if (choice.friction != now)
        contact.friction = contact.kinetic_friction =
            static_cast<float>(std::max(choice.friction, 0.0));
    contact.restitution = static_cast<float>(std::clamp(choice.restitution, 0.0, 1.0));
    contact.surface_velocity = contact.surface_velocity - cast<float>(choice.surface_velocity);
    return choice.enabled;
}

/// Whether no point of a contact can be reached in this step: twice as fast as it approaches, and
/// with what bodies that turn gain by turning, links of a chain far more than by gravity.
bool is_out_of_reach(const ContactConstraint& contact, const SolverBodies& bodies, float dt) {
    constexpr float kNear = 1e-3f; // m: always in reach
    const ContactManifold& manifold = *contact.manifold;
    const SolverBody &a = bodies[contact.body_a], &b = bodies[contact.body_b];
    const Vec3f gravity = bodies.mass_of(contact.body_b).gravity_acceleration -
                          bodies.mass_of(contact.body_a).gravity_acceleration;
    const auto turning = [](const SolverBody& body, const Vec3f& anchor) {
        return length_squared(angular_velocity(body)) * length(anchor);
    };
    for (const ManifoldPoint& point : manifold.used()) {
        const Vec3f anchor_b = manifold.anchor_b(point);
        const float approach =
            dot(manifold.normal, velocity_at(a, point.anchor_a) - velocity_at(b, anchor_b));
        const float acceleration =
            length(gravity) + turning(a, point.anchor_a) + turning(b, anchor_b);
        const float reach = kNear + 2 * dt * std::max(approach, 0.0f) + 2 * dt * dt * acceleration;
        if (point.separation < reach) return false;
    }
    return true;
}

bool has_joints(const WorldState& state, std::uint32_t body) {
    return body < state.joints.of_body.size() && !state.joints.of_body[body].empty();
}

void add_contact(StepData& step, ContactPair& pair, ContactManifold& manifold) {
    const SolverBodyIndex a = step.solver_body(pair.body_a), b = step.solver_body(pair.body_b);
    if (!a.responds_to_impulses() && !b.responds_to_impulses()) return;
    manifold.total_friction = {};
    const SurfacePair& surface = manifold.surface;
    ContactConstraint contact;
    contact.manifold = &manifold;
    contact.pair = &pair;
    contact.body_a = a;
    contact.body_b = b;
    contact.count = manifold.count;
    // Joints that contacts touch are solved together with these, less well than alone.
    if ((has_joints(step.state, pair.body_a) || has_joints(step.state, pair.body_b)) &&
        is_out_of_reach(contact, step.scratch.bodies, static_cast<float>(step.dt))) {
        for (ManifoldPoint& point : manifold.used()) point.impulse = point.total_impulse = 0;
        return;
    }
    contact.friction = surface.static_friction;
    contact.restitution = surface.restitution;
    if (pair.has_directions) contact.surface_velocity = surface_velocity_of(step.state, pair);
    contact.kinetic_friction = surface.kinetic_friction;
    // Once it sticks the solver knows when it slides again. A new one sticks if it is at rest.
    constexpr float kAtRest = 1e-4f; // m/s
    if (manifold.slides && contact.kinetic_friction != contact.friction)
        manifold.slides = slip_speed(contact, step.scratch.bodies) > kAtRest;
    if (pair.has_directions) apply_patch(step.state, step.scratch.bodies, contact);
    if (step.context.hooks->modify && !apply_hook(step, contact)) {
        pair.disabled = true;
        return;
    }
    if (pair.has_directions) apply_grain(step.state, contact);
    if (has_surface(contact)) step.scratch.has_surfaces = true;
    step.scratch.contacts.push_back(contact);
    SolverBodies& bodies = step.scratch.bodies;
    bodies.only_smooth_joints[a.index()] = bodies.only_smooth_joints[b.index()] = 0;
    bodies.has_contacts[a.index()] = bodies.has_contacts[b.index()] = 1;
    if (a.responds_to_impulses() && b.responds_to_impulses())
        bodies.is_pushed[a.index()] = bodies.is_pushed[b.index()] = 1;
    else if (contact.restitution > 0) // without, an impact loses more than this could make
        note_impact_rate(contact, step.dt, bodies);
    step.outcome.contacts += manifold.count;
    for (ManifoldPoint& point : manifold.used()) {
        point.total_impulse = 0;
        step.outcome.max_penetration =
            std::max(step.outcome.max_penetration, -static_cast<double>(point.separation));
    }
}

/// Whether the middle of a shape may be near a surface that it overlaps, and the next small motion
/// may carry it to the other side.
bool is_deep(const StepData& step, const ContactPair& pair) {
    constexpr float kDeep = 0.25f; // of the smaller size
    const CollisionShapeCache& shapes = step.scratch.shapes;
    const float size = std::min(shapes[pair.shape_a].size, shapes[pair.shape_b].size);
    return min_separation(step.memory.pairs, pair) < -kDeep * size;
}

} // namespace

void collect_contacts(StepData& step) {
    constexpr std::size_t kAhead = 8; // pairs
    Scratch& scratch = step.scratch;
    PairStore& store = step.memory.pairs;
    scratch.contacts.clear();
    scratch.has_surfaces = scratch.has_overlaps = false;
    scratch.pairs.clear();
    scratch.near_immovable.clear_all();
    scratch.deep.clear_all();
    report_ended(store.ended, step.outcome.events);
    find_active_pairs(step);
    for (std::size_t i = 0; i < scratch.active_pairs.size(); ++i) {
        prefetch_pair(step, i + kAhead);
        ContactPair& pair = store.pairs[scratch.active_pairs[i]];
        if (pair.sensor) {
            report_sensor_change(step.state, store, pair, step.outcome.events);
            continue;
        }
        if (pair.against_immovable) {
            scratch.near_immovable.set(pair.body_a);
            scratch.near_immovable.set(pair.body_b);
            if (pair.composite && is_deep(step, pair)) {
                scratch.deep.set(pair.body_a);
                scratch.deep.set(pair.body_b);
            }
        }
        pair.disabled = step.state.passages.has(pair.shape_a, pair.shape_b);
        const auto first = static_cast<std::uint32_t>(scratch.contacts.size());
        if (!pair.disabled)
            for_manifolds(store, pair,
                          [&](ContactManifold& manifold) { add_contact(step, pair, manifold); });
        const auto count = static_cast<std::uint32_t>(scratch.contacts.size()) - first;
        if (count > 0) update_parting(step, pair);
        if (count > 0 || pair.touching) scratch.pairs.push_back({&pair, first, count});
    }
}

} // namespace rigor::fast
