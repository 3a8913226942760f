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

constexpr double kLongest = 1.0 / 240; // s: of a part
constexpr double kSolved = 1e-12;      // merit of a problem of contacts, where they are few
constexpr double kSolvedMany = 1e-8;   // and where they are many
constexpr std::size_t kMany = 300;
constexpr double kDeepest = 1e-9; // m: overlaps that are left
constexpr int kTries = 10;        // to take them away: turning is not straight
constexpr int kRounds = 4;        // to find all that comes to touch in a part
constexpr double kAround = 4;     // times their depth: what may be in the way

/// Bodies that act on each other, with their places among all.
struct Group {
    Island island;
    std::vector<std::uint32_t> origin;
    // What its contacts do in a part of the step: frames, impulses, velocities before and after.
    std::vector<ContactFrame> frames;
    std::vector<Vec3d> r, start, end;
};

class FixedStep {
  public:
    FixedStep(const StepContext& context, double dt)
        : context_(context),
          state_(context.state),
          dt_(dt),
          nearby_(context.state),
          outcome_(context.state) {}

    StepOutcome run() {
        gather();
        const int parts = std::max(1, static_cast<int>(std::ceil(dt_ / kLongest)));
        for (int i = 0; i < parts; ++i) go_on(dt_ / parts);
        put_back();
        outcome_.story.fixed_steps = parts;
        outcome_.reached = dt_;
        return std::move(outcome_);
    }

    void part_overlaps() {
        gather();
        find_contacts(0, 0);
        part();
        put_back();
    }

  private:
    void gather() {
        for (std::uint32_t body = 0; body < state_.bodies.slot_count(); ++body) {
            if (state_.bodies.mobility[body] == Mobility::absent) continue;
            all_.bodies.push_back(body);
            all_.motion.push_back(state_.bodies.motion[body]);
        }
        for (std::uint32_t slot = 0; slot < state_.joints.slot_count(); ++slot) {
            if (!state_.joints.is_alive(slot) || !is_kept(state_.joints[slot])) continue;
            const auto place = [&](const JointEnd& end) {
                return all_.place_of(end.body.is_null() ? kTheWorld : end.body.index, state_);
            };
            const JointRecord& joint = state_.joints[slot];
            const std::uint32_t a = place(joint.a);
            all_.joints.push_back({slot, a, place(joint.b)});
        }
    }

    void go_on(double h) {
        before_ = all_.motion;
        outcome_.touching.clear();
        push_freely(h);
        find_contacts(h, 0);
        const std::vector<BodyMotion> from = all_.motion;
        std::vector<Group> pushed;
        for (int round = 0; round < kRounds; ++round) {
            pushed = groups();
            for (Group& group : pushed) {
                keep_joints(group.island);
                push_apart(group, h);
                take_over(group);
            }
            std::vector<Contact> known = all_.contacts;
            move(all_, h);
            find_contacts(0, 0);
            if (deepest(all_) > -kDeepest || round + 1 == kRounds) break;
            // Some that nobody thought of at the beginning: again, with them.
            for (const Contact& c : all_.contacts)
                if (nearest_of(c, all_).gap < -kDeepest) known.push_back(c);
            all_.contacts = std::move(known);
            all_.motion = from;
        }
        for (Group& group : pushed) tell(group, h);
        part();
    }

    void tell(Group& group, double h) {
        for (std::size_t i = 0; i < group.r.size(); ++i) {
            if (!(group.r[i].z > 0)) continue;
            book(group.r[i], group.start[i], group.end[i], group.island.works);
            tell(group.island.contacts[i], group.frames[i], group.r[i], group.start[i].z, h);
        }
        outcome_.works.book(state_, group.island);
    }

    /// Takes overlaps of the contacts that were found away, without making others of what is as
    /// near as they are deep. Of an edge on a face one crossing is found and then the other, so
    /// both are kept in mind.
    void part() {
        for (int i = 0; i < kTries && deepest(all_) < -kDeepest; ++i) {
            const double margin = -kAround * deepest(all_);
            std::vector<Contact> known = std::move(all_.contacts);
            find_contacts(0, margin);
            for (const Contact& c : known)
                if (nearest_of(c, all_).gap < margin) all_.contacts.push_back(c);
            for (Group& group : groups()) {
                move_apart(group.island);
                keep_joints(group.island);
                outcome_.works.book(state_, group.island);
                take_over(group);
            }
        }
    }

