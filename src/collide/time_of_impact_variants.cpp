#include "collide/time_of_impact_variants.h"

#include "collide/distance.h"
#include "collide/time_of_impact_motion.h"

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

/// Upper bound of the speed of the shape's points, in meters per motion.
template <class S>
S surface_speed(const Shape<S>& shape, const Motion<S>& motion) {
    if (motion.rotation == Vec3<S>{}) return length(motion.displacement);
    return surface_speed_bound(motion.displacement, motion.rotation,
                               bounding_radius(shape, motion.local_center));
}

/// The number of equal steps by equation (17).
template <class S>
int step_count(S speed, const VariantSettings<S>& settings) {
    const S steps = std::ceil(speed / settings.depth);
    return steps < static_cast<S>(settings.max_steps) ? std::max(1, static_cast<int>(steps))
                                                      : settings.max_steps;
}

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
    S before = S(0), after = S(0);
    bool collided = false;
    for (int i = 1; i <= steps && !collided; ++i) {
        before = after;
        after = static_cast<S>(i) / static_cast<S>(steps);
        const Distance<S> d = probe.at(after);
        collided = !(d.distance > S(0));
        if (!collided) safe = d;
    }
    if (!collided) return probe.answer(ToiStatus::apart, S(1), safe, settings.depth, fine);
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
