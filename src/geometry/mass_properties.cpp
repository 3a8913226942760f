#include "geometry/mass_properties.h"

#include "geometry/moments.h"
#include "math/eigen3.h"
#include "math/number_text.h"
#include "rigor/rotation.h"

namespace rigor {

PrincipalInertia principal_inertia(const Sym3d& inertia) {
    const Eigen3<double> e = eigen(inertia);
    return {e.values, e.vectors};
}

MassProperties transform(const Posed& pose, const MassProperties& mass) {
    return {mass.mass, transform(pose, mass.center), rotate(to_matrix(pose.q), mass.inertia)};
}

// The parallel axis theorem (Steiner) from the common center: I = Σ I_i + m_i (|d|² - d dᵀ), a sum
// of positive terms only.
MassProperties combine(std::span<const MassProperties> parts) {
    MassProperties sum;
    for (const MassProperties& part : parts) {
        if (!(part.mass > 0)) continue;
        sum.mass += part.mass;
        sum.center += (part.center - sum.center) * (part.mass / sum.mass);
    }
    for (const MassProperties& part : parts) {
        if (!(part.mass > 0)) continue;
        sum.inertia =
            sum.inertia + part.inertia + inertia_of(square(part.center - sum.center)) * part.mass;
    }
    return sum;
}

MassProperties with_mass(const MassProperties& mass, double total) {
    return {total, mass.center, mass.inertia * (total / mass.mass)};
}

Result<void> check_mass_properties(const MassProperties& mass) {
    const auto bad = [](const char* where, std::string message) {
        return Error{ErrorCode::invalid_value, where, std::move(message)};
    };
    if (!(mass.mass > 0) || !std::isfinite(mass.mass)) {
        return bad("mass", "mass must be positive and finite, got " + text(mass.mass));
    }
    if (!is_finite(mass.center)) {
        return bad("center_of_mass", "center_of_mass must be finite, got " + text(mass.center));
    }
    if (!is_finite(mass.inertia)) {
        const Mat3d rows = mass.inertia.matrix();
        return bad("inertia", "inertia must be finite, got [" + text(rows.row(0)) + ", " +
                                  text(rows.row(1)) + ", " + text(rows.row(2)) + "]");
    }
    const Vec3d moments = principal_inertia(mass.inertia).moments;
    if (!(moments.x > 0)) {
        return bad("inertia",
                   "principal moments of inertia must be positive, got " + text(moments));
    }
    if (moments.z > (moments.x + moments.y) * (1 + 1e-9)) {
        return bad("inertia",
                   "no principal moment of inertia may exceed the sum of the other two, got " +
                       text(moments));
    }
    return {};
}

} // namespace rigor