    /// Gravity, forces and damping.
    void push_freely(double h) {
        std::vector<Push> pushes = outer_forces(state_, all_, all_.motion);
        for (Push& push : pushes) push = {push.linear * h, push.angular * h};
        const std::vector<BodyMoment> start = moments_of(state_, all_);
        apply(all_, state_, pushes);
        const std::vector<BodyMoment> end = moments_of(state_, all_);
        for (std::size_t i = 0; i < all_.bodies.size(); ++i) {
            const double work = 0.5 * (dot(pushes[i].linear, start[i].v + end[i].v) +
                                       dot(pushes[i].angular, start[i].w + end[i].w));
            const Vec3d weight = weight_of(all_.bodies[i]);
            const double gravity = 0.5 * h * dot(weight, start[i].v + end[i].v);
            if (!moves(static_cast<std::uint32_t>(i))) continue;
            Works& works = outcome_.works.by_body[all_.bodies[i]];
            works.gravity += gravity;
            works.forces += work - gravity;
        }
    }

    Vec3d weight_of(std::uint32_t body) const {
        if (!is_mover(state_, body)) return {};
        return state_.gravity * state_.bodies.inertia[body].weight;
    }

    // ---- contacts

    bool is_fixed(std::uint32_t body) const {
        return body == kTheWorld || state_.bodies.traits[body].type == BodyType::static_body;
    }

    /// That close in the time h, or are nearer than `margin`.
    void find_contacts(double h, double margin) {
        for (std::size_t i = 0; i < all_.bodies.size(); ++i) {
            const std::uint32_t body = all_.bodies[i];
            if (is_fixed(body) || nearby_.shapes(body).empty()) continue;
            const Vec3d x = all_.motion[i].x;
            const Vec3d end = x + all_.motion[i].p * (h * state_.bodies.inertia[body].inv_mass);
            nearby_.set_way(body, expand(Aabb<double>{min(x, end), max(x, end)}, margin));
        }
        const std::vector<ShapePair> fresh = nearby_.find_new(context_.team);
        all_.pairs.insert(all_.pairs.end(), fresh.begin(), fresh.end());
        all_.contacts.clear();
        for (const ShapePair& pair : all_.pairs)
            contact_dynamics::find_contacts(state_, all_, pair,
                                            margin + kDeepest + closing(pair) * h, all_.contacts);
    }

    /// How fast a gap can close.
    double closing(const ShapePair& pair) {
        double speed = 0;
        for (const std::uint32_t shape : {pair.a, pair.b}) {
            const std::uint32_t body = body_of(state_, shape);
            if (is_fixed(body)) continue;
            const BodyMotion& m = all_.motion[all_.place_of(body, state_)];
            const BodyInertia& inertia = state_.bodies.inertia[body];
            speed += length(m.p) * inertia.inv_mass +
                     length(m.l) * max_component(inertia.inv_moments) * nearby_.reach(shape).radius;
        }
        return speed;
    }

    // ---- groups

    std::uint32_t root_of(std::uint32_t i) {
        while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
        return i;
    }

    bool moves(std::uint32_t i) const { return is_mover(state_, all_.bodies[i]); }

    void unite(std::uint32_t a, std::uint32_t b) {
        if (!moves(a) || !moves(b)) return;
        const std::uint32_t x = root_of(a), y = root_of(b);
        parent_[std::max(x, y)] = std::min(x, y);
    }

    std::vector<Group> groups() {
        parent_.resize(all_.bodies.size());
        std::iota(parent_.begin(), parent_.end(), 0);
        for (const Contact& c : all_.contacts) unite(c.a, c.b);
        for (const IslandJoint& joint : all_.joints) unite(joint.a, joint.b);
        place_.assign(all_.bodies.size(), UINT32_MAX);
        std::vector<std::uint32_t> group_of(all_.bodies.size(), UINT32_MAX);
        std::vector<Group> groups;
        const auto group_with = [&](std::uint32_t a, std::uint32_t b) -> Group& {
            std::uint32_t& group = group_of[root_of(moves(a) ? a : b)];
            if (group == UINT32_MAX) {
                group = static_cast<std::uint32_t>(groups.size());
                groups.emplace_back();
            }
            return groups[group];
        };
        for (Contact c : all_.contacts) {
            Group& group = group_with(c.a, c.b);
            c.a = place_in(group, c.a);
            c.b = place_in(group, c.b);
            group.island.contacts.push_back(c);
        }
        for (IslandJoint joint : all_.joints) {
            Group& group = group_with(joint.a, joint.b);
            joint.a = place_in(group, joint.a);
            joint.b = place_in(group, joint.b);
            group.island.joints.push_back(joint);
        }
        return groups;
    }

