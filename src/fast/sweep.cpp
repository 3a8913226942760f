#include "fast/sweep.h"

#include <algorithm>
#include <cmath>

#include "collide/time_of_impact.h"
#include "dynamics/angular_velocity.h"
#include "rigor/rotation.h"

namespace rigor::fast {
namespace {

constexpr double kFar = 0.5;                    // of a shape's thickness
constexpr double kCores[] = {0.25, 0.05, 0.01}; // of it: radii of its innermost parts
constexpr double kNear = 1e-3;                  // m: a gap at which contacts are at work

using Placed = ShapeProxies::Placed;

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
    const double way =
        length(motion.displacement) + length(motion.rotation) * static_cast<double>(radius);
    return way > kFar * static_cast<double>(size);
}

class Sweeper {
  public:
    Sweeper(const WorldState& state, const SweepContext& context)
        : state_(state), context_(context) {}

    /// The part of its way that a body may go.
    double free_way(std::uint32_t body) const {
        double t = 1;
        visit_shapes(body, [&](const Placed& shape) { t = std::min(t, free_way(shape, t)); });
        return t;
    }

    /// Whether any shape of a body went so far that it may have passed something. Boxes hold the
    /// way that was expected, and pairs what is in them: who stayed in a box in which there is
    /// nothing to pass has passed nothing.
    bool went_far(std::uint32_t body) const {
        const bool is_alone =
            !context_.near_ground.test(body) && state_.bodies.traits[body].continuous == 0;
        bool far = false;
        visit_shapes(body, [&](const Placed& shape) {
            if (shape.sensor || far) return;
            const Motion<double> motion = motion_of(state_, shape);
            if (!is_far(motion, thickness(shape), context_.shapes[shape.id.index].radius)) return;
            far = !is_alone || !stayed_in_its_box(shape, motion);
        });
        return far;
    }

    /// Puts a body back on its way.
    BodyMotion pose_after(std::uint32_t body, double t) const {
        BodyMotion motion = state_.bodies.motion[body];
        bool done = false;
        visit_shapes(body, [&](const Placed& shape) {
            if (done) return;
            const Motion<double> way = motion_of(state_, shape);
            motion.x = transform(way.start, way.local_center) + way.displacement * t;
            motion.q = normalize(from_rotation_vector(way.rotation * (t - 1)) * motion.q);
            done = true;
        });
        return motion;
    }

  private:
    template <class Visit>
    void visit_shapes(std::uint32_t body, const Visit& visit) const {
        for (std::uint32_t s = state_.bodies.traits[body].first_shape; s != UINT32_MAX;) {
            const Placed& placed = context_.proxies[s];
            s = state_.shapes.find(state_.shapes.pool().id_at(s))->next;
            if (!placed.proxy.is_null()) visit(placed);
        }
    }

    bool stayed_in_its_box(const Placed& shape, const Motion<double>& motion) const {
        const Aabbf box = context_.proxies.finder().box(shape.proxy);
        return contains(box, round_outward(swept_bounds(shape.geometry, motion)));
    }

    float thickness(const Placed& shape) const { return context_.shapes[shape.id.index].size; }

    double free_way(const Placed& shape, double t) const {
        if (shape.sensor) return t;
        const Motion<double> motion = motion_of(state_, shape);
        const Aabb<double> swept = swept_bounds(shape.geometry, motion);
        context_.proxies.overlap(swept, shape.filter.mask, [&](const Placed& other) {
            if (concerns(shape, other)) t = std::min(t, free_way(shape, motion, other));
            return t > 0;
        });
        return t;
    }

    bool concerns(const Placed& shape, const Placed& other) const {
        const std::uint32_t a = shape.body.index, b = other.body.index;
        if (a == b || other.sensor || !may_meet(shape.filter, other.filter)) return false;
        if (answers(state_.bodies, b) && state_.bodies.traits[a].continuous == 0) return false;
        if (state_.joints.keeps_apart(a, b)) return false;
        const ContactSide side_a{shape.body, shape.id}, side_b{other.body, other.id};
        return !context_.hooks.filter ||
               (shape.id < other.id ? context_.hooks.filter(side_a, side_b)
                                    : context_.hooks.filter(side_b, side_a));
    }

    double free_way(const Placed& shape, const Motion<double>& motion, const Placed& other) const {
        const Motion<double> other_motion = motion_of(state_, other);
        const ContactPair* pair = pair_of(shape.id.index, other.id.index);
        if (pair && pair->disabled) return 1;
        if (!pair || !is_near(*pair)) {
            const TimeOfImpact<double> impact =
                time_of_impact(shape.geometry, motion, other.geometry, other_motion);
            if (impact.state != ToiStatus::overlapping) return impact.t;
        }
        return core_way(shape, motion, other, other_motion);
    }

