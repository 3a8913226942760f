#include "collide/time_of_impact_variants.h"

#include "collide/distance.h"
#include "collide/time_of_impact_motion.h"
#include "geometry/surface_speed.h"

namespace rigor {
namespace {

/// Distances of two shapes along their motion, with a count of the queries.
template <class S>
class Probe {
  public:
    Probe(const Shape<S>& a, const Motion<S>& motion_a, const Shape<S>& b,
          const Motion<S>& motion_b)
        : a_(a), b_(b), motion_(motion_a, motion_b) {}

    Distance<S> at(S t) {
        ++count_;
        return distance(a_, b_, motion_.b_in_a(t), &cache_);
    }

    TimeOfImpact<S> answer(ToiStatus state, S t, const Distance<S>& d, S tolerance,
                           bool converged = true) const {
        return {state,     t,      state == ToiStatus::apart ? Distance<S>{} : d,
                tolerance, count_, converged};
    }

  private:
    const Shape<S>& a_;
    const Shape<S>& b_;
    PairMotion<S> motion_;
    DistanceCache<S> cache_;
    int count_ = 0;
};

/// The number of equal steps by equation (17).
template <class S>
int step_count(S speed, const VariantSettings<S>& settings) {
    const S steps = std::ceil(speed / settings.depth);
    return steps < static_cast<S>(settings.max_steps) ? std::max(1, static_cast<int>(steps))
                                                      : settings.max_steps;
}

/// The motion of a pair in equal steps, with an overlap test at the end of each.
template <class S>
class SubstepSearch {
  public:
    SubstepSearch(Probe<S>& probe, const Shape<S>& a, const Motion<S>& motion_a, const Shape<S>& b,
                  const Motion<S>& motion_b, int steps, SweptVolume volume)
        : probe_(probe),
          a_(a),
          b_(b),
          motion_a_(motion_a),
          motion_b_(motion_b),
          steps_(steps),
          volume_(volume) {}

    S time(int step) const { return static_cast<S>(step) / static_cast<S>(steps_); }

    /// The first step at the end of which they overlap; 0 when there is none.
    int first_overlap() { return first_overlap(0, steps_); }

  private:
    /// Below this many steps the volumes cost more than they save.
    static constexpr int kFewest = 4;

    /// Of the steps after `begin` up to `end`.
    int first_overlap(int begin, int end) {
        if (end - begin == 1) return probe_.at(time(end)).distance > S(0) ? 0 : end;
        if (end - begin >= kFewest && !may_collide(time(begin), time(end))) return 0;
        const int middle = begin + (end - begin) / 2;
        const int found = first_overlap(begin, middle);
        return found > 0 ? found : first_overlap(middle, end);
    }

    bool may_collide(S from, S to) const {
        return swept_volumes_overlap(volume_, a_, part_of(motion_a_, from, to), b_,
                                     part_of(motion_b_, from, to));
    }

