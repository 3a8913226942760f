#include "faithful/moreau_step.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "contact_dynamics/contact_detection.h"
#include "contact_dynamics/contact_forces.h"
#include "contact_dynamics/contact_problem.h"
#include "contact_dynamics/contact_reports.h"
#include "contact_dynamics/free_flight.h"
#include "contact_dynamics/pair_prediction.h"
#include "contact_dynamics/resolve_event.h"
#include "numeric/friction_problem.h"
#include "rigor/rotation.h"

namespace rigor::faithful {
namespace {

constexpr double kMaxSubstep = 1.0 / 240; // s: of a part
constexpr double kTolerance = 1e-12;      // merit of a problem of contacts, where they are few
constexpr double kToleranceLarge = 1e-8;  // and where they are many
constexpr std::size_t kLargeProblem = 300;
constexpr double kMaxPenetration = 1e-9; // m: overlaps that are left
constexpr int kMaxIterations = 10;       // to take them away: turning is not straight
constexpr int kMaxContactRounds = 4;     // to find all that comes to touch in a part
constexpr double kPenetrationMargin = 4; // times their depth: what may be in the way

/// Bodies that act on each other, with their places among all.
struct ContactGroup {
    Island island;
    std::vector<std::uint32_t> origin;
    // What its contacts do in a part of the step: frames, impulses, velocities before and after.
    std::vector<ContactFrame> frames;
    std::vector<Vec3d> r, start, end;
};

class MoreauStepper {
  public:
    MoreauStepper(const StepContext& context, double dt)
        : context_(context),
          state_(context.state),
          dt_(dt),
          pair_predictor_(context.state),
          outcome_(context.state) {}

    StepOutcome run() {
        gather_world();
        const int substeps = std::max(1, static_cast<int>(std::ceil(dt_ / kMaxSubstep)));
        for (int i = 0; i < substeps; ++i) substep(dt_ / substeps);
        write_back();
        outcome_.statistics.fixed_steps = substeps;
        outcome_.reached = dt_;
        return std::move(outcome_);
    }

    void resolve_penetration() {
        gather_world();
        find_contacts(0, 0);
        remove_penetration();
        write_back();
    }

  private:
    void gather_world() {
        for (std::uint32_t body = 0; body < state_.bodies.slot_count(); ++body) {
            if (state_.bodies.mobility[body] == Mobility::absent) continue;
            world_.bodies.push_back(body);
            world_.motion.push_back(state_.bodies.motion[body]);
        }
        for (std::uint32_t slot = 0; slot < state_.joints.slot_count(); ++slot) {
            if (!state_.joints.is_alive(slot) || !is_enforced(state_.joints[slot])) continue;
            const auto index = [&](const JointEnd& end) {
                return world_.find_or_add_body(end.body.is_null() ? kWorldBody : end.body.index,
                                               state_);
            };
            const JointRecord& joint = state_.joints[slot];
            const std::uint32_t a = index(joint.a);
            world_.joints.push_back({slot, a, index(joint.b)});
        }
    }

    void substep(double h) {
        motion_before_ = world_.motion;
        outcome_.touching.clear();
        apply_external_forces(h);
        find_contacts(h, 0);
        const std::vector<BodyMotion> from = world_.motion;
        std::vector<ContactGroup> solved_groups;
        for (int round = 0; round < kMaxContactRounds; ++round) {
            solved_groups = groups();
            for (ContactGroup& group : solved_groups) {
                project_joints(group.island);
                solve_contact_impulses(group, h);
                store_motion(group);
            }
            std::vector<Contact> known_contacts = world_.contacts;
            integrate_positions(world_, h);
            find_contacts(0, 0);
            if (deepest_gap(world_) > -kMaxPenetration || round + 1 == kMaxContactRounds) break;
            // Some that nobody thought of at the beginning: again, with them.
            for (const Contact& c : world_.contacts)
                if (closest_points_of(c, world_).gap < -kMaxPenetration)
                    known_contacts.push_back(c);
            world_.contacts = std::move(known_contacts);
            world_.motion = from;
        }
        for (ContactGroup& group : solved_groups) report_group(group, h);
        remove_penetration();
    }

