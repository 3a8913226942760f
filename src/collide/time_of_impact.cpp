#include "collide/time_of_impact.h"

#include <concepts>
#include <limits>

#include "collide/distance.h"
#include "collide/pieces.h"
#include "collide/surface_distance.h"
#include "collide/time_of_impact_plane.h"
#include "collide/time_of_impact_search.h"
#include "collide/time_of_impact_surface.h"

namespace rigor {
namespace {

template <class S>
TimeOfImpact<S> mirror(TimeOfImpact<S> impact, const PairMotion<S>& seen_from_b) {
    if (impact.state != ToiStatus::apart)
        impact.distance = mirror(impact.distance, seen_from_b.b_in_a(impact.t));
    return impact;
}

/// Initial gap of two pieces, as far as it matters.
template <class S>
struct Start {
    S gap = std::numeric_limits<S>::infinity();
    S rounding{};         ///< smaller gaps count as touching
    S tolerance{};        ///< raised to the rounding error
    Distance<S> distance; ///< of two cores, where it is computed anyway
};

/// The query without the pieces.
template <class S>
struct Task {
    PairMotion<S> motion;
    ImpactGaps<S> gaps;
    Interval<S> interval;
    int max_iterations;
    DistanceCache<S>* cache;
    const Distance<S>* first; ///< the result of start_of, for a single pair of cores
    bool single;              ///< whether there is only one pair of pieces
};

template <class S>
Task<S> mirror(Task<S> task) {
    task.motion = mirror(task.motion);
    return task;
}

// Each pair of overloads handles one kind of pair; the reverse order of the two kinds is handled by
// a mirror.

template <class S>
Start<S> start_of(const Core<S>& a, const Core<S>& b, const Task<S>& task) {
    const S away = length(task.motion.offset);
    const S tolerance = raise_gaps(task.gaps, a, b, away).hit;
    const S far = task.single ? std::numeric_limits<S>::infinity() : tolerance;
    const Distance<S> d = convex_distance(a, b, task.motion.b_in_a(S(0)), task.cache, far);
    return {d.distance, rounding_gap(a, b, away), tolerance, d};
}

template <class S>
TimeOfImpact<S> impact_of(const Core<S>& a, const Core<S>& b, const Task<S>& task) {
    const ConvexSweep<S> sweep(a, b, task.motion);
    const ImpactGaps<S> gaps = raise_gaps(task.gaps, a, b, task.motion.farthest());
    return sweep.first_impact(task.interval, gaps, task.max_iterations, task.cache, task.first);
}

template <class S, class Other>
Start<S> start_of(const Plane<S>* a, const Other& b, const Task<S>& task) {
    const PlaneSweep<S, Other> sweep(*a, b, task.motion);
    const S rounding = sweep.rounding();
    return {sweep.measure(S(0)).distance, rounding, std::max(task.gaps.hit, S(4) * rounding), {}};
}

template <class S, class Other>
TimeOfImpact<S> impact_of(const Plane<S>* a, const Other& b, const Task<S>& task) {
    const PlaneSweep<S, Other> sweep(*a, b, task.motion);
    return sweep.first_impact(task.interval, task.gaps, task.max_iterations);
}

/// Two half-spaces are apart only as long as they are exactly opposite.
template <class S>
Distance<S> between(const Plane<S>* a, const Plane<S>* b, const PairMotion<S>& motion, S t) {
    return distance(Shape<S>{*a}, Shape<S>{*b}, motion.b_in_a(t));
}

template <class S>
Start<S> start_of(const Plane<S>* a, const Plane<S>* b, const Task<S>& task) {
    return {between(a, b, task.motion, S(0)).distance, S(0), task.gaps.hit, {}};
}

template <class S>
TimeOfImpact<S> impact_of(const Plane<S>* a, const Plane<S>* b, const Task<S>& task) {
    const PairMotion<S>& m = task.motion;
    TimeOfImpact<S> answer;
    answer.tolerance = task.gaps.hit;
    S t = task.interval.begin;
    const bool turning = m.rotation_a != Vec3<S>{} || m.rotation_b != Vec3<S>{};
    if (!turning) {
        const S gap = between(a, b, m, t).distance;
        const Vec3<S> n = rotate(m.qa, a->normal);
        t += std::max(gap - task.gaps.target, S(0)) / std::max(-dot(n, m.displacement), S(0));
        if (!(t < task.interval.end)) return answer;
    }
    answer.state = ToiStatus::hit;
    answer.t = t;
    answer.distance = between(a, b, m, t);
    answer.converged = !turning;
    return answer;
}

template <class S, class Surface>
requires SurfaceOf<Surface, S> Start<S> start_of(const Surface* a, const Core<S>& b,
                                                 const Task<S>& task) {
    const SurfaceSweep<S, Surface> sweep(*a, b, task.motion);
    const S away = length(task.motion.offset);
    const S rounding = rounding_gap(b, b, away);
    const S tolerance = raise_gaps(task.gaps, b, b, away).hit;
    const S gap = sweep.nearest_at(S(0), S(2) * tolerance).distance;
    const bool inside = gap > rounding && sweep.holds_at_start();
    return {inside ? S(-1) : gap, rounding, tolerance, {}};
}

template <class S, class Surface>
requires SurfaceOf<Surface, S> TimeOfImpact<S> impact_of(const Surface* a, const Core<S>& b,
                                                         const Task<S>& task) {
    SurfaceSweep<S, Surface> sweep(*a, b, task.motion);
    return sweep.first_impact(task.interval, task.gaps, task.max_iterations);
}

/// For queries: the distance visits all pairs of triangles that are near.
template <class S, class A, class B>
requires SurfaceOf<A, S> && SurfaceOf<B, S> Start<S> start_of(const A* a, const B* b,
                                                              const Task<S>& task) {
    const Distance<S> d = surface_pair_distance(*a, *b, task.motion.b_in_a(S(0)));
    return {d.distance, S(16) * kEpsilon<S> * length(task.motion.offset), task.gaps.hit, {}};
}

/// Where a surface is during an interval, in the frame of the other one, which is A of the motion.
template <class S, class Surface>
Aabb<S> swept_box(const Surface& surface, const PairMotion<S>& motion, const Interval<S>& interval,
                  S margin) {
    const S h = interval.end - interval.begin;
    const Aabb<S> ends = join(bounds(surface, motion.b_in_a(interval.begin)),
                              bounds(surface, motion.b_in_a(interval.end)));
    const S radius = bounding_radius(surface, motion.center_b);
    const S bend = relative_acceleration_bound(motion, radius, radius);
    const S size = max_component(max(abs(ends.lo), abs(ends.hi)));
    return expand(ends, bend * h * h / S(8) + margin + rounding_error(size));
}

template <class S, class A, class B>
requires SurfaceOf<A, S> && SurfaceOf<B, S> TimeOfImpact<S> impact_of(const A* a, const B* b,
                                                                      const Task<S>& task) {
    TimeOfImpact<S> best;
    best.tolerance = task.gaps.hit;
    Task<S> rest = task;
    const Aabb<S> swept = swept_box(*a, mirror(task.motion), task.interval, S(2) * task.gaps.hit);
    visit_triangles(*b, swept, [&](std::uint32_t t, const Triangle<S>& triangle) {
        const LocalTriangle<S> local(triangle);
        rest.motion.center_b = task.motion.center_b - local.origin;
        TimeOfImpact<S> impact = impact_of(a, local.core, rest);
        impact.distance.part_b.triangle = t;
        keep_earlier(best, impact);
        if (best.state == ToiStatus::hit) rest.interval.end = best.t;
    });
    return best;
}

template <class S, class Surface>
requires SurfaceOf<Surface, S> Start<S> start_of(const Core<S>& a, const Surface* b,
                                                 const Task<S>& task) {
    return start_of(b, a, mirror(task));
}

template <class S, class Surface>
requires SurfaceOf<Surface, S> TimeOfImpact<S> impact_of(const Core<S>& a, const Surface* b,
                                                         const Task<S>& task) {
    return mirror(impact_of(b, a, mirror(task)), task.motion);
}

template <class S, class Other>
requires(!std::same_as<Other, const Plane<S>*>) Start<S> start_of(const Other& a, const Plane<S>* b,
                                                                  const Task<S>& task) {
    return start_of(b, a, mirror(task));
}

template <class S, class Other>
requires(!std::same_as<Other, const Plane<S>*>) TimeOfImpact<S> impact_of(const Other& a,
                                                                          const Plane<S>* b,
                                                                          const Task<S>& task) {
    return mirror(impact_of(b, a, mirror(task)), task.motion);
}

template <class S>
bool is_finite(const Motion<S>& m) {
    return is_finite(m.start) && is_finite(m.local_center) && is_finite(m.displacement) &&
           is_finite(m.rotation);
}

/// The motion of a child of a compound.
template <class S>
Motion<S> child_motion(const Motion<S>& parent, const Pose<S>& child) {
    return {parent.start * child, inverse_transform(child, parent.local_center),
            parent.displacement, parent.rotation};
}

/// Whether two pieces are too far apart to collide, by spheres about their origins, whose
/// displacement is bounded by that of their centers and the rotation: for the many pairs of two
/// compounds.
template <class S, class A, class B>
bool stay_apart(const A&, const B&, const Task<S>&) {
    return false;
}
template <class S>
bool stay_apart(const Core<S>& a, const Core<S>& b, const Task<S>& task) {
    const PairMotion<S>& m = task.motion;
    const S radii =
        radius_from_center(a, Vec3<S>{}) + a.radius + radius_from_center(b, Vec3<S>{}) + b.radius;
    const S path_length = length(m.displacement) + length(m.rotation_a) * length(m.center_a) +
                          length(m.rotation_b) * length(m.center_b);
    const S apart = length(m.b_in_a(S(0)).p);
    return apart - radii - path_length >
           task.gaps.hit + rounding_error(apart + radii + path_length);
}

/// Visits all pairs of pieces of two shapes: first for their initial gap, since that decides on the
/// gap to stop at; then for the earliest impact.
template <class S>
class ImpactSearch {
  public:
    ImpactSearch(const Shape<S>& a, const Motion<S>& motion_a, const Shape<S>& b,
                 const Motion<S>& motion_b, Task<S> task)
        : a_(a), b_(b), motion_a_(motion_a), motion_b_(motion_b), task_(task) {
        task_.single = !a_.is_compound() && !b_.is_compound();
        if (!task_.single) task_.cache = nullptr;
    }

