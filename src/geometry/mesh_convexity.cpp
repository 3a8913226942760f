#include "geometry/mesh_convexity.h"

#include <cmath>

#include "geometry/hull_cache.h"
#include "geometry/mesh.h"
#include "geometry/shape.h"

namespace rigor {
namespace {

using MeshD = TriangleMesh<double>;

constexpr double kDent = 1e-6;            // of the extent: allowed depth below the hull
constexpr double kDentOfThickness = 1e-3; // of the inner radius: thin plates keep their dents

// Whether the apexes p and q of two triangles with the common edge from a to b see each other
// outside the surface, over the edge and farther from it than `dent`.
bool is_dented(const Vec3d& a, const Vec3d& b, const Vec3d& p, const Vec3d& q, double dent) {
    const Vec3d edge = b - a, bridge = q - p, across = cross(edge, bridge), gap = p - a;
    const double sine_squared = length_squared(across);
    if (!(sine_squared > 0)) return false;
    // Positive where the bridge passes outside, seen from where a, b, p run counterclockwise.
    const double height = -dot(gap, across) / std::sqrt(sine_squared);
    if (!(height > dent)) return false;
    const double s = dot(cross(gap, bridge), across), t = dot(cross(gap, edge), across);
    return s > 0 && s < sine_squared && t > 0 && t < sine_squared;
}

bool has_dented_edge(const MeshD& mesh, double dent) {
    for (std::uint32_t h = 0; h < mesh.mates.size(); ++h) {
        const std::uint32_t mate = mesh.mates[h];
        if (mate == kNone) return true;
        if (mate < h) continue;
        const auto vertex = [&](std::uint32_t half_edge) {
            return mesh.vertices[mesh.triangles[triangle_of(half_edge)][half_edge % 3]];
        };
        if (is_dented(vertex(h), vertex(next_half_edge(h)), vertex(previous_half_edge(h)),
                      vertex(previous_half_edge(mate)), dent))
            return true;
    }
    return false;
}

/// Finds the face of a hull nearest to a point inside.
class NearestFace {
  public:
    explicit NearestFace(const Hull<double>& hull) : hull_(hull) {}

    // An upper bound of the depth: by the faces around the vertex farthest along the direction, and
    // then always on to a nearer neighbor.
    double depth_along(const Vec3d& point, const Vec3d& direction) const {
        const std::uint32_t start = hull_.outgoing[support_vertex(hull_, direction)];
        std::uint32_t face = hull_.half_edges[start].face;
        double least = depth(face, point);
        const auto improve = [&](std::uint32_t other) {
            const double d = depth(other, point);
            if (!(d < least)) return false;
            least = d;
            face = other;
            return true;
        };
        for (std::uint32_t h = hull_.next(hull_.half_edges[start].twin); h != start;
             h = hull_.next(hull_.half_edges[h].twin))
            improve(hull_.half_edges[h].face);
        for (bool nearer = true; nearer;) {
            nearer = false;
            const HullFace<double>& from = hull_.faces[face];
            for (std::uint32_t h = from.first; h < from.first + from.count; ++h)
                nearer |= improve(hull_.half_edges[hull_.half_edges[h].twin].face);
        }
        return least;
    }

    double depth_of(const Vec3d& point) const {
        double least = depth(0, point);
        for (std::uint32_t f = 1; f < hull_.faces.size(); ++f)
            least = std::min(least, depth(f, point));
        return least;
    }

  private:
    double depth(std::uint32_t face, const Vec3d& point) const {
        return -height_over(hull_.faces[face].plane, point);
    }

    const Hull<double>& hull_;
};

// The depth below a hull is a concave function, so that at the centroid of a triangle is at least a
// third of the greatest.
bool lies_on(const MeshD& mesh, const Hull<double>& hull, double dent) {
    const NearestFace nearest(hull);
    for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
        const Triangle<double> triangle = triangle_at(mesh, t);
        const Vec3d centroid = (triangle.a + triangle.b + triangle.c) / 3.0;
        if (nearest.depth_along(centroid, area_vector(triangle)) > dent &&
            nearest.depth_of(centroid) > dent)
            return false;
    }
    return true;
}

} // namespace

std::shared_ptr<const Hull<double>> hull_if_convex(const MeshD& mesh) {
    if (!mesh.closed || mesh.unit_mass.no_solid) return {};
    double dent = kDent * max_component(mesh.box.hi - mesh.box.lo);
    if (has_dented_edge(mesh, 4 * dent)) return {};
    const auto hull = shared_hull(mesh.vertices);
    if (!hull) return {};
    dent = std::min(dent, kDentOfThickness * (*hull)->inner_radius);
    if (!lies_on(mesh, **hull, dent)) return {};
    // A surface that covers the hull twice, or that folds back on itself, is another solid.
    const double difference = volume(Shape<double>{*hull}) - mesh.unit_mass.solid.mass;
    if (std::abs(difference) > 4 * dent * mesh.unit_mass.skin.mass) return {};
    return *hull;
}

} // namespace rigor
