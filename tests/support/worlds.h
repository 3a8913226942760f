// Worlds that tests share, and how they are stepped.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "rigor/world.h"
#include "support/bodies.h"

namespace rigor::test {

inline constexpr double kStep = 1.0 / 60;

/// A method with its default settings.
inline WorldSettings settings_of(Method method) {
    WorldSettings settings;
    settings.method = method;
    return settings;
}

inline BodyId add_ground(World& world) {
    return world.add_body(ground()).value();
}
inline BodyId add_ground(World& world, double friction, double restitution = 0) {
    return world.add_body(with_material(ground(), friction, restitution)).value();
}

inline void run_steps(World& world, int steps, double dt = kStep) {
    for (int i = 0; i < steps; ++i) world.step(dt);
}

inline int step_count(double seconds) {
    return static_cast<int>(std::lround(seconds / kStep));
}
inline void run(World& world, double seconds) {
    run_steps(world, step_count(seconds));
}

/// The deepest penetration now, m.
inline double deepest(const World& world) {
    const std::vector<double> depths = world.penetrations();
    return depths.empty() ? 0 : depths.back();
}

/// The name of a test that is run with each of several methods.
inline std::string method_name(const testing::TestParamInfo<Method>& method) {
    return std::string(name(method.param));
}

} // namespace rigor::test
