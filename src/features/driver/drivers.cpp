// The drivers of a world: target velocities before a step, and the effect of collisions after it.
#include <algorithm>
#include <cmath>
#include <utility>

#include "base/hash.h"
#include "features/driver/contact_impulse.h"
#include "features/driver/driver_path.h"
#include "rigor/rotation.h"
#include "rigor/world.h"

namespace rigor {
namespace {

constexpr double kGridSpeed = 6; // grid coordinates per second: across the grid in 1/3 s
constexpr double kFreeSpeed = 2; // m/s and rad/s

Error bad(std::string rule) {
    return {ErrorCode::invalid_value, "", std::move(rule)};
}

double speed_of(const DriverDef& def) {
    return def.speed.value_or(def.grid.empty() ? kFreeSpeed : kGridSpeed);
}

/// A device without a grid: it gives poses.
bool has_six_freedoms(const DriverDef& def) {
    return def.grid.empty() && def.keyframes.empty() && !def.path;
}

Vec3d angular_momentum(const World& world, BodyId body) {
    const BodyState s = world.state(body);
    const Sym3d inertia = world.mass_properties(body).inertia;
    return rotate(s.orientation, inertia * inverse_rotate(s.orientation, s.angular_velocity));
}

GridPoint moved_towards(const GridPoint& from, const GridPoint& to, double most) {
    const double dx = to.x - from.x, dy = to.y - from.y;
    const double distance = std::sqrt(dx * dx + dy * dy);
    if (distance <= most) return to;
    return {from.x + dx * (most / distance), from.y + dy * (most / distance)};
}

Posed moved_towards(const Posed& from, const Posed& to, double most) {
    const double way =
        std::max(length(to.p - from.p), length(to_rotation_vector(to.q * conjugate(from.q))));
    return way <= most ? to : interpolate(from, to, most / way);
}

bool can_be_driven(const World& world, BodyId body) {
    return world.is_valid(body) && !world.is_quarantined(body);
}

void add_to(Hasher& hasher, const Posed& pose) {
    for (const double x : {pose.p.x, pose.p.y, pose.p.z, pose.q.w, pose.q.x, pose.q.y, pose.q.z})
        hasher.add_value(x);
}

void add_to(Hasher& hasher, const Vec3d& v) {
    for (const double x : {v.x, v.y, v.z}) hasher.add_value(x);
}

} // namespace

const Drivers::Driven* Drivers::find(BodyId body) const {
    const auto found = std::find_if(driven_.begin(), driven_.end(),
                                    [&](const Driven& d) { return d.body == body; });
    return found == driven_.end() ? nullptr : &*found;
}

Drivers::Driven* Drivers::find(BodyId body) {
    return const_cast<Driven*>(std::as_const(*this).find(body));
}

Result<void> Drivers::add(const World& world, BodyId body, DriverDef def) {
    if (auto checked = check_driver(def); !checked) return checked;
    if (world.type(body) == BodyType::static_body)
        return Error{ErrorCode::invalid_value, "driver",
                     "can only be given for a kinematic or dynamic body"};
    if (find(body)) return Error{ErrorCode::invalid_value, "driver", "has been given already"};
    for (Keyframe& key : def.keyframes) key.pose.q = normalize(key.pose.q);
    for (Posed& pose : def.grid) pose.q = normalize(pose.q);
    Driven driven;
    driven.body = body;
    driven.is_dynamic = world.type(body) == BodyType::dynamic_body;
    driven.start = start_pose(def, world.time(), world.pose(body));
    driven.target = driven.state.hand = driven.start;
    if (!def.script.empty()) driven.state.input = script_point(def, world.time());
    driven.wanted = driven.state.input;
    driven.def = std::make_shared<const DriverDef>(std::move(def));
    driven_.push_back(std::move(driven));
    return {};
}

Result<Drivers::Driven*> Drivers::find_grid(BodyId body, GridPoint input) {
    Driven* driven = find(body);
    if (!driven) return bad("the body has no driver");
    if (driven->def->grid.empty())
        return bad(has_six_freedoms(*driven->def)
                       ? "the driver has no grid: it takes a position and an orientation"
                       : "the driver follows its path and takes no input");
    if (!is_grid_point(input)) return bad("x and y must lie in [-1, 1]");
    return driven;
}

Result<void> Drivers::set_input(BodyId body, GridPoint input) {
    const Result<Driven*> driven = find_grid(body, input);
    if (!driven) return driven.error();
    (*driven)->wanted = input;
    (*driven)->state.has_input = true;
    return {};
}

Result<void> Drivers::suggest_input(BodyId body, GridPoint input) {
    const Result<Driven*> driven = find_grid(body, input);
    if (!driven) return driven.error();
    if (!(*driven)->state.has_input) (*driven)->wanted = input;
    return {};
}

Result<void> Drivers::set_target(BodyId body, const Posed& target) {
    Driven* driven = find(body);
    if (!driven) return bad("the body has no driver");
    if (!has_six_freedoms(*driven->def))
        return bad(driven->def->grid.empty() ? "the driver follows its path and takes no input"
                                             : "the driver has a grid: it takes x and y");
    if (!is_unit_pose(target))
        return bad("the pose must be finite and its orientation a unit within 1e-3");
    driven->target = {target.p, normalize(target.q)};
    driven->state.has_input = true;
    return {};
}

DriverState Drivers::state(BodyId body) const {
    const Driven* driven = find(body);
    if (!driven) throw UsageError("the body has no driver");
    return driven->state;
}

const DriverDef& Drivers::definition(BodyId body) const {
    const Driven* driven = find(body);
    if (!driven) throw UsageError("the body has no driver");
    return *driven->def;
}

void Drivers::reset(World& world, BodyId body) {
    Driven* driven = find(body);
    if (!driven) throw UsageError("the body has no driver");
    driven->is_lost = false;
    driven->state.control = 1;
    driven->state.input = driven->def->script.empty() ? GridPoint{} : driven->def->script[0].input;
    driven->state.hand = driven->start;
    if (has_six_freedoms(*driven->def)) driven->target = driven->start;
    if (!can_be_driven(world, body)) return;
    world.set_pose(body, driven->start);
    world.set_velocity(body, {});
    world.set_angular_velocity(body, {});
}

void Drivers::move_hand(Driven& driven, double time, double dt) {
    const DriverDef& def = *driven.def;
    DriverState& state = driven.state;
    if (!def.keyframes.empty()) {
        state.hand = keyframe_pose(def, time);
    } else if (def.path) {
        state.hand = path_pose(def, time);
    } else if (!def.grid.empty()) {
        state.input = state.has_input || def.script.empty()
                          ? moved_towards(state.input, driven.wanted, speed_of(def) * dt)
                          : script_point(def, time);
        state.hand = grid_pose(def.grid, state.input);
    } else {
        state.hand = moved_towards(state.hand, driven.target, speed_of(def) * dt);
    }
}

// The pose at the end of the step. After a hit: between the free flight with the velocities after
// the impulse, and the hand. Free flight is that of the center of mass.
Posed Drivers::next_pose(Driven& driven, const Vec3d& center, double time) {
    DriverState& state = driven.state;
    if (!driven.is_lost) return state.hand;
    state.control = regained_control(time, state.lost_at, state.regained_at);
    if (state.control >= 1) {
        driven.is_lost = false;
        return state.hand;
    }
    const double flown = time - state.lost_at;
    const Quatd q =
        normalize(from_rotation_vector(driven.free_angular_velocity * flown) * driven.free_pose.q);
    const Vec3d p = transform(driven.free_pose, center) + driven.free_velocity * flown;
    return interpolate({p - rotate(q, center), q}, state.hand, state.control);
}

void Drivers::before_step(World& world, double dt) {
    if (!(dt > 0) || !std::isfinite(dt)) throw UsageError("dt must be positive and finite");
    events_.clear();
    const double end = world.time() + dt;
    for (Driven& driven : driven_) {
        if (!can_be_driven(world, driven.body)) continue;
        const MassProperties mass = world.mass_properties(driven.body);
        move_hand(driven, end, dt);
        const Posed next = next_pose(driven, mass.center, end);
        const BodyState now = world.state(driven.body);
        // Each step aims anew from where the body is, so errors do not add up.
        const Vec3d velocity = (transform(next, mass.center) - now.position) / dt;
        const Vec3d turn = to_rotation_vector(next.q * conjugate(now.orientation)) / dt;
        if (velocity != now.velocity) world.set_velocity(driven.body, velocity);
        if (turn != now.angular_velocity) world.set_angular_velocity(driven.body, turn);
        if (!driven.is_dynamic) continue;
        const Vec3d weight = world.settings().gravity * (mass.mass * driven.def->gravity_scale);
        if (weight != Vec3d{}) world.apply_force(driven.body, -weight);
        driven.given_velocity = world.state(driven.body).velocity; // locked axes stay at rest
        driven.given_angular_momentum = angular_momentum(world, driven.body);
        driven.step = dt;
    }
}

void Drivers::lose_control(Driven& driven, const DriverEvent& event, double impulse) {
    const double until = event.time + impulse / driven.def->grip;
    DriverState& state = driven.state;
    state.regained_at = driven.is_lost ? std::max(state.regained_at, until) : until;
    state.lost_at = event.time;
    driven.is_lost = true;
    state.control = 0;
    driven.free_pose = event.pose;
    driven.free_velocity = event.velocity;
    driven.free_angular_velocity = event.angular_velocity;
}

void Drivers::after_step(const World& world) {
    for (Driven& driven : driven_) {
        if (!can_be_driven(world, driven.body)) continue;
        const BodyState s = world.state(driven.body);
        DriverEvent event{
            driven.body, world.pose(driven.body), s.velocity, s.angular_velocity, {}, {},
            world.time()};
        if (driven.is_dynamic) {
            // Velocities differ by round-off alone, in `fast` that of floats, unless something else
            // acted on the body.
            const Vec3d change = s.velocity - driven.given_velocity;
            const double scale = 1e-3 + length(driven.given_velocity) +
                                 length(world.settings().gravity) * driven.step;
            const bool is_deflected =
                length(change) > 1e-6 * scale && could_be_hit(world, driven.body);
            // A body whose translation is locked can only be turned.
            const BodyImpulse contacts =
                is_deflected ? BodyImpulse{} : contact_impulse(world, driven.body);
            if (!is_deflected && contacts.angular == Vec3d{}) continue;
            event.impulse = change * world.mass_properties(driven.body).mass;
            event.angular_impulse =
                angular_momentum(world, driven.body) - driven.given_angular_momentum;
            lose_control(driven, event, length(is_deflected ? event.impulse : contacts.linear));
        } else {
            const BodyImpulse impulse = contact_impulse(world, driven.body);
            if (impulse.linear == Vec3d{} && impulse.angular == Vec3d{}) continue;
            event.impulse = impulse.linear;
            event.angular_impulse = impulse.angular;
        }
        events_.push_back(event);
    }
    // Last, so that a listener sees the drivers as they are after the whole step.
    for (const DriverEvent& event : events_)
        if (const Driven* driven = find(event.body); driven->def->on_hit)
            driven->def->on_hit(event);
}

std::uint64_t Drivers::state_hash() const {
    Hasher hasher;
    for (const Driven& d : driven_) {
        hasher.add(std::uint64_t{d.body.index} << 32 | d.body.generation);
        hasher.add(static_cast<std::uint64_t>(d.state.has_input) * 2 + std::uint64_t{d.is_lost});
        for (const double x : {d.wanted.x, d.wanted.y, d.state.input.x, d.state.input.y,
                               d.state.control, d.state.lost_at, d.state.regained_at})
            hasher.add_value(x);
        add_to(hasher, d.target), add_to(hasher, d.state.hand), add_to(hasher, d.free_pose);
        add_to(hasher, d.free_velocity), add_to(hasher, d.free_angular_velocity);
    }
    return hasher.value();
}

} // namespace rigor
