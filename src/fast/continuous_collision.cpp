#include "fast/continuous_collision.h"

#include <algorithm>
#include <cmath>

#include "collide/time_of_impact.h"
#include "dynamics/angular_velocity.h"
#include "rigor/rotation.h"

namespace rigor::fast {
namespace {

constexpr double kMaxMotion = 0.5; // of the thickness of a shape: what needs no sweep
constexpr double kCoreRadii[] = {0.25, 0.05, 0.01}; // of the thickness
constexpr double kNear = 1e-3;                      // m: separation below which contacts act

using Placed = ShapeProxy;

/// How a shape moved in the step: from where its proxy was to where its body is now.
Motion<double> motion_of(const WorldState& state, const Placed& placed) {
    const std::uint32_t body = placed.body.index;
    const BodyTraits& traits = state.bodies.traits[body];
    const ShapeRecord& record = *state.shapes.find(placed.id);
    const Vec3d local_center = inverse_transform(record.local, traits.center);
    const Posed now = frame_pose(state.bodies.motion[body], traits) * record.local;
    return {placed.pose, local_center,
            state.bodies.motion[body].x - transform(placed.pose, local_center),
            to_rotation_vector(now.q * conjugate(placed.pose.q))};
}

bool is_far(const Motion<double>& motion, float size, float radius) {
    const double distance =
        length(motion.displacement) + length(motion.rotation) * static_cast<double>(radius);
    return distance > kMaxMotion * static_cast<double>(size);
}

class Sweeper {
  public:
    explicit Sweeper(const StepData& step)
        : state_(step.state),
          context_(step.context),
          shapes_(step.scratch.shapes),
          pairs_(step.memory.pairs),
          near_immovable_(step.scratch.near_immovable) {}

    /// The fraction of its motion that a body may make: its time of impact.
    double safe_fraction(std::uint32_t body) const {
        double t = 1;
        for_each_placed(body,
                        [&](const Placed& shape) { t = std::min(t, safe_fraction(shape, t)); });
        return t;
    }

    /// Whether any shape of a body moved so far that it may have passed through something. Bounds
    /// contain the expected motion, and pairs the shapes in them: a shape that stayed in bounds
    /// without obstacles has passed through nothing.
    bool may_have_passed(std::uint32_t body) const {
        const bool is_alone =
            !near_immovable_.test(body) && state_.bodies.traits[body].continuous == 0;
        bool far = false;
        for_each_placed(body, [&](const Placed& shape) {
            if (shape.sensor || far) return;
            const Motion<double> motion = motion_of(state_, shape);
            if (!is_far(motion, thickness(shape), shapes_[shape.id.index].radius)) return;
            far = !is_alone || !stayed_in_bounds(shape, motion);
        });
        return far;
    }

    /// The pose at the fraction t of its motion.
    BodyMotion pose_after(std::uint32_t body, double t) const {
        BodyMotion motion = state_.bodies.motion[body];
        bool done = false;
        for_each_placed(body, [&](const Placed& shape) {
            if (done) return;
            const Motion<double> sweep = motion_of(state_, shape);
            motion.x = transform(sweep.start, sweep.local_center) + sweep.displacement * t;
            motion.q = normalize(from_rotation_vector(sweep.rotation * (t - 1)) * motion.q);
            done = true;
        });
        return motion;
    }

  private:
    template <class Visit>
    void for_each_placed(std::uint32_t body, const Visit& visit) const {
        for_each_shape(state_, body, [&](ShapeId id, const ShapeRecord&) {
            const Placed& placed = context_.proxies[id.index];
            if (!placed.proxy.is_null()) visit(placed);
        });
    }

    bool stayed_in_bounds(const Placed& shape, const Motion<double>& motion) const {
        const Aabbf box = context_.proxies.finder().box(shape.proxy);
        return contains(box, round_outward(swept_bounds(shape.geometry, motion)));
    }

    float thickness(const Placed& shape) const { return shapes_[shape.id.index].size; }