    /// Of the largest part about the middle of a shape that does not overlap the other yet. The
    /// smallest is all but a point: while that is held back, the contacts push the right way.
    double core_way(const Placed& shape, const Motion<double>& motion, const Placed& other,
                    const Motion<double>& other_motion) const {
        const Aabb<double> box = bounds(shape.geometry, Posed{});
        const Vec3d middle = (box.lo + box.hi) * 0.5;
        if (!is_finite(middle)) return 1;
        const Motion<double> core_motion{{transform(motion.start, middle), motion.start.q},
                                         motion.local_center - middle,
                                         motion.displacement,
                                         motion.rotation};
        for (const double part : kCores) {
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
            context_.pairs.order.begin(), context_.pairs.order.end(), key,
            [](const PairStore::Entry& entry, std::uint64_t k) { return entry.key < k; });
        const bool found = at != context_.pairs.order.end() && at->key == key;
        return found ? &context_.pairs.pairs[at->slot] : nullptr;
    }

    bool is_near(const ContactPair& pair) const {
        return static_cast<double>(least_separation(context_.pairs, pair)) < kNear;
    }

    const WorldState& state_;
    const SweepContext& context_;
};

/// A quick look: whether a body moves so fast that a closer one is worth it.
const std::vector<std::uint32_t>& find_fast(const WorldState& state, const SweepContext& context,
                                            const BodyRows& rows,
                                            const std::vector<std::uint32_t>& awake, double dt) {
    thread_local std::vector<std::uint32_t> fast; // for its room
    fast.clear();
    for (const std::uint32_t body : awake) {
        if (!answers(state.bodies, body)) continue;
        const std::uint32_t first = state.bodies.traits[body].first_shape;
        if (first == UINT32_MAX) continue;
        context.shapes.make(state, first);
        const std::uint32_t row = rows.row_of[body];
        double way = 0, turn = 0;
        if ((row & kReadOnly) == 0) {
            const std::array<float, 8>& m = rows.rows[row].motion;
            way = static_cast<double>(length(Vec3f{m[0], m[1], m[2]}));
            turn = 2 * static_cast<double>(length(Vec3f{m[3], m[4], m[5]}));
        } else {
            const BodySpeed speed = speed_of(state.bodies, body);
            way = length(speed.linear) * dt;
            turn = speed.angular * dt;
        }
        // The radius about the shape's own origin bounds that about the center to a factor of 2.
        const double radius = 2 * static_cast<double>(context.shapes[first].radius);
        if (way + turn * radius < 0.5 * kFar * static_cast<double>(context.shapes[first].size))
            continue;
        fast.push_back(body);
        for (std::uint32_t s = first; s != UINT32_MAX;
             s = state.shapes.find(state.shapes.pool().id_at(s))->next)
            context.shapes.make(state, s);
    }
    return fast;
}

} // namespace

int sweep_fast_bodies(WorldState& state, const SweepContext& context, const BodyRows& rows,
                      const std::vector<std::uint32_t>& awake, double dt) {
    const std::vector<std::uint32_t>& fast = find_fast(state, context, rows, awake, dt);
    if (fast.empty()) return 0;
    const Sweeper sweeper(state, context);
    thread_local std::vector<double> room; // kept from step to step
    room.assign(fast.size(), 1);
    std::vector<double>& ways = room;
    const auto follow = [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
            if (sweeper.went_far(fast[i])) ways[i] = sweeper.free_way(fast[i]);
    };
    if (context.hooks.filter) {
        follow(0, fast.size()); // callers are asked one at a time
    } else {
        context.team.parallel_for(fast.size(), 4, follow);
    }
    int stopped = 0;
    std::vector<BodyMotion> back;
    for (std::size_t i = 0; i < fast.size(); ++i)
        if (ways[i] < 1) back.push_back(sweeper.pose_after(fast[i], ways[i]));
    for (std::size_t i = 0; i < fast.size(); ++i) {
        if (!(ways[i] < 1)) continue;
        BodyMotion& motion = state.bodies.motion[fast[i]];
        const BodyMotion& stop = back[static_cast<std::size_t>(stopped++)];
        const double gravity =
            state.bodies.inertia[fast[i]].weight * dot(state.gravity, stop.x - motion.x);
        state.ledger.gravity += gravity;
        if (Ledger* island = state.islands.of(fast[i])) island->gravity += gravity;
        motion.x = stop.x;
        motion.q = stop.q;
    }
    return stopped;
}

} // namespace rigor::fast
