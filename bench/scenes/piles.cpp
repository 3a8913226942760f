// Piles: bodies that fall into a tub.

#include <algorithm>
#include <cmath>

#include "bench/scenes/random.h"
#include "bench/scenes/random_hull.h"
#include "bench/scenes/scene_builder.h"

namespace rigor::bench {
namespace {

// Places in layers of side x side, filled one after another. More bodies are a wider tub with as
// many layers, so that all depths of pile stay comparable.
struct Layers {
    static constexpr double kSpacing = 1.25;

    int count, side;
    double spacing_z;

    Layers(int bodies, int bodies_full, double layer_spacing)
        : count(bodies),
          side(std::max(
              1, static_cast<int>(std::lround(20 * std::sqrt(double(bodies) / bodies_full))))),
          spacing_z(layer_spacing) {}

    Vec3d operator[](int i) const {
        const double middle = 0.5 * (side - 1);
        const int in_layer = i % (side * side);
        return {(in_layer / side - middle) * kSpacing, (middle - in_layer % side) * kSpacing,
                1.5 + spacing_z * (i / (side * side))};
    }
    double tub_half_width() const { return 0.5 * side * kSpacing + 0.25; }
};

ShapeGeometry mixed_shape(int i) {
    switch (i % 3) {
        case 0:
            return SphereDef{0.5};
        case 1:
            return BoxDef{{1, 1, 1}};
        default:
            return CapsuleDef{0.4, 0.8};
    }
}

} // namespace

Scene make_pile_mixed(const SceneOptions& options) {
    constexpr double kJitter = 0.05, kTilt = 0.1;
    const Layers places(scaled(4000, options.scale), 4000, 1.8);
    Random random(options.seed);
    SceneBuilder scene("pile_mixed");
    scene.add_tub(places.tub_half_width());
    for (int i = 0; i < places.count; ++i) {
        const double x = random.uniform(-kJitter, kJitter),
                     back = random.uniform(-kJitter, kJitter);
        const Quatd rotation = random.rotation(kTilt);
        scene.add_dynamic(places[i] + z_up({x, 0, back}), rotation, mixed_shape(i));
    }
    return std::move(scene).finish();
}

Scene make_pile_hulls(const SceneOptions& options) {
    constexpr double kTurn = 3;
    const Layers places(scaled(2000, options.scale), 2000, 1.4);
    Random random(options.seed);
    SceneBuilder scene("pile_hulls");
    scene.add_tub(places.tub_half_width());
    for (int i = 0; i < places.count; ++i) {
        HullDef hull{random_hull(random)};
        scene.add_dynamic(places[i], random.rotation(kTurn), std::move(hull));
    }
    return std::move(scene).finish();
}

} // namespace rigor::bench
