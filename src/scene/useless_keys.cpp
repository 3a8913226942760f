#include "scene/useless_keys.h"

#include <algorithm>

namespace rigor {
namespace {

using Keys = std::initializer_list<const char*>;

/// Walks over a file; one function for each kind of object.
class UselessKeys {
  public:
    explicit UselessKeys(Scene& scene) : scene_(scene) {}

    void look_at_file(const Field& root) {
        for_each(root, "bodies", [&](const Field& body) { look_at_body(body); });
        for_each(root, "generate", [&](const Field& pattern) { look_at_pattern(pattern); });
        for_each(root, "joints", [&](const Field& joint) { look_at_joint(joint); });
        for_each(root, "forces", [&](const Field& force) { look_at_force(force); });
        for_each(root, "pairs", [&](const Field& pair) { look_at_pair(pair); });
    }

  private:
    static void for_each(const Field& object, const char* key, const auto& look) {
        const Field list = object.below(key);
        if (!list.given()) return;
        for (const Field& item : list.items()) look(item);
    }

    void warn(const Field& object, const std::string& sentence) {
        scene_.warnings.push_back(object.path() + ": " + sentence);
    }
    void warn_of(const Field& object, Keys keys, const std::string& why) {
        for (const char* key : keys)
            if (object.below(key).given()) warn(object, std::string(key) + " " + why);
    }
    static bool is_true(const Field& object, const char* key) {
        return object.below(key).boolean(false);
    }

    void look_at_body(const Field& body) {
        const Field type = body.below("type");
        const bool is_dynamic = !type.given() || type.text() == "dynamic";
        if (!is_dynamic)
            warn_of(body, {"continuous"}, "does not apply to a " + type.text() + " body");
        for_each(body, "shapes", [&](const Field& shape) { look_at_shape(shape, is_dynamic); });
        if (is_dynamic) look_at_mass(body);
        look_at_locks(body);
    }

    void look_at_shape(const Field& shape, bool is_dynamic) {
        if (is_true(shape, "sensor")) {
            warn_of(shape,
                    {"friction", "static_friction", "kinetic_friction", "restitution", "density",
                     "rolling_resistance", "torsional_friction", "patch_radius", "surface_velocity",
                     "anisotropy", "hollow", "one_sided"},
                    "does not apply to a sensor");
        } else if (!is_dynamic && !is_ground(shape)) {
            warn_of(shape, {"hollow"}, "does not apply to a body that is not dynamic");
        }
        const Field friction = shape.below("friction");
        if (friction.given() && friction.number() == 0)
            warn_of(shape, {"surface_velocity", "anisotropy"}, "does not act without friction");
        if (shape.below("anisotropy").below("ratio").number(0) == 1)
            warn(shape, "anisotropy has the ratio 1, which is none");
        for_each(shape, "shapes", [&](const Field& child) { look_at_shape(child, is_dynamic); });
    }

    /// The reader has a sentence of its own for them.
    static bool is_ground(const Field& shape) {
        return shape.says("type", "plane") || shape.says("type", "height_field");
    }

    /// A density is part of what a shape is made of, and is not told: materials have one anyway.
    void look_at_mass(const Field& body) {
        if (!body.below("mass_properties").given()) return;
        for_each(body, "shapes", [&](const Field& shape) {
            warn_of(shape, {"hollow"}, "does not matter beside mass_properties");
        });
    }

    void look_at_locks(const Field& body) {
        std::string locked;
        if (const Field plane = body.below("plane"); plane.given()) {
            const std::string axes = plane.text();
            for (const char axis : {'x', 'y', 'z'})
                locked += axes.find(axis) == std::string::npos ? std::string("t") + axis
                                                               : std::string("r") + axis;
        }
        for_each(body, "lock", [&](const Field& lock) { locked += lock.text(); });
        for (const auto& [key, kind] : {std::pair("velocity", 't'), {"angular_velocity", 'r'}}) {
            const Field value = body.below(key);
            if (!value.given()) continue;
            const Vec3d v = value.vec3();
            for (int i = 0; i < 3; ++i) {
                const std::string freedom{kind, "xyz"[i]};
                if (v[i] != 0 && locked.find(freedom) != std::string::npos)
                    warn(body, std::string(key) + " has a part along \"" + freedom +
                                   "\", which is locked");
            }
        }
    }

