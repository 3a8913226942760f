// World: settings, bodies added and removed, motion, forces, energy.

#include "rigor/world.h"

#include <algorithm>

#include "dynamics/angular_velocity.h"
#include "dynamics/joint_coordinates.h"
#include "model/body_builder.h"
#include "model/contact_material.h"
#include "model/material_rules.h"
#include "rigor/settings_table.h"
#include "world/arguments.h"
#include "world/motion_edits.h"
#include "world/pipelines.h"
#include "world/world_impl.h"

namespace rigor {

World::Impl::Impl(const WorldSettings& wanted) : pipeline(make_pipeline(wanted.method)) {
    settings.method = wanted.method;
    apply(wanted);
}

void World::Impl::apply(const WorldSettings& wanted) {
    require_finite(wanted.gravity, "gravity");
    if (const auto checked = check_settings(wanted); !checked)
        throw UsageError(checked.error().message);
    if (const auto checked = check_pipeline(wanted); !checked)
        throw UsageError(checked.error().message);
    require_hooks_act(hooks, wanted.method);
    if (!team || (!has_task_system && team->size() != wanted.threads))
        team = std::make_unique<ThreadTeam>(wanted.threads);
    if (wanted.gravity != settings.gravity || wanted.method != settings.method ||
        wanted.may_sleep != settings.may_sleep)
        wake_all();
    if (wanted.method != settings.method) set_method(wanted.method);
    if (wanted.periodic != settings.periodic) {
        const std::optional<PeriodicCell> cell = cell_of(wanted.periodic);
        if (cell) require_all_fit(*cell);
        wake_all();
        state.cell = cell;
        pipeline->periodic_cell_changed(state);
    }
    settings = wanted;
    state.gravity = wanted.gravity;
}

void World::Impl::set_method(Method method) {
    // The next method does not know how far joints on tracks have come.
    for (std::uint32_t slot = 0; slot < state.joints.slot_count(); ++slot) {
        if (!state.joints.is_alive(slot) || !state.joints[slot].track) continue;
        const JointId id = state.joints.records.pool().id_at(slot);
        state.joints[slot].track_start =
            first_coordinate(state, state.joints[slot], pipeline->joint_readout(id).angle);
    }
    pipeline = PolymorphicValue<Pipeline>(make_pipeline(method));
    for (std::uint32_t body = 0; body < state.bodies.slot_count(); ++body)
        if (!state.bodies.ids.id_at(body).is_null()) pipeline->body_added(state, body);
    for (std::uint32_t joint = 0; joint < state.joints.slot_count(); ++joint)
        if (state.joints.is_alive(joint)) pipeline->joint_added(state, joint);
    if (state.cell) pipeline->periodic_cell_changed(state);
}

void World::Impl::body_moved(std::uint32_t body) {
    query_broadphase.change().note_changed(body);
    pipeline->body_moved(body);
}

std::uint32_t World::Impl::slot(BodyId id) const {
    if (!state.bodies.ids.is_alive(id)) {
        throw UsageError(id.is_null() ? "null body id"
                                      : "no such body in this world: it was removed, or the id is "
                                        "of another world");
    }
    return id.index;
}

World::Owner::Owner(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
World::Owner::~Owner() = default;
World::Owner::Owner(Owner&&) noexcept = default;
World::Owner& World::Owner::operator=(Owner&&) noexcept = default;

World::Impl* World::Owner::operator->() const {
    if (!impl_) throw UsageError("this world was moved from");
    return impl_.get();
}
World::Impl* World::Owner::operator->() {
    if (!impl_) throw UsageError("this world was moved from");
    impl_->require_outside_step("changed");
    return impl_.get();
}

World::World(const WorldSettings& settings) : impl_(std::make_unique<Impl>(settings)) {}
World::~World() = default;
World::World(World&&) noexcept = default;
World& World::operator=(World&&) noexcept = default;

const WorldSettings& World::settings() const {
    return impl_->settings;
}
void World::set_settings(const WorldSettings& settings) {
    impl_->apply(settings);
    impl_->record<&World::set_settings>(settings);
}

Result<BodyId> World::add_body(const BodyDef& def) {
    WorldState& state = impl_->state;
    Result<BuiltBody> built = build_body(def);
    if (!built) return built.error();
    if (state.cell && !fits(*state.cell, built->traits, built->shapes))
        return Error{ErrorCode::invalid_value, "", "is larger than half of the periodic cell"};

    BodyStore& bodies = state.bodies;
    const BodyId id = insert_body(state, std::move(*built));
    const std::uint32_t i = id.index;
    bodies.names[i] = def.name;
    impl_->query_broadphase.change().note_changed(i);
    impl_->pipeline->body_added(state, i);
    if (is_dynamic(bodies, i)) state.islands.add_body(i, 0);
    impl_->edit(i, [&](BodyStore& b) {
        rigor::set_velocity(b, i, def.velocity);
        rigor::set_angular_velocity(b, i, def.angular_velocity);
    });
    impl_->record<&World::add_body>(def);
    return id;
}

void World::remove_body(BodyId id) {
    const std::uint32_t i = impl_->slot(id);
    WorldState& state = impl_->state;
    impl_->wake(i);
    impl_->wake_around(i);
    for (const JointId joint : joints(id)) {
        if (is_valid(joint)) impl_->remove_joint(joint); // else removed with the one before
    }
    record_edit(state, i, -kinetic_energy(state.bodies, i));
    state.islands.remove_body(i);
    impl_->query_broadphase.change().remove_body(state, i);
    impl_->pipeline->body_removed(state, i);
    for_each_shape(state, i, [&](ShapeId shape, const ShapeRecord&) { state.shapes.erase(shape); });
    state.bodies.remove(id);
    impl_->record<&World::remove_body>(id);
}

void World::reserve_bodies(std::size_t count) {
    impl_->state.bodies.reserve(count);
}

void World::set_material_pair(const MaterialPair& pair) {
    require(check_material_pair(pair));
    rigor::set_material_pair(impl_->state, pair);
    impl_->record<&World::set_material_pair>(pair);
}

bool World::is_valid(BodyId id) const {
    return impl_->state.bodies.ids.is_alive(id);
}
std::size_t World::body_count() const {
    return impl_->state.bodies.ids.alive_count();
}

std::vector<BodyId> World::bodies() const {
    const IdPool<BodyTag>& ids = impl_->state.bodies.ids;
    std::vector<BodyId> all;
    all.reserve(ids.alive_count());
    for (std::uint32_t i = 0; i < ids.slot_count(); ++i) {
        if (const BodyId id = ids.id_at(i); !id.is_null()) all.push_back(id);
    }
    return all;
}

std::string_view World::name(BodyId id) const {
    return impl_->state.bodies.names[impl_->slot(id)];
}

BodyType World::type(BodyId id) const {
    return impl_->state.bodies.traits[impl_->slot(id)].type;
}

bool World::is_quarantined(BodyId id) const {
    const std::uint32_t i = impl_->slot(id);
    return type(id) != BodyType::static_body && !is_movable(impl_->state.bodies, i);
}

std::vector<ShapeId> World::shapes(BodyId id) const {
    std::vector<ShapeId> all;
    for_each_shape(impl_->state, impl_->slot(id),
                   [&](ShapeId shape, const ShapeRecord&) { all.push_back(shape); });
    return all;
}

MassProperties World::mass_properties(BodyId id) const {
    const BodyTraits& traits = impl_->state.bodies.traits[impl_->slot(id)];
    if (traits.type != BodyType::dynamic_body) return {0, traits.center, {}};
    return {traits.mass, traits.center, body_inertia(traits)};
}

BodyState World::state(BodyId id) const {
    const std::uint32_t i = impl_->slot(id);
    const BodyStore& bodies = impl_->state.bodies;
    return {bodies.motion[i].x, bodies.motion[i].q * conjugate(bodies.traits[i].principal),
            velocity(bodies, i), angular_velocity(bodies, i)};
}

Posed World::pose(BodyId id) const {
    const std::uint32_t i = impl_->slot(id);
    return frame_pose(impl_->state.bodies.motion[i], impl_->state.bodies.traits[i]);
}

Vec3d World::velocity_at(BodyId id, const Vec3d& point) const {
    const BodyState s = state(id);
    return s.velocity + cross(s.angular_velocity, point - s.position);
}

void World::set_pose(BodyId id, const Posed& pose) {
    const Posed unit_pose = pose_or_throw(pose);
    const std::uint32_t i = impl_->slot(id);
    BodyStore& bodies = impl_->state.bodies;
    const Vec3d w = angular_velocity(bodies, i);
    const auto put = [&](BodyStore& b) {
        set_frame_pose(b.motion[i], b.traits[i], unit_pose);
        rigor::set_angular_velocity(b, i, w);
    };
    impl_->wake_around(i);
    if (is_movable(bodies, i)) {
        impl_->edit(i, put);
    } else {
        put(bodies);
    }
    impl_->body_moved(i);
    impl_->record<&World::set_pose>(id, pose);
}

void World::set_velocity(BodyId id, const Vec3d& velocity) {
    require_finite(velocity, "velocity");
    const std::uint32_t i = impl_->slot(id);
    impl_->wake_around(i);
    impl_->edit(i, [&](BodyStore& b) { rigor::set_velocity(b, i, velocity); });
    impl_->record<&World::set_velocity>(id, velocity);
}

void World::set_angular_velocity(BodyId id, const Vec3d& angular_velocity) {
    require_finite(angular_velocity, "angular_velocity");
    const std::uint32_t i = impl_->slot(id);
    impl_->wake_around(i);
    impl_->edit(i, [&](BodyStore& b) { rigor::set_angular_velocity(b, i, angular_velocity); });
    impl_->record<&World::set_angular_velocity>(id, angular_velocity);
}

void World::Impl::add_wrench(std::uint32_t i, const Wrench& wrench) {
    BodyStore& bodies = state.bodies;
    if (!is_dynamic(bodies, i)) return;
    wake(i);
    if (bodies.wrenches.empty()) bodies.wrenches.resize(bodies.slot_count());
    bodies.wrenches[i].force += wrench.force;
    bodies.wrenches[i].torque += wrench.torque;
}

void World::apply_force(BodyId id, const Vec3d& force) {
    require_finite(force, "force");
    impl_->add_wrench(impl_->slot(id), {force, {}});
    impl_->record<&World::apply_force>(id, force);
}

void World::apply_torque(BodyId id, const Vec3d& torque) {
    require_finite(torque, "torque");
    impl_->add_wrench(impl_->slot(id), {{}, torque});
    impl_->record<&World::apply_torque>(id, torque);
}

void World::apply_force_at(BodyId id, const Vec3d& force, const Vec3d& point) {
    require_finite(force, "force");
    require_finite(point, "point");
    const std::uint32_t i = impl_->slot(id);
    const Vec3d torque = cross(point - impl_->state.bodies.motion[i].x, force);
    require_finite(torque, "torque");
    impl_->add_wrench(i, {force, torque});
    impl_->record<&World::apply_force_at>(id, force, point);
}

void World::apply_impulse_at(BodyId id, const Vec3d& impulse, const Vec3d& point) {
    require_finite(impulse, "impulse");
    require_finite(point, "point");
    const std::uint32_t i = impl_->slot(id);
    if (!is_dynamic(impl_->state.bodies, i)) return;
    impl_->edit(i, [&](BodyStore& b) {
        BodyMotion& m = b.motion[i];
        const std::uint8_t lock = b.traits[i].lock;
        m.p += without_locked(impulse, lock, lock_tx);
        m.l += without_locked(cross(point - m.x, impulse), lock, lock_rx);
    });
    impl_->record<&World::apply_impulse_at>(id, impulse, point);
}

const StepReport& World::step(double dt) {
    const StepReport& report = impl_->step(dt);
    if (impl_->recorder)
        impl_->recorder->step(dt, state_hash(), impl_->state.bodies,
                              impl_->pipeline->awake_bodies());
    return report;
}

void World::set_task_system(TaskSystem tasks) {
    impl_->has_task_system = static_cast<bool>(tasks.run);
    impl_->team = impl_->has_task_system ? std::make_unique<ThreadTeam>(std::move(tasks))
                                         : std::make_unique<ThreadTeam>(impl_->settings.threads);
}

double World::time() const {
    return impl_->state.time;
}
std::uint64_t World::step_count() const {
    return impl_->state.step;
}

Energy World::energy() const {
    return rigor::energy(impl_->state.bodies, impl_->state.gravity);
}

Momentum World::momentum() const {
    return rigor::momentum(impl_->state.bodies);
}

void World::start_recording() {
    const WorldState& state = impl_->state;
    const bool is_new = state.bodies.slot_count() == 0 && state.joints.slot_count() == 0 &&
                        state.material_pairs.empty() && state.step == 0;
    if (!is_new) throw UsageError("a recording must start before anything is done to the world");
    if (impl_->hooks.filter || impl_->hooks.modify)
        throw UsageError("a world with contact hooks cannot be recorded");
    impl_->recorder = std::make_unique<Recorder>(impl_->settings);
}

Recording World::recording() const {
    if (!impl_->recorder) throw UsageError("the world is not recorded");
    return impl_->recorder->recording();
}

std::size_t World::memory_bytes() const {
    return rigor::memory_bytes(impl_->state) + impl_->pipeline->memory_bytes();
}

} // namespace rigor
