// `generate`: bodies in bulk.
#include <algorithm>
#include <cmath>

#include "math/trig.h"
#include "scene/pattern_layout.h"
#include "scene/read_vehicle.h"
#include "scene/scene_draft.h"
#include "scene/template_bounds.h"

namespace rigor {

namespace {

constexpr auto kMost = static_cast<std::int64_t>(kMaxBodies);

struct Template {
    SceneBody body;
    std::vector<ShapeRecord> shapes;
    Vec3d center; ///< of the bounds, seen from the body's frame, world axes
    Vec3d size;
};

Template read_template(const Field& field, FileScope& scope) {
    Template result{{}, {}, {}, {1, 1, 1}};
    if (!field.given()) return result;
    result.body = read_body(field, scope, BodyRole::in_pattern, &result.shapes);
    if (field.failed()) return result;
    const Aabb<double> box = bounds(result.shapes, result.body.def.orientation);
    const Vec3d size = box.hi - box.lo;
    if (!is_finite(size) || !(std::min({size.x, size.y, size.z}) > 0)) {
        field.fail("must have shapes of finite size, from which its place in the pattern follows");
        return result;
    }
    result.center = (box.lo + box.hi) * 0.5;
    result.size = size;
    return result;
}

/// One entry of `generate`.
class PatternReader {
  public:
    PatternReader(const Field& field, FileScope& scope)
        : field_(field), scope_(scope), o_(field, "pattern") {}

    void read() {
        static const std::vector<std::string_view> kPatterns = {
            "stack", "grid", "pyramid", "wall", "diamond", "pile", "chain", "domino", "vehicle"};
        const Field pattern = o_.required("pattern");
        const std::size_t which = pattern.one_of(kPatterns, 0);
        o_.set_kind("pattern " + std::string(kPatterns[which]));
        name_ = o_.optional("name").name(std::string(kPatterns[which]));
        position_ = o_.optional("position").vec3();
        if (!pattern.given() || o_.failed()) return;
        if (!scope_.draft.patterns.insert(scope_.prefix + name_).second)
            field_.fail("repeats the pattern name \"" + name_ + "\"");
        switch (which) {
            case 0:
                return stack();
            case 1:
                return grid();
            case 2:
                return pyramid();
            case 3:
                return wall();
            case 4:
                return diamond();
            case 5:
                return pile();
            case 6:
                return chain();
            case 7:
                return domino();
            default:
                return vehicle();
        }
    }

  private:
    Template body() { return read_template(o_.required("body"), scope_); }

    std::int64_t count(std::string_view key) { return o_.required(key).integer(1, kMost, 1); }

    /// Refuses what would be too many before any memory is asked for.
    bool fits(double bodies) {
        o_.done();
        if (bodies > static_cast<double>(kMaxBodies - scope_.draft.scene.bodies.size()))
            field_.fail("makes more than " + std::to_string(kMaxBodies) + " bodies",
                        ErrorCode::limit);
        return !o_.failed();
    }

    void stack() {
        const std::int64_t n = count("count");
        const Vec3d offset = o_.optional("offset").vec3();
        const Template brick = body();
        if (fits(static_cast<double>(n))) place_all(brick, stack_layout(n, brick.size, offset));
    }

    void grid() {
        const Field counts = o_.required("count"), spacing = o_.optional("spacing");
        std::array<std::int64_t, 3> n{1, 1, 1};
        const std::vector<Field> parts = counts.items(3, 3);
        for (std::size_t i = 0; i < parts.size(); ++i) n[i] = parts[i].integer(1, kMost, 1);
        read_disorder();
        const Template brick = body();
        const Vec3d pitch = read_spacing(spacing, brick.size);
        if (fits(product(n))) place_all(brick, grid_layout(n, brick.size, pitch));
    }

    void pyramid() {
        const std::int64_t base = count("base");
        const Field gap = o_.optional("gap");
        const bool inverted = o_.optional("inverted").boolean(false);
        const Template brick = body();
        const double space = gap.non_negative(0.1 * brick.size.x);
        if (fits(0.5 * static_cast<double>(base) * static_cast<double>(base + 1)))
            place_all(brick, pyramid_layout(base, brick.size, space, inverted));
    }

    void wall() {
        const std::int64_t rows = count("count"), length = count("length");
        const Field gap = o_.optional("gap");
        const Template brick = body();
        const double space = gap.non_negative(0.01 * brick.size.x);
        if (fits(static_cast<double>(rows) * static_cast<double>(length)))
            place_all(brick, wall_layout(rows, length, brick.size, space));
    }

    void diamond() {
        const std::int64_t side = count("side");
        const Template brick = body();
        if (fits(static_cast<double>(side) * static_cast<double>(side)))
            place_all(brick, diamond_layout(side, brick.size));
    }

    void domino() {
        const std::int64_t n = count("count");
        const Field spacing = o_.optional("spacing");
        const Template brick = body();
        // By default a falling one meets the next at half its height.
        const double pitch = spacing.positive(brick.size.x + brick.size.z / 2);
        if (fits(static_cast<double>(n)))
            place_all(brick, grid_layout({n, 1, 1}, brick.size, {pitch, 0, 0}));
    }

