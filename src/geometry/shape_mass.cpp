// Volume, area and mass of any shape.

#include "geometry/mass_properties.h"
#include "geometry/shape.h"
#include "geometry/solid_moments.h"
#include "math/number_text.h"

namespace rigor {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct VolumeAndArea {
    double volume = 0, area = 0;
};

VolumeAndArea extent_of(const TriangleMesh<double>& mesh) {
    return {mesh.unit_mass.solid.mass, mesh.unit_mass.skin.mass};
}

VolumeAndArea extent_of(const Plane<double>&) {
    return {kInfinity, kInfinity};
}

VolumeAndArea extent_of(const HeightField<double>& field) {
    double sum = 0;
    const auto triangles = static_cast<std::uint32_t>(2 * (field.columns - 1) * (field.rows - 1));
    for (std::uint32_t t = 0; t < triangles; ++t) sum += area(triangle_at(field, t));
    return {kInfinity, sum};
}

template <class Solid>
requires RoundedConvex<Solid, double> VolumeAndArea extent_of(const Solid& solid) {
    return {volume(solid), area(solid)};
}

/// Calls visit(child, pose, solid) for everything with a mass of its own, `child` being the index
/// of its first child: the children, except convex pieces, which are one mesh. Stops when a visit
/// returns false.
template <class Visit>
void visit_parts(const Compound<double>& compound, const Visit& visit) {
    auto mesh = compound.meshes.begin();
    for (std::size_t i = 0; i < compound.children.size();) {
        if (mesh != compound.meshes.end() && mesh->first == i) {
            if (!visit(i, mesh->pose, *mesh->mesh)) return;
            i += mesh->count;
            ++mesh;
            continue;
        }
        const CompoundChild<double>& child = compound.children[i];
        if (!std::visit([&](const auto& s) { return visit(i, child.pose, solid_of(s)); },
                        child.shape))
            return;
        ++i;
    }
}

VolumeAndArea extent_of(const Compound<double>& compound) {
    VolumeAndArea sum;
    visit_parts(compound, [&](std::size_t, const Posed&, const auto& solid) {
        const VolumeAndArea part = extent_of(solid);
        sum.volume += part.volume;
        sum.area += part.area;
        return true;
    });
    return sum;
}

template <class Solid>
requires RoundedConvex<Solid, double> Result<MassProperties> mass_of(const Solid& solid,
                                                                     const Substance& substance) {
    return mass_properties(solid, substance.density, substance.hollow);
}

Result<MassProperties> mass_of(const Plane<double>&, const Substance&) {
    return Error{ErrorCode::unsupported, "", "a plane is unbounded and has no mass"};
}

Result<MassProperties> mass_of(const HeightField<double>&, const Substance&) {
    return Error{ErrorCode::unsupported, "", "a height field is unbounded below and has no mass"};
}

Result<MassProperties> mass_of(const TriangleMesh<double>& mesh, const Substance& substance) {
    return mass_properties(mesh.unit_mass, substance.density, substance.hollow);
}

Result<MassProperties> mass_of(const Compound<double>& compound, const Substance& substance) {
    const std::vector<Substance> all(compound.children.size(), substance);
    return mass_properties(compound, all);
}

Result<void> check_density(double density) {
    if (density > 0 && std::isfinite(density)) return {};
    return Error{ErrorCode::invalid_value, "density",
                 "density must be positive and finite, got " + text(density)};
}

} // namespace

double volume(const Shape<double>& shape) {
    return visit_solid(shape, [](const auto& solid) { return extent_of(solid); }).volume;
}

double area(const Shape<double>& shape) {
    return visit_solid(shape, [](const auto& solid) { return extent_of(solid); }).area;
}

Result<MassProperties> mass_properties(const Shape<double>& shape, double density, bool hollow) {
    if (const Result<void> good = check_density(density); !good) return good.error();
    const Substance substance{density, hollow};
    return visit_solid(shape, [&](const auto& solid) { return mass_of(solid, substance); });
}

Result<MassProperties> mass_properties(const Compound<double>& compound,
                                       std::span<const Substance> substances) {
    if (substances.size() != compound.children.size()) {
        return Error{ErrorCode::invalid_value, "",
                     "a compound needs one substance for each of its " +
                         text(compound.children.size()) + " children, got " +
                         text(substances.size())};
    }
    std::vector<MassProperties> parts;
    Result<void> good;
    visit_parts(compound, [&](std::size_t i, const Posed& pose, const auto& solid) {
        const std::string place = "shapes[" + text(i) + "]";
        good = check_density(substances[i].density);
        if (!good) {
            good = Error{good.error().code, place + ".density", good.error().message};
            return false;
        }
        const Result<MassProperties> mass = mass_of(solid, substances[i]);
        if (mass) {
            parts.push_back(transform(pose, *mass));
        } else {
            good = Error{mass.error().code, place, mass.error().message};
        }
        return good.ok();
    });
    if (!good) return good.error();
    return combine(parts);
}

} // namespace rigor
