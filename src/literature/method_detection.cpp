#include "literature/method_detection.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>
#include <utility>

#include "contact_dynamics/contact_detection.h"
#include "geometry/inscribed_ball.h"
#include "geometry/surface_speed.h"
#include "literature/joint_step.h"
#include "literature/method_integration.h"
#include "literature/pair_gaps.h"
#include "literature/trial_motion.h"

namespace rigor::literature {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

struct SearchedPair {
    ShapePair shapes;
    std::size_t body_a = 0, body_b = 0; ///< indices in the island
    double bound = 0;                   ///< m: the gap at which it collides
    double speed = 0;                   ///< m/s: of approach, at most
    double inner_radius = 0;            ///< m: see inner_radius_of()
    double margin = 0;                  ///< m: gap minus bound at the last test
    double start_margin = 0;
    double next_test = 0, seen_apart = 0; ///< the latter at its last test
};

using PairIndices = std::vector<std::size_t>;

/// Upper bound of the speed of the points of a shape [Kavan 2003, lemma 3.1].
double max_point_speed(const WorldState& state, std::uint32_t shape, const BodyMotion& motion) {
    const std::uint32_t body = body_of(state, shape);
    if (state.bodies.traits[body].type == BodyType::static_body) return 0;
    const BodyKinematics now = kinematics_of(state.bodies, body, motion);
    const Posed place = in_body(state, shape);
    return surface_speed(state.shapes[shape].geometry,
                         Motion<double>{Posed{motion.x, motion.q} * place,
                                        inverse_transform(place, Vec3d{}), now.v, now.w});
}

/// How far points may move between two tests of overlap so that a solid is not passed: the radius
/// of a ball within it, in compounds the smallest of a child. Infinite without an inside.
double inner_radius_of(const Shape<double>& shape) {
    if (const auto* compound = std::get_if<std::shared_ptr<const Compound<double>>>(&shape.solid)) {
        double least = kNever;
        for (const CompoundChild<double>& child : (*compound)->children)
            std::visit(
                [&](const auto& held) {
                    least = std::min(least, inner_radius_of(Shape<double>{held}));
                },
                child.shape);
        return least;
    }
    const double radius = inscribed_ball(shape).radius;
    return radius > 0 ? radius : kNever;
}

/// Where the search ended: the time, and the pairs that collide next.
struct TimeOfContact {
    double t = 0;
    std::vector<ShapePair> colliding = {};
};

class ContactSearch {
  public:
    ContactSearch(const WorldState& state, const MethodParts& method, const MethodMemory& memory,
                  const MethodState& start, double max_interval)
        : state_(state),
          method_(method),
          start_(start),
          index_(state, start.island),
          motion_(state, method, memory, start),
          max_interval_(max_interval) {
        const PairSet held = held_pairs();
        for (const ShapePair& pair : start.island.pairs) {
            SearchedPair searched{pair, index_.body_of(pair.a), index_.body_of(pair.b)};
            const double gap = gap_of(searched, 0);
            searched.inner_radius = std::min(inner_radius_of(state.shapes[pair.a].geometry),
                                             inner_radius_of(state.shapes[pair.b].geometry));
            searched.bound = bound_of(gap, held.count(pair) > 0);
            searched.margin = searched.start_margin = gap - searched.bound;
            pairs_.push_back(searched);
        }
    }

    TimeOfContact run() {
        for (SearchedPair& pair : pairs_) {
            pair.speed = approach_bound(pair);
            schedule(0, pair);
        }
        for (double t = 0; t < max_interval_;) {
            t = next_test();
            const PairIndices due = due_at(t);
            if (!(least_margin(t, due) > 0)) {
                safe_ = all_seen_apart();
                std::vector<ShapePair> colliding = narrow(t, due); // moves safe_
                return {safe_, std::move(colliding)};
            }
            for (const std::size_t i : due) {
                pairs_[i].seen_apart = t;
                schedule(t, pairs_[i]);
            }
        }
        return {max_interval_};
    }

