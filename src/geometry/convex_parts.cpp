// Convex parts of shapes for callers of the public API: hulls, half spaces and masses.

#include "geometry/decompose.h"
#include "geometry/hull_builder.h"
#include "geometry/hull_cache.h"
#include "geometry/mass_properties.h"
#include "geometry/shape.h"
#include "math/trig.h"
#include "rigor/convex.h"

namespace rigor {
namespace {

// Around the axis of a cylinder or cone, and of a sphere from pole to pole. The volume of the
// inscribed solids is 2.6 % and 7 % too small.
constexpr int kSectors = 16;
constexpr int kRings = 8;
constexpr double kConcavity = 0.05;

Vec3d direction_at(double azimuth, double height) {
    const double r = std::sqrt(std::max(0.0, 1 - height * height));
    return {r * cos(azimuth), r * sin(azimuth), height};
}

double azimuth_of(int sector) {
    return 2 * kPi<double> * sector / kSectors;
}

// The support points in directions all around, which lie on the surface.
template <class Solid>
std::vector<Vec3d> sample(const Solid& solid) {
    std::vector<Vec3d> points;
    const auto add = [&](const Vec3d& direction) { points.push_back(support(solid, direction)); };
    add({0, 0, 1}), add({0, 0, -1});
    for (int ring = 1; ring < kRings; ++ring) {
        const double height = cos(kPi<double> * ring / kRings);
        for (int i = 0; i < kSectors; ++i) add(direction_at(azimuth_of(i), height));
    }
    return points;
}

void add_circle(double radius, double height, std::vector<Vec3d>& points) {
    for (int i = 0; i < kSectors; ++i)
        points.push_back(direction_at(azimuth_of(i), 0) * radius + Vec3d{0, 0, height});
}

std::vector<Vec3d> surface_points(const Sphere<double>& sphere) {
    return sample(sphere);
}

// A cylinder of hemispheres: the circle where they begin is given twice, at both ends.
std::vector<Vec3d> surface_points(const Capsule<double>& capsule) {
    std::vector<Vec3d> points = sample(capsule);
    for (const Vec3d& p : sample(capsule)) points.push_back({p.x, p.y, -p.z});
    return points;
}

std::vector<Vec3d> surface_points(const Box<double>& box) {
    if (box.rounding > 0) return sample(box);
    std::vector<Vec3d> points;
    for (const double x : {-1.0, 1.0})
        for (const double y : {-1.0, 1.0})
            for (const double z : {-1.0, 1.0}) points.push_back(multiply(box.half, Vec3d{x, y, z}));
    return points;
}

std::vector<Vec3d> surface_points(const Cylinder<double>& cylinder) {
    if (cylinder.rounding > 0) return sample(cylinder);
    std::vector<Vec3d> points;
    add_circle(cylinder.radius, -cylinder.half_height, points);
    add_circle(cylinder.radius, cylinder.half_height, points);
    return points;
}

std::vector<Vec3d> surface_points(const Cone<double>& cone) {
    if (cone.rounding > 0) return sample(cone);
    std::vector<Vec3d> points{{0, 0, cone.apex}};
    add_circle(cone.radius, cone.base, points);
    return points;
}

std::vector<Vec3d> surface_points(const Hull<double>& hull) {
    return hull.rounding > 0 ? sample(hull) : hull.vertices;
}

Result<void> add_part(const std::vector<Vec3d>& points, const Posed& pose,
                      std::vector<ConvexPart>& parts) {
    const Result<Hull<double>> hull = make_hull(points);
    if (!hull) return hull.error();
    ConvexPart part;
    for (const Vec3d& p : hull->vertices) part.points.push_back(transform(pose, p));
    for (const HullFace<double>& face : hull->faces) {
        const Vec3d normal = rotate(pose.q, face.plane.normal);
        part.planes.push_back({normal, face.plane.offset + dot(normal, pose.p)});
    }
    part.volume = volume(Shape<double>{std::make_shared<const Hull<double>>(*hull)});
    parts.push_back(std::move(part));
    return {};
}

Result<std::vector<ConvexPart>> parts_of_mesh(const MeshDef& mesh, const Posed& pose) {
    const auto pieces = shared_pieces(mesh.soup, mesh.concavity.value_or(kConcavity));
    if (!pieces) return pieces.error();
    std::vector<ConvexPart> parts;
    for (const auto& piece : **pieces)
        if (auto added = add_part(piece->vertices, pose, parts); !added) return added.error();
    return parts;
}

Error no_convex_parts(const char* what) {
    return {ErrorCode::unsupported, "", std::string("a ") + what + " has no convex parts"};
}

void collect_leaves(const ShapeDef& shape, const Posed& pose, bool in_sensor,
                    std::vector<ShapeDef>& leaves) {
    const bool sensor = in_sensor || shape.sensor;
    if (const auto* compound = std::get_if<CompoundDef>(&shape.geometry)) {
        for (const ShapeDef& child : compound->shapes)
            collect_leaves(child, pose * Posed{child.position, normalize(child.orientation)},
                           sensor, leaves);
        return;
    }
    leaves.push_back(shape);
    leaves.back().position = pose.p;
    leaves.back().orientation = pose.q;
    leaves.back().sensor = sensor;
}

} // namespace

Result<BuiltHull> build_hull(std::vector<Vec3d> points) {
    const Result<std::shared_ptr<const Hull<double>>> hull = shared_hull(points);
    if (!hull) return hull.error();
    return BuiltHull{{std::move(points)}, *hull};
}

Result<std::vector<ConvexPart>> convex_parts(const ShapeDef& def) {
    const Result<Shape<double>> shape = make_shape(def);
    if (!shape) return shape.error();
    const Posed pose{def.position, normalize(def.orientation)};
    if (const auto* mesh = std::get_if<MeshDef>(&def.geometry)) return parts_of_mesh(*mesh, pose);
    return visit_solid(*shape, [&](const auto& solid) -> Result<std::vector<ConvexPart>> {
        if constexpr (requires { surface_points(solid); }) {
            std::vector<ConvexPart> parts;
            if (auto added = add_part(surface_points(solid), pose, parts); !added)
                return added.error();
            return parts;
        } else {
            return no_convex_parts(name(*shape));
        }
    });
}

Result<MassProperties> shape_mass(const ShapeDef& def) {
    const Result<Shape<double>> shape = make_shape(def);
    if (!shape) return shape.error();
    const Result<MassProperties> mass = mass_properties(*shape, def.material.density, def.hollow);
    if (!mass) return mass.error();
    return transform({def.position, normalize(def.orientation)}, *mass);
}

std::vector<ShapeDef> leaf_shapes(const ShapeDef& shape) {
    std::vector<ShapeDef> leaves;
    collect_leaves(shape, {shape.position, normalize(shape.orientation)}, false, leaves);
    return leaves;
}

} // namespace rigor
