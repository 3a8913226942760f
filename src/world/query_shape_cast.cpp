// Shape cast: the first hit of a shape that translates along a line.

#include "collide/shape_cast.h"
#include "world/arguments.h"
#include "world/query_scope.h"
#include "world/world_impl.h"

namespace rigor {
namespace {

/// A validated moving shape.
struct MovingShape {
    Shape<double> shape;
    Posed pose;
    Vec3d displacement;
    double largest_coordinate; ///< of the rounding error, relative to the displacement

    double searched(double fraction) const { return add_tie_margin(fraction, largest_coordinate); }

    // Always cast over the whole displacement: over a shorter one the result is the same but for
    // rounding, and would reveal the order in which the boxes were found.
    std::optional<CastHit<double>> hit_of(const PlacedShape& s) const {
        return shape_cast(shape, s.geometry, relative_pose<double>(s.pose, pose),
                          inverse_rotate(s.pose.q, displacement), 1.0);
    }
};

// A shape of a world has either children, the pieces of a mesh, or triangles. That of a convex
// mesh, whose hull was hit, is the one at the point.
std::uint32_t feature_of(const PlacedShape& s, const CastHit<double>& hit) {
    const auto* mesh = std::get_if<std::shared_ptr<const TriangleMesh<double>>>(&s.geometry.solid);
    if (mesh && (*mesh)->hull) return closest_point(**mesh, hit.point).feature;
    return std::max(hit.part_b.child, hit.part_b.triangle);
}

ShapeCastHit shape_cast_hit(const PlacedShape& s, const CastHit<double>& hit) {
    return {shape_hit(s),
            transform(s.pose, hit.point),
            rotate(s.pose.q, hit.normal),
            hit.t,
            feature_of(s, hit),
            hit.part_a.child,
            hit.initial_overlap};
}

std::optional<ShapeCastHit> first_hit(const QueryScope& scope, const MovingShape& moving) {
    const PlacedShape* nearest = nullptr;
    CastHit<double> best;
    double searched = moving.searched(1);
    const BoxCast cast{add_tie_margin(solid_bounds(moving.shape, moving.pose)), moving.displacement,
                       searched};
    scope.shapes().cast(cast, scope.mask(), [&](const PlacedShape& s) {
        if (!scope.admits(s)) return searched;
        const auto hit = moving.hit_of(s);
        if (!hit) return searched;
        const bool earlier =
            !nearest || hit->t < best.t || (hit->t == best.t && shape_hit(s) < shape_hit(*nearest));
        if (!earlier || !scope.accepts(s)) return searched;
        nearest = &s;
        best = *hit;
        return searched = moving.searched(best.t);
    });
    if (!nearest) return {};
    return shape_cast_hit(*nearest, best);
}

} // namespace

Result<std::optional<ShapeCastHit>> World::cast_shape(const ShapeDef& def, const Posed& pose,
                                                      const Vec3d& displacement,
                                                      const QueryFilter& filter) const {
    const Posed frame = pose_or_throw(pose);
    require_finite(displacement, "displacement");
    Result<Shape<double>> shape = make_shape(def);
    if (!shape) return shape.error();
    const Posed placed = frame * Posed{def.position, normalize(def.orientation)};
    const double path_length = max_component(abs(displacement));
    const double share = path_length > 0 ? max_component(abs(placed.p)) / path_length : 0;
    return first_hit({impl_->shape_proxies(), filter},
                     {std::move(*shape), placed, displacement, share});
}

} // namespace rigor