    void pile() {
        const std::int64_t n = count("count");
        const Field region = o_.required("region");
        const Field one = o_.optional("body"), several = o_.optional("bodies");
        o_.exactly_one({"body", "bodies"});
        read_disorder();
        std::vector<Template> templates;
        if (one.given()) templates.push_back(read_template(one, scope_));
        if (several.given())
            for (const Field& item : several.items(1))
                templates.push_back(read_template(item, scope_));
        const std::vector<Field> corners = region.items(2, 2);
        if (!fits(static_cast<double>(n)) || corners.size() != 2) return;

        const Vec3d lo = corners[0].vec3(), hi = corners[1].vec3(), extent = hi - lo;
        Vec3d size;
        for (const Template& t : templates) size = max(size, t.size);
        const auto cells = pile_cells(n, extent, size);
        if (cells[0] == 0)
            return region.fail("is too small for " + std::to_string(n) + " such bodies");
        const Vec3d pitch{extent.x / static_cast<double>(cells[0]),
                          extent.y / static_cast<double>(cells[1]),
                          extent.z / static_cast<double>(cells[2])};
        std::vector<Vec3d> centers = grid_layout(cells, pitch, pitch);
        centers.resize(static_cast<std::size_t>(n));
        position_ += Vec3d{(lo.x + hi.x) / 2, (lo.y + hi.y) / 2, lo.z};
        place_in_turn(templates, centers);
    }

    void chain() {
        const std::int64_t n = count("count");
        const Vec3d axis = o_.optional("axis").direction({1, 0, 0});
        const JointDef joint = read_chain_joint(o_.optional("joint"), scope_.draft.scene);
        const Field fixed = o_.optional("fixed");
        const std::size_t ends = fixed.one_of({"first", "both"}, 0);
        const Template link = body();
        if (!fits(static_cast<double>(n))) return;
        const Range extent = extent_along(link.shapes, link.body.def.orientation, axis);
        const double length = extent.hi - extent.lo;
        const auto first = static_cast<std::int32_t>(scope_.draft.scene.bodies.size());
        const std::vector<Vec3d> centers = chain_layout(n, link.size, axis, length);
        place_all(link, centers);

        const Vec3d half = axis * (length / 2);
        std::int64_t made = 0;
        const auto join = [&](std::int32_t a, std::int32_t b, const Vec3d& anchor) {
            SceneJoint between{joint, a, b};
            between.def.anchor = position_ + anchor;
            if (auto* distance = std::get_if<DistanceJoint>(&between.def.kind))
                distance->anchor_b = between.def.anchor;
            add_joint(std::move(between), numbered(made++), field_, scope_);
        };
        if (fixed.given()) join(SceneJoint::kWorld, first, centers.front() - half);
        for (std::int32_t i = 1; i < n; ++i)
            join(first + i - 1, first + i, centers[static_cast<std::size_t>(i)] - half);
        if (fixed.given() && ends == 1)
            join(first + static_cast<std::int32_t>(n) - 1, SceneJoint::kWorld,
                 centers.back() + half);
    }

    // The chassis, then the wheels; each wheel hangs on a wheel joint, sprung along z, its axle
    // along y. The wheels stand on the ground at `position`.
    void vehicle() {
        const Field wheel_field = o_.required("wheel");
        const Template chassis = body(), wheel = read_template(wheel_field, scope_);
        const Field places = o_.required("wheels");
        const Field clearance = o_.optional("clearance"), travel = o_.optional("travel");
        SceneVehicle result;
        result.name = scope_.prefix + name_;
        const std::vector<Vec3d> axles = read_axles(places, wheel.size.z / 2);
        result.steered = read_wheel_set(o_.optional("steered"), axles.size());
        result.driven = read_wheel_set(o_.optional("driven"), axles.size());
        VehicleDef& def = result.def;
        for (std::size_t i = 0; i < axles.size(); ++i)
            def.wheels.push_back({.radius = wheel.size.z / 2,
                                  .steered = result.steered[i],
                                  .driven = result.driven[i]});
        def.suspension = read_spring(o_.optional("suspension")).value_or(def.suspension);
        def.travel = travel.range(def.travel);
        if (!(def.travel.lo <= 0 && def.travel.hi >= 0))
            travel.fail("must contain 0, where the vehicle is built");
        const bool ray_cast = o_.optional("ray_cast").boolean(false);
        read_vehicle_fields(o_, wheel.body.def, scope_.draft.scene, result);
        warn_of_wheel(wheel_field, wheel.body.def, wheel.shapes, ray_cast, scope_.draft.scene);
        const double height = clearance.non_negative(wheel.size.z / 2);
        if (!fits(static_cast<double>(axles.size() + 1))) return;

        result.chassis = static_cast<std::int32_t>(scope_.draft.scene.bodies.size());
        def.forward = rotate(scope_.pose.q, Vec3d{1, 0, 0});
        def.up = rotate(scope_.pose.q, Vec3d{0, 0, 1});
        place(chassis, 0, {0, 0, height + chassis.size.z / 2});
        const double inertia = ray_cast ? axle_inertia(wheel_field, wheel.body.def) : 0;
        for (std::size_t i = 0; i < axles.size(); ++i) {
            if (ray_cast) {
                def.wheels[i].position = transform(scope_.pose, position_ + axles[i]);
                def.wheels[i].inertia = inertia;
            } else {
                place_wheel(wheel, i, axles[i], result);
            }
        }
        scope_.draft.scene.vehicles.push_back(std::move(result));
    }

