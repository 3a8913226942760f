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

class MethodStepper {
  public:
    MethodStepper(const StepContext& context, const MethodParts& method, MethodMemory& memory,
                  double dt)
        : context_(context),
          state_(context.state),
          method_(method),
          memory_(memory),
          dt_(dt),
          start_time_(std::chrono::steady_clock::now()),
          outcome_(context.state) {}

    StepOutcome run() {
        gather_world();
        double left = dt_;
        while (left > 1e-12 * dt_ && !is_over_budget()) {
            find_pairs(left);
            find_contacts();
            resolve_impacts();
            select_resting_contacts();
            if (method_.resting == RestingRule::separation && separate()) {
                left = std::max(left - time_charge(), 0.0);
                find_contacts(); // none of those that were separated
            }
            double h = std::min(time_to_contact(left), max_time_step());
            h = std::clamp(h, std::min(kMinTimeStep * dt_, left), left);
            integrate(h);
            project_joints();
            left -= h;
        }
        outcome_.reached = dt_ - std::max(left, 0.0);
        write_back();
        return std::move(outcome_);
    }

  private:
    static constexpr double kMinTimeStep = 1e-4;   // of a step: between two stops
    static constexpr std::size_t kWorkEntries = 3; // of a body, that are integrated with its motion

    /// All bodies are one island here.
    void gather_world() {
        for (std::uint32_t body = 0; body < state_.bodies.slot_count(); ++body) {
            if (state_.bodies.mobility[body] == Mobility::absent) continue;
            world_.bodies.push_back(body); // place_of() would look for each among all others
            world_.motion.push_back(state_.bodies.motion[body]);
        }
        for (std::uint32_t slot = 0; slot < state_.joints.slot_count(); ++slot) {
            if (!state_.joints.is_alive(slot) || !is_enforced(state_.joints[slot])) continue;
            const auto place = [&](const JointEnd& end) {
                return world_.find_or_add_body(end.body.is_null() ? kWorldBody : end.body.index,
                                               state_);
            };
            const JointRecord& joint = state_.joints[slot];
            world_.joints.push_back({slot, place(joint.a), place(joint.b)});
        }
        work_.resize(world_.bodies.size());
    }

    bool is_over_budget() {
        ++outcome_.statistics.event_count;
        const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start_time_;
        return static_cast<std::uint64_t>(outcome_.statistics.event_count) >
                   context_.budget.events ||
               spent.count() > context_.budget.wall_seconds;
    }

    void find_pairs(double left) {
        for (std::size_t i = 0; i < world_.bodies.size(); ++i)
            if (world_.bodies[i] != kWorldBody)
                state_.bodies.motion[world_.bodies[i]] = world_.motion[i];
        PairPredictor pair_predictor(state_);
        for (std::size_t i = 0; i < world_.bodies.size(); ++i) {
            const std::uint32_t body = world_.bodies[i];
            if (body == kWorldBody || state_.bodies.traits[body].type == BodyType::static_body)
                continue;
            const Vec3d v = world_.motion[i].p * state_.bodies.inertia[body].inv_mass;
            const double bound = (length(v) + length(state_.gravity) * left) * left +
                                 method_.contact_distance + method_.separation_distance;
            pair_predictor.set_center_bounds(
                body, expand(Aabb<double>{world_.motion[i].x, world_.motion[i].x}, bound));
        }
        world_.pairs = pair_predictor.find_new_pairs(context_.team);
    }

    void find_contacts() {
        contacts_.clear();
        for (const ShapePair& pair : world_.pairs)
            contact_dynamics::find_contacts(state_, world_, pair, method_.contact_distance,
                                            contacts_);
        if (state_.islands.are_kept())
            for (const Contact& c : contacts_) record_interaction(c.a, c.b);
    }

    // ---- impacts