    /// False when they overlap.
    bool start() {
        bool apart = true;
        visit_pairs([&](const auto& p, const auto& q, std::uint32_t, std::uint32_t) {
            const Start<S> start = start_of(p, q, task_);
            apart = apart && start.gap > start.rounding;
            if (start.gap < start_.gap) start_ = start;
        });
        if (start_.gap <= start_.tolerance) {
            task_.gaps.hit = S(0.75) * start_.gap;
            task_.gaps.target = S(0.5) * start_.gap;
            task_.gaps.own = true;
        }
        if (task_.single) task_.first = &start_.distance;
        return apart;
    }

    TimeOfImpact<S> earliest() {
        TimeOfImpact<S> best;
        best.tolerance = task_.gaps.hit;
        visit_pairs([&](const auto& p, const auto& q, std::uint32_t i, std::uint32_t j) {
            TimeOfImpact<S> impact = impact_of(p, q, task_);
            name_children(impact, i, j);
            keep_earlier(best, impact);
            if (best.state == ToiStatus::hit) task_.interval.end = best.t;
        });
        return best;
    }

  private:
    template <class Visit>
    void visit_pairs(Visit&& visit) {
        for (std::uint32_t i = 0; i < a_.size(); ++i) {
            const Motion<S> ma = child_motion(motion_a_, a_.pose(i));
            const Piece<S> x = a_.piece(i);
            for (std::uint32_t j = 0; j < b_.size(); ++j) {
                task_.motion = {ma, child_motion(motion_b_, b_.pose(j))};
                const auto unless_far = [&](const auto& p, const auto& q) {
                    if (task_.single || !stay_apart(p, q, task_)) visit(p, q, i, j);
                };
                std::visit(unless_far, x, b_.piece(j));
            }
        }
    }

