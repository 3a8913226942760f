// Many spheres: rows 35 and 36.

#include <algorithm>
#include <cmath>

#include "checks.h"
#include "curves.h"
#include "worlds.h"

namespace rigor::validation {
namespace {

/// Hard spheres of diameter 1 and mass 1 between six walls.
///
/// The engine has no periodic box. Near walls, and more so near edges, a fluid is not the fluid of
/// the check; but pressure is the same everywhere, so that it belongs to the density in the middle,
/// which is measured too. Under `faithful` it comes from the impulses in the middle. `fast` does
/// not tell those of a step apart: there a plate in the middle of each wall can be pushed outward,
/// but hardly, and what it gains is the pressure.
struct Gas {
    static constexpr int kSide = 10, kCount = kSide * kSide * kSide;
    static constexpr double kPlateMass = 1e8, kAway = 2; ///< of what is measured from the walls
    World world;
    std::vector<BodyId> spheres, plates;
    double side; ///< of the box

    Gas(Method method, double packing)
        : world(world_of(method, {})), side(std::cbrt(kCount * kPi / 6 / packing)) {
        for (int axis = 0; axis < 3; ++axis) {
            for (const double sign : {-1.0, 1.0}) {
                if (method == Method::fast)
                    add_wall(axis, sign);
                else
                    add_plane(axis, sign);
            }
        }
        Random random(1);
        const double pitch = side / kSide;
        for (int i = 0; i < kCount; ++i) {
            BodyDef def = body(SphereDef{0.5}, 0, 1);
            def.mass = 1;
            const Vec3d cell{i % kSide + 0.5, i / kSide % kSide + 0.5, i / kSide / kSide + 0.5};
            def.position = cell * pitch - Vec3d{1, 1, 1} * (0.5 * side);
            def.velocity = {random.next(-1, 1), random.next(-1, 1), random.next(-1, 1)};
            spheres.push_back(world.add_body(def).value());
        }
        WorldSettings settings = world.settings();
        settings.hit_speed = 0;
        world.set_settings(settings);
    }

    void add_plane(int axis, double sign) {
        Vec3d normal;
        normal[axis] = -sign;
        world.add_body(fixed(body(PlaneDef{normal, -0.5 * side}, 0, 1))).value();
    }

    void add_wall(int axis, double sign) {
        const double inner = 0.5 * plate_side(), outer = 0.5 * side + 2;
        const int u = (axis + 1) % 3, v = (axis + 2) % 3;
        const auto slab = [&](double u0, double u1, double v0, double v1) {
            Vec3d lo, hi;
            lo[axis] = 0.5 * side, hi[axis] = outer;
            if (sign < 0) lo[axis] = -outer, hi[axis] = -0.5 * side;
            lo[u] = u0, hi[u] = u1, lo[v] = v0, hi[v] = v1;
            BodyDef def = body(BoxDef{hi - lo}, 0, 1);
            def.position = (lo + hi) * 0.5;
            def.group = 2; // walls do not meet each other
            def.mask = 1;
            return def;
        };
        world.add_body(fixed(slab(-outer, outer, inner, outer))).value();
        world.add_body(fixed(slab(-outer, outer, -outer, -inner))).value();
        world.add_body(fixed(slab(inner, outer, -inner, inner))).value();
        world.add_body(fixed(slab(-outer, -inner, -inner, inner))).value();
        BodyDef plate = slab(-inner, inner, -inner, inner);
        plate.mass = kPlateMass;
        plate.lock = static_cast<std::uint8_t>(63 & ~(lock_tx << axis));
        plates.push_back(world.add_body(plate).value());
    }