    /// What moves is in one group only; what does not, in as many as it touches.
    std::uint32_t place_in(Group& group, std::uint32_t i) {
        std::uint32_t place = moves(i) ? place_[i] : UINT32_MAX;
        if (!moves(i)) {
            const auto found = std::find(group.origin.begin(), group.origin.end(), i);
            if (found != group.origin.end())
                place = static_cast<std::uint32_t>(found - group.origin.begin());
        }
        if (place != UINT32_MAX) return place;
        place_[i] = static_cast<std::uint32_t>(group.origin.size());
        group.origin.push_back(i);
        group.island.bodies.push_back(all_.bodies[i]);
        group.island.motion.push_back(all_.motion[i]);
        return place_[i];
    }

    void take_over(const Group& group) {
        for (std::size_t k = 0; k < group.origin.size(); ++k)
            if (moves(group.origin[k])) all_.motion[group.origin[k]] = group.island.motion[k];
    }

    void keep_joints(Island& island) {
        if (island.joints.empty()) return;
        std::vector<Contact> contacts;
        contacts.swap(island.contacts);
        project(state_, island, &Works::joints);
        contacts.swap(island.contacts);
    }

    // ---- impulses

    /// What bounces does so if it closes within half of this part of the step [Jean 1999]; what
    /// does not comes as near as it can, so that there is no overlap to lift it out of. Bodies turn
    /// on the way, and their gaps do not end where velocities lead to: so what they end at is found
    /// by trying, and impulses alone part them, which keep all momentum.
    void push_apart(Group& group, double h) {
        Island& island = group.island;
        if (island.contacts.empty()) return;
        const ContactProblem contacts(state_, island, island.contacts);
        const std::vector<BodyMotion> from = island.motion;
        const std::vector<Vec3d> before = velocities_before(group), start = contacts.velocities();
        // Of each the velocity that it is to have at least, and what turning adds to its gap.
        std::vector<double> bounce(start.size()), turned(start.size()), gap;
        FrictionProblem problem;
        problem.w = contacts.matrix();
        for (std::size_t i = 0; i < start.size(); ++i) {
            const ContactMaterial& material = island.contacts[i].material;
            gap.push_back(std::max(contacts.frames()[i].gap, 0.0));
            const bool bounces = before[i].z < -context_.laws.tolerances.rest &&
                                 material.restitution > 0 &&
                                 contacts.frames()[i].gap + 0.5 * h * start[i].z <= 0;
            bounce[i] = bounces ? -material.restitution * before[i].z
                                : -std::numeric_limits<double>::infinity();
            problem.mu.push_back(material.kinetic_friction);
        }
        FrictionResult result;
        for (int round = 0; round < kTries; ++round) {
            problem.q = start;
            for (std::size_t i = 0; i < start.size(); ++i)
                problem.q[i].z -= std::max(bounce[i], -(gap[i] + turned[i]) / h);
            result = solve(problem, result.r);
            group.end = start;
            add_product(problem.w, result.r, group.end);
            island.motion = from;
            apply(island, state_, contacts.pushes(result.r));
            Island there = island;
            move(there, h);
            if (deepest(there) > -kDeepest) break;
            for (std::size_t i = 0; i < start.size(); ++i)
                turned[i] = nearest_of(there.contacts[i], there).gap - gap[i] - h * group.end[i].z;
        }
        group.frames = contacts.frames();
        group.start = start;
        group.r = std::move(result.r);
    }

    FrictionResult solve(const FrictionProblem& problem, std::span<const Vec3d> guess = {}) {
        FrictionSettings settings;
        settings.tolerance = problem.q.size() > kMany ? kSolvedMany : kSolved;
        FrictionResult result = solve_friction(problem, settings, guess);
        outcome_.story.residual = std::max(outcome_.story.residual, result.merit);
        if (!(result.merit <= kSolvedMany)) ++outcome_.story.unsolved;
        return result;
    }

    std::vector<Vec3d> velocities_of(const Island& island) const {
        return ContactProblem(state_, island, island.contacts).velocities();
    }

