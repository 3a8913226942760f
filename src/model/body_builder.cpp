#include "model/body_builder.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "base/invalid_value.h"
#include "geometry/mass_properties.h"
#include "math/number_text.h"
#include "model/material_rules.h"
#include "rigor/export.h"
#include "rigor/rotation.h"

namespace rigor {
namespace {

// Beyond this the energy of a body, a product of such numbers, may overflow.
constexpr double kLargest = 1e100;

Result<void> check_size(const char* where, const Vec3d& v) {
    if (!is_finite(v)) return invalid(where, "must be finite, got " + text(v));
    const double largest = max_component(abs(v));
    if (largest <= kLargest) return {};
    return invalid(where, "must be at most 1e100 in size, got " + text(largest));
}

Result<void> check_not_negative(const char* where, double value) {
    if (value >= 0 && std::isfinite(value)) return {};
    return invalid(where, "must be finite and not negative, got " + text(value));
}

// A quaternion within the tolerance is a rounded unit; anything farther off is an error.
Result<Quatd> unit(const std::string& where, const Quatd& q) {
    if (std::abs(length(q) - 1) <= 1e-3) return normalize(q);
    return invalid(where, "must be a unit quaternion within 1e-3, got length " + text(length(q)));
}

Result<void> check_fields(const BodyDef& def) {
    for (const auto& [where, v] :
         {std::pair("position", def.position), std::pair("velocity", def.velocity),
          std::pair("angular_velocity", def.angular_velocity)}) {
        if (auto checked = check_size(where, v); !checked) return checked;
    }
    for (const auto& [where, value] : {std::pair("linear_damping", def.linear_damping),
                                       std::pair("angular_damping", def.angular_damping)}) {
        if (auto checked = check_not_negative(where, value); !checked) return checked;
    }
    if (!std::isfinite(def.gravity_scale))
        return invalid("gravity_scale", "must be finite, got " + text(def.gravity_scale));
    if (def.mass && !(*def.mass > 0 && std::isfinite(*def.mass))) {
        return invalid("mass", "must be positive and finite, got " + text(*def.mass));
    }
    return {};
}

// Collects the shapes of a definition, compounds included, as records with their masses.
class ShapeCollector {
  public:
    /// `weighs`: whether the mass of the shapes is needed.
    ShapeCollector(BodyType type, bool weighs, std::vector<ShapeRecord>& records)
        : type_(type), weighs_(weighs), records_(records) {}

    Result<void> add(const ShapeDef& def, const Posed& parent, const std::string& where,
                     bool in_sensor = false, int depth = 0) {
        constexpr int kDeepest = 64;
        if (depth > kDeepest) return invalid(where, "compounds must not nest deeper than 64");
        const Result<Quatd> q = unit(where + ".orientation", def.orientation);
        if (!q) return q.error();
        if (!is_finite(def.position))
            return invalid(where + ".position", "must be finite, got " + text(def.position));
        const Posed pose = parent * Posed{def.position, *q};
        const bool sensor = in_sensor || def.sensor;

        if (const auto* compound = std::get_if<CompoundDef>(&def.geometry)) {
            return add_compound(def, *compound, pose, where, sensor, depth);
        }
        Result<Shape<double>> shape = make_shape(def);
        if (!shape) return at(where, shape.error());
        if (auto allowed = check_mobility(*shape, where); !allowed) return allowed;
        if (auto checked = check_material(def.material); !checked)
            return at(where + ".material", checked.error());
        if (weighs_ && !sensor) {
            if (auto weighed = weigh(def, *shape, pose, where); !weighed) return weighed;
        }
        const auto* mesh = std::get_if<MeshDef>(&def.geometry);
        const bool one_sided = mesh && mesh->one_sided;
        if (one_sided)
            if (auto allowed = check_one_sided(*shape, where); !allowed) return allowed;
        records_.push_back(
            {{}, UINT32_MAX, pose, std::move(*shape), def.material, sensor, one_sided});
        return {};
    }