    void resolve_impacts() {
        if (contacts_.empty() || method_.resting_speed > 1e100) return;
        const ContactProblem contacts(state_, world_, contacts_);
        ImpactProblem problem;
        problem.u = contacts.velocities();
        const bool none = std::none_of(problem.u.begin(), problem.u.end(),
                                       [](const Vec3d& u) { return u.z < 0; });
        if (none && !method_.single_pass) return;
        problem.w = contacts.matrix();
        const std::vector<bool> hit = propagate_hits(problem);
        for (std::size_t i = 0; i < contacts_.size(); ++i) {
            problem.friction.push_back(method_.has_friction ? contacts_[i].material.kinetic_friction
                                                            : 0);
            problem.restitution.push_back(restitution_of(i, hit[i], contacts.frames()[i]));
        }
        const std::vector<Vec3d> impulses =
            method_.single_pass ? single_pass(problem, contacts.frames()) : solve_by_law(problem);
        const std::vector<double> before = kinetic_energies();
        apply(world_, state_, contacts.body_impulses(impulses));
        record_energy_change(before, &WorkLedger::impact);
        ++outcome_.statistics.impact_count;
    }

    void project_joints() {
        if (world_.joints.empty()) return;
        const std::vector<double> before = kinetic_energies();
        project_constraints(state_, world_,
                            &WorkLedger::joints); // that of single bodies is wanted here
        record_energy_change(before, &WorkLedger::joints);
    }

    // ---- the ledger

    /// Kinetic energy by place.
    std::vector<double> kinetic_energies() const {
        std::vector<double> all(world_.bodies.size());
        for (std::size_t i = 0; i < all.size(); ++i)
            if (responds_to_impulses(state_, world_.bodies[i]))
                all[i] = kinetic_energy(world_.motion[i], state_.bodies.inertia[world_.bodies[i]],
                                        state_.bodies.traits[world_.bodies[i]]);
        return all;
    }
    void record_energy_change(const std::vector<double>& before, double WorkLedger::*entry) {
        const std::vector<double> after = kinetic_energies();
        for (std::size_t i = 0; i < after.size(); ++i) work_[i].*entry += after[i] - before[i];
    }
    /// What pushes do at these velocities.
    static double power(const SpatialVector& wrench, const BodyKinematics& body) {
        return dot(wrench.linear, body.v) + dot(wrench.angular, body.w);
    }

    /// Contacts that approach, and those that are hit through them.
    std::vector<bool> propagate_hits(const ImpactProblem& problem) const {
        std::vector<bool> hit(problem.u.size());
        std::vector<std::size_t> next;
        const auto mark_hit = [&](std::size_t i) {
            if (hit[i]) return;
            hit[i] = true;
            next.push_back(i);
        };
        for (std::size_t i = 0; i < hit.size(); ++i)
            if (problem.u[i].z <= -method_.resting_speed) mark_hit(i);
        while (!next.empty()) {
            const std::size_t i = next.back();
            next.pop_back();
            for (const BlockEntry& entry : problem.w.row(i)) mark_hit(entry.column);
        }
        return hit;
    }

    /// Contacts that rest do not bounce; those of micro-collisions do, the more the nearer they
    /// are.
    double restitution_of(std::size_t i, bool is_hit, const ContactFrame& frame) const {
        const double e = contacts_[i].material.restitution;
        if (is_hit) return e;
        if (method_.resting != RestingRule::micro) return method_.single_pass ? e : 0;
        return std::max(e, std::clamp(1 - frame.gap / method_.contact_distance, 0.0, 1.0));
    }

    std::vector<Vec3d> solve_by_law(const ImpactProblem& problem) {
        MultiImpactSettings settings;
        settings.multi = method_.multi;
        settings.law = method_.impact;
        settings.delta = method_.delta;
        settings.threshold = 1e-9;
        const ImpactsOutcome outcome = solve_impacts(problem, settings);
        outcome_.statistics.impulse_count += outcome.impulses;
        if (outcome.ambiguous) ++outcome_.statistics.ambiguous_count;
        if (!outcome.converged) ++outcome_.statistics.unsolved_count;
        return outcome.r;
    }