    void look_at_pattern(const Field& pattern) {
        for (const char* key : {"body", "wheel"})
            if (const Field body = pattern.below(key); body.given()) look_at_body(body);
        for_each(pattern, "bodies", [&](const Field& body) { look_at_body(body); });
        const bool is_random = pattern.below("jitter").given() || pattern.below("tilt").given();
        if (!is_random) warn_of(pattern, {"seed"}, "does not matter without jitter and tilt");
        if (pattern.says("pattern", "vehicle")) look_at_vehicle(pattern);
    }

    void look_at_vehicle(const Field& vehicle) {
        const auto is_empty = [&](const Field& list) {
            return !list.given() || list.items().empty();
        };
        if (is_empty(vehicle.below("steered"))) {
            warn_of(vehicle, {"max_steer", "steer_rate", "ackermann"},
                    "does not matter without steered wheels");
            warn_of_input(vehicle, "steer", "no wheel is steered");
        }
        if (is_empty(vehicle.below("driven")))
            warn_of_input(vehicle, "throttle", "no wheel is driven");
        if (const Field force = vehicle.below("drive_force"); force.given() && force.number() == 0)
            warn(vehicle, "drive_force is 0 and drives nothing");
        if (const Field brake = vehicle.below("brake"); brake.given() && brake.number() == 0)
            warn_of_input(vehicle, "brake", "the brake is 0");
        if (const Field wheels = vehicle.below("hand_brake.wheels");
            wheels.given() && is_empty(wheels))
            warn_of_input(vehicle, "hand_brake", "it holds no wheel");
        if (const Field tire = vehicle.below("tire");
            tire.given() && tire.below("load_sensitivity").number(0) == 0)
            warn_of(tire, {"reference_load"}, "does not matter without load_sensitivity");
        if (const Field engine = vehicle.below("engine"); engine.given()) look_at_engine(engine);
        for_each(vehicle.below("wheel"), "shapes", [&](const Field& shape) {
            if (is_true(shape, "sensor"))
                warn(shape, "is a wheel that touches nothing: it is a sensor");
        });
    }

    void look_at_engine(const Field& engine) {
        const Field gears = engine.below("gears");
        if (!gears.given() || gears.items().size() < 2)
            warn_of(engine, {"shift_time", "shift_up_rpm", "shift_down_rpm"},
                    "does not matter with one gear");
    }

    /// What the driver does to no effect, told once.
    void warn_of_input(const Field& vehicle, const char* key, const std::string& why) {
        const Field drive = vehicle.below("drive");
        if (!drive.given()) return;
        for (const Field& item : drive.items())
            if (item.below(key).given())
                return warn(item, std::string(key) + " does nothing: " + why);
    }

    void look_at_joint(const Field& joint) {
        const auto is_world = [&](const char* key) {
            return !joint.below(key).given() || joint.says(key, "world");
        };
        if (is_true(joint, "collide") && (is_world("a") || is_world("b")))
            warn(joint, "collide does not apply to a joint with the world, which touches nothing");
        if (const Field force = joint.below("motor.max_force");
            force.given() && force.number() == 0)
            warn(joint, "motor has the max_force 0 and moves nothing");
        if (!joint.says("type", "six_dof")) return;
        const Field limits = joint.below("limits");
        const auto is_free = [&](const char* axis) {
            return limits.given() && limits.says(axis, "free");
        };
        const Keys axes = {"tx", "ty", "tz", "rx", "ry", "rz"};
        if (std::all_of(axes.begin(), axes.end(), is_free))
            warn(joint, "holds nothing: all its axes are free");
    }

    void look_at_force(const Field& force) {
        if (const Field to = force.below("to"); to.given() && to.number() <= 0)
            warn(force, "ends before the scene begins, at 0 s");
    }

    void look_at_pair(const Field& pair) {
        for (const char* key : {"friction", "static_friction", "kinetic_friction", "restitution"})
            if (pair.below(key).given()) return;
        warn(pair, "gives neither friction nor restitution and changes nothing");
    }

    Scene& scene_;
};

} // namespace

void warn_of_useless_keys(const Field& root, Scene& scene) {
    UselessKeys(scene).look_at_file(root);
}

} // namespace rigor