    double safe_fraction(const Placed& shape, double t) const {
        if (shape.sensor) return t;
        const Motion<double> motion = motion_of(state_, shape);
        const Aabb<double> swept = swept_bounds(shape.geometry, motion);
        context_.proxies.overlap(swept, shape.filter.mask, [&](const Placed& other) {
            if (is_obstacle(shape, other)) t = std::min(t, safe_fraction(shape, motion, other));
            return t > 0;
        });
        return t;
    }

    bool is_obstacle(const Placed& shape, const Placed& other) const {
        const std::uint32_t a = shape.body.index, b = other.body.index;
        if (a == b || other.sensor || !should_collide(shape.filter, other.filter)) return false;
        if (responds_to_impulses(state_.bodies, b) && state_.bodies.traits[a].continuous == 0)
            return false;
        if (state_.joints.keeps_apart(a, b)) return false;
        if (state_.passages.has(shape.id.index, other.id.index)) return false;
        const ContactSide side_a{shape.body, shape.id}, side_b{other.body, other.id};
        return !context_.hooks->filter ||
               (shape.id < other.id ? context_.hooks->filter(side_a, side_b)
                                    : context_.hooks->filter(side_b, side_a));
    }

    double safe_fraction(const Placed& shape, const Motion<double>& motion,
                         const Placed& other) const {
        const Motion<double> other_motion = motion_of(state_, other);
        const ContactPair* pair = pair_of(shape.id.index, other.id.index);
        if (pair && pair->disabled) return 1;
        if (!pair || !is_near(*pair)) {
            const TimeOfImpact<double> impact =
                time_of_impact(shape.geometry, motion, other.geometry, other_motion);
            if (impact.state != ToiStatus::overlapping) return impact.t;
        }
        return core_fraction(shape, motion, other, other_motion);
    }

    /// Of the largest ball about the center of a shape that does not overlap the other yet. The
    /// smallest is all but a point: as long as it does not pass, contacts push the right way.
    double core_fraction(const Placed& shape, const Motion<double>& motion, const Placed& other,
                         const Motion<double>& other_motion) const {
        const Aabb<double> box = bounds(shape.geometry, Posed{});
        const Vec3d middle = (box.lo + box.hi) * 0.5;
        if (!is_finite(middle)) return 1;
        const Motion<double> core_motion{{transform(motion.start, middle), motion.start.q},
                                         motion.local_center - middle,
                                         motion.displacement,
                                         motion.rotation};
        for (const double part : kCoreRadii) {
            const Shape<double> core{Sphere<double>{part * static_cast<double>(thickness(shape))}};
            const TimeOfImpact<double> impact =
                time_of_impact(core, core_motion, other.geometry, other_motion);
            if (impact.state != ToiStatus::overlapping) return impact.t;
        }
        return 1;
    }

    const ContactPair* pair_of(std::uint32_t a, std::uint32_t b) const {
        const std::uint64_t key = pair_key(std::min(a, b), std::max(a, b));
        const auto at = std::lower_bound(
            pairs_.order.begin(), pairs_.order.end(), key,
            [](const PairStore::Entry& entry, std::uint64_t k) { return entry.key < k; });
        const bool found = at != pairs_.order.end() && at->key == key;
        return found ? &pairs_.pairs[at->slot] : nullptr;
    }

    bool is_near(const ContactPair& pair) const {
        return static_cast<double>(min_separation(pairs_, pair)) < kNear;
    }

