// Fields of the definitions in recordings, in their order.
//
// The order is the format: a change here is a new kRecordingFormat. Each struct is taken apart
// whole, so that a field added to it and forgotten here does not compile.
#pragma once

#include <type_traits>

#include "rigor/body.h"
#include "rigor/settings.h"
#include "settings/choice_names.h"
#include "world/recorded_joint.h"
#include "world/recording_archive.h"

namespace rigor {

// How many values an enumeration has.
constexpr std::size_t count_of(BodyType) {
    return static_cast<std::size_t>(BodyType::dynamic_body) + 1;
}
constexpr std::size_t count_of(JointType) {
    return kJointTypeCount;
}
template <HasChoiceNames E>
constexpr std::size_t count_of(E) {
    return std::size(kChoiceNames<E>);
}

void fields(auto& archive, IsA<Vec3d> auto& value) {
    auto& [x, y, z] = value;
    archive(x, y, z);
}
void fields(auto& archive, IsA<Quatd> auto& value) {
    auto& [w, x, y, z] = value;
    archive(w, x, y, z);
}
void fields(auto& archive, IsA<Posed> auto& value) {
    auto& [p, q] = value;
    archive(p, q);
}
void fields(auto& archive, IsA<Sym3d> auto& value) {
    auto& [xx, yy, zz, xy, xz, yz] = value;
    archive(xx, yy, zz, xy, xz, yz);
}
void fields(auto& archive, IsA<BodyId> auto& value) {
    auto& [index, generation] = value;
    archive(index, generation);
}
void fields(auto& archive, IsA<ShapeId> auto& value) {
    auto& [index, generation] = value;
    archive(index, generation);
}
void fields(auto& archive, IsA<JointId> auto& value) {
    auto& [index, generation] = value;
    archive(index, generation);
}
void fields(auto& archive, IsA<MassProperties> auto& value) {
    auto& [mass, center, inertia] = value;
    archive(mass, center, inertia);
}

void fields(auto& archive, IsA<Material> auto& value) {
    auto& [static_friction, kinetic_friction, restitution, density, rolling_resistance,
           torsional_friction, patch_radius, surface_velocity, anisotropy_axis, anisotropy_ratio,
           id, color] = value;
    archive(static_friction, kinetic_friction, restitution, density, rolling_resistance,
            torsional_friction, patch_radius, surface_velocity, anisotropy_axis, anisotropy_ratio,
            id, color);
}
void fields(auto& archive, IsA<MaterialPair> auto& value) {
    auto& [a, b, static_friction, kinetic_friction, restitution] = value;
    archive(a, b, static_friction, kinetic_friction, restitution);
}

void fields(auto& archive, IsA<SphereDef> auto& value) {
    auto& [radius] = value;
    archive(radius);
}
void fields(auto& archive, IsA<BoxDef> auto& value) {
    auto& [size] = value;
    archive(size);
}
void fields(auto& archive, IsA<CapsuleDef> auto& value) {
    auto& [radius, length] = value;
    archive(radius, length);
}
void fields(auto& archive, IsA<CylinderDef> auto& value) {
    auto& [radius, height] = value;
    archive(radius, height);
}
void fields(auto& archive, IsA<ConeDef> auto& value) {
    auto& [radius, height] = value;
    archive(radius, height);
}
void fields(auto& archive, IsA<HullDef> auto& value) {
    auto& [points] = value;
    archive(points);
}
void fields(auto& archive, IsA<TriangleSoup> auto& value) {
    auto& [vertices, triangles] = value;
    archive(vertices, triangles);
}
void fields(auto& archive, IsA<MeshDef> auto& value) {
    auto& [soup, concavity, one_sided] = value;
    archive(soup, concavity, one_sided);
}
void fields(auto& archive, IsA<HeightFieldDef> auto& value) {
    auto& [size_x, size_y, columns, rows, heights] = value;
    archive(size_x, size_y, columns, rows, heights);
}
void fields(auto& archive, IsA<PlaneDef> auto& value) {
    auto& [normal, offset] = value;
    archive(normal, offset);
}
void fields(auto& archive, IsA<CompoundDef> auto& value) {
    auto& [shapes] = value;
    archive(shapes);
}
void fields(auto& archive, IsA<ShapeDef> auto& value) {
    auto& [geometry, position, orientation, rounding, hollow, sensor, material] = value;
    archive(geometry, position, orientation, rounding, hollow, sensor, material);
}

void fields(auto& archive, IsA<BodyDef> auto& value) {
    auto& [name, type, position, orientation, velocity, angular_velocity, shapes, mass,
           mass_properties, lock, linear_damping, angular_damping, gravity_scale, can_sleep,
           continuous, group, mask] = value;
    archive(name, type, position, orientation, velocity, angular_velocity, shapes, mass,
            mass_properties, lock, linear_damping, angular_damping, gravity_scale, can_sleep,
            continuous, group, mask);
}

void fields(auto& archive, IsA<Range> auto& value) {
    auto& [lo, hi] = value;
    archive(lo, hi);
}
void fields(auto& archive, IsA<SpringDef> auto& value) {
    auto& [frequency_hz, damping_ratio] = value;
    archive(frequency_hz, damping_ratio);
}
void fields(auto& archive, IsA<MotorDef> auto& value) {
    auto& [target_velocity, target_position, max_force] = value;
    archive(target_velocity, target_position, max_force);
}
void fields(auto& archive, IsA<RecordedJointKind> auto& value) {
    auto& [anchor_b, axis, steer_axis, frame, limits, range, cone, twist, axes, gear_a, gear_b,
           gear_ratio, curve, curve_closed, motor] = value;
    archive(anchor_b, axis, steer_axis, frame, limits, range, cone, twist, axes, gear_a, gear_b,
            gear_ratio, curve, curve_closed, motor);
}
void fields(auto& archive, IsA<JointDef> auto& value) {
    auto& [name, a, b, anchor, kind, spring, friction, break_force, break_torque, collide] = value;
    JointType type = value.type();
    RecordedJointKind recorded = recorded_kind(value);
    archive(name, type, a, b, anchor, recorded, spring, friction, break_force, break_torque,
            collide);
    if constexpr (!std::is_const_v<std::remove_reference_t<decltype(value)>>)
        kind = kind_of(type, std::move(recorded));
}

void fields(auto& archive, IsA<PeriodicBox> auto& value) {
    auto& [lo, hi] = value;
    archive(lo, hi);
}

void fields(auto& archive, IsA<ContactLaws> auto& value) {
    auto& [integrator, impact, multi, resting, detection, tolerance, delta, delta_absolute,
           contact_order, separating_impulses, keep_velocity, penalty_depth, separation_distance,
           max_events, max_wall_seconds, fixed_steps] = value;
    archive(integrator, impact, multi, resting, detection, tolerance, delta, delta_absolute,
            contact_order, separating_impulses, keep_velocity, penalty_depth, separation_distance,
            max_events, max_wall_seconds, fixed_steps);
}

/// Threads, lanes, the time and the memory for a run are matters of the machine and not recorded.
/// The substeps are the resolved number, so that a later default changes no recording.
void fields(auto& archive, IsA<WorldSettings> auto& value) {
    auto& [gravity, integrator, substeps, threads, method, lanes, may_sleep, hit_speed,
           max_run_seconds, laws, periodic, max_memory_mb] = value;
    int count = substeps_of(value);
    archive(gravity, integrator, count, method, may_sleep, hit_speed, laws, periodic);
    if constexpr (!std::is_const_v<std::remove_reference_t<decltype(value)>>) substeps = count;
}

} // namespace rigor