    Probe<S>& probe_;
    const Shape<S>&a_, &b_;
    const Motion<S>&motion_a_, &motion_b_;
    int steps_;
    SweptVolume volume_;
};

} // namespace

template <class S>
TimeOfImpact<S> substep_impact(const Shape<S>& a, const Motion<S>& motion_a, const Shape<S>& b,
                               const Motion<S>& motion_b, const VariantSettings<S>& settings) {
    Probe<S> probe(a, motion_a, b, motion_b);
    Distance<S> safe = probe.at(S(0));
    if (!(safe.distance > S(0)))
        return probe.answer(ToiStatus::overlapping, S(0), safe, settings.depth);
    const S speed = surface_speed(a, motion_a) + surface_speed(b, motion_b);
    const int steps = step_count(speed, settings);
    // The bound (17) holds for all steps or, when they would be too many, for none.
    const bool fine = speed <= settings.depth * static_cast<S>(steps);
    SubstepSearch<S> search(probe, a, motion_a, b, motion_b, steps, settings.volume);
    const int collided = search.first_overlap();
    if (collided == 0) return probe.answer(ToiStatus::apart, S(1), safe, settings.depth, fine);
    S before = search.time(collided - 1), after = search.time(collided);
    if (collided > 1) safe = probe.at(before);
    while (after - before >= settings.time_precision) {
        const S middle = S(0.5) * (before + after);
        if (!(before < middle && middle < after)) break;
        const Distance<S> d = probe.at(middle);
        if (d.distance > S(0)) {
            before = middle;
            safe = d;
        } else {
            after = middle;
        }
    }
    return probe.answer(ToiStatus::hit, before, safe, settings.depth, fine);
}

template <class S>
TimeOfImpact<S> bisection_impact(const Shape<S>& a, const Motion<S>& motion_a, const Shape<S>& b,
                                 const Motion<S>& motion_b, const VariantSettings<S>& settings) {
    Probe<S> probe(a, motion_a, b, motion_b);
    const S tolerance = settings.tolerance;
    Distance<S> safe = probe.at(S(0));
    if (safe.distance < S(0)) return probe.answer(ToiStatus::overlapping, S(0), safe, tolerance);
    if (!(probe.at(S(1)).distance < S(0)))
        return probe.answer(ToiStatus::apart, S(1), safe, tolerance);
    S safe_t = S(0), step = S(0.5), t = S(0.5);
    while (t != safe_t && step > S(0)) {
        const Distance<S> d = probe.at(t);
        step *= S(0.5);
        if (d.distance < S(0)) {
            t -= step;
            continue;
        }
        safe = d;
        safe_t = t;
        if (d.distance < tolerance) return probe.answer(ToiStatus::hit, t, d, tolerance);
        t += step;
    }
    // No smaller time step is representable: the tolerance is below rounding.
    return probe.answer(ToiStatus::hit, safe_t, safe, tolerance, false);
}

template <class S>
TimeOfImpact<S> static_impact(const Shape<S>& a, const Motion<S>& motion_a, const Shape<S>& b,
                              const Motion<S>& motion_b, const VariantSettings<S>& settings) {
    Probe<S> probe(a, motion_a, b, motion_b);
    const Distance<S> first = probe.at(S(0));
    if (first.distance < S(0))
        return probe.answer(ToiStatus::overlapping, S(0), first, settings.tolerance);
    const Distance<S> last = probe.at(S(1));
    const ToiStatus state = last.distance < S(0) ? ToiStatus::hit : ToiStatus::apart;
    return probe.answer(state, S(1), last, settings.tolerance);
}

template <class S>
TimeOfImpact<S> time_of_impact_by(ImpactMethod method, const Shape<S>& a, const Motion<S>& motion_a,
                                  const Shape<S>& b, const Motion<S>& motion_b,
                                  const VariantSettings<S>& settings) {
    switch (method) {
        case ImpactMethod::substep:
            return substep_impact(a, motion_a, b, motion_b, settings);
        case ImpactMethod::bisection:
            return bisection_impact(a, motion_a, b, motion_b, settings);
        case ImpactMethod::static_only:
            return static_impact(a, motion_a, b, motion_b, settings);
        case ImpactMethod::advancement:
            break;
    }
    ImpactSettings<S> own;
    own.tolerance = settings.tolerance;
    return time_of_impact(a, motion_a, b, motion_b, own);
}

#define RIGOR_INSTANTIATE(S)                                                                      \
    template TimeOfImpact<S> substep_impact(const Shape<S>&, const Motion<S>&, const Shape<S>&,   \
                                            const Motion<S>&, const VariantSettings<S>&);         \
    template TimeOfImpact<S> bisection_impact(const Shape<S>&, const Motion<S>&, const Shape<S>&, \
                                              const Motion<S>&, const VariantSettings<S>&);       \
    template TimeOfImpact<S> static_impact(const Shape<S>&, const Motion<S>&, const Shape<S>&,    \
                                           const Motion<S>&, const VariantSettings<S>&);          \
    template TimeOfImpact<S> time_of_impact_by(ImpactMethod, const Shape<S>&, const Motion<S>&,   \
                                               const Shape<S>&, const Motion<S>&,                 \
                                               const VariantSettings<S>&);
RIGOR_INSTANTIATE(float)
RIGOR_INSTANTIATE(double)
#undef RIGOR_INSTANTIATE

} // namespace rigor
