// Worlds in words: the JSON that the page is told beside the frames.
#pragma once

#include <string>
#include <unordered_map>

#include "view/stage.h"

namespace rigor::view {

/// The geometries of one world, each listed once.
class GeometryList {
  public:
    /// Of a leaf, not of a compound.
    std::size_t number_of(const ShapeDef& shape);
    const std::vector<json>& all() const { return all_; }

  private:
    std::unordered_map<std::string, std::size_t> numbers_;
    std::vector<std::shared_ptr<const TriangleSoup>> kept_; ///< so that no address is used again
    std::vector<json> all_;
};

json describe_body(const Stage& stage, std::uint32_t slot, GeometryList& geometries);
json describe_settings(const Stage& stage);
/// method, settings, bodies, geometries, joints, materials, warnings
json describe_world(const Stage& stage, GeometryList& geometries);
/// The inspector; `gone` when there is none.
json describe_body_state(const Stage& stage, std::uint32_t slot);
json describe_stats(const Stage& stage);
/// position, velocity, energy… by name; none for what is unknown.
std::optional<double> quantity(const Stage& stage, std::uint32_t slot, const std::string& name);

/// What was worth telling of the last step: {kind, text, bodies, value?}.
std::vector<json> describe_events(const Stage& stage);

/// How far the dynamic bodies are from where they are in another world: {rms, max}.
json describe_distance(const Stage& stage, const Stage& other);

} // namespace rigor::view
