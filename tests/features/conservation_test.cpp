// A break conserves mass, center of mass and both momenta, and takes the given energy.
#include "features/breakable.h"

namespace rigor::test {
namespace {

struct Totals {
    double mass = 0, kinetic = 0;
    Vec3d center, momentum, angular; ///< angular about the origin
    double momentum_scale = 0, angular_scale = 0, length_scale = 0;
};

Totals totals(const World& world) {
    Totals sum;
    for (const BodyId id : world.bodies()) {
        const MassProperties mass = world.mass_properties(id);
        const BodyState s = world.state(id);
        const Vec3d w = inverse_rotate(s.orientation, s.angular_velocity);
        const Vec3d spin = rotate(s.orientation, mass.inertia * w), p = s.velocity * mass.mass;
        sum.mass += mass.mass;
        sum.center += s.position * mass.mass;
        sum.momentum += p;
        sum.angular += cross(s.position, p) + spin;
        sum.kinetic += 0.5 * (dot(p, s.velocity) + dot(w, mass.inertia * w));
        sum.momentum_scale += length(p);
        sum.angular_scale += length(s.position) * length(p) + length(spin);
        sum.length_scale = std::max(sum.length_scale, length(s.position));
    }
    sum.center = sum.center / sum.mass;
    return sum;
}

void expect_conserved(const Totals& before, const Totals& after, double energy) {
    constexpr double kTolerance = 1e-12;
    EXPECT_NEAR(after.mass, before.mass, kTolerance * before.mass);
    EXPECT_LT(length(after.center - before.center), kTolerance * (1 + before.length_scale));
    EXPECT_LT(length(after.momentum - before.momentum), kTolerance * before.momentum_scale);
    EXPECT_LT(length(after.angular - before.angular), kTolerance * before.angular_scale);
    EXPECT_NEAR(after.kinetic, before.kinetic - energy, kTolerance * before.kinetic);
}

BodyDef random_body(Random& random, const ShapeDef& shape) {
    BodyDef def{.name = "body"};
    def.position = random.vec(-20, 20);
    def.orientation = random.rotation();
    def.velocity = random.vec(-10, 10);
    def.angular_velocity = random.vec(-10, 10);
    def.shapes.push_back(shape);
    def.shapes[0].position = random.vec(-0.3, 0.3);
    def.shapes[0].orientation = random.rotation();
    if (random.integer(0, 3) == 0) def.mass = random.uniform(0.1, 1e4);
    // Any inertia that a solid can have, and a center of mass beside that of the shape.
    if (random.integer(0, 5) == 0) {
        const Vec3d j = random.vec(0.01, 1);
        const Sym3d inertia = Sym3d::diagonal({j.y + j.z, j.x + j.z, j.x + j.y});
        const double mass = random.uniform(1, 100);
        def.mass_properties = {mass, random.vec(-0.1, 0.1),
                               rotate(to_matrix(random.rotation()), inertia * (mass * 0.1))};
        def.mass.reset();
    }
    return def;
}

/// Steps once, with the break at the end of it. Returns the totals just before the break.
Totals break_at_next_step(HitBody& hit) {
    hit.fracture.before_step(hit.world);
    hit.world.step(1.0 / 60);
    const Totals before = totals(hit.world);
    hit.fracture.after_step(hit.world, 1.0 / 60);
    return before;
}

TEST(FractureConservation, AThousandRandomBreaks) {
    Random random(7);
    const auto& shapes = breakable_shapes();
    for (int i = 0; i < 1000; ++i) {
        const auto& [name, shape] = shapes[static_cast<std::size_t>(i) % shapes.size()];
        SCOPED_TRACE(message("break ", i, ": ", name));
        const FractureDef how{.pieces = random.integer(2, 12),
                              .seed = random.bits(),
                              .impulse = 1e-9,
                              .at_impact = random.integer(0, 1) == 1};
        HitBody hit(weightless(Method::fast), random_body(random, shape), how, random);
        const Totals before = break_at_next_step(hit);
        ASSERT_EQ(hit.fracture.events().size(), 1u);
        const FractureEvent& event = hit.fracture.events()[0];
        ASSERT_GE(event.pieces.size(), 2u) << event.failure;
        EXPECT_FALSE(hit.world.is_valid(hit.body));
        EXPECT_EQ(event.broken, hit.body);
        expect_conserved(before, totals(hit.world), 0);
        if (HasFailure()) return;
    }
}

// The energy comes from the motion against the ball, so both together keep their momenta.
TEST(FractureConservation, TakesTheEnergyThatIsStatedOrSaysWhatIsMissing) {
    Random random(8);
    int full = 0;
    for (int i = 0; i < 100; ++i) {
        BodyDef def =
            random_body(random, breakable_shapes()[static_cast<std::size_t>(i) % 9].second);
        def.shapes[0].material.restitution = 0.8;
        const double wanted = random.uniform(0.01, 20);
        const FractureDef how{.pieces = 6, .impulse = 1e-9, .energy = wanted};
        HitBody hit(weightless(Method::fast), def, how, random);
        const Totals before = break_at_next_step(hit);
        ASSERT_EQ(hit.fracture.events().size(), 1u);
        const FractureEvent& event = hit.fracture.events()[0];
        EXPECT_GE(event.energy, 0);
        EXPECT_NEAR(event.energy + event.missing_energy, wanted, 1e-12 * wanted);
        expect_conserved(before, totals(hit.world), event.energy);
        full += event.missing_energy <= 1e-9 * wanted;
    }
    EXPECT_GT(full, 20) << "a ball that bounces has energy to be taken";
}

// Pieces start apart and without motion against each other: nothing may blow them apart. The same
// pieces without contacts show what the integrator itself does to the energy. Neighbors that spin
// together do touch, and the soft contacts of `fast` in single precision are not exact.
TEST(FractureConservation, PiecesDoNotPushEachOtherApart) {
    for (const Method method : {Method::fast, Method::faithful}) {
        for (const auto& [name, shape] : breakable_shapes()) {
            SCOPED_TRACE(message(rigor::name(method), ": ", name));
            const double tolerance = method == Method::fast ? 3e-4 : 1e-9;
            Random random(9);
            BodyDef def{.name = "body"};
            def.shapes.push_back(shape);
            HitBody hit(weightless(method), def, {.pieces = 5, .impulse = 1e-9}, random);
            hit.step(1.0 / 60);
            ASSERT_EQ(hit.fracture.events().size(), 1u);
            hit.world.remove_body(hit.ball);
            for (const double depth : hit.world.penetrations()) EXPECT_LT(depth, 1e-6);
            World alone(weightless(method));
            for (BodyDef piece : hit.fracture.events()[0].definitions) {
                piece.mask = 0;
                ASSERT_TRUE(alone.add_body(piece));
            }
            for (int i = 0; i < 30; ++i) {
                hit.world.step(1.0 / 60), alone.step(1.0 / 60);
                const double energy = alone.energy().kinetic;
                ASSERT_LE(hit.world.energy().kinetic, energy * (1 + tolerance)) << "step " << i;
            }
        }
    }
}

} // namespace
} // namespace rigor::test
