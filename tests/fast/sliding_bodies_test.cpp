// Bodies that slide on several points, or on one of them with different masses in different
// directions: friction is opposite to the slip of each point, by the load of each point.

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>

#include "fast_settings.h"
#include "numeric/ode.h"
#include "rigor/rotation.h"
#include "rigor/world.h"
#include "test_support.h"

namespace rigor::sliding_bodies_test {
namespace {

constexpr double kG = 9.81;

World world_of(Method method) {
    WorldSettings settings = test::fast_settings();
    settings.method = method;
    return World(settings);
}

/// A capsule that lies on a floor and slides over its two ends.
struct SlidingCapsule {
    static constexpr double kRadius = 0.1, kLength = 0.4, kMass = 3, kFriction = 0.4;
    static constexpr double kAlong = 0.02, kAcross = 0.09; ///< moments of inertia
    static constexpr Vec3d kVelocity = {2.5, 1.5, 0};

    /// Position and angle of its axis by Coulomb's law at both ends. In the axes a of the capsule,
    /// b = z x a and z the loads N obey
    ///
    ///     N_1 + N_2 = m g ,   -l/2 (N_1 - N_2) - r (f_1 + f_2)·a = I_a w_a w_z .
    static std::array<double, 3> exact(double time) {
        std::array<double, 7> y{0, 0, 0, kVelocity.x, kVelocity.y, 0, 0}; // x y angle vx vy wa wz
        DormandPrince().integrate(
            [](double, auto at, auto rate) {
                const Vec3d a{std::cos(at[2]), std::sin(at[2]), 0}, b{-a.y, a.x, 0};
                const double arm = kLength / 2, wa = at[5], wz = at[6];
                const Vec3d middle = Vec3d{at[3], at[4], 0} + b * (kRadius * wa);
                const Vec3d u1 = normalize(middle + b * (arm * wz)),
                            u2 = normalize(middle - b * (arm * wz));
                const double weight = kMass * kG, mu = kFriction;
                const double sum = dot(u1 + u2, a), difference = dot(u1 - u2, a);
                const double unequal = (kRadius * mu * weight / 2 * sum - kAlong * wa * wz) /
                                       (arm - kRadius * mu / 2 * difference);
                const Vec3d f1 = u1 * (-mu * (weight + unequal) / 2),
                            f2 = u2 * (-mu * (weight - unequal) / 2);
                rate[0] = at[3];
                rate[1] = at[4];
                rate[2] = wz;
                rate[3] = (f1.x + f2.x) / kMass;
                rate[4] = (f1.y + f2.y) / kMass;
                rate[5] = kRadius * dot(f1 + f2, b) / kAlong;
                rate[6] = arm * dot(f1 - f2, b) / kAcross;
            },
            0, time, y);
        return {y[0], y[1], y[2]};
    }

    static std::array<double, 3> simulated(double time, Method method, int hertz) {
        World world = world_of(method);
        test::add_ground(world, kFriction);
        BodyDef def = test::with_material(test::body(CapsuleDef{kRadius, kLength}, {0, 0, kRadius}),
                                          kFriction);
        def.mass_properties =
            MassProperties{kMass, {}, Sym3d::diagonal({kAcross, kAcross, kAlong})};
        def.orientation = from_rotation_vector(Vec3d{0, std::numbers::pi / 2, 0});
        def.velocity = kVelocity;
        const BodyId id = world.add_body(def).value();
        test::run_steps(world, static_cast<int>(std::lround(time * hertz)), 1.0 / hertz);
        const Posed pose = world.pose(id);
        const Vec3d axis = rotate(pose.q, Vec3d{0, 0, 1});
        return {pose.p.x, pose.p.y, std::atan2(axis.y, axis.x)};
    }
};

// The end in front carries more, so that its friction turns the capsule. With one friction of both
// ends, and a twist that held it, the capsule kept its direction.
TEST(SlidingBodies, ACapsuleTurnsByTheFrictionOfItsEnds) {
    constexpr double kTime = 0.4;
    const auto exact = SlidingCapsule::exact(kTime);
    EXPECT_GT(std::abs(exact[2]), 0.1) << "it turns";
    for (const auto& [method, hertz, tolerance] : {std::tuple{Method::faithful, 60, 1e-6},
                                                   {Method::fast, 60, 8e-3},
                                                   {Method::fast, 240, 2e-3},
                                                   {Method::fast, 960, 5e-4}}) {
        const auto now = SlidingCapsule::simulated(kTime, method, hertz);
        for (std::size_t i = 0; i < 3; ++i)
            EXPECT_NEAR(now[i], exact[i], tolerance) << i << " " << hertz;
    }
}

/// Where a body that slides down a slope is after some time.
Vec3d place_after(double time, const BodyDef& def, Method method, int hertz) {
    World world = world_of(method);
    BodyDef slope =
        test::body(PlaneDef{normalize(Vec3d{0.3, 0.4, 1}), 0}, {}, BodyType::static_body);
    slope.shapes[0].material = def.shapes[0].material;
    world.add_body(slope).value();
    const BodyId id = world.add_body(def).value();
    test::run_steps(world, static_cast<int>(std::lround(time * hertz)), 1.0 / hertz);
    return world.state(id).position;
}

// An impulse by masses that differ by direction is not opposite to the slip: a sled that does not
// turn went down a slope askew, and so did a ball with the inertia of a rod.
TEST(SlidingBodies, SlideByTheirSlipWhateverTheirInertia) {
    const Vec3d up = normalize(Vec3d{0.3, 0.4, 1});
    BodyDef sled = test::with_material(test::body(BoxDef{{1, 0.2, 0.2}}, up * 0.1), 0.2);
    sled.orientation = rotation_between(Vec3d{0, 0, 1}, up);
    sled.shapes[0].material.torsional_friction = 0.5;
    BodyDef ball = test::with_material(test::body(SphereDef{0.5}, up * 0.5), 0.06);
    ball.mass_properties = MassProperties{2, {}, Sym3d::diagonal({0.04, 0.4, 0.4})};
    for (const BodyDef& body : {sled, ball}) {
        const Vec3d exact = place_after(0.6, body, Method::faithful, 60);
        const double way = length(exact - body.position);
        for (const auto& [hertz, tolerance] :
             {std::pair{60, 1e-2}, std::pair{240, 2.5e-3}, std::pair{960, 7e-4}})
            EXPECT_LT(length(place_after(0.6, body, Method::fast, hertz) - exact), tolerance * way)
                << hertz << " " << way;
    }
    const Vec3d way = place_after(0.6, sled, Method::fast, 60) - sled.position;
    EXPECT_NEAR(dot(way, normalize(Vec3d{3, 4, -2.5})) / length(way), 1, 1e-5) << "straight down";
}

} // namespace
} // namespace rigor::sliding_bodies_test
