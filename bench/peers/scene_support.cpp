#include "bench/peers/scene_support.h"

#include <algorithm>
#include <array>

namespace rigor::bench {
namespace {

Error unsupported(const BodyDef& def, const std::string& message) {
    return {ErrorCode::unsupported, "body \"" + def.name + "\"", message};
}

bool is_plain(const BodyDef& def) {
    return def.type != BodyType::kinematic_body && def.lock == 0 && def.linear_damping == 0 &&
           def.angular_damping == 0 && def.gravity_scale == 1 && def.group == 1 && def.mask == ~0u;
}

bool is_at_origin(const ShapeDef& shape) {
    return shape.position == Vec3d{} && shape.orientation == Quatd{} && shape.rounding == 0 &&
           !shape.sensor;
}

bool is_principal(const MassProperties& mass) {
    const Vec3d off{mass.inertia.xy, mass.inertia.xz, mass.inertia.yz};
    return length(mass.center) < 1e-6 && length(off) <= 1e-5 * mass.inertia.trace();
}

} // namespace

Result<void> check_supported(const PeerSetup& setup) {
    for (std::size_t i = 0; i < setup.scene.bodies.size(); ++i) {
        const BodyDef& def = setup.scene.bodies[i].def;
        if (!is_plain(def)) return unsupported(def, "is kinematic, locked, damped or filtered");
        if (def.shapes.size() != 1 || !is_at_origin(def.shapes[0])) {
            return unsupported(def, "is not one sharp shape at the origin of its body");
        }
        if (!is_principal(setup.masses[i])) {
            return unsupported(def, "has axes that are not its principal axes");
        }
    }
    const auto& joints = setup.scene.joints;
    if (std::any_of(joints.begin(), joints.end(),
                    [](const SceneJoint& j) { return j.def.type() != JointType::ball; })) {
        return Error{ErrorCode::unsupported, "", "only ball joints are supported"};
    }
    return {};
}

Error unsupported_shape(const ShapeGeometry& geometry) {
    constexpr std::array kNames{"sphere", "box",  "capsule",      "cylinder", "cone",
                                "hull",   "mesh", "height field", "plane",    "compound"};
    return {ErrorCode::unsupported, "",
            std::string("a ") + kNames[geometry.index()] + " is not supported"};
}

Vec3d local_anchor(const Scene& scene, std::int32_t body, const Vec3d& anchor) {
    if (body == SceneJoint::kWorld) return anchor;
    const BodyDef& def = scene.bodies[static_cast<std::size_t>(body)].def;
    return inverse_transform(Posed{def.position, def.orientation}, anchor);
}

} // namespace rigor::bench
