#include "literature/method_detection.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "contact_dynamics/contact_detection.h"
#include "literature/method_integration.h"
#include "literature/method_joints.h"
#include "literature/pair_gaps.h"

namespace rigor::literature {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

/// The bodies at a time of the interval.
struct Instant {
    double t = 0;
    MethodState step;
    MethodMemory memory;
};

struct SearchedPair {
    ShapePair shapes;
    double bound = 0;  ///< m: the gap at which it collides
    double speed = 0;  ///< m/s: of approach, at most
    double margin = 0; ///< m: gap minus bound at the last test
    double next_test = 0;
};

using PairIndices = std::vector<std::size_t>;

/// Upper bound of the speed of the points of a shape.
double surface_speed(const WorldState& state, std::uint32_t shape, const BodyMotion& motion) {
    const std::uint32_t body = body_of(state, shape);
    if (state.bodies.traits[body].type == BodyType::static_body) return 0;
    const BodyKinematics now = kinematics_of(state.bodies, body, motion);
    if (now.w == Vec3d{}) return length(now.v);
    return length(now.v) +
           length(now.w) * bounding_radius(state.shapes[shape].geometry,
                                           inverse_transform(in_body(state, shape), Vec3d{}));
}

class ContactSearch {
  public:
    ContactSearch(const WorldState& state, const MethodParts& method, const MethodMemory& memory,
                  const MethodState& step, double max_interval)
        : state_(state),
          method_(method),
          gaps_(state, step.island),
          max_interval_(max_interval),
          start_{0, step, memory},
          safe_(start_) {
        for (const ShapePair& pair : step.island.pairs) {
            const double gap = gaps_.at(pair, step.island), bound = bound_of(pair, gap);
            pairs_.push_back({pair, bound, 0, gap - bound, 0});
        }
    }

    Instant run() {
        const Instant end = at(max_interval_);
        set_speeds(end.step.island);
        for (SearchedPair& pair : pairs_) schedule(0, pair);
        while (safe_.t < max_interval_) {
            const double t = next_test();
            const Instant trial = t < max_interval_ ? at(t) : end;
            const PairIndices due = due_at(t);
            if (!(least_margin(trial, due) > 0)) {
                narrow(t, due);
                break;
            }
            safe_ = trial;
            for (const std::size_t i : due) schedule(t, pairs_[i]);
        }
        return std::move(safe_);
    }

  private:
    double contact_distance() const { return std::max(method_.contact_distance, 1e-9); }

    /// Zero for a pair that is apart. One that overlaps may get away, and one that rests is held by
    /// forces or by the next micro-collision, but not at a distance of exactly zero.
    double bound_of(const ShapePair& pair, double gap) const {
        constexpr double kRounding = 1e-9, kMicroShare = 0.1;
        const bool separates = method_.resting == RestingRule::separation;
        const auto& resting = start_.step.island.contacts;
        const bool held =
            !separates && std::any_of(resting.begin(), resting.end(),
                                      [&](const Contact& c) { return c.shapes == pair; });
        if (gap > 0 && !held) return 0;
        const double slack = method_.resting == RestingRule::micro
                                 ? kMicroShare * contact_distance()
                                 : contact_distance();
        return std::min(gap, 0.0) - (separates ? kRounding : slack);
    }

    /// The start integrated over a time t.
    Instant at(double t) const {
        Instant instant = start_;
        instant.t = t;
        if (t > 0) advance(state_, method_, t, instant.memory, instant.step);
        return instant;
    }

    void set_speeds(const Island& end) {
        for (SearchedPair& pair : pairs_)
            for (const std::uint32_t shape : {pair.shapes.a, pair.shapes.b}) {
                const std::size_t i = gaps_.body_of(shape);
                pair.speed += std::max(surface_speed(state_, shape, start_.step.island.motion[i]),
                                       surface_speed(state_, shape, end.motion[i]));
            }
    }

