// Bodies that can break, and what hits them.
#pragma once

#include <gtest/gtest.h>

#include "geometry/decompose_samples.h"
#include "rigor/fracture.h"
#include "test_support.h"

namespace rigor::test {

inline const std::vector<std::pair<const char*, ShapeDef>>& breakable_shapes() {
    static const std::vector<std::pair<const char*, ShapeDef>> shapes = [] {
        std::vector<std::pair<const char*, ShapeDef>> all;
        const auto soup = std::make_shared<const TriangleSoup>(l_mesh());
        all.push_back({"box", {.geometry = BoxDef{{1, 0.8, 0.6}}}});
        all.push_back({"rounded box", {.geometry = BoxDef{{1, 0.8, 0.6}}, .rounding = 0.1}});
        all.push_back({"sphere", {.geometry = SphereDef{0.5}}});
        all.push_back({"hollow sphere", {.geometry = SphereDef{0.5}, .hollow = true}});
        all.push_back({"cylinder", {.geometry = CylinderDef{0.4, 1}}});
        all.push_back({"cone", {.geometry = ConeDef{0.5, 1}}});
        all.push_back({"capsule", {.geometry = CapsuleDef{0.3, 0.8}}});
        all.push_back(
            {"hull",
             {.geometry = HullDef{
                  {{-0.5, -0.5, -0.5}, {0.6, 0, 0}, {0, 0.7, 0}, {0, 0, 0.8}, {0.4, 0.4, 0.4}}}}});
        all.push_back({"decomposed mesh", {.geometry = MeshDef{soup, 0.05}}});
        all.push_back({"mesh", {.geometry = MeshDef{soup}}});
        CompoundDef hammer;
        hammer.shapes.push_back({.geometry = BoxDef{{0.2, 0.2, 1.2}}});
        hammer.shapes.push_back({.geometry = BoxDef{{0.8, 0.3, 0.3}}, .position = {0, 0, 0.6}});
        hammer.shapes[1].material.density = 7800;
        all.push_back({"compound", {.geometry = hammer}});
        return all;
    }();
    return shapes;
}

/// A body with one shape, and a ball that hits it within the next step.
struct HitBody {
    World world;
    Fracture fracture;
    BodyDef def;
    BodyId body, ball;

    HitBody(const WorldSettings& settings, BodyDef body_def, const FractureDef& how, Random& random)
        : world(settings), def(std::move(body_def)) {
        body = world.add_body(def).value();
        const Vec3d center = world.state(body).position;
        // From far away toward the center, until it nearly touches.
        Vec3d from, point;
        double fraction = 1;
        while (fraction >= 1) {
            from = random.direction();
            const auto hit = world.cast_shape({.geometry = SphereDef{0.1}},
                                              {center + from * 10.0, {}}, from * -10.0);
            if (hit.value()) fraction = (*hit)->fraction, point = (*hit)->point;
        }
        BodyDef ball_def{.position = center + from * (10 - 10 * fraction + 1e-4)};
        ball_def.shapes.push_back({.geometry = SphereDef{0.1}});
        ball_def.velocity = world.velocity_at(body, point) - from * random.uniform(5, 30);
        ball = world.add_body(ball_def).value();
        const auto watched = fracture.watch(world, body, def, how);
        EXPECT_TRUE(watched) << to_string(watched.error());
    }

    void step(double dt) {
        fracture.before_step(world);
        world.step(dt);
        fracture.after_step(world, dt);
    }
};

inline WorldSettings weightless(Method method) {
    WorldSettings settings;
    settings.method = method;
    settings.gravity = {};
    return settings;
}

} // namespace rigor::test
