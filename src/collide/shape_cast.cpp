#include "collide/shape_cast.h"

#include "collide/time_of_impact_search.h"

namespace rigor {
namespace {

/// Upper bound of t: where the moving shape has passed the target. Where neither that nor max_t is
/// finite, ten thousand times the distance of the two frames.
template <class S>
S last_t(const Shape<S>& moving, const Shape<S>& target, const Vec3<S>& from, S path_length,
         S max_t) {
    if (!(path_length > S(0))) return S(0);
    const S away = length(from);
    const S radii = bounding_radius(moving, Vec3<S>{}) + bounding_radius(target, Vec3<S>{});
    const S last = std::min(max_t, (away + radii) * S(1.001) / path_length);
    return std::isfinite(last) ? last : S(1e4) * std::max(away, S(1)) / path_length;
}

} // namespace

template <class S>
std::optional<CastHit<S>> shape_cast(const Shape<S>& moving, const Shape<S>& target,
                                     const Pose<S>& moving_in_target, const Vec3<S>& displacement,
                                     S max_t) {
    if (!is_finite(moving_in_target) || !is_finite(displacement) || !(max_t >= S(0))) return {};
    const S scale = last_t(moving, target, moving_in_target.p, length(displacement), max_t);
    const Motion<S> still{};
    const Motion<S> motion{moving_in_target, {}, displacement * scale, {}};
    constexpr int kMaxIterations = 200;
    const ImpactGaps<S> gaps{S(0), S(0), false, true};
    const TimeOfImpact<S> impact =
        find_impact<S>(target, still, moving, motion, gaps, kMaxIterations, nullptr);
    if (impact.state == ToiStatus::apart) return {};
    const Distance<S>& d = impact.distance;
    const bool overlapping = impact.state == ToiStatus::overlapping;
    return CastHit<S>{impact.t * scale, d.point_a, d.normal, d.part_b, d.part_a, overlapping};
}

template std::optional<CastHit<float>> shape_cast(const Shape<float>&, const Shape<float>&,
                                                  const Pose<float>&, const Vec3<float>&, float);
template std::optional<CastHit<double>> shape_cast(const Shape<double>&, const Shape<double>&,
                                                   const Pose<double>&, const Vec3<double>&,
                                                   double);

} // namespace rigor