  private:
    using PairSet = std::set<ShapePair>;

    double contact_distance() const { return std::max(method_.contact_distance, 1e-9); }

    /// Pairs at rest that are held by forces.
    PairSet held_pairs() const {
        PairSet held;
        if (has_resting_forces(method_.resting))
            for (const Contact& c : start_.island.contacts) held.insert(c.shapes);
        return held;
    }

    /// Zero for a pair that is apart. One that overlaps may get away, and one that forces hold is
    /// held, but not at a distance of exactly zero.
    double bound_of(double gap, bool is_held) const {
        constexpr double kRounding = 1e-9;
        if (gap > 0 && !is_held) return 0;
        return std::min(gap, 0.0) - (is_held ? contact_distance() : kRounding);
    }

    double gap_of(const SearchedPair& pair, double t) {
        return separation(state_, pair.shapes, motion_.at(pair.body_a, t),
                          motion_.at(pair.body_b, t))
            .gap;
    }

    /// Bound of the speed of approach over the interval, from both of its ends.
    double approach_bound(const SearchedPair& pair) {
        double speed = 0;
        for (const auto& [shape, body] :
             {std::pair{pair.shapes.a, pair.body_a}, {pair.shapes.b, pair.body_b}})
            speed += std::max(max_point_speed(state_, shape, start_.island.motion[body]),
                              max_point_speed(state_, shape, motion_.at(body, max_interval_)));
        return speed;
    }

    void schedule(double now, SearchedPair& pair) const {
        constexpr double kMaxTests = 100'000;
        const bool substeps = method_.detection == Detection::substep;
        pair.next_test = kNever;
        if (!(pair.speed > 0) || !(substeps || method_.detection == Detection::advancement)) return;
        // Nothing passes a solid thinner than the depth of the method, and no limit of tests lets
        // it pass.
        const double most = pair.inner_radius;
        const double depth =
            substeps ? std::min(method_.separation_distance, most) : 0.5 * contact_distance();
        const double shortest = std::min(pair.speed * max_interval_ / kMaxTests, most);
        pair.next_test = now + std::max({pair.margin, depth, shortest}) / pair.speed;
    }
    /// A pair may collide before its next test, however many others are seen apart in between.
    double all_seen_apart() const {
        double first = max_interval_;
        for (const SearchedPair& pair : pairs_) first = std::min(first, pair.seen_apart);
        return first;
    }
    double next_test() const {
        double first = max_interval_;
        for (const SearchedPair& pair : pairs_) first = std::min(first, pair.next_test);
        return first;
    }
    /// The pairs that are to be tested at a time: all at the end.
    PairIndices due_at(double t) const {
        PairIndices due;
        for (std::size_t i = 0; i < pairs_.size(); ++i)
            if (pairs_[i].next_test <= t || !(t < max_interval_)) due.push_back(i);
        return due;
    }

    /// The least margin of some pairs. Negative also when one of their bodies went farther than the
    /// pairs of the island allow for.
    double least_margin(double t, const PairIndices& which) {
        double least = kNever;
        for (const std::size_t i : which) {
            SearchedPair& pair = pairs_[i];
            pair.margin = gap_of(pair, t) - pair.bound;
            const bool is_out = exceeds_reach(pair.body_a, t) || exceeds_reach(pair.body_b, t);
            least = std::min(least, is_out ? -1 : pair.margin);
        }
        if (t < max_interval_) return least;
        for (std::size_t i = 0; i < start_.reach.size(); ++i)
            if (exceeds_reach(i, t)) return -1;
        return least;
    }
    bool exceeds_reach(std::size_t body, double t) {
        if (!(start_.reach[body] < kNever)) return false; // it does not move
        return length(motion_.at(body, t).x - start_.island.motion[body].x) > start_.reach[body];
    }

