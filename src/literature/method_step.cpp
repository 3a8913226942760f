#include "literature/method_step.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "collide/time_of_impact_variants.h"
#include "contact_dynamics/contact_detection.h"
#include "contact_dynamics/contact_forces.h"
#include "contact_dynamics/contact_problem.h"
#include "contact_dynamics/free_flight.h"
#include "contact_dynamics/pair_prediction.h"
#include "contact_dynamics/resolve_event.h"
#include "contact_dynamics/state_packing.h"
#include "dynamics/angular_velocity.h"
#include "dynamics/energy.h"
#include "numeric/ode.h"
#include "rigor/rotation.h"

namespace rigor::literature {
namespace {

ImpactMethod impact_method(Detection detection) {
    switch (detection) {
        case Detection::substep:
            return ImpactMethod::substep;
        case Detection::bisection:
            return ImpactMethod::bisection;
        case Detection::advancement:
            return ImpactMethod::advancement;
        default:
            return ImpactMethod::static_only;
    }
}

class AssembledStep {
  public:
    AssembledStep(const StepContext& context, const Assembly& method, AssemblyMemory& memory,
                  double dt)
        : context_(context),
          state_(context.state),
          method_(method),
          memory_(memory),
          dt_(dt),
          began_(std::chrono::steady_clock::now()),
          outcome_(context.state) {}

    StepOutcome run() {
        gather();
        double left = dt_;
        while (left > 1e-12 * dt_ && !is_over_budget()) {
            find_pairs(left);
            find_contacts();
            collide();
            choose_resting();
            if (method_.resting == RestingRule::separation && separate()) {
                left = std::max(left - time_charge(), 0.0);
                find_contacts(); // none of those that were separated
            }
            double h = std::min(time_to_contact(left), longest());
            h = std::clamp(h, std::min(kShortest * dt_, left), left);
            integrate(h);
            keep_joints();
            left -= h;
        }
        outcome_.reached = dt_ - std::max(left, 0.0);
        put_back();
        return std::move(outcome_);
    }

  private:
    static constexpr double kShortest = 1e-4; // of a step: between two stops
    static constexpr std::size_t kWorks = 3;  // of a body, that are integrated with its motion

    /// All bodies are one island here.
    void gather() {
        for (std::uint32_t body = 0; body < state_.bodies.slot_count(); ++body) {
            if (state_.bodies.mobility[body] == Mobility::absent) continue;
            world_.bodies.push_back(body); // place_of() would look for each among all others
            world_.motion.push_back(state_.bodies.motion[body]);
        }
        for (std::uint32_t slot = 0; slot < state_.joints.slot_count(); ++slot) {
            if (!state_.joints.is_alive(slot) || !is_kept(state_.joints[slot])) continue;
            const auto place = [&](const JointEnd& end) {
                return world_.place_of(end.body.is_null() ? kTheWorld : end.body.index, state_);
            };
            const JointRecord& joint = state_.joints[slot];
            world_.joints.push_back({slot, place(joint.a), place(joint.b)});
        }
        works_.resize(world_.bodies.size());
    }

    bool is_over_budget() {
        ++outcome_.story.events;
        const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - began_;
        return static_cast<std::uint64_t>(outcome_.story.events) > context_.budget.events ||
               spent.count() > context_.budget.wall_seconds;
    }

    void find_pairs(double left) {
        for (std::size_t i = 0; i < world_.bodies.size(); ++i)
            if (world_.bodies[i] != kTheWorld)
                state_.bodies.motion[world_.bodies[i]] = world_.motion[i];
        Nearby nearby(state_);
        for (std::size_t i = 0; i < world_.bodies.size(); ++i) {
            const std::uint32_t body = world_.bodies[i];
            if (body == kTheWorld || state_.bodies.traits[body].type == BodyType::static_body)
                continue;
            const Vec3d v = world_.motion[i].p * state_.bodies.inertia[body].inv_mass;
            const double reach = (length(v) + length(state_.gravity) * left) * left +
                                 method_.contact_distance + method_.separation_distance;
            nearby.set_way(body,
                           expand(Aabb<double>{world_.motion[i].x, world_.motion[i].x}, reach));
        }
        world_.pairs = nearby.find_new(context_.team);
    }

