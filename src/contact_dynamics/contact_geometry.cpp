#include "contact_dynamics/contact_geometry.h"

#include "rigor/rotation.h"

namespace rigor::contact_dynamics {
namespace {

Vec3d constant(const Vec3d& v, const double&) {
    return v;
}
Vec3dual constant(const Vec3d& v, const Dual&) {
    return moving(v, {});
}

template <class F>
Vec3<F> unit(const Vec3<F>& v, const Vec3<F>& if_zero) {
    using std::sqrt;
    const F size = sqrt(dot(v, v));
    return size > F(0) ? v * (F(1) / size) : if_zero;
}

/// A feature in the world.
template <class F>
struct WorldFeature {
    Vec3<F> p, d;
    double radius = 0, rim_radius = 0;
};

template <class F>
WorldFeature<F> in_world(const BodyFeature& feature, const Pose<F>& pose) {
    return {transform(pose, constant(feature.p, F{})), rotate(pose.q, constant(feature.d, F{})),
            feature.radius, feature.rim_radius};
}

/// Two points with balls around them.
template <class F>
ClosestPoints<F> between_points(const Vec3<F>& a, double radius_a, const Vec3<F>& b,
                                double radius_b, const Vec3<F>& side) {
    using std::sqrt;
    const Vec3<F> offset = b - a;
    const F distance = sqrt(dot(offset, offset));
    const Vec3<F> n = distance > F(0) ? offset * (F(1) / distance) : side;
    const F gap = distance - F(radius_a) - F(radius_b);
    return {n, a + n * (F(radius_a) + gap * F(0.5)), gap};
}

/// The point of a line that is nearest to a point.
template <class F>
Vec3<F> closest_point_on_line(const WorldFeature<F>& line, const Vec3<F>& p) {
    return line.p + line.d * (dot(p - line.p, line.d) / dot(line.d, line.d));
}

/// The lowest point of a rim, seen against a normal.
template <class F>
Vec3<F> lowest(const WorldFeature<F>& rim, const Vec3<F>& up) {
    const Vec3<F> across = rim.d * dot(up, rim.d) - up;
    return rim.p + unit(across, {}) * F(rim.rim_radius);
}

/// What is over a plane; `up` is the plane's normal.
template <class F>
ClosestPoints<F> over_plane(const Vec3<F>& p, double radius, const WorldFeature<F>& plane) {
    const F gap = dot(plane.d, p - plane.p) - F(radius);
    return {-plane.d, p - plane.d * (F(radius) + gap * F(0.5)), gap};
}

template <class F>
ClosestPoints<F> between_lines(const WorldFeature<F>& a, const WorldFeature<F>& b,
                               const Vec3<F>& side) {
    Vec3<F> n = unit(cross(a.d, b.d), side);
    if (dot(n, side) < F(0)) n = -n;
    const Vec3<F> offset = b.p - a.p;
    const F gap = dot(n, offset) - F(a.radius) - F(b.radius);
    // On the line of a, where that of b crosses it.
    const Vec3<F> m = cross(b.d, n);
    const F slant = dot(a.d, m);
    const bool is_parallel = !(slant < F(0)) && !(slant > F(0));
    const Vec3<F> on_a = is_parallel ? a.p : a.p + a.d * (dot(offset, m) / slant);
    return {n, on_a + n * (F(a.radius) + gap * F(0.5)), gap};
}

template <class F>
ClosestPoints<F> swapped_sides(const ClosestPoints<F>& x) {
    return {-x.normal, x.point, x.gap};
}

/// Planes come second, and lines before points.
template <class F>
ClosestPoints<F> closest_in_order(FeatureForm form_a, const WorldFeature<F>& a, FeatureForm form_b,
                                  const WorldFeature<F>& b, const Vec3<F>& side) {
    if (form_b == FeatureForm::plane)
        return over_plane(form_a == FeatureForm::rim ? lowest(a, b.d) : a.p, a.radius, b);
    if (form_a == FeatureForm::line && form_b == FeatureForm::line)
        return between_lines(a, b, side);
    const Vec3<F> on_a = form_a == FeatureForm::line ? closest_point_on_line(a, b.p) : a.p;
    return between_points(on_a, a.radius, b.p, b.radius, side);
}

/// The convex piece that a contact is on.
struct ConvexPart {
    Posed in_body;
    double radius = 0;          ///< of the ball around its core
    double rim_radius = 0;      ///< of a cylinder or cone
    double top = 0, bottom = 0; ///< heights of its rims
    bool is_ball = false, is_cylinder = false, is_cone = false;
};

void describe_solid(const auto&, ConvexPart&) {}
void describe_solid(const Sphere<double>& s, ConvexPart& part) {
    part.radius = s.radius;
    part.is_ball = true; // whatever the feature is called, it is a point
}
void describe_solid(const Capsule<double>& s, ConvexPart& part) {
    part.radius = s.radius;
}
void describe_solid(const Box<double>& s, ConvexPart& part) {
    part.radius = s.rounding;
}
void describe_solid(const Hull<double>& s, ConvexPart& part) {
    part.radius = s.rounding;
}
void describe_solid(const Cylinder<double>& s, ConvexPart& part) {
    part.radius = s.rounding;
    part.rim_radius = s.radius;
    part.top = s.half_height;
    part.bottom = -s.half_height;
    part.is_cylinder = true;
}
void describe_solid(const Cone<double>& s, ConvexPart& part) {
    part.radius = s.rounding;
    part.rim_radius = s.radius;
    part.top = part.bottom = s.base;
    part.is_cone = true;
}

ConvexPart convex_part_of(const ContactShape& place, const ShapePart& which) {
    ConvexPart part{place.in_body};
    using Shared = std::shared_ptr<const Compound<double>>;
    if (const Shared* compound = std::get_if<Shared>(&place.shape->solid)) {
        const CompoundChild<double>& child = (*compound)->children[which.child];
        part.in_body = place.in_body * child.pose;
        std::visit([&](const auto& held) { describe_solid(solid_of(held), part); }, child.shape);
    } else {
        visit_solid(*place.shape, [&](const auto& solid) { describe_solid(solid, part); });
    }
    return part;
}

constexpr double kParallel = 1e-6; // the sine below which directions count as parallel

/// Whether a point of the core, in its frame, is at the height of a rim.
bool is_at_rim(const ConvexPart& part, const Vec3d& local, bool top) {
    const double near = 1e-9 * (part.rim_radius + std::abs(part.top));
    return std::abs(local.z - (top ? part.top : part.bottom)) <= near;
}

/// The curved forms of a cylinder or cone at a point of its core, if it has one there. `normal` is
/// the contact's, in the body.
bool find_curved_feature(const ConvexPart& part, const Vec3d& core_point, const Vec3d& normal,
                         bool on_plane, BodyFeature& feature) {
    if (!part.is_cylinder && !part.is_cone) return false;
    const Vec3d axis = rotate(part.in_body.q, Vec3d{0, 0, 1});
    if (length(cross(axis, normal)) < kParallel) return false;
    const Vec3d local = inverse_transform(part.in_body, core_point);
    const double near = 1e-9 * (part.rim_radius + std::abs(part.top));
    const double across = std::sqrt(local.x * local.x + local.y * local.y);
    if (std::abs(across - part.rim_radius) > near) return false;
    const bool at_top = is_at_rim(part, local, true);
    if (at_top || is_at_rim(part, local, false)) {
        if (!on_plane) return false;
        const Vec3d center{0, 0, at_top ? part.top : part.bottom};
        feature = {FeatureForm::rim, transform(part.in_body, center), axis, part.radius,
                   part.rim_radius};
        return true;
    }
    if (!part.is_cylinder || on_plane) return false;
    feature = {FeatureForm::line, part.in_body.p, axis, part.rim_radius + part.radius, 0};
    return true;
}

/// One side of a contact, in its body.
struct ContactFeatureSide {
    ConvexPart part;
    Feature feature;
    Vec3d surface, normal; ///< the point there, and the normal out of the body
    Vec3d edge;            ///< of an edge, along it