    /// Before this part of the step: gravity alone makes nothing bounce.
    std::vector<Vec3d> velocities_before(const Group& group) const {
        Island then = group.island;
        for (std::size_t k = 0; k < group.origin.size(); ++k)
            then.motion[k] = before_[group.origin[k]];
        return velocities_of(then);
    }

    /// An impulse works at the mean of the velocities before and after it.
    void book(const Vec3d& r, const Vec3d& start, const Vec3d& end, Works& works) const {
        const Vec3d mean = (start + end) * 0.5;
        const bool hits = start.z < -context_.laws.tolerances.rest;
        (hits ? works.impact : works.contact_normal) += r.z * mean.z;
        works.contact_friction += r.x * mean.x + r.y * mean.y;
    }

    void tell(const Contact& c, const ContactFrame& frame, const Vec3d& r, double u, double h) {
        const ContactSide a = side_of(state_, c.shapes.a), b = side_of(state_, c.shapes.b);
        if (u < -context_.hit_speed)
            outcome_.hits.push_back({a, b, frame.point, frame.normal, -u, r.z});
        if (u < -context_.laws.tolerances.rest) ++outcome_.story.impacts;
        const double whole = dt_ / h; // as of the whole step
        ContactView view{a, b, frame.normal, {}, {}, 1};
        view.friction = (frame.tangent_1 * r.x + frame.tangent_2 * r.y) * whole;
        view.points[0] = {frame.point, frame.gap, r.z * whole};
        outcome_.touching.push_back(view);
    }

    // ---- places

    void move(Island& island, double h) const {
        for (std::size_t i = 0; i < island.bodies.size(); ++i) {
            const std::uint32_t body = island.bodies[i];
            BodyMotion& m = island.motion[i];
            if (is_fixed(body)) continue;
            if (!is_mover(state_, body)) {
                m = flown(state_, body, m, h);
                continue;
            }
            const BodyMoment now = moment_of(state_.bodies, body, m);
            m.x += now.v * h;
            if (flies(state_, body))
                m.q = flown(state_, body, m, h).q;
            else
                m.q = normalize(from_rotation_vector(now.w * h) * m.q);
        }
    }

    static double deepest(const Island& island) {
        double deepest = 0;
        for (const Contact& c : island.contacts)
            deepest = std::min(deepest, nearest_of(c, island).gap);
        return deepest;
    }

    /// The shortest displacement, in the measure of energy, after which nothing overlaps: the
    /// problem of contacts without friction, with gaps for velocities.
    void move_apart(Island& island) {
        FrictionProblem problem;
        double deepest = 0;
        for (const Contact& c : island.contacts) {
            problem.q.push_back({0, 0, nearest_of(c, island).gap});
            problem.mu.push_back(0);
            deepest = std::min(deepest, problem.q.back().z);
        }
        if (deepest > -kDeepest) return;
        const ContactProblem contacts(state_, island, island.contacts);
        problem.w = contacts.matrix();
        const std::vector<Push> pushes = contacts.pushes(solve(problem).r);
        const double kinetic = kinetic_energy(state_, island);
        for (std::size_t k = 0; k < island.bodies.size(); ++k) {
            if (!is_mover(state_, island.bodies[k])) continue;
            const Push moved = response(contacts.bodies()[k], pushes[k]);
            island.motion[k].x += moved.linear;
            island.motion[k].q =
                normalize(from_rotation_vector(moved.angular) * island.motion[k].q);
        }
        island.works.contact_normal += kinetic_energy(state_, island) - kinetic; // turned, not spun
    }

    void put_back() {
        for (std::size_t i = 0; i < all_.bodies.size(); ++i) {
            if (is_fixed(all_.bodies[i])) continue;
            state_.bodies.motion[all_.bodies[i]] = all_.motion[i];
            ++outcome_.moved;
        }
    }

    const StepContext& context_;
    WorldState& state_;
    double dt_;
    Nearby nearby_;
    Island all_;
    std::vector<BodyMotion> before_;            // this part of the step
    std::vector<std::uint32_t> parent_, place_; // by place in all_
    StepOutcome outcome_;
};

} // namespace

StepOutcome fixed_step(const StepContext& context, double dt) {
    const StageTimer timer(context.profile, "fixed steps");
    return FixedStep(context, dt).run();
}

void part_overlaps(const StepContext& context) {
    FixedStep(context, 0).part_overlaps();
}

} // namespace rigor::faithful