    void report_group(ContactGroup& group, double h) {
        for (std::size_t i = 0; i < group.r.size(); ++i) {
            if (!(group.r[i].z > 0)) continue;
            record_work(group.r[i], group.start[i], group.end[i], group.island.work);
            report_contact(group.island.contacts[i], group.frames[i], group.r[i], group.start[i].z,
                           h);
        }
        outcome_.work.record(state_, group.island);
    }

    /// Takes overlaps of the contacts that were found away, without making others of what is as
    /// near as they are deep. Of an edge on a face one crossing is found and then the other, so
    /// both are kept in mind.
    void remove_penetration() {
        for (int i = 0; i < kMaxIterations && deepest_gap(world_) < -kMaxPenetration; ++i) {
            const double margin = -kPenetrationMargin * deepest_gap(world_);
            std::vector<Contact> known_contacts = std::move(world_.contacts);
            find_contacts(0, margin);
            for (const Contact& c : known_contacts)
                if (closest_points_of(c, world_).gap < margin) world_.contacts.push_back(c);
            for (ContactGroup& group : groups()) {
                project_penetration(group.island);
                project_joints(group.island);
                outcome_.work.record(state_, group.island);
                store_motion(group);
            }
        }
    }

    /// Gravity, forces and damping.
    void apply_external_forces(double h) {
        std::vector<SpatialVector> impulses = external_forces(state_, world_, world_.motion);
        for (SpatialVector& f : impulses) f = {f.linear * h, f.angular * h};
        const std::vector<BodyKinematics> start = kinematics_of(state_, world_);
        apply(world_, state_, impulses);
        const std::vector<BodyKinematics> end = kinematics_of(state_, world_);
        for (std::size_t i = 0; i < world_.bodies.size(); ++i) {
            const double work = 0.5 * (dot(impulses[i].linear, start[i].v + end[i].v) +
                                       dot(impulses[i].angular, start[i].w + end[i].w));
            const Vec3d weight = weight_of(world_.bodies[i]);
            const double gravity = 0.5 * h * dot(weight, start[i].v + end[i].v);
            if (!is_responsive(static_cast<std::uint32_t>(i))) continue;
            WorkLedger& ledger = outcome_.work.by_body[world_.bodies[i]];
            ledger.gravity += gravity;
            ledger.forces += work - gravity;
        }
    }

    Vec3d weight_of(std::uint32_t body) const {
        if (!responds_to_impulses(state_, body)) return {};
        return state_.gravity * state_.bodies.inertia[body].weight;
    }

    // ---- contacts

    bool is_fixed(std::uint32_t body) const {
        return body == kWorldBody || state_.bodies.traits[body].type == BodyType::static_body;
    }

    /// That close in the time h, or are nearer than `margin`.
    void find_contacts(double h, double margin) {
        for (std::size_t i = 0; i < world_.bodies.size(); ++i) {
            const std::uint32_t body = world_.bodies[i];
            if (is_fixed(body) || pair_predictor_.shapes(body).empty()) continue;
            const Vec3d x = world_.motion[i].x;
            const Vec3d end = x + world_.motion[i].p * (h * state_.bodies.inertia[body].inv_mass);
            pair_predictor_.set_center_bounds(
                body, expand(Aabb<double>{min(x, end), max(x, end)}, margin));
        }
        const std::vector<ShapePair> new_pairs = pair_predictor_.find_new_pairs(context_.team);
        world_.pairs.insert(world_.pairs.end(), new_pairs.begin(), new_pairs.end());
        world_.contacts.clear();
        for (const ShapePair& pair : world_.pairs)
            contact_dynamics::find_contacts(state_, world_, pair,
                                            margin + kMaxPenetration + closing_speed(pair) * h,
                                            world_.contacts);
    }

