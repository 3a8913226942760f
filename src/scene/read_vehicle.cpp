#include "scene/read_vehicle.h"

#include <algorithm>
#include <cmath>

#include "math/number_text.h"
#include "rigor/world.h"
#include "scene/template_bounds.h"

namespace rigor {
namespace {

const Material& tire_material(const std::vector<ShapeDef>& shapes) {
    const ShapeDef& first = shapes.front();
    if (const auto* compound = std::get_if<CompoundDef>(&first.geometry))
        if (!compound->shapes.empty()) return tire_material(compound->shapes);
    return first.material;
}

TireDef read_tire(const Field& field, const Material& material) {
    TireDef tire;
    tire.friction = material.kinetic_friction;
    tire.rolling_resistance = material.rolling_resistance;
    if (!field.given()) return tire;
    ObjectReader o(field, "tire");
    tire.friction = o.optional("friction").non_negative(tire.friction);
    tire.longitudinal_stiffness =
        o.optional("longitudinal_stiffness").positive(tire.longitudinal_stiffness);
    tire.lateral_stiffness = o.optional("lateral_stiffness").positive(tire.lateral_stiffness);
    tire.relaxation_length = o.optional("relaxation_length").positive(tire.relaxation_length);
    tire.load_sensitivity = o.optional("load_sensitivity").within(0, 1, 0);
    const Field load = o.optional("reference_load");
    if (load.given()) tire.reference_load = load.positive();
    tire.rolling_resistance =
        o.optional("rolling_resistance").non_negative(tire.rolling_resistance);
    return tire;
}

// [[rpm, N m], ...] or one torque at every speed.
void read_torque(const Field& field, EngineDef& engine) {
    if (field.is(JsonKind::number)) {
        engine.torque = {{0, field.non_negative()}};
        return;
    }
    for (const Field& item : field.items(2)) {
        const auto [rpm, torque] = item.numbers<2>();
        if (rpm < 0 || torque < 0) item.fail("must not be negative");
        if (!engine.torque.empty() && !(rpm > engine.torque.back().rpm))
            item.fail("must have a higher rpm than the point before");
        engine.torque.push_back({rpm, torque});
    }
    if (!engine.torque.empty()) engine.redline_rpm = engine.torque.back().rpm;
}

void read_gears(ObjectReader& o, EngineDef& engine) {
    const Field gears = o.optional("gears");
    if (gears.given()) {
        engine.gears.clear();
        for (const Field& item : gears.items(1, 20)) {
            const double ratio = item.positive();
            if (!engine.gears.empty() && !(ratio < engine.gears.back()))
                item.fail_got("must be below the ratio of the gear before");
            engine.gears.push_back(ratio);
        }
    }
    const double first = engine.gears.empty() ? 1 : engine.gears.front();
    engine.reverse = o.optional("reverse").positive(first);
}

/// An engine without a redline turns as fast as it likes. It has no speed of its own at which gears
/// are shifted, so several of them need `shift_up_rpm`; one alone needs nothing.
void read_shifting(ObjectReader& o, EngineDef& engine) {
    const Field up = o.optional("shift_up_rpm"), down = o.optional("shift_down_rpm");
    const bool is_endless = engine.redline_rpm > 1e300;
    if (is_endless && !up.given()) {
        if (down.given()) down.fail("needs redline_rpm or shift_up_rpm");
        if (engine.gears.size() > 1)
            o.field().fail("with several gears needs redline_rpm or shift_up_rpm");
        return;
    }
    engine.shift_up_rpm = up.positive(0.85 * engine.redline_rpm);
    const double redline = is_endless ? engine.shift_up_rpm / 0.85 : engine.redline_rpm;
    engine.shift_down_rpm = down.positive(0.4 * redline);
    if (up.given() && engine.shift_up_rpm > engine.redline_rpm)
        up.fail_got("must not be above redline_rpm");
    if ((up.given() || down.given()) && !(engine.shift_down_rpm < engine.shift_up_rpm))
        (down.given() ? down : up).fail_got("must leave shift_down_rpm below shift_up_rpm");
}

EngineDef read_engine(const Field& field) {
    EngineDef engine;
    ObjectReader o(field, "engine");
    read_torque(o.required("torque"), engine);
    const Field redline = o.optional("redline_rpm"), idle = o.optional("idle_rpm");
    const Field braking = o.optional("braking");
    engine.redline_rpm = redline.positive(engine.redline_rpm);
    engine.idle_rpm = idle.non_negative(std::min(engine.idle_rpm, 0.5 * engine.redline_rpm));
    if (!(engine.idle_rpm < engine.redline_rpm)) idle.fail_got("must be below redline_rpm");
    engine.braking = braking.non_negative();
    if (engine.braking > 0 && engine.redline_rpm > 1e300)
        braking.fail("needs redline_rpm, the speed at which it is given");
    read_gears(o, engine);
    engine.final_drive = o.optional("final_drive").positive(1);
    engine.efficiency = o.optional("efficiency").within(1e-3, 1, 1);
    read_shifting(o, engine);
    engine.shift_time = o.optional("shift_time").non_negative(engine.shift_time);
    return engine;
}

/// The same torque at any speed, in both directions. Wheels in the air must not spin up endlessly.
EngineDef constant_force(double torque, std::size_t driven_wheels, double radius) {
    constexpr double kMaxRollingSpeed = 100, kRpm = 30 / 3.14159265358979323846; // of 1 rad/s
    EngineDef engine;
    engine.torque = {{0, torque * static_cast<double>(driven_wheels)}};
    engine.idle_rpm = 0;
    engine.redline_rpm = kMaxRollingSpeed / radius * kRpm;
    return engine;
}

std::vector<DriveKeyframe> read_drive(const Field& field, const VehicleDef& def) {
    std::vector<DriveKeyframe> drive;
    if (!field.given()) return drive;
    const auto gears = static_cast<std::int64_t>(def.engine ? def.engine->gears.size() : 1);
    for (const Field& item : field.items(1)) {
        ObjectReader o(item, "drive");
        const Field t = o.required("t"), gear = o.optional("gear");
        DriveKeyframe key{t.number(), {}};
        if (!drive.empty() && !(key.time > drive.back().time))
            t.fail_got("must be later than the keyframe before");
        key.input.throttle = o.optional("throttle").within(0, 1, 0);
        key.input.brake = o.optional("brake").within(0, 1, 0);
        key.input.steer = o.optional("steer").within(-1, 1, 0);
        key.input.hand_brake = o.optional("hand_brake").boolean(false);
        if (gear.given()) key.input.gear = static_cast<int>(gear.integer(-1, gears, 1));
        drive.push_back(key);
    }
    return drive;
}

void read_brakes(ObjectReader& o, SceneVehicle& out) {
    VehicleDef& def = out.def;
    if (const Field f = o.optional("brake"); f.given()) def.brake = f.non_negative();
    std::vector<bool> held = out.steered;
    held.flip();
    if (std::none_of(held.begin(), held.end(), [](bool b) { return b; })) held.flip();
    if (const Field f = o.optional("hand_brake"); f.given()) {
        ObjectReader hand(f, "hand_brake");
        const Field torque = hand.optional("torque"), wheels = hand.optional("wheels");
        if (torque.given()) def.hand_brake = torque.non_negative();
        if (wheels.given()) held = read_wheel_set(wheels, held.size());
    }
    for (std::size_t i = 0; i < held.size(); ++i) def.wheels[i].hand_braked = held[i];
}

/// The largest and smallest distance of the rim from the axle through the middle, along y.
Range rim_of(std::span<const ShapeRecord> shapes, const Quatd& orientation) {
    const Aabb<double> box = bounds(shapes, orientation);
    const Vec3d middle = (box.lo + box.hi) * 0.5;
    Range rim{HUGE_VAL, 0};
    for (int x = -3; x <= 3; ++x)
        for (int z = -3; z <= 3; ++z) {
            if (x == 0 && z == 0) continue;
            const Vec3d out = normalize(Vec3d{double(x), 0, double(z)});
            const double r = extent_along(shapes, orientation, out).hi - dot(middle, out);
            rim = {std::min(rim.lo, r), std::max(rim.hi, r)};
        }
    return rim;
}

} // namespace

void warn_of_wheel(const Field& field, const BodyDef& wheel, std::span<const ShapeRecord> shapes,
                   bool ray_cast, Scene& scene) {
    constexpr double kRound = 1.1; // a polygon of eight corners is round enough
    if (field.failed() || shapes.empty()) return;
    if (wheel.type != BodyType::dynamic_body) return field.fail("is a wheel and must be dynamic");
    const auto warn = [&](const std::string& text) {
        scene.warnings.push_back(field.path() + ": " + text);
    };
    const Range rim = rim_of(shapes, wheel.orientation);
    if (rim.hi > kRound * rim.lo)
        warn("is not round about its axle, which is along y: its rim is " + text_short(rim.lo) +
             " to " + text_short(rim.hi) + " m away, and its tire is that of a round wheel");
    for (const Field& shape : field.below("shapes").items())
        for (const char* key :
             {"torsional_friction", "patch_radius", "surface_velocity", "anisotropy"})
            if (shape.below(key).given())
                warn(std::string(key) + " does not apply to wheels, which have a tire instead");
    if (!ray_cast) return;
    for (const char* key : {"velocity", "angular_velocity", "lock", "plane", "linear_damping",
                            "angular_damping", "gravity_scale", "can_sleep", "continuous", "group",
                            "mask", "tag", "look", "fracture", "driver"})
        if (field.below(key).given())
            warn(std::string(key) + " does not apply with ray_cast, where wheels are no bodies");
}

std::vector<bool> read_wheel_set(const Field& field, std::size_t wheels) {
    std::vector<bool> result(wheels, false);
    if (!field.given() || wheels == 0) return result;
    for (const Field& item : field.items()) {
        const auto last = static_cast<std::int64_t>(wheels) - 1;
        const auto i = static_cast<std::size_t>(item.integer(0, last, 0));
        if (result[i]) item.fail("names wheel " + std::to_string(i) + " twice");
        result[i] = true;
    }
    return result;
}

double axle_inertia(const Field& field, const BodyDef& wheel) {
    World scratch(WorldSettings{.method = Method::free});
    const Result<BodyId> id = scratch.add_body(wheel);
    if (!id) {
        field.fail_below(id.error());
        return 1;
    }
    const Vec3d axle = inverse_rotate(wheel.orientation, Vec3d{0, 1, 0});
    return dot(axle, scratch.mass_properties(*id).inertia * axle);
}

void read_vehicle_fields(ObjectReader& o, const BodyDef& wheel, Scene& scene, SceneVehicle& out) {
    VehicleDef& def = out.def;
    const Field tire = o.optional("tire");
    if (!wheel.shapes.empty()) {
        const Material& material = tire_material(wheel.shapes);
        def.tire = read_tire(tire, material);
        def.tire_material = material.id;
    }
    const Field engine = o.optional("engine"), force = o.optional("drive_force");
    o.at_most_one({"engine", "drive_force"});
    const auto driven =
        static_cast<std::size_t>(std::count(out.driven.begin(), out.driven.end(), true));
    if (engine.given()) def.engine = read_engine(engine);
    if (force.given())
        def.engine = constant_force(force.non_negative(), driven,
                                    def.wheels.empty() ? 1 : def.wheels[0].radius);
    if (!o.failed() && (driven > 0) != def.engine.has_value())
        scene.warnings.push_back(o.field().path() +
                                 (driven > 0
                                      ? ": has driven wheels but neither engine nor drive_force"
                                      : ": has an engine but no driven wheels"));
    read_brakes(o, out);
    def.max_steer = o.optional("max_steer").within(0, 1.5, def.max_steer);
    def.steer_rate = o.optional("steer_rate").positive(def.steer_rate);
    def.ackermann = o.optional("ackermann").boolean(true);
    def.drag = o.optional("drag").non_negative();
    out.drive = read_drive(o.optional("drive"), def);
}

} // namespace rigor