    void schedule(double now, SearchedPair& pair) const {
        constexpr double kMaxTests = 100'000;
        const bool substeps = method_.detection == Detection::substep;
        pair.next_test = kNever;
        if (!(pair.speed > 0) || !(substeps || method_.detection == Detection::advancement)) return;
        const double depth = substeps ? method_.separation_distance : 0.5 * contact_distance();
        pair.next_test =
            now + std::max(std::max(pair.margin, depth) / pair.speed, max_interval_ / kMaxTests);
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

    /// The least margin of some pairs. Negative also when a body went farther than the pairs of the
    /// island allow for.
    double least_margin(const Instant& instant, const PairIndices& which) {
        double least = exceeds_reach(instant.step) ? -1 : kNever;
        for (const std::size_t i : which) {
            SearchedPair& pair = pairs_[i];
            pair.margin = gaps_.at(pair.shapes, instant.step.island) - pair.bound;
            least = std::min(least, pair.margin);
        }
        return least;
    }
    bool exceeds_reach(const MethodState& now) const {
        for (std::size_t i = 0; i < now.reach.size(); ++i)
            if (length(now.island.motion[i].x - start_.step.island.motion[i].x) > now.reach[i])
                return true;
        return false;
    }

    /// Narrows the time of contact between `safe_` and a time at which one of these pairs collides.
    /// The speeds that decide when a pair is tested are not exact: so all are tested in the end.
    void narrow(double collided, PairIndices which) {
        PairIndices colliding = narrow_among(which, collided);
        if (which.size() < pairs_.size()) {
            which.resize(pairs_.size());
            std::iota(which.begin(), which.end(), std::size_t{0});
            if (!(least_margin(safe_, which) > 0)) {
                const double t = safe_.t;
                safe_ = start_;
                colliding = narrow_among(which, t);
            }
        }
        safe_.step.blocked.clear();
        for (const std::size_t i : colliding) safe_.step.blocked.push_back(pairs_[i].shapes);
    }

    /// Returns the pairs that collide at the end. Binary search to a time precision [Kavan 2003,
    /// 3.3], or as [Galoppo 2007] until a colliding pair is within the contact distance; false
    /// position with the weight of an end halved that stays (the Illinois rule), or it might
    /// converge from one side alone.
    PairIndices narrow_among(const PairIndices& which, double collided) {
        const double precision = 1e-9 * max_interval_;
        const bool is_false_position = method_.detection == Detection::regula_falsi;
        double margin_hi = least_margin(at(collided), which), weight_lo = 1, weight_hi = 1;
        PairIndices colliding = negative_of(which);
        while (true) {
            const double lo = safe_.t, margin_lo = least_margin(safe_, colliding);
            const bool is_near = colliding.empty() || margin_lo <= 0.5 * contact_distance();
            const bool to_precision = colliding.empty() || method_.detection == Detection::substep;
            if (is_near && (!to_precision || collided - lo < precision)) return colliding;
            const double f_lo = weight_lo * margin_lo, f_hi = -weight_hi * margin_hi;
            const double share =
                is_false_position && f_hi > 0 ? std::clamp(f_lo / (f_lo + f_hi), 1e-3, 0.999) : 0.5;
            const double t = lo + (collided - lo) * share;
            if (!(lo < t && t < collided)) return colliding;
            Instant trial = at(t);
            const double margin = least_margin(trial, which);
            if (margin > 0) {
                safe_ = std::move(trial);
                weight_hi *= 0.5, weight_lo = 1;
            } else {
                collided = t, margin_hi = margin;
                colliding = negative_of(which);
                weight_lo *= 0.5, weight_hi = 1;
            }
        }
    }
    PairIndices negative_of(const PairIndices& which) const {
        PairIndices negative;
        for (const std::size_t i : which)
            if (!(pairs_[i].margin > 0)) negative.push_back(i);
        return negative;
    }

    const WorldState& state_;
    const MethodParts& method_;
    const PairGaps gaps_;
    const double max_interval_;
    const Instant start_;
    Instant safe_; // the latest that is known to be free of collisions
    std::vector<SearchedPair> pairs_;
};

} // namespace

void advance(const WorldState& state, const MethodParts& method, double h, MethodMemory& memory,
             MethodState& step) {
    integrate(state, method, h, memory, step);
    enforce_joints(state, h, step);
}

double advance_to_contact(const WorldState& state, const MethodParts& method, double max_interval,
                          MethodMemory& memory, MethodState& step) {
    step.blocked.clear();
    if (method.detection == Detection::static_only) {
        advance(state, method, max_interval, memory, step);
        return max_interval;
    }
    // The search copies its state often: what a step collects stays here.
    StepOutcome outcome = std::exchange(step.outcome, StepOutcome(state));
    std::vector<ContactImpulse> impulses = std::exchange(step.impulses, {});
    Instant reached = ContactSearch(state, method, memory, step, max_interval).run();
    memory = std::move(reached.memory);
    step = std::move(reached.step);
    add(outcome.statistics, step.outcome.statistics);
    step.outcome = std::move(outcome);
    impulses.insert(impulses.end(), step.impulses.begin(), step.impulses.end());
    step.impulses = std::move(impulses);
    return reached.t;
}

} // namespace rigor::literature