    /// How fast a gap can close.
    double closing_speed(const ShapePair& pair) {
        double speed = 0;
        for (const std::uint32_t shape : {pair.a, pair.b}) {
            const std::uint32_t body = body_of(state_, shape);
            if (is_fixed(body)) continue;
            const BodyMotion& m = world_.motion[world_.find_or_add_body(body, state_)];
            const BodyInertia& inertia = state_.bodies.inertia[body];
            speed += length(m.p) * inertia.inv_mass + length(m.l) *
                                                          max_component(inertia.inv_moments) *
                                                          pair_predictor_.bound(shape).radius;
        }
        return speed;
    }

    // ---- groups

    std::uint32_t root_of(std::uint32_t i) {
        while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
        return i;
    }

    bool is_responsive(std::uint32_t i) const {
        return responds_to_impulses(state_, world_.bodies[i]);
    }

    void join(std::uint32_t a, std::uint32_t b) {
        if (!is_responsive(a) || !is_responsive(b)) return;
        const std::uint32_t x = root_of(a), y = root_of(b);
        parent_[std::max(x, y)] = std::min(x, y);
    }

    std::vector<ContactGroup> groups() {
        parent_.resize(world_.bodies.size());
        std::iota(parent_.begin(), parent_.end(), 0);
        for (const Contact& c : world_.contacts) join(c.a, c.b);
        for (const IslandJoint& joint : world_.joints) join(joint.a, joint.b);
        place_.assign(world_.bodies.size(), UINT32_MAX);
        std::vector<std::uint32_t> group_of(world_.bodies.size(), UINT32_MAX);
        std::vector<ContactGroup> groups;
        const auto group_with = [&](std::uint32_t a, std::uint32_t b) -> ContactGroup& {
            std::uint32_t& group = group_of[root_of(is_responsive(a) ? a : b)];
            if (group == UINT32_MAX) {
                group = static_cast<std::uint32_t>(groups.size());
                groups.emplace_back();
            }
            return groups[group];
        };
        for (Contact c : world_.contacts) {
            ContactGroup& group = group_with(c.a, c.b);
            c.a = place_in(group, c.a);
            c.b = place_in(group, c.b);
            group.island.contacts.push_back(c);
        }
        for (IslandJoint joint : world_.joints) {
            ContactGroup& group = group_with(joint.a, joint.b);
            joint.a = place_in(group, joint.a);
            joint.b = place_in(group, joint.b);
            group.island.joints.push_back(joint);
        }
        return groups;
    }

    /// What moves is in one group only; what does not, in as many as it touches.
    std::uint32_t place_in(ContactGroup& group, std::uint32_t i) {
        std::uint32_t index = is_responsive(i) ? place_[i] : UINT32_MAX;
        if (!is_responsive(i)) {
            const auto found = std::find(group.origin.begin(), group.origin.end(), i);
            if (found != group.origin.end())
                index = static_cast<std::uint32_t>(found - group.origin.begin());
        }
        if (index != UINT32_MAX) return index;
        place_[i] = static_cast<std::uint32_t>(group.origin.size());
        group.origin.push_back(i);
        group.island.bodies.push_back(world_.bodies[i]);
        group.island.motion.push_back(world_.motion[i]);
        return place_[i];
    }

    void store_motion(const ContactGroup& group) {
        for (std::size_t k = 0; k < group.origin.size(); ++k)
            if (is_responsive(group.origin[k]))
                world_.motion[group.origin[k]] = group.island.motion[k];
    }

    void project_joints(Island& island) {
        if (island.joints.empty()) return;
        std::vector<Contact> contacts;
        contacts.swap(island.contacts);
        project_constraints(state_, island, &WorkLedger::joints);
        contacts.swap(island.contacts);
    }