    Vec3d core() const { return surface - normal * part.radius; }
};

BodyFeature point_form(const ContactFeatureSide& side, bool on_plane) {
    BodyFeature feature{FeatureForm::point, side.core(), {}, side.part.radius, 0};
    find_curved_feature(side.part, feature.p, side.normal, on_plane, feature);
    return feature;
}

/// A half-space has its own normal: the contact's was rotated to and fro, which rounds it.
BodyFeature plane_form(const ContactShape& place, const ContactFeatureSide& side) {
    const auto* plane = std::get_if<Plane<double>>(&place.shape->solid);
    const Vec3d normal = plane ? rotate(place.in_body.q, plane->normal) : side.normal;
    return {FeatureForm::plane, side.surface, normal, 0, 0};
}

/// Whether a contact is where the side of a cylinder or cone ends: the line along it goes no
/// farther.
bool is_end_of_side(const ContactFeatureSide& side) {
    if (!side.part.is_cylinder && !side.part.is_cone) return false;
    const Vec3d local = inverse_transform(side.part.in_body, side.core());
    return is_at_rim(side.part, local, true) || is_at_rim(side.part, local, false);
}

BodyFeature round_form(const ContactFeatureSide& side) {
    BodyFeature feature = point_form(side, false);
    const bool is_edge = side.feature.kind() == FeatureKind::edge && !side.part.is_ball;
    if (feature.form == FeatureForm::point && is_edge && !is_end_of_side(side)) {
        feature.form = FeatureForm::line;
        feature.d = side.edge;
    }
    return feature;
}

/// Of two round features, or two edges that cross. Nothing where their normal is not determined
/// by them: sharp vertices, edges in parallel.
bool is_well_defined(const ContactGeometry& g, const Vec3d& edge_b_in_a) {
    const bool lines = g.a.form == FeatureForm::line && g.b.form == FeatureForm::line;
    if (lines) return length(cross(g.a.d, edge_b_in_a)) > 1e-3;
    return g.a.radius + g.b.radius > 0;
}

/// Two shapes and a point of their manifold.
struct ShapesAtPoint {
    const ContactShape &a, &b;
    const Posed& b_in_a;
    const Manifold<double>& manifold;
    const ContactPoint<double>& point;