    /// Narrows the time of contact between `safe_` and a time at which one of these pairs collides.
    /// The speeds that decide when a pair is tested are not exact: so all are tested in the end.
    std::vector<ShapePair> narrow(double collided, PairIndices which) {
        PairIndices colliding = narrow_among(which, collided);
        which.resize(pairs_.size());
        std::iota(which.begin(), which.end(), std::size_t{0});
        if (!(least_margin(safe_, which) > 0)) {
            const double t = std::exchange(safe_, 0.0);
            colliding = narrow_among(which, t);
        }
        std::vector<ShapePair> blocked;
        for (const std::size_t i : colliding) blocked.push_back(pairs_[i].shapes);
        return blocked;
    }

    /// Returns the pairs that collide at the end. Binary search to a time precision [Kavan 2003,
    /// 3.3], or as [Galoppo 2007] until a colliding pair is within the contact distance, and nearer
    /// than at the start: a pair that was near from the start has to approach first. False
    /// position with the weight of an end halved that stays (the Illinois rule), or it might
    /// converge from one side alone.
    PairIndices narrow_among(const PairIndices& which, double collided) {
        const double precision = 1e-9 * max_interval_;
        const bool is_false_position = method_.detection == Detection::regula_falsi;
        double margin_hi = least_margin(collided, which), weight_lo = 1, weight_hi = 1;
        PairIndices colliding = negative_of(which);
        while (true) {
            const double lo = safe_, margin_lo = least_margin(lo, colliding);
            const bool to_precision = colliding.empty() || method_.detection == Detection::substep;
            const bool is_near = !to_precision && margin_lo <= near_margin(colliding);
            if (is_near || collided - lo < precision) return colliding;
            const double f_lo = weight_lo * margin_lo, f_hi = -weight_hi * margin_hi;
            const double share =
                is_false_position && f_hi > 0 ? std::clamp(f_lo / (f_lo + f_hi), 1e-3, 0.999) : 0.5;
            const double t = lo + (collided - lo) * share;
            if (!(lo < t && t < collided)) return colliding;
            const double margin = least_margin(t, which);
            if (margin > 0) {
                safe_ = t;
                weight_hi *= 0.5, weight_lo = 1;
            } else {
                collided = t, margin_hi = margin;
                colliding = negative_of(which);
                weight_lo *= 0.5, weight_hi = 1;
            }
        }
    }
    double near_margin(const PairIndices& which) const {
        double least = contact_distance();
        for (const std::size_t i : which) least = std::min(least, pairs_[i].start_margin);
        return 0.5 * least;
    }
    PairIndices negative_of(const PairIndices& which) const {
        PairIndices negative;
        for (const std::size_t i : which)
            if (!(pairs_[i].margin > 0)) negative.push_back(i);
        return negative;
    }

    const WorldState& state_;
    const MethodParts& method_;
    const MethodState& start_;
    const PairGaps index_;
    TrialMotion motion_;
    const double max_interval_;
    double safe_ = 0; // the latest time that is known to be free of collisions
    std::vector<SearchedPair> pairs_;
};

} // namespace

void advance(const WorldState& state, const MethodParts& method, double h, MethodMemory& memory,
             MethodState& step) {
    const std::vector<BodyMotion> start =
        step.island.joints.empty() ? std::vector<BodyMotion>{} : step.island.motion;
    integrate(state, method, h, memory, step);
    if (!start.empty()) enforce_joints(state, method, start, h, step);
}

double advance_to_contact(const WorldState& state, const MethodParts& method, double max_interval,
                          MethodMemory& memory, MethodState& step) {
    step.blocked.clear();
    if (method.detection == Detection::static_only) {
        advance(state, method, max_interval, memory, step);
        return max_interval;
    }
    // The search copies its state: what a step collects stays here.
    StepOutcome outcome = std::exchange(step.outcome, StepOutcome(state));
    std::vector<ContactImpulse> impulses = std::exchange(step.impulses, {});
    const TimeOfContact found = ContactSearch(state, method, memory, step, max_interval).run();
    step.outcome = std::move(outcome);
    step.impulses = std::move(impulses);
    if (found.t > 0) advance(state, method, found.t, memory, step);
    step.blocked = found.colliding;
    return found.t;
}

} // namespace rigor::literature
