// Fast bodies against thin walls: tunneling.

#include <algorithm>
#include <array>
#include <cmath>

#include "checks.h"
#include "worlds.h"

namespace rigor::validation {
namespace {

constexpr const char* kFlyers[] = {"balls", "boxes", "capsules", "hulls"};
constexpr int kCasesOfAFlyer = 60;

ShapeGeometry flyer(int kind, double size) {
    if (kind == 0) return SphereDef{size};
    if (kind == 1) return BoxDef{Vec3d{2, 1.4, 1} * size};
    if (kind == 2) return CapsuleDef{0.5 * size, size};
    HullDef hull; // a tetrahedron
    for (const Vec3d& p : {Vec3d{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}})
        hull.points.push_back(p * (0.6 * size));
    return hull;
}

double logarithmic(Random& random, double lo, double hi) {
    return lo * std::pow(hi / lo, random.next());
}

/// A body thrown at a wall of 20 x 20 m whose middle plane is x = 0, without gravity.
struct Throw {
    World world;
    BodyId id;
    double speed, dt;

    Throw(Method method, int kind, Random& random) : world(world_of(method, {})) {
        const double thickness = logarithmic(random, 1e-3, 0.05);
        const double size = logarithmic(random, 5e-3, 0.1);
        const double angle = random.next(0, 60) * kDegree, around = random.next(0, 2 * kPi);
        speed = logarithmic(random, 5, 300);
        dt = logarithmic(random, 1.0 / 60, 0.1);
        world.add_body(fixed(body(BoxDef{{thickness, 20, 20}}, 0.5, 0.3))).value();
        BodyDef def = body(flyer(kind, size), 0.5, random.next(0, 0.9));
        def.continuous = true;
        const Vec3d way{std::cos(angle), std::sin(angle) * std::cos(around),
                        std::sin(angle) * std::sin(around)};
        def.velocity = way * speed;
        def.angular_velocity = Vec3d{random.next(-1, 1), random.next(-1, 1), random.next(-1, 1)} *
                               logarithmic(random, 0.1, 100);
        def.orientation =
            from_rotation_vector(Vec3d{random.next(-3, 3), random.next(-3, 3), random.next(-3, 3)});
        // So that it meets the middle of the wall within the first three steps.
        const double gap = 2 * size + thickness + random.next(0, 3) * speed * dt * way.x;
        def.position = way * (-gap / way.x);
        id = world.add_body(def).value();
    }

    /// Whether it comes out on the other side, through the wall.
    bool passes() {
        Vec3d last = world.state(id).position;
        for (int i = 0; i < 6; ++i) {
            world.step(dt);
            const Vec3d now = world.state(id).position;
            if (!(now.x < 0)) {
                const Vec3d at = last + (now - last) * (last.x / (last.x - now.x));
                return std::max(std::abs(at.y), std::abs(at.z)) < 10;
            }
            last = now;
        }
        return false;
    }
};

} // namespace

// Speeds of 5 to 300 m/s, walls of 1 to 50 mm, sizes of 5 to 100 mm, spin, angles up to 60 degrees
// and steps of 1/60 to 1/10 s. None may pass.
void check_tunneling(Reporter& reporter) {
    for (const Method method : {Method::fast, Method::faithful}) {
        Random random(11);
        for (int kind = 0; kind < 4; ++kind) {
            double passed = 0;
            for (int i = 0; i < kCasesOfAFlyer; ++i) passed += Throw(method, kind, random).passes();
            reporter.expect(
                Bound{method, 0},
                std::string(kFlyers[kind]) + " that pass, of " + std::to_string(kCasesOfAFlyer),
                {0}, {passed}, passed);
        }
    }
}

} // namespace rigor::validation
