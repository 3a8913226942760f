// JSON descriptions of worlds and bodies, for the messages beside the frames.
#pragma once

#include <string>
#include <unordered_map>

#include "viewer/session.h"

namespace rigor::viewer {

/// The geometries of one world, each listed once.
class GeometryList {
  public:
    /// The index of a shape's geometry, added if it is new. The shape must not be a compound.
    std::size_t index_of(const ShapeDef& shape);
    /// The index of the mesh of a `look`, read from its file when it is new. None when it cannot be
    /// drawn; warnings() then says why.
    std::optional<std::size_t> index_of_look(const std::string& path);
    const std::vector<json>& all() const { return all_; }
    const std::vector<std::string>& warnings() const { return warnings_; }

  private:
    std::size_t add(std::string key, json description);

    std::unordered_map<std::string, std::size_t> indices_;
    std::vector<std::shared_ptr<const TriangleSoup>>
        retained_; ///< identified by address, so kept alive
    std::vector<json> all_;
    std::vector<std::string> warnings_;
    std::unordered_map<std::string, std::optional<std::size_t>> looks_; ///< by path
};

json describe_body(const Session& session, std::uint32_t slot, GeometryList& geometries);
json describe_settings(const Session& session);
/// [{type, label, unit?, path?, action?, range?, step?, values?, value?}]
json describe_controls(const Scene& scene);
/// {method, settings, bodies, geometries, joints, materials, warnings, vehicles?, drivers?, duel?,
/// periodic?}
json describe_world(const Session& session, GeometryList& geometries);
/// For the inspector; {index, gone} when there is no body in the slot.
json describe_body_state(const Session& session, std::uint32_t slot);
json describe_stats(const Session& session);
/// A quantity of a body by name, for plots: x, vx, speed, kinetic_energy...; none when unknown.
std::optional<double> quantity(const Session& session, std::uint32_t slot, const std::string& name);

/// Which bodies vehicles are made of: {name, chassis, wheels} each.
json describe_vehicle_parts(const Session& session);
/// What a driver sees of the vehicles: {chassis, speed, gear, rpm, throttle, brake, hand_brake}
/// each.
json describe_vehicles(const Session& session);

/// Notable events of the last step: {kind, text, bodies, value?}.
std::vector<json> describe_events(const Session& session);

/// The distances of dynamic bodies between two worlds: {rms, max}.
json describe_distance(const Session& session, const Session& other);

} // namespace rigor::viewer
