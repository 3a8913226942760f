// The impact of [Baber 2011], section 4: explicit Euler steps in the normal impulse until sliding
// stops, then closed forms. First order in the step; kept as published.
//
// Three details go beyond the published text. The end is tested only while u_z > 0: the test as
// printed holds after the first step when e = 0. "Approximately 0" for sliding means |u_T| <= 2
// delta |K|, which one step may cross. And the impulse is summed along the path instead of K⁻¹ (u -
// u_0) at its end: a body constrained by a joint has a singular K, which cannot distinguish
// impulses that the joint absorbs.

#include <algorithm>
#include <cmath>

#include "impact/impact_laws.h"
#include "impact/sliding.h"
#include "math/tolerances.h"
#include "math/trig.h"

namespace rigor::contact_dynamics {
namespace {

class EulerImpact {
  public:
    EulerImpact(const ContactImpact& impact, double delta, EulerPhases phases, ImpactTrace* trace)
        : impact_(impact),
          contact_(impact),
          delta_(delta),
          phases_(phases),
          trace_(trace),
          u_(impact.u),
          compression_(0),
          decompression_(0) {}

    ImpactOutcome run(int max_steps) {
        record();
        ImpactMode mode = ImpactMode::sliding;
        if (!slide(max_steps)) mode = leave_rest();
        return {p_ * safe_share(impact_, p_), mode, compression_, decompression_, phase_count_};
    }

  private:
    double due() const { return -impact_.restitution * impact_.restitution * compression_; }

    /// Step 3. True when the impact ended, false when sliding stopped.
    bool slide(int max_steps) {
        const double rest = 2 * delta_ * size(impact_.k);
        const Mat3d step = impact_.k * delta_;
        for (int i = 0; i < max_steps; ++i) {
            const double r = length(Vec2{u_.x, u_.y});
            if (r <= rest) return false;
            add_work(u_.z < 0, u_.z * delta_);
            const Vec3d friction = Vec3d{u_.x, u_.y, 0} * (-contact_.mu / r);
            u_ += step.cz + step.cx * friction.x + step.cy * friction.y;
            p_ += (friction + Vec3d{0, 0, 1}) * delta_;
            if (trace_ && i % kStepsPerPoint == 0) record();
            if (u_.z > 0 && decompression_ >= due()) return true;
            // Mirtich: with u_z as the variable a second compression is not detected.
            if (phases_ == EulerPhases::first_two && phase_count_ == 2 && u_.z <= 0) return true;
        }
        return true;
    }

    /// Steps 4 to 6.
    ImpactMode leave_rest() {
        if (contact_.sticks()) {
            stop();
            const Vec2 friction = contact_.sticking_friction();
            finish({friction.x, friction.y, 1}, {0, 0, contact_.sticking_rate()});
            return ImpactMode::stable_sticking;
        }
        const SinCos<double> psi = sin_cos(diverging_angle());
        const Vec3d direction{-contact_.mu * psi.cos, -contact_.mu * psi.sin, 1};
        finish(direction, impact_.k * direction);
        return ImpactMode::unstable_sticking;
    }

    double diverging_angle() const {
        double best = 0, fastest = -std::numeric_limits<double>::infinity();
        for (double angle : sliding_rays(contact_)) {
            const double rate = radial_rate(contact_, angle);
            if (rate > fastest) {
                fastest = rate;
                best = angle;
            }
        }
        return best;
    }

    /// Friction stops the remaining sliding velocity.
    void stop() {
        const Vec2 friction = contact_.m.solve({u_.x, u_.y}) * -1;
        p_ += {friction.x, friction.y, 0};
        u_ = {0, 0, u_.z + dot(contact_.h, friction)};
    }

    /// The rest of the impact, along an impulse that changes u by k per unit of p_z.
    void finish(const Vec3d& direction, const Vec3d& k) {
        const double rate = k.z, before = u_.z;
        if (contact_.jams(rate)) return;
        if (u_.z < 0) {
            add_work(true, -u_.z * u_.z / (2 * rate));
            u_.z = 0;
        }
        const double work = std::max(due() - decompression_, 0.0);
        if (work > 0) add_work(false, work);
        const double after = std::sqrt(2 * rate * work + u_.z * u_.z);
        const double p = (after - before) / rate;
        p_ += direction * p;
        u_ = {u_.x + k.x * p, u_.y + k.y * p, after};
        record();
    }

    void add_work(bool compression, double work) {
        (compression ? compression_ : decompression_) += work;
        if (compression != (phase_count_ % 2 == 1)) ++phase_count_;
    }

    void record() {
        if (trace_) trace_->push_back({p_, u_});
    }

    static double size(const Mat3d& k) {
        return std::sqrt(length_squared(k.cx) + length_squared(k.cy) + length_squared(k.cz));
    }

    static constexpr int kStepsPerPoint = 8;

    const ContactImpact& impact_;
    const SlidingContact contact_;
    double delta_;
    EulerPhases phases_;
    ImpactTrace* trace_;
    Vec3d p_, u_;                        ///< current impulse and velocity
    double compression_, decompression_; ///< work
    int phase_count_ = 0;                ///< of phases
};

} // namespace

// The total impulse, to which a relative delta refers, is taken from the smooth form: an estimate
// from the approach speed alone can be too small by any factor (by a thousand in the example of
// section 1.2). An absolute delta is used as printed, but for at most kMaxSteps steps of the total
// impulse: far too small a one would never end.
ImpactOutcome euler_impact(const ContactImpact& impact, ImpulseStep delta, EulerPhases phases,
                           ImpactTrace* trace) {
    constexpr double kMaxSteps = 1e8;
    const double whole = energetic_impact(impact, nullptr).impulse.z;
    const double share = delta.is_absolute ? std::max(delta.size / whole, 1 / kMaxSteps)
                                           : std::clamp(delta.size, 1 / kMaxSteps, 1.0);
    const int max_steps = static_cast<int>(10 / share) + 10;
    return EulerImpact(impact, share * whole, phases, trace).run(max_steps);
}

} // namespace rigor::contact_dynamics