    void find_contacts() {
        contacts_.clear();
        for (const ShapePair& pair : world_.pairs)
            contact_dynamics::find_contacts(state_, world_, pair, method_.contact_distance,
                                            contacts_);
        if (state_.islands.are_open())
            for (const Contact& c : contacts_) note_together(c.a, c.b);
    }

    // ---- impacts

    void collide() {
        if (contacts_.empty() || method_.resting_speed > 1e100) return;
        const ContactProblem contacts(state_, world_, contacts_);
        ImpactProblem problem;
        problem.u = contacts.velocities();
        const bool none = std::none_of(problem.u.begin(), problem.u.end(),
                                       [](const Vec3d& u) { return u.z < 0; });
        if (none && !method_.one_pass) return;
        problem.w = contacts.matrix();
        const std::vector<bool> hit = find_hit(problem);
        for (std::size_t i = 0; i < contacts_.size(); ++i) {
            problem.friction.push_back(method_.has_friction ? contacts_[i].material.kinetic_friction
                                                            : 0);
            problem.restitution.push_back(restitution_of(i, hit[i], contacts.frames()[i]));
        }
        const std::vector<Vec3d> impulses =
            method_.one_pass ? one_pass(problem, contacts.frames()) : by_law(problem);
        const std::vector<double> before = energies();
        apply(world_, state_, contacts.pushes(impulses));
        book_change(before, &Works::impact);
        ++outcome_.story.impacts;
    }

    void keep_joints() {
        if (world_.joints.empty()) return;
        const std::vector<double> before = energies();
        project(state_, world_, &Works::joints); // that of single bodies is wanted here
        book_change(before, &Works::joints);
    }

    // ---- the ledger

    /// Kinetic energy by place.
    std::vector<double> energies() const {
        std::vector<double> all(world_.bodies.size());
        for (std::size_t i = 0; i < all.size(); ++i)
            if (is_mover(state_, world_.bodies[i]))
                all[i] = kinetic_energy(world_.motion[i], state_.bodies.inertia[world_.bodies[i]],
                                        state_.bodies.traits[world_.bodies[i]]);
        return all;
    }
    void book_change(const std::vector<double>& before, double Works::*entry) {
        const std::vector<double> after = energies();
        for (std::size_t i = 0; i < after.size(); ++i) works_[i].*entry += after[i] - before[i];
    }
    /// What pushes do at these velocities.
    static double power(const Push& push, const BodyMoment& body) {
        return dot(push.linear, body.v) + dot(push.angular, body.w);
    }

    /// Contacts that approach, and those that are hit through them.
    std::vector<bool> find_hit(const ImpactProblem& problem) const {
        std::vector<bool> hit(problem.u.size());
        std::vector<std::size_t> next;
        const auto note = [&](std::size_t i) {
            if (hit[i]) return;
            hit[i] = true;
            next.push_back(i);
        };
        for (std::size_t i = 0; i < hit.size(); ++i)
            if (problem.u[i].z <= -method_.resting_speed) note(i);
        while (!next.empty()) {
            const std::size_t i = next.back();
            next.pop_back();
            for (const BlockEntry& entry : problem.w.row(i)) note(entry.column);
        }
        return hit;
    }

    /// Contacts that rest do not bounce; those of micro-collisions do, the more the nearer they
    /// are.
    double restitution_of(std::size_t i, bool is_hit, const ContactFrame& frame) const {
        const double e = contacts_[i].material.restitution;
        if (is_hit) return e;
        if (method_.resting != RestingRule::micro) return method_.one_pass ? e : 0;
        return std::max(e, std::clamp(1 - frame.gap / method_.contact_distance, 0.0, 1.0));
    }