    const std::vector<MassProperties>& masses() const { return masses_; }

  private:
    static Error at(const std::string& where, Error error) {
        error.where = where + (error.where.empty() ? "" : "." + error.where);
        return error;
    }

    Result<void> add_compound(const ShapeDef& def, const CompoundDef& compound, const Posed& pose,
                              const std::string& where, bool sensor, int depth) {
        if (compound.shapes.empty()) return invalid(where + ".shapes", "must not be empty");
        if (def.rounding != 0) return invalid(where + ".rounding", "does not apply to a compound");
        for (std::size_t i = 0; i < compound.shapes.size(); ++i) {
            const std::string child = where + ".shapes[" + std::to_string(i) + "]";
            if (auto added = add(compound.shapes[i], pose, child, sensor, depth + 1); !added) {
                return added;
            }
        }
        return {};
    }

    // Unbounded shapes have no mass, so only static bodies may have them. A mesh must be closed to
    // be a solid with contact forces.
    Result<void> check_mobility(const Shape<double>& shape, const std::string& where) const {
        const bool is_endless =
            std::holds_alternative<Plane<double>>(shape.solid) ||
            std::holds_alternative<std::shared_ptr<const HeightField<double>>>(shape.solid);
        if (is_endless && type_ != BodyType::static_body) {
            return invalid(where, std::string("a ") + name(shape) + " is for static bodies only");
        }
        const auto* mesh = std::get_if<std::shared_ptr<const TriangleMesh<double>>>(&shape.solid);
        if (mesh != nullptr && !(*mesh)->closed && type_ == BodyType::dynamic_body) {
            return invalid(where, "the mesh of a dynamic body must be closed");
        }
        return {};
    }

    static Result<void> check_one_sided(const Shape<double>& shape, const std::string& where) {
        const auto* mesh = std::get_if<std::shared_ptr<const TriangleMesh<double>>>(&shape.solid);
        if (mesh && !(*mesh)->closed) return {};
        return invalid(where + ".one_sided",
                       "must not be given for a solid: only an open mesh has "
                       "a front and a back");
    }

    Result<void> weigh(const ShapeDef& def, const Shape<double>& shape, const Posed& pose,
                       const std::string& where) {
        if (!(def.material.density > 0 && std::isfinite(def.material.density))) {
            return invalid(where + ".density",
                           "must be positive and finite, got " + text(def.material.density));
        }
        Result<MassProperties> mass = mass_properties(shape, def.material.density, def.hollow);
        if (!mass) return at(where, mass.error());
        masses_.push_back(transform(pose, *mass));
        return {};
    }

