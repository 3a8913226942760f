// Energy ledgers of islands: which bodies shared one, and that all add up to that of the world.

#include <cmath>

#include "support/worlds.h"
#include "test_support.h"

namespace rigor::test {
namespace {

constexpr double kDt = 1.0 / 120;

struct Entry {
    const char* name;
    double Ledger::*value;
};
constexpr Entry kEntries[] = {{"gravity", &Ledger::gravity},
                              {"forces", &Ledger::forces},
                              {"contact_normal", &Ledger::contact_normal},
                              {"contact_friction", &Ledger::contact_friction},
                              {"impact", &Ledger::impact},
                              {"joints", &Ledger::joints},
                              {"damping", &Ledger::damping},
                              {"edits", &Ledger::edits},
                              {"remainder", &Ledger::remainder}};

class IslandLedgers : public testing::TestWithParam<Method> {
  protected:
    IslandLedgers() : world(settings()) {}

    static WorldSettings settings() {
        WorldSettings settings = settings_of(GetParam());
        settings.substeps = 1;
        return settings;
    }
    BodyId add(const ShapeGeometry& geometry, const Vec3d& at, const Vec3d& velocity = {},
               BodyType type = BodyType::dynamic_body) {
        BodyDef def = body(geometry, at, type);
        def.velocity = velocity;
        def.linear_damping = 0.1;
        return world.add_body(def).value();
    }
    /// A floor, two balls that hit each other, and two boxes that fall beside each other.
    void build() {
        add(PlaneDef{{0, 0, 1}, 0}, {}, {}, BodyType::static_body);
        left = add(SphereDef{0.5}, {-1, 0, 0.6}, {2, 0, 0});
        right = add(SphereDef{0.5}, {1, 0, 0.6});
        box = add(BoxDef{{1, 1, 1}}, {5, 0, 0.8}, {1, 0, 0});
        other = add(BoxDef{{1, 1, 1}}, {5, 5, 0.7});
    }
    void run(int steps) {
        for (int i = 0; i < steps; ++i) {
            world.apply_force(box, {3, 0, 0});
            world.step(kDt);
        }
    }

    World world;
    BodyId left, right, box, other;
};

INSTANTIATE_TEST_SUITE_P(All, IslandLedgers,
                         testing::Values(Method::free, Method::fast, Method::faithful,
                                         Method::baber2006, Method::kavan2003, Method::baber2011,
                                         Method::kenwright, Method::galoppo2007, Method::penalty),
                         method_name);

TEST_P(IslandLedgers, BodiesThatMeetShareOneAndAllAddUp) {
    build();
    world.keep_island_ledgers(true);
    run(90);
    const std::vector<IslandLedger> islands = world.island_ledgers();
    if (GetParam() == Method::free) {
        EXPECT_EQ(islands.size(), 4u);
    } else {
        ASSERT_EQ(islands.size(), 3u);
        EXPECT_EQ(islands[0].bodies, (std::vector{left, right}));
        EXPECT_EQ(islands[1].bodies, std::vector{box});
        EXPECT_EQ(islands[2].bodies, std::vector{other});
    }
    const Ledger all = world.ledger();
    for (const Entry& entry : kEntries) {
        double sum = 0, size = 1;
        for (const IslandLedger& island : islands) {
            sum += island.ledger.*entry.value;
            size += std::abs(island.ledger.*entry.value);
        }
        EXPECT_NEAR(sum, all.*entry.value, 1e-11 * size) << entry.name;
    }
    for (const IslandLedger& island : islands) {
        for (const BodyId body : island.bodies) {
            const std::optional<IslandLedger> same = world.island_ledger(body);
            ASSERT_TRUE(same.has_value());
            EXPECT_EQ(same->bodies, island.bodies);
            EXPECT_EQ(same->ledger.remainder, island.ledger.remainder);
        }
    }
    if (GetParam() != Method::faithful) return;
    for (const IslandLedger& island : islands)
        EXPECT_NEAR(island.ledger.remainder, 0, 1e-11 * std::abs(island.ledger.gravity));
}

TEST_P(IslandLedgers, KeepingThemChangesNothing) {
    build();
    const Snapshot start = world.snapshot();
    run(60);
    const std::uint64_t without = world.state_hash();
    world.restore(start);
    EXPECT_TRUE(world.island_ledgers().empty());
    EXPECT_FALSE(world.island_ledger(left).has_value());
    world.keep_island_ledgers(true);
    run(60);
    EXPECT_EQ(world.state_hash(), without);
}

TEST_P(IslandLedgers, RemovedBodiesLeaveTheirShareAndTheirPlaceIsNew) {
    build();
    world.keep_island_ledgers(true);
    run(90);
    world.remove_body(right);
    world.remove_body(other);
    right = add(SphereDef{0.5}, {20, 0, 0.6}, {1, 0, 0});
    const std::vector<IslandLedger> islands = world.island_ledgers();
    ASSERT_EQ(islands.size(), 3u);
    for (const IslandLedger& island : islands) EXPECT_EQ(island.bodies.size(), 1u);
    const double fresh = world.mass_properties(right).mass * 0.5;
    EXPECT_EQ(islands[2].bodies[0], right); // in the place of the last that was removed
    EXPECT_NEAR(islands[2].ledger.edits, fresh, 1e-12 * fresh);
    const Snapshot kept = world.snapshot();
    world.keep_island_ledgers(false);
    EXPECT_TRUE(world.island_ledgers().empty());
    world.restore(kept);
    EXPECT_EQ(world.island_ledgers().size(), 3u);
}

} // namespace
} // namespace rigor::test
