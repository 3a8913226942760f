// Boxes and spheres that fall on hills of triangles.

#include <cmath>

#include "bench/scenes/random.h"
#include "bench/scenes/scene_builder.h"
#include "math/trig.h"

namespace rigor::bench {
namespace {

double height(double x, double y) {
    return 1.5 * sin(0.35 * x) * cos(0.3 * y) + 0.2 * sin(1.7 * x - 0.9 * y);
}

// A square of 2 half x 2 half cells of one meter, two triangles each.
MeshDef make_hills(int half) {
    auto soup = std::make_shared<TriangleSoup>();
    const auto columns = static_cast<std::uint32_t>(2 * half + 1);
    for (int y = half; y >= -half; --y) {
        for (int x = -half; x <= half; ++x) {
            soup->vertices.push_back({double(x), double(y), height(x, y)});
        }
    }
    for (std::uint32_t row = 0; row + 1 < columns; ++row) {
        for (std::uint32_t column = 0; column + 1 < columns; ++column) {
            const std::uint32_t a = row * columns + column, below = a + columns;
            soup->triangles.push_back({a, below, a + 1});
            soup->triangles.push_back({a + 1, below, below + 1});
        }
    }
    return {std::move(soup)};
}

void add_fence(SceneBuilder& scene, int half) {
    constexpr double kThickness = 2, kHeight = 20, kMiddle = 5;
    const double at = half + kThickness / 2;
    for (const double side : {1.0, -1.0}) {
        scene.add_static({side * at, 0, kMiddle},
                         BoxDef{{kThickness, 2 * (half + kThickness), kHeight}});
    }
    for (const double side : {-1.0, 1.0}) {
        scene.add_static({0, side * at, kMiddle}, BoxDef{{2.0 * half, kThickness, kHeight}});
    }
}

} // namespace

Scene make_mesh(const SceneOptions& options) {
    constexpr double kSpacing = 2, kJitter = 0.1, kTilt = 1;
    constexpr int kMargin = 6;
    const int count = scaled(2000, options.scale);
    const int side = static_cast<int>(std::ceil(std::sqrt(count)));
    const int half = side - 1 + kMargin;
    Random random(options.seed);
    SceneBuilder scene("mesh");
    scene.add_static({}, make_hills(half));
    add_fence(scene, half);
    for (int i = 0; i < count; ++i) {
        const double x = random.uniform(-kJitter, kJitter), up = random.uniform(4, 6),
                     back = random.uniform(-kJitter, kJitter);
        const Vec3d place{kSpacing * (i / side) - (side - 1), (side - 1) - kSpacing * (i % side),
                          0};
        const Quatd rotation = random.rotation(kTilt);
        const ShapeGeometry shape =
            i % 2 == 0 ? ShapeGeometry(SphereDef{0.5}) : ShapeGeometry(BoxDef{{1, 1, 1}});
        scene.add_dynamic(place + z_up({x, up, back}), rotation, shape);
    }
    return std::move(scene).finish();
}

} // namespace rigor::bench