    std::vector<Vec3d> by_law(const ImpactProblem& problem) {
        MultiImpactSettings settings;
        settings.multi = method_.multi;
        settings.law = method_.impact;
        settings.delta = method_.delta;
        settings.threshold = 1e-9;
        const ImpactsOutcome outcome = solve_impacts(problem, settings);
        outcome_.story.impulses += outcome.impulses;
        if (outcome.ambiguous) ++outcome_.story.ambiguous;
        if (!outcome.converged) ++outcome_.story.unsolved;
        return outcome.r;
    }

    std::vector<Vec3d> one_pass(const ImpactProblem& problem,
                                std::span<const ContactFrame> frames) const {
        std::vector<Vec3d> u = problem.u, impulses(u.size());
        const auto push = [&](std::size_t i, const Vec3d& impulse) {
            impulses[i] += impulse;
            for (const BlockEntry& entry : problem.w.row(i))
                u[entry.column] += problem.w.at(entry.column, i) * impulse;
        };
        for (std::size_t i = 0; i < u.size(); ++i) {
            const Mat3d& k = problem.w.diagonal(i);
            const double leave = method_.push_rate * std::max(-frames[i].gap, 0.0);
            const double normal =
                std::max((-(1 + problem.restitution[i]) * u[i].z + leave) / k(2, 2), 0.0);
            push(i, {0, 0, normal});
            const double slip = std::sqrt(u[i].x * u[i].x + u[i].y * u[i].y);
            if (!(slip > 0)) continue;
            const Vec3d along{u[i].x / slip, u[i].y / slip, 0};
            const double stop = slip / dot(along, k * along);
            push(i, along * -std::min(stop, problem.friction[i] * normal));
        }
        return impulses;
    }

    // ---- resting contacts

    void choose_resting() {
        const std::vector<BodyMoment> bodies = moments_of(state_, world_);
        world_.contacts.clear();
        for (const Contact& c : contacts_) {
            const ContactFrame frame = frame_of(c, bodies);
            const Vec3d u =
                velocity_at(bodies[c.b], frame.point_b) - velocity_at(bodies[c.a], frame.point);
            if (dot(u, frame.normal) > method_.resting_speed) continue;
            world_.contacts.push_back(c);
            world_.contacts.back().mode = ContactMode::open; // for the projection: joints alone
            if (!method_.has_friction)
                world_.contacts.back().material.static_friction =
                    world_.contacts.back().material.kinetic_friction = 0;
        }
        if (method_.resting == RestingRule::penalty)
            springs_ = contact_springs(state_, method_, world_);
    }

    /// [Kavan 2003, 4.2]: apart to the distance D, shared by mass. True when something was moved.
    bool separate() {
        bool moved = false;
        for (const Contact& c : world_.contacts) {
            const std::vector<BodyMoment> bodies = moments_of(state_, world_);
            const ContactFrame frame = frame_of(c, bodies);
            const double way = method_.separation_distance - frame.gap;
            const double a = max_component(bodies[c.a].inv_mass),
                         b = max_component(bodies[c.b].inv_mass);
            if (!(way > 0) || !(a + b > 0)) continue;
            world_.motion[c.a].x -= frame.normal * (way * a / (a + b));
            world_.motion[c.b].x += frame.normal * (way * b / (a + b));
            moved = true;
        }
        return moved;
    }
    /// f(D): the time of a fall through D.
    double time_charge() const {
        const double g = length(state_.gravity);
        return g > 0 ? std::sqrt(2 * method_.separation_distance / g) * 0.1 : 0.1 * dt_;
    }

    // ---- free motion