    /// By how much a direction of a's shape parts the two solids.
    double separation_along(const Vec3d& direction) const {
        const double top = reach(*a.shape, manifold.part_a, point.feature_a, direction);
        const Vec3d down = -inverse_rotate(b_in_a.q, direction);
        const double depth = reach(*b.shape, manifold.part_b, point.feature_b, down);
        return dot(direction, b_in_a.p) - depth - top;
    }

    /// The normal of the manifold, across the edges that touch if this parts the solids better: a
    /// direction between points 1e-12 m apart is rounded, and tilts along the edges.
    Vec3d normal_across(std::initializer_list<Vec3d> edges) const {
        Vec3d normal = manifold.normal;
        for (const Vec3d& edge : edges) {
            const Vec3d across = normalize(normal - edge * dot(normal, edge));
            if (across != Vec3d{} && separation_along(across) > separation_along(normal))
                normal = across;
        }
        return normal;
    }
};

/// The center of the body that the contact is next to: a plane may be far from its body.
Vec3d origin_of(const ContactGeometry& geometry, const Vec3d& a, const Vec3d& b) {
    return geometry.a.form == FeatureForm::plane ? b : a;
}

Pose<Dual> moving_pose(const BodyKinematics& body, const Vec3d& x) {
    const Quatd turn = derivative(body.q, body.w);
    const Quatd& q = body.q;
    return {moving(x, body.v), {{q.w, turn.w}, {q.x, turn.x}, {q.y, turn.y}, {q.z, turn.z}}};
}

} // namespace

template <class F>
ClosestPoints<F> closest_points(const ContactGeometry& g, const Pose<F>& pose_a,
                                const Pose<F>& pose_b) {
    const WorldFeature<F> a = in_world(g.a, pose_a), b = in_world(g.b, pose_b);
    const Vec3<F> side = rotate(pose_a.q, constant(g.side, F{}));
    const bool swap = g.a.form == FeatureForm::plane ||
                      (g.a.form == FeatureForm::point && g.b.form == FeatureForm::line);
    if (swap) return swapped_sides(closest_in_order(g.b.form, b, g.a.form, a, -side));
    return closest_in_order(g.a.form, a, g.b.form, b, side);
}

ClosestPoints<double> closest_points_in_world(const ContactGeometry& geometry, const Posed& a,
                                              const Posed& b) {
    const Vec3d origin = origin_of(geometry, a.p, b.p);
    ClosestPoints<double> found =
        closest_points<double>(geometry, {a.p - origin, a.q}, {b.p - origin, b.q});
    found.point += origin;
    return found;
}

template ClosestPoints<double> closest_points(const ContactGeometry&, const Posed&, const Posed&);
template ClosestPoints<Dual> closest_points(const ContactGeometry&, const Pose<Dual>&,
                                            const Pose<Dual>&);

ContactGeometry make_geometry(const ContactShape& a, const ContactShape& b, const Posed& b_in_a,
                              const Manifold<double>& manifold, int i) {
    const ContactPoint<double>& point = manifold.points[static_cast<std::size_t>(i)];
    const Vec3d on_b = inverse_transform(b_in_a, point_b(manifold, i));
    ContactFeatureSide side_a{convex_part_of(a, manifold.part_a),
                              point.feature_a,
                              transform(a.in_body, point.point_a),
                              rotate(a.in_body.q, manifold.normal),
                              {}};
    ContactFeatureSide side_b{convex_part_of(b, manifold.part_b),
                              point.feature_b,
                              transform(b.in_body, on_b),
                              rotate(b.in_body.q, inverse_rotate(b_in_a.q, -manifold.normal)),
                              {}};
    if (point.feature_b.kind() == FeatureKind::face)
        return {point_form(side_a, true), plane_form(b, side_b), {}};
    if (point.feature_a.kind() == FeatureKind::face)
        return {plane_form(a, side_a), point_form(side_b, true), {}};

    const Vec3d edge_a = edge_direction(*a.shape, manifold.part_a, point.feature_a, point.point_a);
    const Vec3d edge_b = edge_direction(*b.shape, manifold.part_b, point.feature_b, on_b);
    side_a.edge = rotate(a.in_body.q, edge_a);
    side_b.edge = rotate(b.in_body.q, edge_b);
    const ContactGeometry round{round_form(side_a), round_form(side_b), side_a.normal};
    const Posed there = a.in_body * b_in_a * inverse(b.in_body);
    const ShapesAtPoint solids{a, b, b_in_a, manifold, point};
    if (is_well_defined(round, rotate(there.q, round.b.d))) {
        const ClosestPoints<double> now = closest_points<double>(round, {}, there);
        const Vec3d normal = inverse_rotate(a.in_body.q, now.normal);
        // Edges that nearly lie along each other touch at their ends, and cross elsewhere. Where
        // edges end at one another, as at the ridge of two cards that lean on each other, the
        // direction across both may run through the solids.
        constexpr double kSameGap = 1e-9; // m
        if (std::abs(now.gap - point.separation) < kSameGap &&
            solids.separation_along(normal) > now.gap - kSameGap)
            return round;
    }
    const Vec3d normal = solids.normal_across({edge_a, rotate(b_in_a.q, edge_b)});
    side_a.normal = rotate(a.in_body.q, normal);
    side_b.normal = rotate(b.in_body.q, inverse_rotate(b_in_a.q, -normal));
    return {point_form(side_a, true), plane_form(b, side_b), {}};
}

Vec3d normal_rate(const ContactGeometry& geometry, const BodyKinematics& a, const BodyKinematics& b,
                  const Vec3d& image) {
    const Vec3d x = b.x + image, origin = origin_of(geometry, a.x, x);
    const ClosestPoints<Dual> now =
        closest_points(geometry, moving_pose(a, a.x - origin), moving_pose(b, x - origin));
    return rate_of(now.normal);
}

ContactFrame frame_of(const ContactGeometry& geometry, const BodyKinematics& a,
                      const BodyKinematics& b, const Vec3d& image) {
    const Vec3d x = b.x + image, origin = origin_of(geometry, a.x, x);
    const Pose<Dual> pose_a = moving_pose(a, a.x - origin), pose_b = moving_pose(b, x - origin);
    const ClosestPoints<Dual> now = closest_points(geometry, pose_a, pose_b);
    const auto velocity = [&](const BodyKinematics& body, const Pose<Dual>& at) {
        return moving(body.v, {}) + cross(moving(body.w, {}), now.point - at.p);
    };
    const Vec3dual u = velocity(b, pose_b) - velocity(a, pose_a);

    ContactFrame frame;
    frame.normal = value_of(now.normal);
    frame.tangent_1 = perpendicular(frame.normal);
    frame.tangent_2 = cross(frame.normal, frame.tangent_1);
    frame.point = origin + value_of(now.point);
    frame.arm_a = value_of(now.point) - value_of(pose_a.p);
    frame.arm_b = value_of(now.point) - value_of(pose_b.p);
    frame.gap = now.gap.value;
    // Of what slips not at all only the tangents of now matter: they do not turn here.
    const Vec3d acceleration = rate_of(u);
    frame.bias_acceleration = {dot(frame.tangent_1, acceleration),
                               dot(frame.tangent_2, acceleration), dot(now.normal, u).rate};
    return frame;
}

} // namespace rigor::contact_dynamics
