// `vehicle` patterns: tires, engine, brakes, steering, and the driver.
#pragma once

#include <span>

#include "scene/scene_draft.h"

namespace rigor {

/// Fills def and drive of a vehicle whose wheels are known. `wheel` is the template of the wheels:
/// its material is that of the tires, unless `tire` says otherwise.
void read_vehicle_fields(ObjectReader& o, const BodyDef& wheel, Scene& scene, SceneVehicle& out);

/// Indices of wheels, each at most once.
std::vector<bool> read_wheel_set(const Field& field, std::size_t wheels);

/// Moment of inertia of the template about its axle, along y.
double axle_inertia(const Field& field, const BodyDef& wheel);
/// Of a wheel that is not round, and of keys that do nothing where rays are cast.
void warn_of_wheel(const Field& field, const BodyDef& wheel, std::span<const ShapeRecord> shapes,
                   bool ray_cast, Scene& scene);

} // namespace rigor