    /// Springs are followed through several steps of each of their swings, and the train of impacts
    /// on what is in contact through several of each fall.
    double longest() const {
        constexpr double kStepsPerFall = 5;
        if (method_.resting == RestingRule::penalty) return springs_.longest_step;
        const double g = length(state_.gravity);
        if (method_.resting == RestingRule::micro && !contacts_.empty() && g > 0)
            return std::sqrt(2 * method_.contact_distance / g) / kStepsPerFall;
        return dt_;
    }

    double time_to_contact(double left) const {
        if (method_.detection == Detection::static_only) return left;
        AssemblyMemory memory = memory_;
        AssembledStep trial(context_, method_, memory, dt_);
        trial.world_ = world_;
        trial.world_.contacts.clear();
        trial.works_ = works_;
        trial.integrate(left);
        double first = 1;
        for (const ShapePair& pair : world_.pairs) {
            const bool touches = std::any_of(contacts_.begin(), contacts_.end(),
                                             [&](const Contact& c) { return c.shapes == pair; });
            if (!touches) first = std::min(first, meeting(pair, trial.world_));
        }
        return first * left;
    }

    double meeting(const ShapePair& pair, const Island& end) const {
        VariantSettings<double> settings;
        settings.tolerance = std::max(method_.contact_distance, 1e-9);
        settings.depth = std::max(settings.tolerance, method_.separation_distance);
        settings.time_precision = 1e-9;
        const auto shape = [&](std::uint32_t slot) -> const Shape<double>& {
            return state_.shapes.find(state_.shapes.pool().id_at(slot))->geometry;
        };
        const TimeOfImpact<double> found = time_of_impact_by(
            impact_method(method_.detection), shape(pair.a), motion_of(pair.a, {}, end),
            shape(pair.b), motion_of(pair.b, image_of(state_, pair), end), settings);
        return found.state == ImpactState::hit ? found.t : 1;
    }

    Motion<double> motion_of(std::uint32_t shape, const Vec3d& image, const Island& end) const {
        const std::uint32_t body = body_of(state_, shape);
        const auto i = static_cast<std::size_t>(
            std::find(world_.bodies.begin(), world_.bodies.end(), body) - world_.bodies.begin());
        const BodyMotion &from = world_.motion[i], &to = end.motion[i];
        const Posed place = in_body(state_, shape);
        return {Posed{from.x + image, from.q} * place, inverse_transform(place, Vec3d{}),
                to.x - from.x, to_rotation_vector(to.q * conjugate(from.q))};
    }

    /// Everything that acts on bodies between impacts, by place.
    struct Pushes {
        std::vector<Push> outer;
        ContactPushes contacts;

        Push sum(std::size_t i) const {
            const Push &a = outer[i], &b = contacts.normal[i], &c = contacts.friction[i];
            return {a.linear + b.linear + c.linear, a.angular + b.angular + c.angular};
        }
    };
    Pushes pushes(const Island& now) const {
        return {outer_forces(state_, now, now.motion),
                resting_pushes(state_, method_, now, springs_.at, memory_.springs)};
    }
    /// Their powers at these velocities. Gravity is left out: its work is that over the whole way.
    Works powers(const Pushes& pushes, std::size_t i, const BodyMoment& body) const {
        const std::uint32_t slot = world_.bodies[i];
        Works works;
        if (!is_mover(state_, slot)) return works;
        const Vec3d weight = state_.gravity * state_.bodies.inertia[slot].weight;
        works.forces = power(pushes.outer[i], body) - dot(weight, body.v);
        works.contact_normal = power(pushes.contacts.normal[i], body);
        works.contact_friction = power(pushes.contacts.friction[i], body);
        return works;
    }

    void integrate(double h) {
        const bool by_forces = method_.resting == RestingRule::lp ||
                               method_.resting == RestingRule::lcp ||
                               method_.resting == RestingRule::cone;
        if (by_forces && !world_.contacts.empty())
            hold_or_fall(h);
        else
            carry_on(h);
        world_.time += h;
        memory_.springs = stretched(state_, method_, world_, springs_.at, memory_.springs, h);
    }

