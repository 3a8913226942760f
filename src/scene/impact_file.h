// Files of single impacts: a JSON array with one object for each impact.
//
//     { "restitution", "friction", "normal",
//       "a": { "mass", "inertia", "r", "velocity", "angular_velocity" }, "b": the same or null }
//
// in world coordinates. The normal points from b to a, along the force on a; r is from the center
// of mass to the contact; inertia is nine numbers, row by row, in world axes; null is immovable.
// What a file expects ("expect") is for those who compare.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "rigor/impact.h"
#include "rigor/result.h"

namespace rigor {

Result<std::vector<BodyImpact>> parse_impacts(std::string text, const std::string& name);
Result<std::vector<BodyImpact>> load_impacts(const std::filesystem::path& path);

} // namespace rigor
