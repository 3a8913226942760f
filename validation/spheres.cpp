// Many spheres: rows 35 and 36, for `fast`.

#include <algorithm>
#include <cmath>

#include "checks.h"
#include "fast_scene.h"

namespace rigor::validation {
namespace {

/// Hard spheres of diameter 1 and mass 1 between six walls that can be pushed outward, but hardly:
/// what they gain is the pressure.
///
/// The engine has no periodic box. A fluid between walls is not the fluid of the check near the
/// walls, but pressure is the same everywhere, so that on the walls belongs to the density in the
/// middle: both are measured.
struct Gas {
    static constexpr int kSide = 10, kCount = kSide * kSide * kSide;
    static constexpr double kWallMass = 1e8;
    World world = fast_world({});
    std::vector<BodyId> spheres, walls;
    double side; ///< of the box

    explicit Gas(double packing) : side(std::cbrt(kCount * kPi / 6 / packing)) {
        for (int axis = 0; axis < 3; ++axis) {
            for (const double sign : {-1.0, 1.0}) add_wall(axis, sign);
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
    }

    void add_wall(int axis, double sign) {
        Vec3d size = Vec3d{1, 1, 1} * (side + 4), place;
        size[axis] = 2;
        place[axis] = sign * (0.5 * side + 1);
        BodyDef wall = body(BoxDef{size}, 0, 1);
        wall.mass = kWallMass;
        wall.position = place;
        wall.lock = static_cast<std::uint8_t>(63 & ~(lock_tx << axis));
        wall.group = 2;
        wall.mask = 1;
        walls.push_back(world.add_body(wall).value());
    }

    double pushed() const {
        double sum = 0;
        for (const BodyId wall : walls) sum += kWallMass * length(world.state(wall).velocity);
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
    /// Spheres in a unit of volume, farther than two diameters from every wall.
    double density_in_the_middle() const {
        const double half = 0.5 * side - 2;
        int count = 0;
        for (const BodyId id : spheres) {
            const Vec3d p = world.state(id).position;
            count += std::abs(p.x) < half && std::abs(p.y) < half && std::abs(p.z) < half;
        }
        return count / (8 * half * half * half);
    }
};

/// The pressure of hard spheres over that of an ideal gas [Carnahan and Starling 1969].
double compressibility(double packing) {
    const double p = packing;
    return (1 + p + p * p - p * p * p) / std::pow(1 - p, 3);
}

struct Measured {
    double packing, z, energy; ///< in the middle; p/(rho k T); at the end over at the start
};

Measured measure(double packing, double seconds) {
    Gas gas(packing);
    const double start = gas.kinetic();
    run(gas.world, 5); // the lattice melts
    const double before = gas.pushed();
    double density = 0, temperature = 0;
    const int steps = static_cast<int>(std::lround(seconds / kStep));
    for (int i = 0; i < steps; ++i) {
        gas.world.step(kStep);
        density += gas.density_in_the_middle() / steps;
        temperature += gas.kinetic() / (1.5 * Gas::kCount) / steps;
    }
    const double area = 6 * gas.side * gas.side;
    const double pressure = (gas.pushed() - before) / (area * seconds);
    return {density * kPi / 6, pressure / (density * temperature), gas.kinetic() / start};
}

/// SimBenchmark's "666": a cube of spheres falls apart on the ground.
struct SixSixSix {
    static constexpr double kDt = 1e-3;
    World world = fast_world();

    SixSixSix() {
        add_ground(world, 0);
        Random random(1);
        const auto jitter = [&] { return random.next(0, 0.001); };
        for (int i = 0; i < 216; ++i) {
            BodyDef ball = body(SphereDef{0.1}, 0);
            ball.mass = 10;
            ball.position = {0.21 * (i % 6) + jitter(), 0.21 * (i / 6 % 6) + jitter(),
                             0.21 * (i / 36) + 0.101 + jitter()};
            world.add_body(ball).value();
        }
    }

    double squared_penetration() const {
        double sum = 0;
        for (const double depth : world.penetrations()) sum += depth * depth;
        return sum;
    }
};

} // namespace

void check_gas(Reporter& reporter) {
    for (const double packing : {0.1, 0.2, 0.3}) {
        const Measured got = measure(packing, 20);
        const double expected = compressibility(got.packing);
        const std::string what = "packing " + std::to_string(packing).substr(0, 3);
        reporter.expect("fast", what + ", walls: Z at the packing found", {expected}, {got.z},
                        relative(got.z, expected), 0.05);
        reporter.report("fast", what + ": energy at the end / at the start", {1}, {got.energy},
                        std::abs(got.energy - 1));
    }
}

void check_six_six_six(Reporter& reporter) {
    SixSixSix scene;
    const int steps = 10000, every = 10;
    double sum = 0;
    for (int i = 1; i <= steps; ++i) {
        scene.world.step(SixSixSix::kDt);
        if (i % every == 0) sum += scene.squared_penetration();
    }
    const double error = sum / (steps / every);
    reporter.expect("fast", "mean sum of squared penetrations, m^2", {0}, {error}, error, 1.4e-4);
}

} // namespace rigor::validation
