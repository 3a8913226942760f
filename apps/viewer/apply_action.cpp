#include "viewer/apply_action.h"

#include <algorithm>
#include <cmath>

#include "viewer/drag.h"
#include "viewer/driver_input.h"

namespace rigor::viewer {
namespace {

constexpr std::size_t kMaxBodies = 200'000;

Error no_body(std::uint32_t slot) {
    return {ErrorCode::not_found, "", "there is no body " + std::to_string(slot)};
}

/// Visitor of Action: each overload applies one kind.
class ActionApplier {
  public:
    ActionApplier(Simulation& simulation, SessionState& state, int user)
        : simulation_(simulation), world_(simulation.world()), state_(state), user_(user) {}

    Result<void> operator()(const Grab& action) {
        const BodyId id = body_at(state_, action.body);
        if (id.is_null()) return no_body(action.body);
        if (world_.type(id) != BodyType::dynamic_body)
            return Error{ErrorCode::invalid_value, "", "only a dynamic body can be dragged"};
        release_drag();
        const double stiffness =
            action.stiffness.value_or(default_drag_stiffness(world_.mass_properties(id).mass));
        state_.drags.push_back({user_, id, action.point, action.target, stiffness, {}});
        std::sort(state_.drags.begin(), state_.drags.end(),
                  [](const Drag& a, const Drag& b) { return a.user < b.user; });
        world_.wake(id);
        return {};
    }

    Result<void> operator()(const MoveGrab& action) {
        for (Drag& drag : state_.drags)
            if (drag.user == user_) drag.target = action.target;
        return {};
    }

    Result<void> operator()(const Release&) {
        release_drag();
        return {};
    }

    Result<void> operator()(const Push& action) {
        const BodyId id = body_at(state_, action.body);
        if (id.is_null()) return no_body(action.body);
        world_.apply_impulse_at(id, action.impulse, action.point);
        return {};
    }

    Result<void> operator()(const Throw& action) {
        SceneBody body = make_body("ball", {{SphereDef{action.radius}}}, action.position);
        body.def.shapes[0].material.density = action.density;
        body.def.velocity = action.velocity;
        body.def.continuous = true;
        return add(std::move(body));
    }

    Result<void> operator()(const Drop& action);

    Result<void> operator()(const Delete& action) {
        const BodyId id = body_at(state_, action.body);
        if (id.is_null()) return no_body(action.body);
        world_.remove_body(id);
        std::erase_if(state_.drags, [&](const Drag& drag) { return drag.body == id; });
        std::erase(state_.frozen, action.body);
        auto bodies = *state_.bodies;
        bodies[action.body] = {};
        state_.bodies = std::make_shared<const std::vector<SessionBody>>(std::move(bodies));
        return {};
    }

    Result<void> operator()(const Duplicate& action) {
        const BodyId id = body_at(state_, action.body);
        if (id.is_null()) return no_body(action.body);
        SceneBody copy = *(*state_.bodies)[action.body].definition;
        const Bounds bounds = world_.bounds(id);
        const Posed pose = world_.pose(id);
        const double height = bounds.hi.z - bounds.lo.z;
        if (copy.def.type == BodyType::static_body || !std::isfinite(height))
            return Error{ErrorCode::invalid_value, "", "a static body cannot be duplicated"};
        copy.def.position = action.position.value_or(pose.p + Vec3d{0, 0, height * 1.02});
        copy.def.orientation = pose.q;
        copy.def.velocity = copy.def.angular_velocity = {};
        if (copy.def.type == BodyType::dynamic_body && !copy.def.mass_properties)
            copy.def.mass = world_.mass_properties(id).mass;
        copy.driver.reset();
        copy.def.name += " copy " + std::to_string(++state_.created);
        return add(std::move(copy));
    }

    Result<void> operator()(const Freeze& action) {
        const BodyId id = body_at(state_, action.body);
        if (id.is_null()) return no_body(action.body);
        world_.set_frozen(id, action.on);
        std::erase(state_.frozen, action.body);
        if (!action.on) return {};
        state_.frozen.insert(
            std::lower_bound(state_.frozen.begin(), state_.frozen.end(), action.body), action.body);
        return {};
    }

    Result<void> operator()(const Explode& action) {
        const Vec3d half_size{action.radius, action.radius, action.radius};
        std::vector<BodyId> nearby;
        for (const ShapeHit& hit :
             world_.overlap_box(action.point - half_size, action.point + half_size))
            if (nearby.empty() || nearby.back() != hit.body) nearby.push_back(hit.body);
        for (const BodyId id : nearby) apply_blast(id, action);
        return {};
    }

    Result<void> operator()(const Edit& action);

    Result<void> operator()(const SetMotor& action) {
        for (const JointId id : world_.joints()) {
            if (world_.name(id) != action.name) continue;
            world_.set_motor(id, action.motor);
            return {};
        }
        return Error{ErrorCode::not_found, "", "there is no joint \"" + action.name + "\""};
    }

    Result<void> operator()(const ChangeSettings& action) {
        WorldSettings settings = world_.settings();
        if (auto applied = apply_settings(action, settings); !applied) return applied;
        world_.set_settings(settings);
        if (action.time_step) state_.time_step = *action.time_step;
        return {};
    }

