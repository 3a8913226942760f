#include "geometry/swept_extent.h"

#include <algorithm>

#include "geometry/surface_speed.h"

namespace rigor {
namespace {

template <class Solid>
bool is_height_field(const Solid&) {
    return false;
}
template <class S>
bool is_height_field(const HeightField<S>&) {
    return true;
}
template <class S>
bool is_height_field(const Compound<S>& compound) {
    return std::any_of(compound.children.begin(), compound.children.end(), [](const auto& child) {
        return std::visit([](const auto& held) { return is_height_field(solid_of(held)); },
                          child.shape);
    });
}

/// Of the solid: the ground of a height field has no end, unlike its surface.
template <class S>
S solid_radius(const Shape<S>& shape, const Vec3<S>& center) {
    const bool endless =
        visit_solid(shape, [](const auto& solid) { return is_height_field(solid); });
    return endless ? Aabb<S>::kInfinity : bounding_radius(shape, center);
}

} // namespace

template <class S>
SweptSolid<S>::SweptSolid(const Shape<S>& shape, const Motion<S>& motion)
    : shape_(shape),
      first_(motion.start),
      last_(pose_at(motion, S(1))),
      center_(transform(motion.start, motion.local_center)),
      displacement_(motion.displacement),
      angle_(length(motion.rotation)),
      radius_(solid_radius(shape, motion.local_center)) {
    if (angle_ == S(0) || !is_bounded()) return;
    axis_ = motion.rotation / angle_;
    axis_radius_ = axis_radius(shape, motion.local_center, inverse_rotate(motion.start.q, axis_));
    const Extent<S> along_axis = at(first_, axis_);
    const S middle = dot(center_, axis_);
    axial_ = {along_axis.lo - middle, along_axis.hi - middle};
}

template <class S>
Extent<S> SweptSolid<S>::at(const Pose<S>& pose, const Vec3<S>& direction) const {
    const Vec3<S> local = inverse_rotate(pose.q, direction);
    const S origin = dot(pose.p, direction);
    return {origin + dot(support(shape_, -local), local),
            origin + dot(support(shape_, local), local)};
}

template <class S>
Extent<S> SweptSolid<S>::along(const Vec3<S>& direction) const {
    if (!is_bounded()) return {-Aabb<S>::kInfinity, Aabb<S>::kInfinity};
    const Extent<S> a = at(first_, direction), b = at(last_, direction);
    Extent<S> extent{std::min(a.lo, b.lo), std::max(a.hi, b.hi)};
    const S from = dot(center_, direction), to = from + dot(displacement_, direction);
    const S low = std::min(from, to), high = std::max(from, to);
    constexpr S kEps = std::numeric_limits<S>::epsilon();
    if (angle_ > S(0)) {
        const S cosine = dot(axis_, direction);
        // Rounding makes the sine of nearly parallel directions too small by the root of epsilon.
        const S sine = std::sqrt(std::max(S(0), S(1) - cosine * cosine) + S(8) * kEps);
        const S bend = axis_radius_ * angle_ * angle_ * S(0.125) * sine;
        const S ring = axis_radius_ * sine;
        const S axial_low = std::min(cosine * axial_.lo, cosine * axial_.hi);
        const S axial_high = std::max(cosine * axial_.lo, cosine * axial_.hi);
        extent.lo = std::max({extent.lo - bend, low + axial_low - ring, low - radius_});
        extent.hi = std::min({extent.hi + bend, high + axial_high + ring, high + radius_});
    }
    const S size = std::max(std::abs(low), std::abs(high)) + radius_ + length(first_.p);
    const S rounding = S(16) * kEps * size;
    return {extent.lo - rounding, extent.hi + rounding};
}

template class SweptSolid<float>;
template class SweptSolid<double>;

} // namespace rigor
