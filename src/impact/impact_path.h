// The path of an impact in impulse space under Coulomb friction: sliding with turning direction,
// sliding along a ray, sticking, or sliding again after sticking.
//
// Known properties [Baber 2011; Batlle 1996]: the path of u_T does not depend on u_z; at equal p
// two paths never diverge (friction is monotone), so an error of u_T made once does not grow; the
// sliding direction turns one way only, towards a ray; and the path ends at rest or continues along
// the one diverging ray.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "impact/curved_segment.h"
#include "impact/rest_approach.h"
#include "impact/straight_segment.h"
#include "rigor/impact.h"

namespace rigor::contact_dynamics {

/// Impulse and work of compression and decompression so far, over all their phases.
struct PhaseLedger {
    double compression_work = 0, decompression_work = 0;
    double compression_impulse = 0, decompression_impulse = 0;
    int phases = 0;
};

/// Sliding speeds below this fraction of |u| count as sticking at the start.
inline constexpr double kStickingSpeed = 1e-12;
/// Errors of the path, likewise.
inline constexpr double kPathTolerance = 1e-13;

/// The contact is in compression where u_z is negative and in decompression where it is positive.
/// An impact ends in a decompression phase, at the point that `Ending` finds there:
///
///     std::optional<double> ending(piece, const PathPoint& from, const PathPoint& to, ledger)
template <class Ending>
class ImpactPath {
  public:
    ImpactPath(const ContactImpact& impact, const Ending& ending,
               std::vector<ImpactTracePoint>* trace)
        : impact_(impact),
          contact_(impact),
          ending_(ending),
          trace_(trace),
          u_(impact.u),
          scale_(length(impact.u)),
          tolerance_{kPathTolerance * scale_, kPathTolerance * u_.z * u_.z / contact_.k} {}

    ImpactOutcome run() {
        if (trace_) trace_->push_back({{}, u_});
        const ImpactMode mode = follow();
        return {p_, mode, ledger_.compression_work, ledger_.decompression_work, ledger_.phases};
    }

  private:
    /// Reached only with matrices whose tangential eigenvalues differ by a factor of thousands. The
    /// rest of sliding is then taken as straight.
    static constexpr int kMaxCurvedSegments = 2000;
    static constexpr int kTracePoints = 32; ///< of a segment and phase
    static constexpr double kUnlimited = std::numeric_limits<double>::infinity();

    Vec2 sliding() const { return {u_.x, u_.y}; }

    ImpactMode follow() {
        const bool slides = length(sliding()) > kStickingSpeed * scale_;
        if (contact_.mu == 0) {
            follow_straight({}, contact_.k, kUnlimited);
            if (slides) return ImpactMode::sliding;
            return contact_.sticks() ? ImpactMode::stable_sticking : ImpactMode::unstable_sticking;
        }
        if (slides && slide()) return ImpactMode::sliding;
        if (contact_.sticks()) {
            follow_straight(contact_.sticking_friction(), contact_.sticking_rate(), kUnlimited);
            return ImpactMode::stable_sticking;
        }
        diverge();
        return ImpactMode::unstable_sticking;
    }

    // The functions below return true when the impact has ended.

    /// False when sliding came to rest.
    bool slide() {
        for (int i = 0; i < kMaxCurvedSegments && is_turning(); ++i) {
            if (slide_to_rest()) return false;
            const CurvedSegment segment(contact_, u_, tolerance_);
            if (follow_segment(segment)) return true;
            const Vec2 after = segment.last_sliding();
            u_ = {after.x, after.y, u_.z};
        }
        const double r = length(sliding());
        if (!(r > 0)) return false;
        const Vec2 c = sliding() * (1 / r);
        const double radial = dot(c, contact_.tangent_rate(c));
        if (radial < 0)
            return follow_straight(c * -contact_.mu, contact_.normal_rate(c), -r / radial);
        return !contact_.sticks() && diverge();
    }

