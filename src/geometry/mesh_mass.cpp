// Mass properties of meshes by signed tetrahedra [Baber 2006, 3.2].
//
// Each triangle and a point near the solid span a tetrahedron, positive where the triangle faces
// away from the point and negative where it faces it; contributions outside the solid cancel, with
// any holes and cavities. The integrals are of polynomials, so the formulas are exact.
#include "geometry/mesh_mass.h"
#include "geometry/mesh_topology.h"
#include "geometry/moments.h"
#include "geometry/triangle.h"
#include "math/number_text.h"
#include "rigor/mesh.h"

namespace rigor {
namespace {

// With s = a + b + c, the second moments of both the triangle and the tetrahedron are a multiple of
// the sum of the outer squares of all vertices and of s:
//
//     tetrahedron 0abc, D = a·(b×c)   V = D/6,  ∫x = D/24 s,  ∫x xᵀ = D/120 (aaᵀ+bbᵀ+ccᵀ+ssᵀ)
//     triangle abc of area A              A,    ∫x = A/3 s,   ∫x xᵀ = A/12  (aaᵀ+bbᵀ+ccᵀ+ssᵀ)
//
// (∫p² over the unit tetrahedron is 2/120: the 1/24 in [Baber 2006] is a misprint.)
Moments over_tetrahedron(const Triangle<double>& t) {
    const double d = dot(t.a, cross(t.b, t.c));
    const Vec3d s = t.a + t.b + t.c;
    return {d / 6, s * (d / 24), (square(t.a) + square(t.b) + square(t.c) + square(s)) * (d / 120)};
}

// Pairwise summation, whose rounding error grows with the logarithm of the number of terms only
// [Higham 1993].
template <class Term>
Moments sum(std::size_t begin, std::size_t end, const Term& term) {
    constexpr std::size_t kDirect = 32;
    if (end - begin <= kDirect) {
        Moments total;
        for (std::size_t i = begin; i < end; ++i) total += term(i);
        return total;
    }
    const std::size_t middle = begin + (end - begin) / 2;
    return sum(begin, middle, term) + sum(middle, end, term);
}

Moments integrate(const TriangleSoup& soup, const Vec3d& origin, bool hollow) {
    return sum(0, soup.triangles.size(), [&](std::size_t i) {
        const auto& [a, b, c] = soup.triangles[i];
        const Triangle<double> t{soup.vertices[a] - origin, soup.vertices[b] - origin,
                                 soup.vertices[c] - origin};
        return hollow ? triangle_moments(t.a, t.b, t.c, area(t)) : over_tetrahedron(t);
    });
}

struct Extent {
    Vec3d center;
    double diagonal;
};

Extent extent(const TriangleSoup& soup) {
    Aabb<double> box;
    for (const auto& t : soup.triangles) {
        for (const std::uint32_t v : t) box = join(box, soup.vertices[v]);
    }
    return {box.lo + (box.hi - box.lo) * 0.5, length(box.hi - box.lo)};
}

// About the center of mass, at density 1. The first pass, from the middle of the mesh, finds the
// center; the second is relative to it, so that the shift to the center, a subtraction, does not
// cancel. The origin of the coordinates is never used.
MassProperties unit_density(const TriangleSoup& soup, const Vec3d& middle, bool hollow) {
    const Moments rough = integrate(soup, middle, hollow);
    const Vec3d center = middle + rough.first / rough.m;
    MassProperties result = to_mass_properties(integrate(soup, center, hollow));
    result.center += center;
    return result;
}

std::string count_of(std::size_t count, const char* noun) {
    return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

Error not_closed(const MeshTopology& topology) {
    const MeshReport& report = topology.report;
    std::string why = "the surface has only one side";
    if (report.open_edges > 0) {
        const std::uint32_t h = topology.first_open_edge;
        const auto& corner = topology.soup.triangles[triangle_of(h)];
        why = count_of(report.open_edges, "open edge") + ", the first between vertices " +
              std::to_string(corner[h % 3]) + " and " + std::to_string(corner[(h + 1) % 3]);
    } else if (report.orientable) {
        why = count_of(report.non_manifold_edges, "edge") + " shared by more than two triangles";
    }
    return {ErrorCode::invalid_value, "mesh",
            "the mesh is not closed: " + why + "; a solid needs a closed mesh, or use hollow"};
}

std::optional<Error> find_bad_amount(const MeshMassDef& def) {
    const double amount = def.mass.value_or(def.density);
    if (amount > 0 && std::isfinite(amount)) return {};
    const std::string name = def.mass ? "mass" : "density";
    return Error{ErrorCode::invalid_value, name,
                 name + " must be positive and finite, got " + text(amount)};
}

Error no_area() {
    return {ErrorCode::invalid_value, "mesh", "the mesh has no area: all its triangles are flat"};
}

Error no_volume() {
    return {ErrorCode::invalid_value, "mesh",
            "the mesh encloses no volume: a solid needs some, or use hollow"};
}

void warn_of_intersections(const TriangleSoup& soup, std::vector<std::string>& warnings) {
    // Above this size the check would take more than the second allowed for a million triangles.
    constexpr std::size_t kMaxTriangles = 100'000;
    constexpr std::size_t kCap = 1000;
    if (soup.triangles.size() > kMaxTriangles) {
        warnings.push_back("self-intersections were not searched for: there are " +
                           std::to_string(soup.triangles.size()) + " triangles, more than " +
                           std::to_string(kMaxTriangles));
        return;
    }
    const SelfIntersections found = count_self_intersections(soup, kCap);
    if (found.pairs > 0) {
        warnings.push_back((found.complete ? "" : "at least ") + count_of(found.pairs, "pair") +
                           " of triangles intersect: overlapping volume is counted twice");
    } else if (!found.complete) {
        warnings.push_back(
            "not all self-intersections were searched for: too many triangles lie close together");
    }
}

} // namespace

UnitDensityMass unit_density_mass(const MeshTopology& topology) {
    std::optional<Error> open;
    if (!topology.report.closed) open = not_closed(topology);
    return unit_density_mass(topology.soup, open);
}

UnitDensityMass unit_density_mass(const TriangleSoup& soup,
                                  const std::optional<Error>& not_closed) {
    const Extent e = extent(soup);
    UnitDensityMass unit_mass;
    unit_mass.skin = unit_density(soup, e.center, true);
    if (!(unit_mass.skin.mass > 0)) unit_mass.no_skin = no_area();
    if (not_closed) {
        unit_mass.no_solid = not_closed;
    } else if (unit_mass.no_skin) {
        unit_mass.no_solid = unit_mass.no_skin;
    } else {
        unit_mass.solid = unit_density(soup, e.center, false);
        // A plate thinner than 1e-13 of its width is rounding, not a solid.
        if (!(unit_mass.solid.mass > 1e-13 * unit_mass.skin.mass * e.diagonal)) {
            unit_mass.no_solid = no_volume();
        }
    }
    return unit_mass;
}

Result<MassProperties> mass_properties(const UnitDensityMass& unit_mass, double density,
                                       bool hollow) {
    if (const std::optional<Error>& error = hollow ? unit_mass.no_skin : unit_mass.no_solid) {
        return *error;
    }
    MassProperties result = hollow ? unit_mass.skin : unit_mass.solid;
    result.mass *= density;
    result.inertia = result.inertia * density;
    return result;
}

Result<MeshMass> mesh_mass(const TriangleSoup& given, const MeshMassDef& def) {
    if (const std::optional<Error> error = find_bad_amount(def)) return *error;
    Result<MeshTopology> topology = build_topology(given);
    if (!topology) return topology.error();
    const UnitDensityMass unit_mass = unit_density_mass(*topology);
    const double unit = def.hollow ? unit_mass.skin.mass : unit_mass.solid.mass;
    const Result<MassProperties> properties =
        mass_properties(unit_mass, def.mass ? *def.mass / unit : def.density, def.hollow);
    if (!properties) return properties.error();

    MeshMass result;
    result.volume = unit_mass.solid.mass;
    result.area = unit_mass.skin.mass;
    result.properties = *properties;
    if (def.mass) result.properties.mass = *def.mass;
    result.closed = topology->report.closed;
    result.warnings = std::move(topology->report.warnings);
    if (!def.hollow) warn_of_intersections(topology->soup, result.warnings);
    return result;
}

} // namespace rigor
