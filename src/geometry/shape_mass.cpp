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
    return {mesh.weight.solid.mass, mesh.weight.skin.mass};
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

VolumeAndArea extent_of(const Compound<double>& compound) {
    VolumeAndArea sum;
    for (const CompoundChild<double>& child : compound.children) {
        const VolumeAndArea part =
            std::visit([](const auto& shape) { return extent_of(solid_of(shape)); }, child.shape);
        sum.volume += part.volume;
        sum.area += part.area;
    }
    return sum;
}

template <class Solid>
requires RoundedConvex<Solid, double> Result<MassProperties> mass_of(const Solid& solid,
                                                                     const Substance& substance) {
    return mass_properties(solid, substance.density, substance.hollow);
}

Result<MassProperties> mass_of(const Plane<double>&, const Substance&) {
    return Error{ErrorCode::unsupported, "", "a plane has no end and so no mass"};
}

Result<MassProperties> mass_of(const HeightField<double>&, const Substance&) {
    return Error{ErrorCode::unsupported, "", "a height field has no end below and so no mass"};
}

Result<MassProperties> mass_of(const TriangleMesh<double>& mesh, const Substance& substance) {
    return mass_properties(mesh.weight, substance.density, substance.hollow);
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
    for (std::size_t i = 0; i < substances.size(); ++i) {
        const CompoundChild<double>& child = compound.children[i];
        const std::string place = "shapes[" + text(i) + "]";
        if (const Result<void> good = check_density(substances[i].density); !good) {
            return Error{good.error().code, place + ".density", good.error().message};
        }
        const Result<MassProperties> mass =
            std::visit([&](const auto& shape) { return mass_of(solid_of(shape), substances[i]); },
                       child.shape);
        if (!mass) return Error{mass.error().code, place, mass.error().message};
        parts.push_back(transform(child.pose, *mass));
    }
    return combine(parts);
}

} // namespace rigor