    /// Centers of wheels over `position`; no two in one place.
    static std::vector<Vec3d> read_axles(const Field& places, double height) {
        std::vector<Vec3d> axles;
        for (const Field& item : places.items(1, 100)) {
            const auto [x, y] = item.numbers<2>();
            const Vec3d axle{x, y, height};
            const auto twin = std::find(axles.begin(), axles.end(), axle);
            if (twin != axles.end())
                item.fail("is where wheel " + std::to_string(twin - axles.begin()) + " is");
            axles.push_back(axle);
        }
        return axles;
    }

    void place_wheel(const Template& wheel, std::size_t i, const Vec3d& axle, SceneVehicle& car) {
        const auto body_index = static_cast<std::int32_t>(scope_.draft.scene.bodies.size());
        place(wheel, static_cast<std::int64_t>(i) + 1, axle);
        SceneJoint joint{{}, car.chassis, body_index};
        joint.def = {.anchor = position_ + axle,
                     .kind = WheelJoint{.axis = {0, 1, 0}, .limits = car.def.travel},
                     .spring = car.def.suspension};
        car.wheels.push_back(static_cast<std::int32_t>(scope_.draft.scene.joints.size()));
        add_joint(std::move(joint), numbered(static_cast<std::int64_t>(i)), field_, scope_);
    }

    static JointDef read_chain_joint(const Field& field, Scene& scene) {
        if (field.is(JsonKind::object)) return read_joint_template(field, scene);
        if (field.one_of({"ball", "fixed"}, 0) == 0) return {.kind = BallJoint{}};
        return {.kind = FixedJoint{}};
    }

    static Vec3d read_spacing(const Field& field, const Vec3d& fallback) {
        if (!field.is(JsonKind::number)) return field.positive_vec3(fallback);
        const double pitch = field.positive();
        return {pitch, pitch, pitch};
    }

    // Shifts by at most `jitter` along each axis, turns by at most `tilt`.
    void read_disorder() {
        const Field jitter = o_.optional("jitter");
        if (jitter.is(JsonKind::number)) {
            const double j = jitter.non_negative();
            jitter_ = {j, j, j};
        } else if (jitter.given()) {
            jitter_ = jitter.vec3();
            if (std::min({jitter_.x, jitter_.y, jitter_.z}) < 0)
                jitter.fail("must not be negative");
        }
        tilt_ = o_.optional("tilt").within(0, kPi<double>, 0);
        random_ = SplitMix64(
            static_cast<std::uint64_t>(o_.optional("seed").integer(0, std::int64_t(1) << 53, 1)));
    }

    std::string numbered(std::int64_t i) const { return name_ + "[" + std::to_string(i) + "]"; }

    void place(const Template& from, std::int64_t i, const Vec3d& center) {
        SceneBody body = from.body;
        Quatd turn;
        Vec3d shift;
        if (jitter_ != Vec3d{}) {
            const double x = random_.signed_unit(), y = random_.signed_unit(),
                         z = random_.signed_unit();
            shift = multiply(jitter_, Vec3d{x, y, z});
        }
        if (tilt_ > 0) turn = random_.turn(tilt_);
        // Turned about the middle of its bounds, wherever the body's frame is.
        body.def.position = position_ + center + shift - rotate(turn, from.center);
        body.def.orientation = turn * body.def.orientation;
        add_body(std::move(body), numbered(i), field_, scope_);
    }

    void place_in_turn(const std::vector<Template>& templates, const std::vector<Vec3d>& centers) {
        std::vector<SceneBody>& all = scope_.draft.scene.bodies;
        all.reserve(all.size() + centers.size());
        for (std::size_t i = 0; i < centers.size() && !o_.failed(); ++i)
            place(templates[i % templates.size()], static_cast<std::int64_t>(i), centers[i]);
    }

    void place_all(const Template& from, const std::vector<Vec3d>& centers) {
        place_in_turn({from}, centers);
    }

    Field field_;
    FileScope& scope_;
    ObjectReader o_;
    std::string name_;
    Vec3d position_;
    Vec3d jitter_;
    double tilt_ = 0;
    SplitMix64 random_{1};
};

} // namespace

void read_patterns(const Field& field, FileScope& scope) {
    if (!field.given()) return;
    for (const Field& item : field.items()) {
        if (field.failed()) return;
        PatternReader(item, scope).read();
    }
}

} // namespace rigor
