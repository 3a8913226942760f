// The scenes in which engines are compared.
//
// One dynamic body has one shape at its own origin, its center of mass there too and its
// principal axes along its own, so that any engine can hold it as it is. Friction is 0.6,
// restitution 0, nothing sleeps and nothing is damped.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "rigor/scene.h"

namespace rigor::bench {

struct SceneOptions {
    std::uint64_t seed =
        1;            ///< of what is placed at random; 1 is the scene of the published numbers
    double scale = 1; ///< multiplies the number of bodies; at least one remains
};

struct SceneKind {
    std::string_view name;
    std::string_view about;
    bool stands; ///< every body should stay where it is, so drift is an error
    Scene (*make)(const SceneOptions& options);
};

/// All of them, in the order of the table.
const std::vector<SceneKind>& scene_kinds();

Scene make_pyramid(const SceneOptions& options);
Scene make_pyramids_many(const SceneOptions& options);
Scene make_pile_mixed(const SceneOptions& options);
Scene make_pile_hulls(const SceneOptions& options);
Scene make_tall_stack20(const SceneOptions& options);
Scene make_tall_stack40(const SceneOptions& options);
Scene make_wall(const SceneOptions& options);
Scene make_chains(const SceneOptions& options);
Scene make_mesh(const SceneOptions& options);

} // namespace rigor::bench
