// Bodies that break under the methods from the literature. Their pieces touch each other from the
// first instant, which is the hardest start for a method that looks for times of contact.
#include "features/breakable.h"

namespace rigor::test {
namespace {

constexpr Method kMethods[] = {Method::baber2006, Method::kavan2003,   Method::baber2011,
                               Method::kenwright, Method::galoppo2007, Method::penalty};

double dynamic_mass(const World& world) {
    double mass = 0;
    for (const BodyId id : world.bodies())
        if (world.type(id) == BodyType::dynamic_body) mass += world.mass_properties(id).mass;
    return mass;
}

/// Steps until something breaks. Methods that find overlaps at the ends of steps need one more.
bool break_it(HitBody& hit) {
    for (int i = 0; i < 4; ++i) {
        hit.step(1.0 / 240);
        if (!hit.fracture.events().empty()) return true;
    }
    return false;
}

// The pieces fly on: nothing is lost or made, and no piece is thrown out by its neighbors.
TEST(FractureMethods, BreakEveryShapeAndKeepMassMomentumAndEnergy) {
    for (const Method method : kMethods) {
        for (const auto& [name, shape] : breakable_shapes()) {
            SCOPED_TRACE(message(rigor::name(method), ": ", name));
            Random random(3);
            BodyDef def{.name = "body", .angular_velocity = {1, 2, 3}};
            def.shapes.push_back(shape);
            HitBody hit(weightless(method), def, {.pieces = 10, .impulse = 1e-6}, random);
            const double mass = dynamic_mass(hit.world), energy = hit.world.energy().total();
            const Vec3d momentum = hit.world.momentum().linear;
            ASSERT_TRUE(break_it(hit));
            const FractureEvent event = hit.fracture.events()[0];
            EXPECT_GE(event.pieces.size(), 8u) << event.failure;
            EXPECT_GT(event.impulse, 0);
            for (int i = 0; i < 12; ++i) hit.step(1.0 / 240);
            EXPECT_NEAR(dynamic_mass(hit.world), mass, 1e-9 * mass);
            EXPECT_LT(length(hit.world.momentum().linear - momentum), 1e-9 * length(momentum));
            EXPECT_LT(hit.world.energy().total(), 1.001 * energy);
        }
    }
}

// A ball of 1 kg at 10 m/s that stops dead gives 10 N s; e = 0.
TEST(FractureMethods, BreakAboveTheImpulseAndNotBelow) {
    for (const Method method : kMethods) {
        for (const double threshold : {6.0, 12.0}) {
            World world(weightless(method));
            BodyDef wall, ball{.position = {-0.8, 0, 0}, .velocity = {10, 0, 0}};
            wall.shapes.push_back({.geometry = BoxDef{{1, 1, 1}}});
            wall.mass = 1e6;
            ball.shapes.push_back({.geometry = SphereDef{0.25}});
            ball.mass = 1;
            const BodyId id = world.add_body(wall).value();
            ASSERT_TRUE(world.add_body(ball));
            Fracture fracture;
            ASSERT_TRUE(fracture.watch(world, id, wall, {.impulse = threshold}));
            std::size_t breaks = 0;
            for (int i = 0; i < 10 && breaks == 0; ++i) {
                fracture.before_step(world);
                world.step(1.0 / 60);
                fracture.after_step(world, 1.0 / 60);
                breaks += fracture.events().size();
            }
            EXPECT_EQ(breaks > 0, threshold < 10) << rigor::name(method) << " " << threshold;
        }
    }
}

} // namespace
} // namespace rigor::test