    BodyType type_;
    bool weighs_;
    std::vector<ShapeRecord>& records_;
    std::vector<MassProperties> masses_;
};

Result<MassProperties> dynamic_mass(const BodyDef& def, const std::vector<MassProperties>& parts) {
    const char* where = "mass";
    MassProperties mass;
    if (def.mass_properties) {
        where = "mass_properties";
        mass = *def.mass_properties;
    } else if (!parts.empty()) {
        mass = combine(parts);
        if (def.mass) mass = with_mass(mass, *def.mass);
    } else {
        return invalid("shapes",
                       "a dynamic body needs mass: give it a shape that is not a sensor, or "
                       "mass_properties");
    }
    if (auto checked = check_mass_properties(mass); !checked) {
        Error error = checked.error();
        error.where = where + (error.where.empty() ? "" : "." + error.where);
        return error;
    }
    if (auto checked = check_mass_range(mass.mass, mass.inertia.trace()); !checked)
        return invalid(where, checked.error().message);
    return mass;
}

bool is_diagonal(const Sym3d& a) {
    return a.xy == 0 && a.xz == 0 && a.yz == 0;
}

int middle_axis(const Vec3d& v) {
    for (int i = 0; i < 2; ++i) {
        const double a = v[i], b = v[(i + 1) % 3], c = v[(i + 2) % 3];
        if ((b <= a && a <= c) || (c <= a && a <= b)) return i;
    }
    return 2;
}

void set_mass(BuiltBody& body, const MassProperties& mass) {
    BodyTraits& traits = body.traits;
    traits.mass = mass.mass;
    traits.center = mass.center;
    if (is_diagonal(mass.inertia)) { // the body's own axes are principal, to the last bit
        traits.moments = {mass.inertia.xx, mass.inertia.yy, mass.inertia.zz};
    } else {
        const PrincipalInertia principal = principal_inertia(mass.inertia);
        traits.moments = principal.moments;
        traits.principal = from_matrix(principal.axes);
    }
    body.inertia.inv_mass = 1 / mass.mass;
    body.inertia.inv_moments = {1 / traits.moments.x, 1 / traits.moments.y, 1 / traits.moments.z};
    body.inertia.middle = middle_axis(traits.moments);
}

// A kinematic body stores its velocities as the momenta of this.
constexpr MassProperties kUnitMass{1, {}, Sym3d::identity()};

} // namespace

Result<void> check_mass_range(double mass, double inertia_trace) {
    const double largest = std::max(mass, inertia_trace);
    const double smallest = std::min(mass, inertia_trace);
    if (largest <= kLargest && smallest >= 1 / kLargest) return {};
    return invalid("", "mass and inertia must be from 1e-100 to 1e100, got " + text_short(mass) +
                           " and " + text_short(inertia_trace / 2));
}

RIGOR_API Result<BuiltBody> build_body(const BodyDef& def) {
    if (auto checked = check_fields(def); !checked) return checked.error();
    const Result<Quatd> q = unit("orientation", def.orientation);
    if (!q) return q.error();

    BuiltBody body;
    const bool weighs = def.type == BodyType::dynamic_body && !def.mass_properties;
    ShapeCollector shapes(def.type, weighs, body.shapes);
    for (std::size_t i = 0; i < def.shapes.size(); ++i) {
        const auto added = shapes.add(def.shapes[i], {}, "shapes[" + std::to_string(i) + "]");
        if (!added) return added.error();
    }

    BodyTraits& traits = body.traits;
    traits.type = def.type;
    traits.lock = def.lock;
    traits.gravity_scale = def.gravity_scale;
    traits.group = def.group;
    traits.mask = def.mask;
    traits.can_sleep = def.can_sleep;
    traits.continuous = def.continuous;

    if (def.type == BodyType::dynamic_body) {
        const Result<MassProperties> mass = dynamic_mass(def, shapes.masses());
        if (!mass) return mass.error();
        set_mass(body, *mass);
        body.inertia.weight = mass->mass * def.gravity_scale;
        traits.linear_damping = def.linear_damping; // kinematic bodies are not damped
        traits.angular_damping = def.angular_damping;
    } else {
        set_mass(body, kUnitMass);
    }
    body.mobility = mobility_of(traits);
    set_frame_pose(body.motion, traits, {def.position, *q});
    return body;
}

BodyId insert_body(WorldState& state, BuiltBody&& body) {
    BodyStore& bodies = state.bodies;
    const BodyId id = bodies.add();
    const std::uint32_t i = id.index;
    bodies.motion[i] = body.motion;
    bodies.inertia[i] = body.inertia;
    bodies.traits[i] = body.traits;
    bodies.mobility[i] = body.mobility;
    // Linked in reverse, so that the list is in the order of the definition.
    for (auto shape = body.shapes.rbegin(); shape != body.shapes.rend(); ++shape) {
        shape->body = id;
        shape->next = bodies.traits[i].first_shape;
        const bool one_sided = shape->one_sided;
        const ShapeId added = state.shapes.insert(std::move(*shape));
        bodies.traits[i].first_shape = added.index;
        if (one_sided) state.passages.add_sheet(added);
    }
    return id;
}

} // namespace rigor