    void name_children(TimeOfImpact<S>& impact, std::uint32_t i, std::uint32_t j) const {
        if (impact.state == ToiStatus::apart || !a_.is_compound()) {
            impact.distance.part_b.child = j;
            return;
        }
        const Pose<S> pose = a_.pose(i);
        Distance<S>& d = impact.distance;
        d.point_a = transform(pose, d.point_a);
        d.point_b = transform(pose, d.point_b);
        d.normal = rotate(pose.q, d.normal);
        d.part_a.child = i;
        d.part_b.child = j;
    }

    Children<S> a_, b_;
    const Motion<S>& motion_a_;
    const Motion<S>& motion_b_;
    Task<S> task_;
    Start<S> start_;
};

template <class S>
TimeOfImpact<S> at_start(ToiStatus state, const Distance<S>& d, S tolerance) {
    return {state, S(0), d, tolerance, 1, state == ToiStatus::overlapping};
}

} // namespace

template <class S>
TimeOfImpact<S> find_impact(const Shape<S>& a, const Motion<S>& motion_a, const Shape<S>& b,
                            const Motion<S>& motion_b, const ImpactGaps<S>& gaps,
                            int max_iterations, DistanceCache<S>* cache) {
    if (!is_finite(motion_a) || !is_finite(motion_b))
        return at_start(ToiStatus::hit, Distance<S>{}, gaps.hit);
    DistanceCache<S> fresh;
    if (!cache) cache = &fresh;
    const PairMotion<S> motion(motion_a, motion_b);
    ImpactSearch<S> search(a, motion_a, b, motion_b,
                           {motion, gaps, {}, max_iterations, cache, nullptr, true});
    if (search.start()) return search.earliest();
    const Distance<S> d = distance(a, b, motion.b_in_a(S(0)), cache);
    return at_start(ToiStatus::overlapping, d, gaps.hit);
}

template <class S>
TimeOfImpact<S> time_of_impact(const Shape<S>& a, const Motion<S>& motion_a, const Shape<S>& b,
                               const Motion<S>& motion_b, const ImpactSettings<S>& settings,
                               DistanceCache<S>* cache) {
    const S tolerance = std::max(S(0), settings.tolerance);
    const ImpactGaps<S> gaps{tolerance, S(0.5) * tolerance, false, false};
    return find_impact(a, motion_a, b, motion_b, gaps, settings.max_iterations, cache);
}

#define RIGOR_INSTANTIATE(S)                                                                    \
    template TimeOfImpact<S> find_impact(const Shape<S>&, const Motion<S>&, const Shape<S>&,    \
                                         const Motion<S>&, const ImpactGaps<S>&, int,           \
                                         DistanceCache<S>*);                                    \
    template TimeOfImpact<S> time_of_impact(const Shape<S>&, const Motion<S>&, const Shape<S>&, \
                                            const Motion<S>&, const ImpactSettings<S>&,         \
                                            DistanceCache<S>*);
RIGOR_INSTANTIATE(float)
RIGOR_INSTANTIATE(double)
#undef RIGOR_INSTANTIATE

} // namespace rigor
