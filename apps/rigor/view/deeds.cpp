#include "view/deeds.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "rigor/rotation.h"
#include "shortest_way.h"

namespace rigor::view {
namespace {

constexpr std::size_t kMostBodies = 200'000;
constexpr double kStrongestPull = 200; // m/s2: a hand does not tear
constexpr double kHandDamping = 10;    // 1/s: what hangs from a hand would turn for ever

Error no_body(std::uint32_t slot) {
    return {ErrorCode::not_found, "", "there is no body " + std::to_string(slot)};
}

/// One deed after another is done to these.
class Doer {
  public:
    Doer(Simulation& simulation, StageState& state, int hand)
        : simulation_(simulation), world_(simulation.world()), state_(state), hand_(hand) {}

    Result<void> operator()(const Grab& deed) {
        const BodyId id = body_at(state_, deed.body);
        if (id.is_null()) return no_body(deed.body);
        if (world_.type(id) != BodyType::dynamic_body)
            return Error{ErrorCode::invalid_value, "", "only what can move can be dragged"};
        let_go();
        const double swings = 2 * std::numbers::pi * 4; // rad/s: quick, yet one can see it stretch
        const double usual = world_.mass_properties(id).mass * swings * swings;
        state_.holds.push_back(
            {hand_, id, deed.point, deed.target, deed.stiffness.value_or(usual), {}});
        std::sort(state_.holds.begin(), state_.holds.end(),
                  [](const Hold& a, const Hold& b) { return a.hand < b.hand; });
        world_.wake(id);
        return {};
    }

    Result<void> operator()(const MoveGrab& deed) {
        for (Hold& hold : state_.holds)
            if (hold.hand == hand_) hold.target = deed.target;
        return {};
    }

    Result<void> operator()(const Release&) {
        let_go();
        return {};
    }

    Result<void> operator()(const Push& deed) {
        const BodyId id = body_at(state_, deed.body);
        if (id.is_null()) return no_body(deed.body);
        world_.apply_impulse_at(id, deed.impulse, deed.point);
        return {};
    }

    Result<void> operator()(const Throw& deed) {
        SceneBody body = made("ball", {{SphereDef{deed.radius}}}, deed.position);
        body.def.shapes[0].material.density = deed.density;
        body.def.velocity = deed.velocity;
        body.def.continuous = true;
        return add(std::move(body));
    }

    Result<void> operator()(const Drop& deed);

    Result<void> operator()(const Delete& deed) {
        const BodyId id = body_at(state_, deed.body);
        if (id.is_null()) return no_body(deed.body);
        world_.remove_body(id);
        std::erase_if(state_.holds, [&](const Hold& hold) { return hold.body == id; });
        std::erase(state_.frozen, deed.body);
        auto members = *state_.members;
        members[deed.body] = {};
        state_.members = std::make_shared<const std::vector<Member>>(std::move(members));
        return {};
    }

    Result<void> operator()(const Duplicate& deed) {
        const BodyId id = body_at(state_, deed.body);
        if (id.is_null()) return no_body(deed.body);
        SceneBody copy = *(*state_.members)[deed.body].made_from;
        const Bounds bounds = world_.bounds(id);
        const Posed pose = world_.pose(id);
        const double height = bounds.hi.z - bounds.lo.z;
        if (copy.def.type == BodyType::static_body || !std::isfinite(height))
            return Error{ErrorCode::invalid_value, "", "what does not move is not duplicated"};
        copy.def.position = deed.position.value_or(pose.p + Vec3d{0, 0, height * 1.02});
        copy.def.orientation = pose.q;
        copy.def.velocity = copy.def.angular_velocity = {};
        if (copy.def.type == BodyType::dynamic_body && !copy.def.mass_properties)
            copy.def.mass = world_.mass_properties(id).mass;
        copy.driver.reset();
        copy.def.name += " copy " + std::to_string(++state_.made);
        return add(std::move(copy));
    }

    Result<void> operator()(const Freeze& deed) {
        const BodyId id = body_at(state_, deed.body);
        if (id.is_null()) return no_body(deed.body);
        world_.set_frozen(id, deed.on);
        std::erase(state_.frozen, deed.body);
        if (!deed.on) return {};
        state_.frozen.insert(
            std::lower_bound(state_.frozen.begin(), state_.frozen.end(), deed.body), deed.body);
        return {};
    }