    // ---- impulses

    /// What bounces does so if it closes within half of this part of the step [Jean 1999]; what
    /// does not comes as near as it can, so that there is no overlap to lift it out of. Bodies turn
    /// on the way, and their gaps do not end where velocities lead to: so what they end at is found
    /// by trying, and impulses alone part them, which keep all momentum.
    void solve_contact_impulses(ContactGroup& group, double h) {
        Island& island = group.island;
        if (island.contacts.empty()) return;
        const ContactProblem contacts(state_, island, island.contacts);
        const std::vector<BodyMotion> from = island.motion;
        const std::vector<Vec3d> before = velocities_before(group), start = contacts.velocities();
        // Of each the velocity that it is to have at least, and what turning adds to its gap.
        std::vector<double> restitution_velocity(start.size()), rotation_gap(start.size()), gap;
        FrictionProblem problem;
        problem.w = contacts.matrix();
        for (std::size_t i = 0; i < start.size(); ++i) {
            const ContactMaterial& material = island.contacts[i].material;
            gap.push_back(std::max(contacts.frames()[i].gap, 0.0));
            const bool bounces = before[i].z < -context_.laws.tolerances.restitution_threshold &&
                                 material.restitution > 0 &&
                                 contacts.frames()[i].gap + 0.5 * h * start[i].z <= 0;
            restitution_velocity[i] = bounces ? -material.restitution * before[i].z
                                              : -std::numeric_limits<double>::infinity();
            problem.mu.push_back(material.kinetic_friction);
        }
        FrictionResult result;
        for (int round = 0; round < kMaxIterations; ++round) {
            problem.q = start;
            for (std::size_t i = 0; i < start.size(); ++i)
                problem.q[i].z -=
                    std::max(restitution_velocity[i], -(gap[i] + rotation_gap[i]) / h);
            result = solve(problem, result.r);
            group.end = start;
            add_product(problem.w, result.r, group.end);
            island.motion = from;
            apply(island, state_, contacts.body_impulses(result.r));
            Island there = island;
            integrate_positions(there, h);
            if (deepest_gap(there) > -kMaxPenetration) break;
            for (std::size_t i = 0; i < start.size(); ++i)
                rotation_gap[i] =
                    closest_points_of(there.contacts[i], there).gap - gap[i] - h * group.end[i].z;
        }
        group.frames = contacts.frames();
        group.start = start;
        group.r = std::move(result.r);
    }

    FrictionResult solve(const FrictionProblem& problem, std::span<const Vec3d> guess = {}) {
        FrictionSettings settings;
        settings.tolerance = problem.q.size() > kLargeProblem ? kToleranceLarge : kTolerance;
        FrictionResult result = solve_friction(problem, settings, guess);
        outcome_.statistics.residual = std::max(outcome_.statistics.residual, result.merit);
        if (!(result.merit <= kToleranceLarge)) ++outcome_.statistics.unsolved_count;
        return result;
    }

    std::vector<Vec3d> velocities_of(const Island& island) const {
        return ContactProblem(state_, island, island.contacts).velocities();
    }

    /// Before this part of the step: gravity alone makes nothing bounce.
    std::vector<Vec3d> velocities_before(const ContactGroup& group) const {
        Island then = group.island;
        for (std::size_t k = 0; k < group.origin.size(); ++k)
            then.motion[k] = motion_before_[group.origin[k]];
        return velocities_of(then);
    }

    /// An impulse works at the mean of the velocities before and after it.
    void record_work(const Vec3d& r, const Vec3d& start, const Vec3d& end, WorkLedger& work) const {
        const Vec3d mean = (start + end) * 0.5;
        const bool hits = start.z < -context_.laws.tolerances.restitution_threshold;
        (hits ? work.impact : work.contact_normal) += r.z * mean.z;
        work.contact_friction += r.x * mean.x + r.y * mean.y;
    }

