// Chains of capsules, each hung from a small static block.

#include <algorithm>

#include "bench/scenes/scene_builder.h"
#include "math/trig.h"
#include "rigor/rotation.h"

namespace rigor::bench {

Scene make_chains(const SceneOptions& options) {
    constexpr int kLinks = 20;
    constexpr double kLinkLength = 0.6, kHeight = 15, kSlope = 0.5;
    const CapsuleDef link{0.1, 0.4};
    const SinCos<double> slope = sin_cos(kSlope);
    const Vec3d along{slope.cos, 0, -slope.sin};
    const Quatd rotation = from_axis_angle(Vec3d{0, 1, 0}, kPi<double> / 2 + kSlope);

    const int count = scaled(100, options.scale);
    SceneBuilder scene("chains");
    scene.add_ground(std::max(200.0, 2.0 * count));
    for (int i = 0; i < count; ++i) {
        const Vec3d top{0, 0.5 * (count - 1) - i, kHeight};
        std::int32_t above = scene.add_static(top, BoxDef{{0.2, 0.2, 0.2}});
        for (int k = 0; k < kLinks; ++k) {
            const std::int32_t below =
                scene.add_dynamic(top + along * ((k + 0.5) * kLinkLength), rotation, link);
            scene.add_ball_joint(above, below, top + along * (k * kLinkLength));
            above = below;
        }
    }
    return std::move(scene).finish();
}

} // namespace rigor::bench