    Result<void> operator()(const PressKeys& action) {
        state_.keys = action.down;
        return {};
    }

    Result<void> operator()(const DriveInput& action) {
        const BodyId id = body_at(state_, action.body);
        if (id.is_null()) return no_body(action.body);
        return apply_driver_input(action, id, simulation_);
    }

  private:
    void release_drag() {
        std::erase_if(state_.drags, [&](const Drag& drag) { return drag.user == user_; });
    }

    SceneBody make_body(const std::string& base_name, std::vector<ShapeDef> shapes,
                        const Vec3d& position) {
        SceneBody body;
        body.def.name = base_name + " " + std::to_string(++state_.created);
        body.def.shapes = std::move(shapes);
        body.def.position = position;
        return body;
    }

    Result<void> add(SceneBody body) {
        if (world_.body_count() >= kMaxBodies)
            return Error{ErrorCode::limit, "", "the world has reached its limit of 200,000 bodies"};
        const Result<BodyId> id = world_.add_body(body.def);
        if (!id) return id.error();
        if (auto watched = watch(*id, body); !watched) {
            world_.remove_body(*id);
            return watched;
        }
        auto bodies = *state_.bodies;
        if (bodies.size() <= id->index) bodies.resize(id->index + 1);
        bodies[id->index] = {*id, std::make_shared<const SceneBody>(std::move(body))};
        state_.bodies = std::make_shared<const std::vector<SessionBody>>(std::move(bodies));
        return {};
    }

    /// A copy of a body that can break can break, too. The pieces of one with bonds cannot.
    Result<void> watch(BodyId id, const SceneBody& body) {
        if (!body.fracture || body.fracture->bonds || !has_fracture()) return {};
        return simulation_.fracture().watch(world_, id, body.def, *body.fracture);
    }

    /// An impulse through the center of mass, in proportion to the area that faces the explosion.
    void apply_blast(BodyId id, const Explode& action) {
        if (world_.type(id) != BodyType::dynamic_body) return;
        const Vec3d center = world_.state(id).position;
        const double distance = length(center - action.point);
        if (!(distance < action.radius)) return;
        const Vec3d away = distance > 1e-9 ? (center - action.point) / distance : Vec3d{0, 0, 1};
        const Bounds bounds = world_.bounds(id);
        const Vec3d size = bounds.hi - bounds.lo;
        const double width = std::cbrt(size.x * size.y * size.z);
        world_.apply_impulse_at(
            id, away * (action.strength * width * width * (1 - distance / action.radius)), center);
    }

    Simulation& simulation_;
    World& world_;
    SessionState& state_;
    int user_;
};

/// A regular icosahedron.
HullDef icosahedron(double size) {
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

ShapeGeometry shape_named(const std::string& shape, double size) {
    if (shape == "sphere") return SphereDef{size / 2};
    if (shape == "capsule") return CapsuleDef{size / 4, size / 2};
    if (shape == "cylinder") return CylinderDef{size / 2, size};
    if (shape == "cone") return ConeDef{size / 2, size};
    if (shape == "hull") return icosahedron(size);
    return BoxDef{{size, size, size}};
}

Result<void> ActionApplier::operator()(const Drop& action) {
    if (action.shape != "stack")
        return add(
            make_body(action.shape, {{shape_named(action.shape, action.size)}}, action.position));
    Vec3d position = action.position;
    for (const char* shape : {"cube", "cylinder", "cube", "cylinder", "cube"}) {
        if (auto added = add(make_body(shape, {{shape_named(shape, action.size)}}, position));
            !added)
            return added;
        position.z += action.size;
    }
    return {};
}

Result<void> ActionApplier::operator()(const Edit& action) {
    const BodyId id = body_at(state_, action.body);
    if (id.is_null()) return no_body(action.body);
    if (action.mass && world_.type(id) != BodyType::dynamic_body)
        return Error{ErrorCode::invalid_value, "", "only a dynamic body has a mass"};
    if (action.mass) world_.set_mass(id, *action.mass);
    if (action.friction || action.restitution) {
        for (const ShapeId shape : world_.shapes(id)) {
            Material material = world_.material(shape);
            if (action.friction)
                material.static_friction = material.kinetic_friction = *action.friction;
            if (action.restitution) material.restitution = *action.restitution;
            world_.set_material(shape, material);
        }
    }
    if (action.position) {
        const Posed pose = world_.pose(id);
        world_.set_pose(id, {pose.p + (*action.position - world_.state(id).position), pose.q});
    }
    if (action.velocity) world_.set_velocity(id, *action.velocity);
    if (action.angular_velocity) world_.set_angular_velocity(id, *action.angular_velocity);
    return {};
}

} // namespace

Result<void> apply_action(const UserAction& action, Simulation& simulation, SessionState& state) {
    try {
        return std::visit(ActionApplier(simulation, state, action.user), action.action);
    } catch (const UsageError& e) {
        return Error{ErrorCode::invalid_value, "", e.what()};
    }
}

} // namespace rigor::viewer