    double plate_side() const { return side - 2 * kAway; }
    double pushed() const {
        double sum = 0;
        for (const BodyId plate : plates) sum += kPlateMass * length(world.state(plate).velocity);
        return sum;
    }
    double kinetic() const {
        double sum = 0;
        for (const BodyId id : spheres) {
            const Vec3d v = world.state(id).velocity;
            sum += 0.5 * dot(v, v);
        }
        return sum;
    }
    /// How much a place counts to the middle, in a unit of volume. Walls make layers a diameter
    /// apart, which a ramp of two diameters evens out.
    double weight(const Vec3d& p) const {
        constexpr double ramp = 2, away = 1;
        double weight = 1 / std::pow(side - 2 * away - ramp, 3);
        for (int axis = 0; axis < 3; ++axis) {
            const double in = std::clamp((0.5 * side - std::abs(p[axis]) - away) / ramp, 0.0, 1.0);
            weight *= 0.5 * (1 - std::cos(kPi * in));
        }
        return weight;
    }
    /// Spheres in a unit of volume.
    double density_in_the_middle() const {
        double sum = 0;
        for (const BodyId id : spheres) sum += weight(world.state(id).position);
        return sum;
    }
    /// Impulses of the last step in a unit of volume, times the distance they cross.
    double virial_in_the_middle() const {
        double sum = 0;
        for (const ContactHit& hit : world.events().hits) sum += weight(hit.point) * hit.impulse;
        return sum;
    }
};

/// The pressure of hard spheres over that of an ideal gas [Carnahan 1969].
double compressibility(double packing) {
    const double p = packing;
    return (1 + p + p * p - p * p * p) / std::pow(1 - p, 3);
}

struct Measured {
    double packing, z, energy; ///< in the middle; p/(rho k T); at the end over at the start
};

/// Pressure is density times temperature and a third of the virial, of impulses at distance 1.
Measured measure(Method method, double packing, double seconds, double dt) {
    Gas gas(method, packing);
    const double start = gas.kinetic();
    run(gas.world, 10, dt); // the lattice melts
    const double before = gas.pushed();
    double density = 0, temperature = 0, virial = 0;
    const int steps = static_cast<int>(std::lround(seconds / dt));
    for (int i = 0; i < steps; ++i) {
        gas.world.step(dt);
        density += gas.density_in_the_middle() / steps;
        temperature += gas.kinetic() / (1.5 * Gas::kCount) / steps;
        virial += gas.virial_in_the_middle();
    }
    const double area = 6 * gas.plate_side() * gas.plate_side();
    const double pressure = method == Method::fast ? (gas.pushed() - before) / (area * seconds)
                                                   : density * temperature + virial / (3 * seconds);
    return {density * kPi / 6, pressure / (density * temperature), gas.kinetic() / start};
}

/// SimBenchmark's "666" [Kang 2018]: a cube of spheres falls apart on the ground.
struct CubeOfSpheres {
    World world;

    CubeOfSpheres(Method method, int side) : world(world_of(method)) {
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
            validation::run(world, 0.01, dt);
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
            const double expected = compressibility(got.packing);
            z.series[bound.method == Method::fast ? 0 : 1].add(got.packing, got.z);
            reporter.expect(bound, what + ", walls: Z at the packing found", {expected}, {got.z},
                            relative(got.z, expected));
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
    reporter.plot([&] {
        return plot::Plot{"Pressure of hard spheres", "packing in the middle of the box", {z}};
    });
}

void check_six_six_six(Reporter& reporter) {
    const char* what = "mean sum of squared penetrations, m^2";
    const double fast = CubeOfSpheres(Method::fast, 6).run(10, 1e-3);
    reporter.expect(Bound{Method::fast, 1.4e-4}, what, {0}, {fast}, fast);
    const Bound bound{Method::faithful, 1e-8};
    const double small = CubeOfSpheres(Method::faithful, 3).run(10, 0.01);
    reporter.expect(bound, std::string("3x3x3: ") + what, {0}, {small}, small);
    const double begun = CubeOfSpheres(Method::faithful, 6).run(0.18, 0.01);
    reporter.expect(bound, std::string("the first 0.18 s: ") + what, {0}, {begun}, begun);
    reporter.expect_known(
        "faithful", std::string("10 s: ") + what, {0}, {kNone}, kNone, bound.tolerance,
        "not run here, as it takes minutes: 2.5e-20 was seen, 92 of 1,000 steps of 0.01 s in equal "
        "parts");
}

} // namespace rigor::validation