    const WorldState& state_;
    const StepContext& context_;
    const CollisionShapeCache& shapes_;
    const PairStore& pairs_;
    const BitSet& near_immovable_;
};

/// Upper bounds of what a body moved and turned in the step.
struct Displacement {
    double distance = 0, angle = 0;
};

Displacement displacement_of(const StepData& step, std::uint32_t body) {
    const SolverBodies& bodies = step.scratch.bodies;
    const SolverBodyIndex index = bodies.index_of[body];
    if (index.responds_to_impulses()) {
        const SolverBody& solver_body = bodies[index];
        return {static_cast<double>(length(translation(solver_body))),
                2 * static_cast<double>(length(rotation_vector_part(solver_body)))};
    }
    const BodySpeed speed = speed_of(step.state.bodies, body);
    return {length(speed.linear) * step.dt, speed.angular * step.dt};
}

/// A cheap test by the first shape of each body.
const std::vector<std::uint32_t>& find_fast_bodies(StepData& step) {
    const WorldState& state = step.state;
    CollisionShapeCache& shapes = step.scratch.shapes;
    thread_local std::vector<std::uint32_t> fast; // reused to avoid allocation
    fast.clear();
    for (const std::uint32_t body : step.memory.sleep.awake) {
        if (!responds_to_impulses(state.bodies, body)) continue;
        const std::uint32_t first = state.bodies.traits[body].first_shape;
        if (first == UINT32_MAX) continue;
        shapes.ensure(state, first);
        const Displacement moved = displacement_of(step, body);
        // The radius about the shape's own origin bounds that about the center to a factor of 2.
        const double radius = 2 * static_cast<double>(shapes[first].radius);
        if (moved.distance + moved.angle * radius <
            0.5 * kMaxMotion * static_cast<double>(shapes[first].size))
            continue;
        fast.push_back(body);
        for_each_shape(state, body,
                       [&](ShapeId id, const ShapeRecord&) { shapes.ensure(state, id.index); });
    }
    return fast;
}

/// Puts a body back to where it was at the fraction t of its motion. A free one has then fallen for
/// that part of the step alone: with the velocity of its end it would have gained energy. What
/// contacts and joints gave to others is not known by time.
void put_back(StepData& step, std::uint32_t body, const BodyMotion& stop, double t) {
    WorldState& state = step.state;
    BodyMotion& motion = state.bodies.motion[body];
    if (step.scratch.bodies.index_of[body].is_null()) {
        Vec3d force = state.gravity * state.bodies.inertia[body].weight;
        if (!state.bodies.wrenches.empty()) {
            const Wrench& wrench = state.bodies.wrenches[body];
            force += wrench.force;
            const double work = dot(wrench.force, stop.x - motion.x);
            state.ledger.forces += work;
            if (Ledger* island = state.islands.of(body)) island->forces += work;
        }
        motion.p -=
            without_locked(force * ((1 - t) * step.dt), state.bodies.traits[body].lock, lock_tx);
    }
    const double gravity =
        state.bodies.inertia[body].weight * dot(state.gravity, stop.x - motion.x);
    state.ledger.gravity += gravity;
    if (Ledger* island = state.islands.of(body)) island->gravity += gravity;
    motion.x = stop.x;
    motion.q = stop.q;
}

} // namespace

void stop_fast_bodies(StepData& step) {
    const std::vector<std::uint32_t>& fast = find_fast_bodies(step);
    if (fast.empty()) return;
    const Sweeper sweeper(step);
    thread_local std::vector<double> reused; // to avoid allocation
    reused.assign(fast.size(), 1);
    std::vector<double>& fractions = reused;
    const auto sweep = [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
            if (sweeper.may_have_passed(fast[i])) fractions[i] = sweeper.safe_fraction(fast[i]);
    };
    if (step.context.hooks->filter) {
        sweep(0, fast.size()); // hooks are called one at a time
    } else {
        step.context.team.parallel_for(fast.size(), 4, sweep);
    }
    std::vector<BodyMotion> stops;
    for (std::size_t i = 0; i < fast.size(); ++i)
        if (fractions[i] < 1) stops.push_back(sweeper.pose_after(fast[i], fractions[i]));
    std::size_t stopped = 0;
    for (std::size_t i = 0; i < fast.size(); ++i)
        if (fractions[i] < 1) put_back(step, fast[i], stops[stopped++], fractions[i]);
    step.outcome.stopped = static_cast<int>(stopped);
}

} // namespace rigor::fast
