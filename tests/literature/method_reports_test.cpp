// Hits, contacts and their impulses under the methods from the literature.

#include <gtest/gtest.h>

#include "support/worlds.h"

namespace rigor::test {
namespace {

constexpr double kG = 9.81;

class MethodReports : public testing::TestWithParam<Method> {
  protected:
    /// A ball over the ground, or a box.
    MethodReports() : world_(settings_of(GetParam())) { ground_ = add_ground(world_, 0.5, 0.5); }

    BodyId add(const ShapeGeometry& shape, double height) {
        return world_.add_body(with_material(body(shape, {0, 0, height}), 0.5, 0.5)).value();
    }
    double mass(BodyId id) const { return world_.mass_properties(id).mass; }

    World world_;
    BodyId ground_;
};

INSTANTIATE_TEST_SUITE_P(All, MethodReports,
                         testing::Values(Method::baber2006, Method::kavan2003, Method::baber2011,
                                         Method::kenwright, Method::galoppo2007, Method::penalty),
                         method_name);

// The hits of a fall tell its speed, and between them the impulse that turned the ball around.
TEST_P(MethodReports, AHitHasTheImpulseOfTheBounce) {
    const BodyId ball = add(SphereDef{0.5}, 1.5);
    double speed = 0, impulse = 0;
    std::size_t begun = 0;
    for (int i = 0; i < 40; ++i) {
        world_.step(kStep);
        begun += world_.events().begun.size();
        for (const ContactHit& hit : world_.events().hits) {
            EXPECT_TRUE(hit.a.body == ball || hit.b.body == ball);
            EXPECT_NEAR(std::abs(hit.normal.z), 1, 1e-9);
            speed = std::max(speed, hit.speed);
            impulse += hit.impulse;
        }
    }
    EXPECT_NEAR(speed, std::sqrt(2 * kG), 0.2);
    const double bounce = mass(ball) * 1.5 * std::sqrt(2 * kG);
    if (GetParam() == Method::penalty) { // the springs push on when the ball leaves
        EXPECT_GT(impulse, bounce / 1.5);
        EXPECT_LT(impulse, 1.1 * bounce);
    } else {
        EXPECT_NEAR(impulse, bounce, 0.15 * bounce);
    }
    if (GetParam() == Method::penalty || GetParam() == Method::kenwright) {
        EXPECT_GE(begun, 1u) << "it overlaps at the end of a step";
    }
}

// Under the weight of a box, contacts give what gravity takes, however the method holds it up.
TEST_P(MethodReports, ContactsCarryTheWeight) {
    const BodyId box = add(BoxDef{{1, 1, 1}}, 0.5 + 1e-6);
    run(world_, 1); // to rest
    ASSERT_FALSE(world_.contacts().empty());
    const double start = world_.momentum().linear.z;
    double impulse = 0;
    constexpr int kSteps = 60;
    int touching = 0;
    for (int i = 0; i < kSteps; ++i) {
        world_.step(kStep);
        touching += !world_.contacts().empty();
        for (const ContactView& contact : world_.contacts())
            for (int k = 0; k < contact.count; ++k)
                impulse += contact.points[static_cast<std::size_t>(k)].impulse;
    }
    const double weight = mass(box) * kG * kSteps * kStep;
    EXPECT_GE(touching, kSteps * 9 / 10);
    EXPECT_NEAR(impulse - (world_.momentum().linear.z - start), weight, 0.1 * weight);
}

} // namespace
} // namespace rigor::test
