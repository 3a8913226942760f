#include "faithful/pair_time_of_impact.h"

#include <cmath>
#include <limits>

#include "base/deadline.h"
#include "contact_dynamics/contact_detection.h"
#include "numeric/roots.h"

namespace rigor::faithful {
namespace {

constexpr double kRootSearchGap = 1e-6; // m: below it a root of the gap is searched; a grazing
                                        // impact of less depth may be missed
constexpr double kMaxMissedDepth =
    2e-5; // m: the same where bodies glide along each other for long. Nothing passes through a
          // body: that is as deep as the two are thick.
constexpr double kGapRounding = 1e-11; // m: rounding error of a gap
constexpr int kMaxSteps = 2000;

class TimeOfImpactSearch {
  public:
    TimeOfImpactSearch(const WorldState& state, const ShapePair& pair, const Trajectory& a,
                       const Trajectory& b, double begin, double end)
        : state_(state), pair_(pair), a_(a), b_(b), begin_(begin), end_(end) {
        rotation_speed_ =
            a.rotation_speed + b.rotation_speed + a.velocity_change + b.velocity_change;
        acceleration_ = length(a.acceleration - b.acceleration);
        const auto convex = [&](std::uint32_t shape) {
            const Shape<double>& s = state.shapes[shape].geometry;
            return is_convex(s) || std::holds_alternative<Plane<double>>(s.solid);
        };
        both_convex_ = convex(pair.a) && convex(pair.b);
    }

    std::optional<double> run(double touch_distance) {
        double t = begin_, gap = gap_at(t);
        if (gap <= touch_distance) {
            const std::optional<double> returns = leave_contact(t, gap);
            if (returns || t >= end_) return returns;
        }
        for (int i = 0; i < kMaxSteps && !deadline_has_passed(); ++i) {
            if (gap <= kRootSearchGap) {
                if (const std::optional<double> hit = find_root_ahead(t, gap)) return hit;
            } else {
                t += safe_time(t, 0);
            }
            if (t >= end_) return std::nullopt;
            gap = gap_at(t);
        }
        return t;
    }

  private:
    /// The same time is asked for twice in a row: for the gap, then for the safe time.
    const Separation& separation_at(double t) const {
        if (t != last_time_) last_ = separation(state_, pair_, a_.at(t), b_.at(t), &cache_);
        last_time_ = t;
        return last_;
    }
    double gap_at(double t) const { return separation_at(t).gap; }

    /// Bound of the closing speed at t.
    double closing_speed(double t, const Vec3d& normal) const {
        const Vec3d v = b_.at(t).p * b_.inv_mass - a_.at(t).p * a_.inv_mass;
        return rotation_speed_ + (both_convex_ ? std::max(-dot(v, normal), 0.0) : length(v));
    }

    /// gap + depth - v τ - ½ a τ² = 0: before that no penetration can be deeper.
    double safe_time(double t, double depth) const {
        const Separation& now = separation_at(t);
        const double v = closing_speed(t, now.normal), way = std::max(now.gap, 0.0) + depth;
        const double closing_bound = v + std::sqrt(v * v + 2 * acceleration_ * way);
        return closing_bound > 0 ? 2 * way / closing_bound : end_ - t;
    }

    double root(double clear, double inside) const {
        const BracketedRoot found =
            find_root([&](double t) { return gap_at(t); }, clear, inside, 0, RootSide::first);
        return found.status == RootStatus::found ? found.x : clear;
    }

    /// Steps ahead from a small gap until the bodies penetrate, or their gap grows again: t is then
    /// moved there.
    std::optional<double> find_root_ahead(double& t, double gap) const {
        double depth = kRootSearchGap;
        for (int i = 0; i < 100 && t < end_; ++i) {
            const double next = std::min(t + safe_time(t, depth), end_);
            depth = std::min(1.5 * depth, kMaxMissedDepth);
            const double next_gap = gap_at(next);
            if (next_gap < 0) return root(t, next);
            t = next;
            if (next_gap > gap) break;
            gap = next_gap;
        }
        return std::nullopt;
    }

    /// Steps ahead with growing steps until touching bodies have separated. If they approach again
    /// before, that is an impact.
    std::optional<double> leave_contact(double& t, double& gap) const {
        double clear = t;
        // Bodies that penetrate at the start may separate from there.
        const double deepest = std::min(gap, 0.0) - kGapRounding;
        for (double step = 1e-9; t < end_ && !deadline_has_passed(); step *= 1.5) {
            step = std::min(step, safe_time(t, kMaxMissedDepth));
            t = std::min(t + step, end_);
            gap = gap_at(t);
            if (gap < deepest) {
                if (clear == begin_) clear = parted_before(t);
                return gap_at(clear) > 0 ? root(clear, t) : clear;
            }
            if (gap > 0) clear = t;
            if (gap > kRootSearchGap) return std::nullopt;
        }
        return std::nullopt;
    }

    /// A time at which bodies that touch at the beginning have parted, before others of their
    /// points penetrate at `inside`, which is moved to the first time that is known of that. The
    /// beginning if there is none: there the gap is rounding, and no root can be bracketed.
    double parted_before(double& inside) const {
        constexpr double kShortest = 1e-14; // s
        while (inside - begin_ > kShortest) {
            const double middle = 0.5 * (begin_ + inside);
            if (gap_at(middle) > 0) return middle;
            inside = middle;
        }
        return begin_;
    }

    const WorldState& state_;
    ShapePair pair_;
    const Trajectory &a_, &b_;
    double begin_, end_;
    double rotation_speed_ = 0, acceleration_ = 0;
    bool both_convex_ = false;
    mutable double last_time_ = std::numeric_limits<double>::quiet_NaN();
    mutable Separation last_; ///< at that time
    mutable DistanceCache<double> cache_;
};

} // namespace

std::optional<double> first_time_of_impact(const WorldState& state, const ShapePair& pair,
                                           const Trajectory& a, const Trajectory& b, double begin,
                                           double end, double touch_distance) {
    return TimeOfImpactSearch(state, pair, a, b, begin, end).run(touch_distance);
}

} // namespace rigor::faithful
