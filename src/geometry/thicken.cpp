// Thickening: makes a solid from an open mesh (a sheet).
//
// Every vertex becomes two, half of the thickness to either side along its normal, and walls close
// the boundary. Where faces meet at an angle the two are farther apart, so that the faces have the
// thickness that was asked for; at sharp folds at most twice as far.

#include <algorithm>
#include <cmath>

#include "geometry/mesh_topology.h"
#include "math/trig.h"

namespace rigor {
namespace {

constexpr double kSharpest = 0.5; // cosine of the angle between the normals of a vertex and a face

Vec3d normal_of(const TriangleSoup& soup, std::size_t triangle) {
    const auto [a, b, c] = soup.triangles[triangle];
    return normalize(
        cross(soup.vertices[b] - soup.vertices[a], soup.vertices[c] - soup.vertices[a]));
}

/// The angle at a corner of a triangle: normals weighted with it do not depend on how a face is
/// divided into triangles.
double angle_at(const TriangleSoup& soup, std::size_t triangle, std::size_t corner) {
    const auto& t = soup.triangles[triangle];
    const Vec3d at = soup.vertices[t[corner]];
    const Vec3d u = soup.vertices[t[(corner + 1) % 3]] - at,
                v = soup.vertices[t[(corner + 2) % 3]] - at;
    return atan2(length(cross(u, v)), dot(u, v));
}

/// From the sheet to its front, for each vertex.
std::vector<Vec3d> offsets_of(const TriangleSoup& soup, double half) {
    std::vector<Vec3d> offsets(soup.vertices.size());
    for (std::size_t t = 0; t < soup.triangles.size(); ++t)
        for (std::size_t i = 0; i < 3; ++i)
            offsets[soup.triangles[t][i]] += normal_of(soup, t) * angle_at(soup, t, i);
    for (Vec3d& offset : offsets) offset = normalize(offset);
    std::vector<double> least(soup.vertices.size(), 1);
    for (std::size_t t = 0; t < soup.triangles.size(); ++t)
        for (const std::uint32_t v : soup.triangles[t])
            least[v] = std::min(least[v], dot(normal_of(soup, t), offsets[v]));
    for (std::size_t v = 0; v < offsets.size(); ++v)
        offsets[v] = offsets[v] * (half / std::max(least[v], kSharpest));
    return offsets;
}

Error refuse(const std::string& why) {
    return {ErrorCode::invalid_value, "", "cannot be given: " + why};
}

} // namespace

Result<TriangleSoup> thicken(const TriangleSoup& sheet, double thickness) {
    if (!(thickness > 0) || !std::isfinite(thickness))
        return Error{ErrorCode::invalid_value, "", "a thickness must be positive"};
    const Result<MeshTopology> built = build_topology(weld(sheet));
    if (!built) return built.error();
    const MeshReport& report = built->report;
    if (report.closed) return refuse("the mesh is closed, which makes it a solid already");
    if (!report.orientable) return refuse("the mesh has one side only, like a Moebius strip");
    if (report.non_manifold_edges > 0 || report.non_manifold_vertices > 0)
        return refuse("some of its edges or vertices join more than two faces");

    const TriangleSoup& soup = built->soup;
    const std::vector<Vec3d> offsets = offsets_of(soup, thickness / 2);
    const auto count = static_cast<std::uint32_t>(soup.vertices.size());
    TriangleSoup solid;
    for (std::uint32_t v = 0; v < count; ++v)
        solid.vertices.push_back(soup.vertices[v] + offsets[v]);
    for (std::uint32_t v = 0; v < count; ++v)
        solid.vertices.push_back(soup.vertices[v] - offsets[v]);
    for (const auto& [a, b, c] : soup.triangles) {
        solid.triangles.push_back({a, b, c});
        solid.triangles.push_back({a + count, c + count, b + count});
    }
    for (std::uint32_t h = 0; h < built->mates.size(); ++h) {
        if (built->mates[h] != kNone) continue;
        const std::uint32_t a = soup.triangles[triangle_of(h)][h % 3],
                            b = soup.triangles[triangle_of(h)][next_half_edge(h) % 3];
        solid.triangles.push_back({b, a, a + count});
        solid.triangles.push_back({b, a + count, b + count});
    }
    return solid;
}

} // namespace rigor