    Result<void> operator()(const Explode& deed) {
        const Vec3d reach{deed.radius, deed.radius, deed.radius};
        std::vector<BodyId> near;
        for (const ShapeHit& hit : world_.overlap_box(deed.point - reach, deed.point + reach))
            if (near.empty() || near.back() != hit.body) near.push_back(hit.body);
        for (const BodyId id : near) blow(id, deed);
        return {};
    }

    Result<void> operator()(const Edit& deed);

    Result<void> operator()(const SetMotor& deed) {
        for (const JointId id : world_.joints()) {
            if (world_.name(id) != deed.name) continue;
            world_.set_motor(id, deed.motor);
            return {};
        }
        return Error{ErrorCode::not_found, "", "there is no joint \"" + deed.name + "\""};
    }

    Result<void> operator()(const ChangeSettings& deed) {
        WorldSettings settings = world_.settings();
        if (auto applied = apply_settings(deed, settings); !applied) return applied;
        world_.set_settings(settings);
        if (deed.time_step) state_.time_step = *deed.time_step;
        return {};
    }

    Result<void> operator()(const PressKeys& deed) {
        state_.keys = deed.down;
        drive_vehicles(simulation_, state_);
        return {};
    }

  private:
    void let_go() {
        std::erase_if(state_.holds, [&](const Hold& hold) { return hold.hand == hand_; });
    }

    SceneBody made(const std::string& what, std::vector<ShapeDef> shapes, const Vec3d& position) {
        SceneBody body;
        body.def.name = what + " " + std::to_string(++state_.made);
        body.def.shapes = std::move(shapes);
        body.def.position = position;
        return body;
    }

    Result<void> add(SceneBody body) {
        if (world_.body_count() >= kMostBodies)
            return Error{ErrorCode::limit, "", "there are 200,000 bodies already"};
        const Result<BodyId> id = world_.add_body(body.def);
        if (!id) return id.error();
        auto members = *state_.members;
        if (members.size() <= id->index) members.resize(id->index + 1);
        members[id->index] = {*id, std::make_shared<const SceneBody>(std::move(body))};
        state_.members = std::make_shared<const std::vector<Member>>(std::move(members));
        return {};
    }

    /// An impulse through the middle, as large as the area that faces the blast.
    void blow(BodyId id, const Explode& deed) {
        if (world_.type(id) != BodyType::dynamic_body) return;
        const Vec3d center = world_.state(id).position;
        const double distance = length(center - deed.point);
        if (!(distance < deed.radius)) return;
        const Vec3d away = distance > 1e-9 ? (center - deed.point) / distance : Vec3d{0, 0, 1};
        const Bounds bounds = world_.bounds(id);
        const Vec3d size = bounds.hi - bounds.lo;
        const double area = std::cbrt(size.x * size.y * size.z);
        world_.apply_impulse_at(
            id, away * (deed.strength * area * area * (1 - distance / deed.radius)), center);
    }

