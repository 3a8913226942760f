#include "features/duel/bend.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/invalid_value.h"
#include "rigor/rotation.h"

namespace rigor {
namespace {

constexpr double kDegree = std::numbers::pi / 180;
constexpr double kSteepest = 1.5; // of the share w over the way from waist to neck
constexpr double kLargestAngleDeg = 45;

Vec3d axis_of(const BendDef& def) {
    return normalize(def.neck - def.waist);
}

Vec3d across(const Vec3d& axis, const Vec3d& v) {
    return v - axis * dot(axis, v);
}

/// Smooth from 0 at the waist to 1 at the neck.
double share_at(const BendDef& def, const Vec3d& point) {
    const Vec3d way = def.neck - def.waist;
    const double s = std::clamp(dot(point - def.waist, way) / dot(way, way), 0.0, 1.0);
    return s * s * (3 - 2 * s);
}

bool is_share(double x) {
    return x >= 0 && x <= 1;
}

} // namespace

Result<void> check_bend(const BendDef& def) {
    if (!is_finite(def.waist)) return invalid("waist", "must be finite");
    if (!is_finite(def.neck)) return invalid("neck", "must be finite");
    if (!(length(def.neck - def.waist) > 0)) return invalid("neck", "must not be at the waist");
    if (!is_share(def.lean)) return invalid("lean", "must lie in [0, 1]");
    if (!is_share(def.twist)) return invalid("twist", "must lie in [0, 1]");
    if (!(def.max_angle_deg > 0 && def.max_angle_deg <= kLargestAngleDeg))
        return invalid("max_angle_deg", "must be positive and at most 45");
    return {};
}

Bend bend_toward(const BendDef& def, const Vec3d& rest, const Vec3d& hand) {
    const Vec3d axis = axis_of(def);
    const Vec3d way = across(axis, hand - rest), arm = across(axis, rest - def.waist);
    const double most = def.max_angle_deg * kDegree;
    Bend bend;
    if (const double moved = length(way); moved > 0) {
        const double angle = def.lean * moved / length(def.neck - def.waist);
        bend.lean = cross(axis, way) * (std::min(angle, most) / moved);
    }
    // A weapon that is held on the axis has no direction to turn after.
    if (const double r = dot(arm, arm); r > 0)
        bend.twist = std::clamp(def.twist * dot(cross(axis, arm), way) / r, -most, most);
    return bend;
}

Vec3d bent(const BendDef& def, const Bend& bend, const Vec3d& point) {
    const double w = share_at(def, point);
    if (w == 0) return point;
    const Vec3d twisted =
        rotate(from_rotation_vector(axis_of(def) * (bend.twist * w)), point - def.waist);
    return def.waist + rotate(from_rotation_vector(bend.lean * w), twisted);
}

Result<void> check_folds(const BendDef& def, std::span<const Vec3d> vertices) {
    const Vec3d axis = axis_of(def);
    double r = 0;
    for (const Vec3d& v : vertices) r = std::max(r, length(across(axis, v - def.waist)));
    const double sharpest = length(def.neck - def.waist) / (kSteepest * r) / kDegree;
    if (def.max_angle_deg < sharpest) return {};
    return invalid("max_angle_deg", "must be less than " + std::to_string(sharpest) +
                                        ": the mesh is so wide, and the way from waist to neck "
                                        "so short, that it would fold");
}

} // namespace rigor