    std::vector<Vec3d> single_pass(const ImpactProblem& problem,
                                   std::span<const ContactFrame> frames) const {
        std::vector<Vec3d> u = problem.u, impulses(u.size());
        const auto apply_at = [&](std::size_t i, const Vec3d& impulse) {
            impulses[i] += impulse;
            for (const BlockEntry& entry : problem.w.row(i))
                u[entry.column] += problem.w.at(entry.column, i) * impulse;
        };
        for (std::size_t i = 0; i < u.size(); ++i) {
            const Mat3d& k = problem.w.diagonal(i);
            const double bias_velocity = method_.baumgarte_rate * std::max(-frames[i].gap, 0.0);
            const double normal =
                std::max((-(1 + problem.restitution[i]) * u[i].z + bias_velocity) / k(2, 2), 0.0);
            apply_at(i, {0, 0, normal});
            const double slip = std::sqrt(u[i].x * u[i].x + u[i].y * u[i].y);
            if (!(slip > 0)) continue;
            const Vec3d along{u[i].x / slip, u[i].y / slip, 0};
            const double stop = slip / dot(along, k * along);
            apply_at(i, along * -std::min(stop, problem.friction[i] * normal));
        }
        return impulses;
    }

    // ---- resting contacts

    void select_resting_contacts() {
        const std::vector<BodyKinematics> bodies = kinematics_of(state_, world_);
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
            const std::vector<BodyKinematics> bodies = kinematics_of(state_, world_);
            const ContactFrame frame = frame_of(c, bodies);
            const double displacement = method_.separation_distance - frame.gap;
            const double a = max_component(bodies[c.a].inv_mass),
                         b = max_component(bodies[c.b].inv_mass);
            if (!(displacement > 0) || !(a + b > 0)) continue;
            world_.motion[c.a].x -= frame.normal * (displacement * a / (a + b));
            world_.motion[c.b].x += frame.normal * (displacement * b / (a + b));
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
    double max_time_step() const {
        constexpr double kStepsPerFall = 5;
        if (method_.resting == RestingRule::penalty) return springs_.max_time_step;
        const double g = length(state_.gravity);
        if (method_.resting == RestingRule::micro && !contacts_.empty() && g > 0)
            return std::sqrt(2 * method_.contact_distance / g) / kStepsPerFall;
        return dt_;
    }

    double time_to_contact(double left) const {
        if (method_.detection == Detection::static_only) return left;
        MethodMemory memory = memory_;
        MethodStepper trial(context_, method_, memory, dt_);
        trial.world_ = world_;
        trial.world_.contacts.clear();
        trial.work_ = work_;
        trial.integrate(left);
        double first = 1;
        for (const ShapePair& pair : world_.pairs) {
            const bool touches = std::any_of(contacts_.begin(), contacts_.end(),
                                             [&](const Contact& c) { return c.shapes == pair; });
            if (!touches) first = std::min(first, time_of_impact(pair, trial.world_));
        }
        return first * left;
    }

    double time_of_impact(const ShapePair& pair, const Island& end) const {
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
        return found.state == ToiStatus::hit ? found.t : 1;
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
    struct BodyWrenches {
        std::vector<SpatialVector> external;
        ContactWrenches contacts;

        SpatialVector sum(std::size_t i) const {
            const SpatialVector &a = external[i], &b = contacts.normal[i],
                                &c = contacts.friction[i];
            return {a.linear + b.linear + c.linear, a.angular + b.angular + c.angular};
        }
    };
    BodyWrenches wrenches(const Island& now) const {
        return {external_forces(state_, now, now.motion),
                resting_wrenches(state_, method_, now, springs_.at, memory_.springs)};
    }
    /// Their powers at these velocities. Gravity is left out: its work is that over the whole way.
    WorkLedger powers(const BodyWrenches& wrenches, std::size_t i,
                      const BodyKinematics& body) const {
        const std::uint32_t slot = world_.bodies[i];
        WorkLedger work;
        if (!responds_to_impulses(state_, slot)) return work;
        const Vec3d weight = state_.gravity * state_.bodies.inertia[slot].weight;
        work.forces = power(wrenches.external[i], body) - dot(weight, body.v);
        work.contact_normal = power(wrenches.contacts.normal[i], body);
        work.contact_friction = power(wrenches.contacts.friction[i], body);
        return work;
    }

    void integrate(double h) {
        const bool by_forces = method_.resting == RestingRule::lp ||
                               method_.resting == RestingRule::lcp ||
                               method_.resting == RestingRule::cone;
        if (by_forces && !world_.contacts.empty())
            integrate_resting(h);
        else
            integrate_motion(h);
        world_.time += h;
        memory_.springs =
            updated_friction_springs(state_, method_, world_, springs_.at, memory_.springs, h);
    }

    void integrate_resting(double h) {
        const Island before = world_;
        const std::vector<WorkLedger> work = work_;
        integrate_motion(h);
        if (!gained_energy(before, h)) return;
        world_ = before;
        work_ = work;
        world_.contacts.clear();
        integrate_motion(h);
        world_.contacts = before.contacts;
        ++outcome_.statistics.unsolved_count;
    }

    void integrate_motion(double h) {
        if (method_.integrator == Integrator::euler || method_.integrator == Integrator::rk4)
            integrate_ode(h);
        else
            kick_and_drift(h);
    }

    /// Forces that hold bodies do no work. Contacts that hold a body many times over agree to the
    /// last digits only, and may be made to agree by forces without bounds: then the bodies have
    /// gained more than what acts on them can give them in this time.
    bool gained_energy(const Island& before, double h) const {
        const std::vector<SpatialVector> external = external_forces(state_, before, before.motion);
        double available = 0;
        for (std::size_t i = 0; i < external.size(); ++i) {
            if (!responds_to_impulses(state_, before.bodies[i])) continue;
            const double inv_mass = state_.bodies.inertia[before.bodies[i]].inv_mass;
            available += dot(external[i].linear, world_.motion[i].x - before.motion[i].x) +
                         length_squared(external[i].linear) * (h * h * inv_mass);
        }
        const double start = kinetic_energy(state_, before);
        return kinetic_energy(state_, world_) - start > available + 0.1 * start;
    }

    void integrate_ode(double h) {
        const std::size_t n = world_.bodies.size();
        const auto rates = [this, n](double, std::span<const double> y, std::span<double> rate) {
            Island now = at(y);
            const BodyWrenches forces = wrenches(now);
            const std::vector<BodyKinematics> bodies = kinematics_of(state_, now);
            for (std::size_t i = 0; i < n; ++i) {
                pack(motion_rate(now, i, forces.sum(i)), &rate[kStateSize * i]);
                const WorkLedger work = powers(forces, i, bodies[i]);
                const double numbers[] = {work.forces, work.contact_normal, work.contact_friction};
                std::copy_n(numbers, kWorkEntries, &rate[kStateSize * n + kWorkEntries * i]);
            }
        };
        std::vector<double> y((kStateSize + kWorkEntries) * n);
        for (std::size_t i = 0; i < n; ++i) pack(world_.motion[i], &y[kStateSize * i]);
        if (method_.integrator == Integrator::euler)
            ExplicitEuler().step(rates, 0, h, y);
        else
            RungeKutta4().step(rates, 0, h, y);
        world_ = at(y);
        for (std::size_t i = 0; i < n; ++i) {
            const double* work = &y[kStateSize * n + kWorkEntries * i];
            work_[i].forces += work[0];
            work_[i].contact_normal += work[1];
            work_[i].contact_friction += work[2];
        }
    }

    Island at(std::span<const double> y) const {
        Island now = world_;
        for (std::size_t i = 0; i < now.bodies.size(); ++i)
            now.motion[i] = unpack(&y[kStateSize * i]);
        return now;
    }

    BodyMotion motion_rate(const Island& now, std::size_t i, const SpatialVector& force) const {
        BodyMotion change{{}, {0, 0, 0, 0}, {}, {}};
        const std::uint32_t body = now.bodies[i];
        if (body == kWorldBody) return change;
        const BodyKinematics kinematics = kinematics_of(state_.bodies, body, now.motion[i]);
        change.x = kinematics.v;
        change.q = derivative(now.motion[i].q, kinematics.w);
        if (!responds_to_impulses(state_, body)) return change;
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
        const BodyWrenches forces = wrenches(world_);
        std::vector<SpatialVector> impulses;
        for (std::size_t i = 0; i < world_.bodies.size(); ++i) {
            const SpatialVector f = forces.sum(i);
            impulses.push_back({f.linear * h, f.angular * h});
        }
        const std::vector<BodyKinematics> before = kinematics_of(state_, world_);
        apply(world_, state_, impulses);
        const std::vector<BodyKinematics> after = kinematics_of(state_, world_);
        // An impulse works at the mean of the velocities before and after it.
        for (std::size_t i = 0; i < before.size(); ++i)
            for (const BodyKinematics& kinematics : {before[i], after[i]}) {
                const WorkLedger work = powers(forces, i, kinematics);
                work_[i].forces += 0.5 * h * work.forces;
                work_[i].contact_normal += 0.5 * h * work.contact_normal;
                work_[i].contact_friction += 0.5 * h * work.contact_friction;
            }
    }
    void drift(std::size_t i, double h) {
        const std::uint32_t body = world_.bodies[i];
        if (body == kWorldBody) return;
        BodyMotion& m = world_.motion[i];
        const BodyKinematics kinematics = kinematics_of(state_.bodies, body, m);
        m.x += kinematics.v * h;
        m.q = normalize(from_rotation_vector(kinematics.w * h) * m.q);
    }

    void write_back() {
        // find_pairs() moved the bodies along; gravity's work is over the whole way.
        for (std::size_t i = 0; i < world_.bodies.size(); ++i) {
            const std::uint32_t body = world_.bodies[i];
            if (body == kWorldBody) continue;
            state_.bodies.motion[body] = world_.motion[i];
            if (!responds_to_impulses(state_, body)) continue;
            ++outcome_.moved;
            add(outcome_.work.by_body[body], work_[i]);
        }
        for (const IslandJoint& joint : world_.joints) record_interaction(joint.a, joint.b);
    }

    void record_interaction(std::uint32_t a, std::uint32_t b) {
        const std::uint32_t body_a = world_.bodies[a], body_b = world_.bodies[b];
        if (responds_to_impulses(state_, body_a) && responds_to_impulses(state_, body_b))
            outcome_.work.interacting_pairs.push_back({body_a, body_b});
    }

    const StepContext& context_;
    WorldState& state_;
    const MethodParts& method_;
    MethodMemory& memory_;
    double dt_;
    std::chrono::steady_clock::time_point start_time_;
    Island world_;                  // its contacts are those that rest
    std::vector<Contact> contacts_; // all
    ContactSprings springs_;        // of those that rest
    std::vector<WorkLedger> work_;  // by place in world_
    StepOutcome outcome_;
};

void record_gravity_work(const WorldState& state, std::span<const Vec3d> from, StepWork& work) {
    for (std::uint32_t i = 0; i < from.size(); ++i)
        if (is_dynamic(state.bodies, i))
            work.by_body[i].gravity += state.bodies.inertia[i].weight *
                                       dot(state.gravity, state.bodies.motion[i].x - from[i]);
}

} // namespace

void add_to_hash(Hasher& hasher, const MethodMemory& memory) {
    for (const FrictionSpring& spring : memory.springs) {
        hasher.add(spring.shapes.a);
        hasher.add(spring.shapes.b);
        hasher.add(spring.features);
        hasher.add_value(spring.stretch);
    }
}

StepOutcome method_step(const StepContext& context, const MethodParts& method, MethodMemory& memory,
                        double dt) {
    const StageTimer timer(context.profile, "events");
    std::vector<Vec3d> from;
    for (const BodyMotion& m : context.state.bodies.motion) from.push_back(m.x);
    StepOutcome outcome = MethodStepper(context, method, memory, dt).run();
    record_gravity_work(context.state, from, outcome.work);
    return outcome;
}

} // namespace rigor::literature
