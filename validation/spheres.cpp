// Many spheres: hard_sphere_gas, sphere_grid.

#include <algorithm>
#include <cmath>

#include "checks.h"
#include "curves.h"
#include "worlds.h"

namespace rigor::validation {
namespace {

/// Hard spheres of diameter 1 and mass 1 in a periodic box.
struct Gas {
    static constexpr int kSide = 10, kCount = kSide * kSide * kSide;
    World world;
    std::vector<BodyId> spheres;

    Gas(Method method, double packing) : world(world_of(method, {})) {
        const double side = std::cbrt(kCount * kPi / 6 / packing), pitch = side / kSide;
        WorldSettings settings = world.settings();
        settings.periodic = PeriodicBox{{0, 0, 0}, {side, side, side}};
        settings.hit_speed = 0;
        world.set_settings(settings);
        Random random(1);
        std::vector<Vec3d> velocities(kCount);
        Vec3d mean;
        for (Vec3d& v : velocities) {
            v = {random.next(-1, 1), random.next(-1, 1), random.next(-1, 1)};
            mean += v / kCount;
        }
        for (int i = 0; i < kCount; ++i) {
            BodyDef def = body(SphereDef{0.5}, 0, 1);
            def.mass = 1;
            const Vec3d cell{i % kSide + 0.5, i / kSide % kSide + 0.5, i / kSide / kSide + 0.5};
            def.position = cell * pitch;
            def.velocity = velocities[static_cast<std::size_t>(i)] - mean;
            spheres.push_back(world.add_body(def).value());
        }
    }

    double kinetic() const {
        double sum = 0;
        for (const BodyId id : spheres) sum += 0.5 * length_squared(world.state(id).velocity);
        return sum;
    }
    /// The impulses of the last step times the distance of the centers, which is 1. `faithful`
    /// reports each impulse, `fast` their sum over the step.
    double virial() const {
        double sum = 0;
        if (world.settings().method == Method::faithful) {
            for (const ContactHit& hit : world.events().hits) sum += hit.impulse;
            return sum;
        }
        for (const ContactView& contact : world.contacts())
            for (int i = 0; i < contact.count; ++i)
                sum += contact.points[static_cast<std::size_t>(i)].impulse;
        return sum;
    }
};

/// The pressure of hard spheres over that of an ideal gas [Carnahan 1969].
double compressibility(double packing) {
    const double p = packing;
    return (1 + p + p * p - p * p * p) / std::pow(1 - p, 3);
}

struct Measured {
    double z, energy; ///< p/(rho k T); at the end over at the start
};

/// p V = N k T + a third of the virial; the motion of the center of mass does not count.
Measured measure(Method method, double packing, double seconds, double dt) {
    Gas gas(method, packing);
    const double start = gas.kinetic();
    run(gas.world, 10, dt); // the lattice melts
    double temperature = 0, virial = 0;
    const int steps = static_cast<int>(std::lround(seconds / dt));
    for (int i = 0; i < steps; ++i) {
        gas.world.step(dt);
        temperature += gas.kinetic() / (1.5 * (Gas::kCount - 1)) / steps;
        virial += gas.virial();
    }
    return {1 + virial / (3 * Gas::kCount * temperature * seconds), gas.kinetic() / start};
}

/// SimBenchmark's "666" [Kang 2018]: a cube of spheres falls apart on the ground.
struct CubeOfSpheres {
    World world;
    int fallback_steps = 0; ///< event-driven steps that fell back to fixed substeps

    /// Allows fixed substeps where there are too many events, which is reported.
    CubeOfSpheres(Method method, int side) : world(world_of(method)) {
        WorldSettings settings = world.settings();
        settings.laws.fixed_steps = true;
        world.set_settings(settings);
        add_ground(world, 0);
        Random random(1);
        const auto jitter = [&] { return random.next(0, 0.001); };
        for (int i = 0; i < side * side * side; ++i) {
            BodyDef ball = body(SphereDef{0.1}, 0);
            ball.mass = 10;
            ball.position = {0.21 * (i % side) + jitter(), 0.21 * (i / side % side) + jitter(),
                             0.21 * (i / side / side) + 0.101 + jitter()};
            world.add_body(ball).value();
        }
    }

    double squared_penetration() const {
        double sum = 0;
        for (const double depth : world.penetrations()) sum += depth * depth;
        return sum;
    }
    /// The mean over time, taken a hundred times a second.
    double run(double seconds, double dt) {
        const int samples = static_cast<int>(std::lround(seconds / 0.01));
        double sum = 0;
        for (int i = 0; i < samples; ++i) {
            for (int k = 0; k < std::lround(0.01 / dt); ++k)
                fallback_steps += world.step(dt).fixed_steps > 0;
            sum += squared_penetration();
        }
        return sum / samples;
    }
};

} // namespace

void check_gas(Reporter& reporter) {
    plot::Panel z{"p / (rho k T)"};
    z.series = {series_of(Method::fast, plot::Mark::dots),
                series_of(Method::faithful, plot::Mark::dots), theory("Carnahan and Starling")};
    trace(z.series[2], 0, 0.36, compressibility);
    for (const double packing : {0.1, 0.2, 0.3}) {
        const std::string what = "packing " + std::to_string(packing).substr(0, 3);
        const auto judge = [&](const Bound& bound, const Measured& got) {
            const double expected = compressibility(packing);
            z.series[bound.method == Method::fast ? 0 : 1].add(packing, got.z);
            reporter.expect(bound, what + ": Z", {expected}, {got.z}, relative(got.z, expected));
        };
        const Measured fast = measure(Method::fast, packing, 20, kStep);
        judge({Method::fast, 0.05}, fast);
        // A sphere that is hit twice in one step bounces once, and energy is lost: no tolerance is
        // set for `fast`, but temperature is taken as it is on the way.
        const std::string energy = what + ": energy at the end / at the start";
        reporter.report("fast", energy, {1}, {fast.energy}, std::abs(fast.energy - 1));
        const Measured faithful = measure(Method::faithful, packing, 20, 0.1);
        judge({Method::faithful, 0.01}, faithful);
        reporter.expect(Bound{Method::faithful, 1e-12}, energy, {1}, {faithful.energy},
                        std::abs(faithful.energy - 1));
    }
    reporter.plot([&] { return plot::Plot{"Pressure of hard spheres", "packing", {z}}; });
}

void check_six_six_six(Reporter& reporter) {
    const char* what = "mean sum of squared penetrations, m^2";
    const double fast = CubeOfSpheres(Method::fast, 6).run(10, 1e-3);
    reporter.expect(Bound{Method::fast, 1.4e-4}, what, {0}, {fast}, fast);
    CubeOfSpheres cube(Method::faithful, 6);
    const double faithful = cube.run(10, 0.01);
    reporter.expect(Bound{Method::faithful, 1e-8}, what, {0}, {faithful}, faithful);
    const double parts = cube.fallback_steps;
    reporter.report("faithful", "steps of 1,000 that fell back to fixed substeps", {0}, {parts},
                    parts);
}

} // namespace rigor::validation