    /// Sliding away from rest, along the diverging ray itself: near rest the computed direction,
    /// which no longer turns relative to |u|, is arbitrary.
    bool diverge() {
        const Vec2 ray = diverging_ray(contact_);
        return follow_straight(ray * -contact_.mu, contact_.normal_rate(ray), kUnlimited);
    }

    /// Slides to rest in one segment, if no other event occurs before.
    bool slide_to_rest() {
        if (!ray_) ray_ = RestRay::near(contact_, u_);
        if (!ray_ || !is_uneventful(ray_->estimate(u_))) return false;
        const auto rest = ray_->approach(u_, kPathTolerance * scale_ / length(sliding()));
        if (!rest || !is_uneventful(*rest)) return false;
        record_phase(*rest, rest->first, rest->last);
        add_impulse(rest->last);
        return true;
    }

    bool is_uneventful(const RestApproach& rest) const {
        if ((rest.last.u < 0) != compressing_) return false;
        return compressing_ || !ending_(rest, rest.first, rest.last, ledger_);
    }

    /// The velocity component across the ray to which sliding turns decays at the rate mu m per
    /// unit of s, where m is M across the ray: |f| r / (mu m) of it remains.
    bool is_turning() const {
        const double r = length(sliding());
        if (!(r > kPathTolerance * scale_)) return false;
        const Vec2 c = sliding() * (1 / r), left{-c.y, c.x};
        const double f = dot(left, contact_.tangent_rate(c));
        const double m = std::max(dot(left, contact_.m * left), 1e-3 * contact_.m.trace());
        return std::abs(f) * r > kPathTolerance * scale_ * contact_.mu * m;
    }

    bool follow_straight(const Vec2& friction, double rate, double reach) {
        if (reach == kUnlimited && contact_.jams(rate)) return true;
        return follow_segment(StraightSegment{{friction.x, friction.y, 1}, u_.z, rate, reach});
    }

    template <class Segment>
    bool follow_segment(const Segment& segment) {
        for (PathPoint from = segment.start();;) {
            const auto change = segment.sign_change(from, compressing_ ? -1 : 1);
            const PathPoint to = change ? segment.at(*change) : segment.end();
            if (!compressing_) {
                if (const auto s = ending_(segment, from, to, ledger_)) {
                    const PathPoint end = segment.at(*s);
                    record_phase(segment, from, end);
                    add_impulse(end);
                    return true;
                }
            }
            record_phase(segment, from, to);
            if (!change) {
                add_impulse(to);
                return false;
            }
            compressing_ = !compressing_;
            from = to;
        }
    }

    /// A part of a segment within one phase.
    template <class Segment>
    void record_phase(const Segment& segment, const PathPoint& from, const PathPoint& to) {
        if (!(to.s > from.s)) return;
        (compressing_ ? ledger_.compression_work : ledger_.decompression_work) +=
            to.work - from.work;
        (compressing_ ? ledger_.compression_impulse : ledger_.decompression_impulse) +=
            to.p.z - from.p.z;
        // Compressions have odd numbers.
        if (compressing_ != (ledger_.phases % 2 == 1)) ++ledger_.phases;
        if (trace_) record_trace(segment, from.s, to.s);
    }

    template <class Segment>
    void record_trace(const Segment& segment, double from, double to) {
        for (int i = 1; i <= kTracePoints; ++i) {
            const Vec3d p = p_ + segment.at(from + (to - from) * i / kTracePoints).p;
            trace_->push_back({p, impact_.u + impact_.k * p});
        }
    }

    void add_impulse(const PathPoint& to) {
        p_ += to.p;
        u_.z = to.u;
    }

    const ContactImpact& impact_;
    const SlidingContact contact_;
    const Ending ending_;
    std::vector<ImpactTracePoint>* trace_;
    Vec3d p_, u_; ///< current impulse and velocity
    double scale_;
    PathTolerance tolerance_;
    std::optional<RestRay> ray_;
    bool compressing_ = true;
    PhaseLedger ledger_;
};

} // namespace rigor::contact_dynamics