    void hold_or_fall(double h) {
        const Island before = world_;
        const std::vector<Works> works = works_;
        carry_on(h);
        if (!are_thrown(before, h)) return;
        world_ = before;
        works_ = works;
        world_.contacts.clear();
        carry_on(h);
        world_.contacts = before.contacts;
        ++outcome_.story.unsolved;
    }

    void carry_on(double h) {
        if (method_.integrator == Integrator::euler || method_.integrator == Integrator::rk4)
            integrate_all(h);
        else
            kick_and_drift(h);
    }

    /// Forces that hold bodies do no work. Contacts that hold a body many times over agree to the
    /// last digits only, and may be made to agree by forces without bounds: then the bodies have
    /// gained more than what acts on them can give them in this time.
    bool are_thrown(const Island& before, double h) const {
        const std::vector<Push> outer = outer_forces(state_, before, before.motion);
        double given = 0;
        for (std::size_t i = 0; i < outer.size(); ++i) {
            if (!is_mover(state_, before.bodies[i])) continue;
            const double inv_mass = state_.bodies.inertia[before.bodies[i]].inv_mass;
            given += dot(outer[i].linear, world_.motion[i].x - before.motion[i].x) +
                     length_squared(outer[i].linear) * (h * h * inv_mass);
        }
        const double start = kinetic_energy(state_, before);
        return kinetic_energy(state_, world_) - start > given + 0.1 * start;
    }

    void integrate_all(double h) {
        const std::size_t n = world_.bodies.size();
        const auto rates = [this, n](double, std::span<const double> y, std::span<double> rate) {
            Island now = at(y);
            const Pushes forces = pushes(now);
            const std::vector<BodyMoment> bodies = moments_of(state_, now);
            for (std::size_t i = 0; i < n; ++i) {
                pack(change_of(now, i, forces.sum(i)), &rate[kNumbers * i]);
                const Works works = powers(forces, i, bodies[i]);
                const double numbers[] = {works.forces, works.contact_normal,
                                          works.contact_friction};
                std::copy_n(numbers, kWorks, &rate[kNumbers * n + kWorks * i]);
            }
        };
        std::vector<double> y((kNumbers + kWorks) * n);
        for (std::size_t i = 0; i < n; ++i) pack(world_.motion[i], &y[kNumbers * i]);
        if (method_.integrator == Integrator::euler)
            ExplicitEuler().step(rates, 0, h, y);
        else
            RungeKutta4().step(rates, 0, h, y);
        world_ = at(y);
        for (std::size_t i = 0; i < n; ++i) {
            const double* works = &y[kNumbers * n + kWorks * i];
            works_[i].forces += works[0];
            works_[i].contact_normal += works[1];
            works_[i].contact_friction += works[2];
        }
    }

    Island at(std::span<const double> y) const {
        Island now = world_;
        for (std::size_t i = 0; i < now.bodies.size(); ++i)
            now.motion[i] = unpack(&y[kNumbers * i]);
        return now;
    }

    BodyMotion change_of(const Island& now, std::size_t i, const Push& force) const {
        BodyMotion change{{}, {0, 0, 0, 0}, {}, {}};
        const std::uint32_t body = now.bodies[i];
        if (body == kTheWorld) return change;
        const BodyMoment moment = moment_of(state_.bodies, body, now.motion[i]);
        change.x = moment.v;
        change.q = derivative(now.motion[i].q, moment.w);
        if (!is_mover(state_, body)) return change;
        const std::uint8_t lock = state_.bodies.traits[body].lock;
        change.p = without_locked(force.linear, lock, lock_tx);
        change.l = without_locked(force.angular, lock, lock_rx);
        return change;
    }