    void report_contact(const Contact& c, const ContactFrame& frame, const Vec3d& r, double u,
                        double h) {
        const ContactSide a = contact_side(state_, c.shapes.a),
                          b = contact_side(state_, c.shapes.b);
        if (u < -context_.hit_speed)
            outcome_.hits.push_back({a, b, frame.point, frame.normal, -u, r.z});
        if (u < -context_.laws.tolerances.restitution_threshold) ++outcome_.statistics.impact_count;
        const double step_ratio = dt_ / h; // as of the whole step
        ContactView view{a, b, frame.normal, {}, {}, 1};
        view.friction = (frame.tangent_1 * r.x + frame.tangent_2 * r.y) * step_ratio;
        view.points[0] = {frame.point, frame.gap, r.z * step_ratio};
        outcome_.touching.push_back(view);
    }

    // ---- places

    void integrate_positions(Island& island, double h) const {
        for (std::size_t i = 0; i < island.bodies.size(); ++i) {
            const std::uint32_t body = island.bodies[i];
            BodyMotion& m = island.motion[i];
            if (is_fixed(body)) continue;
            if (!responds_to_impulses(state_, body)) {
                m = free_flight_motion(state_, body, m, h);
                continue;
            }
            const BodyKinematics now = kinematics_of(state_.bodies, body, m);
            m.x += now.v * h;
            if (is_in_free_flight(state_, body))
                m.q = free_flight_motion(state_, body, m, h).q;
            else
                m.q = normalize(from_rotation_vector(now.w * h) * m.q);
        }
    }

    static double deepest_gap(const Island& island) {
        double deepest = 0;
        for (const Contact& c : island.contacts)
            deepest = std::min(deepest, closest_points_of(c, island).gap);
        return deepest;
    }

    /// The shortest displacement, in the measure of energy, after which nothing overlaps: the
    /// problem of contacts without friction, with gaps for velocities.
    void project_penetration(Island& island) {
        FrictionProblem problem;
        double deepest = 0;
        for (const Contact& c : island.contacts) {
            problem.q.push_back({0, 0, closest_points_of(c, island).gap});
            problem.mu.push_back(0);
            deepest = std::min(deepest, problem.q.back().z);
        }
        if (deepest > -kMaxPenetration) return;
        const ContactProblem contacts(state_, island, island.contacts);
        problem.w = contacts.matrix();
        const std::vector<SpatialVector> impulses = contacts.body_impulses(solve(problem).r);
        const double kinetic = kinetic_energy(state_, island);
        for (std::size_t k = 0; k < island.bodies.size(); ++k) {
            if (!responds_to_impulses(state_, island.bodies[k])) continue;
            const SpatialVector displacement = response(contacts.bodies()[k], impulses[k]);
            island.motion[k].x += displacement.linear;
            island.motion[k].q =
                normalize(from_rotation_vector(displacement.angular) * island.motion[k].q);
        }
        island.work.contact_normal += kinetic_energy(state_, island) - kinetic; // turned, not spun
    }

    void write_back() {
        for (std::size_t i = 0; i < world_.bodies.size(); ++i) {
            if (is_fixed(world_.bodies[i])) continue;
            state_.bodies.motion[world_.bodies[i]] = world_.motion[i];
            ++outcome_.moved;
        }
    }

    const StepContext& context_;
    WorldState& state_;
    double dt_;
    PairPredictor pair_predictor_;
    Island world_;
    std::vector<BodyMotion> motion_before_;     // this part of the step
    std::vector<std::uint32_t> parent_, place_; // by place in all_
    StepOutcome outcome_;
};

} // namespace

StepOutcome moreau_step(const StepContext& context, double dt) {
    const StageTimer timer(context.profile, "fixed steps");
    return MoreauStepper(context, dt).run();
}

void resolve_penetration(const StepContext& context) {
    MoreauStepper(context, 0).resolve_penetration();
}

} // namespace rigor::faithful
