// Stacks of boxes: pyramids, towers, a wall.

#include <algorithm>
#include <cmath>

#include "bench/scenes/scene_builder.h"

namespace rigor::bench {
namespace {

constexpr double kGroundSide = 200;
constexpr double kPitch = 1.1; // boxes of a row are 0.1 apart

const BoxDef kUnitBox{{1, 1, 1}};

void add_pyramid(SceneBuilder& scene, double x, double y, int base) {
    for (int row = 0; row < base; ++row) {
        const int length = base - row;
        for (int i = 0; i < length; ++i) {
            scene.add_dynamic({x + (i - 0.5 * (length - 1)) * kPitch, y, row + 0.5}, {}, kUnitBox);
        }
    }
}

Scene make_tower(const char* name, int count) {
    SceneBuilder scene(name);
    scene.add_ground(kGroundSide);
    for (int i = 0; i < count; ++i) scene.add_dynamic({0, 0, i + 0.5}, {}, kUnitBox);
    return std::move(scene).finish();
}

} // namespace

// A pyramid has b (b + 1) / 2 boxes: twice the bodies is a base wider by the square root of two.
Scene make_pyramid(const SceneOptions& options) {
    const int base = scaled(40, std::sqrt(options.scale));
    SceneBuilder scene("pyramid");
    scene.add_ground(std::max(kGroundSide, 2 * base * kPitch));
    add_pyramid(scene, 0, 0, base);
    return std::move(scene).finish();
}

// As square a field of pyramids as their number allows.
Scene make_pyramids_many(const SceneOptions& options) {
    constexpr int kBase = 10;
    constexpr double kSpacingX = 13, kSpacingY = 5;
    const int count = scaled(25, options.scale);
    const int side = static_cast<int>(std::ceil(std::sqrt(count)));
    const double middle = 0.5 * (side - 1);
    SceneBuilder scene("pyramids_many");
    scene.add_ground(std::max(kGroundSide, 2 * side * kSpacingX));
    for (int i = 0; i < count; ++i) {
        add_pyramid(scene, (i / side - middle) * kSpacingX, (middle - i % side) * kSpacingY, kBase);
    }
    return std::move(scene).finish();
}

Scene make_tall_stack20(const SceneOptions& options) {
    return make_tower("tall_stack20", scaled(20, options.scale));
}

Scene make_tall_stack40(const SceneOptions& options) {
    return make_tower("tall_stack40", scaled(40, options.scale));
}

// Rows are shifted by a quarter of the pitch, to and fro. A longer wall, not a higher one, is
// what scaling makes.
Scene make_wall(const SceneOptions& options) {
    constexpr int kRows = 20;
    constexpr double kBrickPitch = 1.01;
    const int length = scaled(30, options.scale);
    SceneBuilder scene("wall");
    scene.add_ground(std::max(1000.0, 2 * length * kBrickPitch));
    for (int row = 0; row < kRows; ++row) {
        const double shift = (row % 2 == 0 ? -0.25 : 0.25) * kBrickPitch;
        for (int i = 0; i < length; ++i) {
            scene.add_dynamic({(i - 0.5 * (length - 1)) * kBrickPitch + shift, 0, 0.5 * row + 0.25},
                              {}, BoxDef{{1, 0.5, 0.5}});
        }
    }
    scene.add_projectile({0, 15, 5}, {0, -30, 0}, SphereDef{1});
    return std::move(scene).finish();
}

} // namespace rigor::bench