    /// Momentum first, then position: `symplectic`. Half before and half after: `exact`, whose
    /// rotation is that of free motion.
    void kick_and_drift(double h) {
        const bool halves = method_.integrator == Integrator::exact;
        kick(halves ? 0.5 * h : h);
        for (std::size_t i = 0; i < world_.bodies.size(); ++i) drift(i, h);
        if (halves) kick(0.5 * h);
    }
    void kick(double h) {
        const Pushes forces = pushes(world_);
        std::vector<Push> impulses;
        for (std::size_t i = 0; i < world_.bodies.size(); ++i) {
            const Push f = forces.sum(i);
            impulses.push_back({f.linear * h, f.angular * h});
        }
        const std::vector<BodyMoment> before = moments_of(state_, world_);
        apply(world_, state_, impulses);
        const std::vector<BodyMoment> after = moments_of(state_, world_);
        // An impulse works at the mean of the velocities before and after it.
        for (std::size_t i = 0; i < before.size(); ++i)
            for (const BodyMoment& moment : {before[i], after[i]}) {
                const Works works = powers(forces, i, moment);
                works_[i].forces += 0.5 * h * works.forces;
                works_[i].contact_normal += 0.5 * h * works.contact_normal;
                works_[i].contact_friction += 0.5 * h * works.contact_friction;
            }
    }
    void drift(std::size_t i, double h) {
        const std::uint32_t body = world_.bodies[i];
        if (body == kTheWorld) return;
        BodyMotion& m = world_.motion[i];
        const BodyMoment moment = moment_of(state_.bodies, body, m);
        m.x += moment.v * h;
        m.q = normalize(from_rotation_vector(moment.w * h) * m.q);
    }

    void put_back() {
        // find_pairs() moved the bodies along; gravity's work is over the whole way.
        for (std::size_t i = 0; i < world_.bodies.size(); ++i) {
            const std::uint32_t body = world_.bodies[i];
            if (body == kTheWorld) continue;
            state_.bodies.motion[body] = world_.motion[i];
            if (!is_mover(state_, body)) continue;
            ++outcome_.moved;
            add(outcome_.works.by_body[body], works_[i]);
        }
        for (const IslandJoint& joint : world_.joints) note_together(joint.a, joint.b);
    }

    void note_together(std::uint32_t a, std::uint32_t b) {
        const std::uint32_t body_a = world_.bodies[a], body_b = world_.bodies[b];
        if (is_mover(state_, body_a) && is_mover(state_, body_b))
            outcome_.works.together.push_back({body_a, body_b});
    }

    const StepContext& context_;
    WorldState& state_;
    const Assembly& method_;
    AssemblyMemory& memory_;
    double dt_;
    std::chrono::steady_clock::time_point began_;
    Island world_;                  // its contacts are those that rest
    std::vector<Contact> contacts_; // all
    ContactSprings springs_;        // of those that rest
    std::vector<Works> works_;      // by place in world_
    StepOutcome outcome_;
};

void book_gravity(const WorldState& state, std::span<const Vec3d> from, WorkBook& works) {
    for (std::uint32_t i = 0; i < from.size(); ++i)
        if (is_dynamic(state.bodies, i))
            works.by_body[i].gravity += state.bodies.inertia[i].weight *
                                        dot(state.gravity, state.bodies.motion[i].x - from[i]);
}

} // namespace

void add_to_hash(Hasher& hasher, const AssemblyMemory& memory) {
    for (const FrictionSpring& spring : memory.springs) {
        hasher.add(spring.shapes.a);
        hasher.add(spring.shapes.b);
        hasher.add(spring.features);
        hasher.add_value(spring.stretch);
    }
}

StepOutcome assembled_step(const StepContext& context, const Assembly& method,
                           AssemblyMemory& memory, double dt) {
    const StageTimer timer(context.profile, "events");
    std::vector<Vec3d> from;
    for (const BodyMotion& m : context.state.bodies.motion) from.push_back(m.x);
    StepOutcome outcome = AssembledStep(context, method, memory, dt).run();
    book_gravity(context.state, from, outcome.works);
    return outcome;
}

} // namespace rigor::literature