    Simulation& simulation_;
    World& world_;
    StageState& state_;
    int hand_;
};

/// A pebble: a dodecahedron-like hull of golden proportions.
HullDef pebble(double size) {
    const double g = (1 + std::sqrt(5.0)) / 2, s = size / (2 * g);
    HullDef hull;
    for (const double a : {-1.0, 1.0})
        for (const double b : {-g, g}) {
            hull.points.push_back(Vec3d{0, a, b} * s);
            hull.points.push_back(Vec3d{a, b, 0} * s);
            hull.points.push_back(Vec3d{b, 0, a} * s);
        }
    return hull;
}

ShapeGeometry dropped(const std::string& shape, double size) {
    if (shape == "sphere") return SphereDef{size / 2};
    if (shape == "capsule") return CapsuleDef{size / 4, size / 2};
    if (shape == "cylinder") return CylinderDef{size / 2, size};
    if (shape == "cone") return ConeDef{size / 2, size};
    if (shape == "hull") return pebble(size);
    return BoxDef{{size, size, size}};
}

Result<void> Doer::operator()(const Drop& deed) {
    if (deed.shape != "stack")
        return add(made(deed.shape, {{dropped(deed.shape, deed.size)}}, deed.position));
    Vec3d position = deed.position;
    for (const char* shape : {"cube", "cylinder", "cube", "cylinder", "cube"}) {
        if (auto added = add(made(shape, {{dropped(shape, deed.size)}}, position)); !added)
            return added;
        position.z += deed.size;
    }
    return {};
}

Result<void> Doer::operator()(const Edit& deed) {
    const BodyId id = body_at(state_, deed.body);
    if (id.is_null()) return no_body(deed.body);
    if (deed.mass && world_.type(id) != BodyType::dynamic_body)
        return Error{ErrorCode::invalid_value, "", "only a dynamic body has a mass"};
    if (deed.mass) world_.set_mass(id, *deed.mass);
    if (deed.friction || deed.restitution) {
        for (const ShapeId shape : world_.shapes(id)) {
            Material material = world_.material(shape);
            if (deed.friction)
                material.static_friction = material.kinetic_friction = *deed.friction;
            if (deed.restitution) material.restitution = *deed.restitution;
            world_.set_material(shape, material);
        }
    }
    if (deed.position) {
        const Posed pose = world_.pose(id);
        world_.set_pose(id, {pose.p + (*deed.position - world_.state(id).position), pose.q});
    }
    if (deed.velocity) world_.set_velocity(id, *deed.velocity);
    if (deed.angular_velocity) world_.set_angular_velocity(id, *deed.angular_velocity);
    return {};
}

/// What takes a body's point to a place as a critically damped spring would, by the soft constraint
/// of [Catto 2011] solved implicitly: so it is stable however stiff it is.
Vec3d force_of(const World& world, const Hold& hold, double h) {
    const BodyState s = world.state(hold.body);
    const MassProperties mass = world.mass_properties(hold.body);
    const Vec3d r = rotate(s.orientation, hold.point - mass.center);
    const Mat3d rotation = to_matrix(s.orientation), arm = skew(r);
    const Mat3d inverse_inertia = inverse(rotate(rotation, mass.inertia)).matrix();
    const double k = hold.stiffness, c = 2 * std::sqrt(k * mass.mass);
    const double gamma = 1 / (h * (c + h * k));
    const Mat3d answer =
        Mat3d::diagonal(Vec3d{1, 1, 1} * (1 / mass.mass + gamma)) - arm * inverse_inertia * arm;
    const Vec3d gap = app::shortest(world, s.position + r - hold.target);
    const Vec3d speed = s.velocity + world.settings().gravity * h + cross(s.angular_velocity, r);
    const Vec3d force = inverse(answer) * (speed + gap * (h * k * gamma)) * (-1 / h);
    const double most = kStrongestPull * mass.mass, size = length(force);
    if (!std::isfinite(size)) return {};
    return size > most ? force * (most / size) : force;
}

} // namespace

BodyId body_at(const StageState& state, std::uint32_t slot) {
    return slot < state.members->size() ? (*state.members)[slot].id : BodyId{};
}

Result<void> do_action(const Action& action, Simulation& simulation, StageState& state) {
    try {
        return std::visit(Doer(simulation, state, action.hand), action.deed);
    } catch (const UsageError& e) {
        return Error{ErrorCode::invalid_value, "", e.what()};
    }
}

void pull_holds(Simulation& simulation, StageState& state) {
    World& world = simulation.world();
    std::erase_if(state.holds, [&](const Hold& hold) { return !world.is_valid(hold.body); });
    for (Hold& hold : state.holds) {
        const Vec3d force = force_of(world, hold, state.time_step);
        hold.force = force;
        world.apply_force_at(hold.body, hold.force, transform(world.pose(hold.body), hold.point));
        const BodyState s = world.state(hold.body);
        const Sym3d inertia =
            rotate(to_matrix(s.orientation), world.mass_properties(hold.body).inertia);
        world.apply_torque(hold.body, inertia * s.angular_velocity * -kHandDamping);
    }
}

} // namespace rigor::view
