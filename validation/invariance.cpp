// What must hold for every scene: rows 40 to 43, for `fast`.

#include <algorithm>
#include <array>
#include <cmath>

#include "checks.h"
#include "worlds.h"

namespace rigor::validation {
namespace {

/// A way to look at a scene: turned, shifted, seen in a mirror. Nothing may depend on it.
struct View {
    Quatd turn;
    Vec3d shift;
    bool mirror = false; ///< y becomes -y, first

    Vec3d vector(Vec3d v) const {
        if (mirror) v.y = -v.y;
        return rotate(turn, v);
    }
    Vec3d point(const Vec3d& p) const { return vector(p) + shift; }
    /// Of angular velocities: an axial vector turns round in a mirror.
    Vec3d axial(const Vec3d& w) const { return vector(w) * (mirror ? -1.0 : 1.0); }
    Quatd orientation(Quatd q) const {
        if (mirror) q = {q.w, -q.x, q.y, -q.z};
        return turn * q;
    }
    BodyDef body(BodyDef def) const {
        def.position = point(def.position);
        def.orientation = orientation(def.orientation);
        def.velocity = vector(def.velocity);
        def.angular_velocity = axial(def.angular_velocity);
        return def;
    }
    Vec3d undo(const Vec3d& p) const {
        Vec3d v = inverse_rotate(turn, p - shift);
        if (mirror) v.y = -v.y;
        return v;
    }
};

/// Nothing chaotic: a block that slides and turns to a stop, a ball that begins to roll, a stack,
/// a pendulum. All shapes are their own images in the mirror.
struct QuietScene {
    World world;
    std::vector<BodyId> ids;

    explicit QuietScene(const View& view, bool backward = false)
        : world(world_of(Method::fast, view.vector({0, 0, -kGravity}))) {
        std::vector<BodyDef> defs = bodies();
        ids.resize(defs.size());
        for (std::size_t k = 0; k < defs.size(); ++k) {
            const std::size_t i = backward ? defs.size() - 1 - k : k;
            ids[i] = world.add_body(view.body(defs[i])).value();
        }
        join(world, JointType::ball, {}, ids.back(), view.point({0, -3, 2}));
    }

    static std::vector<BodyDef> bodies() {
        BodyDef floor = fixed(body(BoxDef{{40, 40, 2}}, 0.5));
        floor.position = {0, 0, -1};
        BodyDef block = body(BoxDef{{0.6, 0.4, 0.3}}, 0.5);
        block.position = {-2, 1, 0.15};
        block.velocity = {3, 0.5, 0};
        block.angular_velocity = {0, 0, 2};
        BodyDef ball = body(SphereDef{0.3}, 0.5);
        ball.position = {-2, -1, 0.3};
        ball.velocity = {2, 0.2, 0};
        std::vector<BodyDef> defs{floor, block, ball};
        for (int i = 0; i < 4; ++i) {
            BodyDef box = body(BoxDef{{0.5, 0.5, 0.5}}, 0.5);
            box.position = {4, 0.1 * i, 0.5 * i + 0.25};
            defs.push_back(box);
        }
        BodyDef bob = mass_at({0.8, -3, 1.5}, 1, {0.05, 0.05, 0.05});
        bob.velocity = {0, 0.5, 0};
        defs.push_back(bob);
        return defs;
    }

    std::vector<Vec3d> places_after(double seconds, const View& view) {
        run(world, seconds);
        std::vector<Vec3d> places;
        for (const BodyId id : ids) places.push_back(view.undo(world.state(id).position));
        return places;
    }
};

double farthest(const std::vector<Vec3d>& a, const std::vector<Vec3d>& b) {
    double worst = 0;
    for (std::size_t i = 0; i < a.size(); ++i) worst = std::max(worst, length(a[i] - b[i]));
    return worst;
}

/// Boxes, balls and a swinging chain that fall in a heap.
World heap(int threads = 1, int lanes = 0, int links = 8) {
    World world = world_of(Method::fast);
    WorldSettings settings = world.settings();
    settings.threads = threads;
    settings.lanes = lanes;
    world.set_settings(settings);
    add_ground(world, 0.5);
    Random random(7);
    for (int i = 0; i < 120; ++i) {
        BodyDef def = i % 2 ? body(BoxDef{{0.4, 0.3, 0.5}}, 0.5, 0.2) : body(SphereDef{0.2}, 0.4);
        def.position = {random.next(-1, 1), random.next(-1, 1), 1 + 0.15 * i};
        def.orientation = from_rotation_vector(Vec3d{random.next(-1, 1), random.next(-1, 1), 0});
        world.add_body(def).value();
    }
    BodyId last;
    for (int i = 0; i < links; ++i) {
        BodyDef link = body(CapsuleDef{0.05, 0.2}, 0.5);
        link.position = {0.3 * i + 1, 0, 3};
        link.orientation = from_axis_angle(Vec3d{0, 1, 0}, kPi / 2);
        const BodyId id = world.add_body(link).value();
        join(world, JointType::ball, last, id, {0.3 * i + 0.85, 0, 3});
        last = id;
    }
    return world;
}

std::uint64_t hash_after(World world, int steps) {
    for (int i = 0; i < steps; ++i) world.step(kStep);
    return world.state_hash();
}

/// What a pendulum that swings for 10 s has of kinetic energy beyond the work of gravity, over the
/// most it ever has: a hinge does no work.
double pendulum_remainder() {
    World world = world_of(Method::fast);
    const BodyId bob = world.add_body(mass_at({1, 0, 0}, 1, {0.1, 0.1, 0.1})).value();
    join(world, JointType::hinge, {}, bob, {});
    run(world, 10);
    return std::abs(world.energy().kinetic - world.ledger().gravity) / kGravity;
}

/// The same of a block that slides to rest, over what it had: friction takes mu m g times the way.
double block_remainder() {
    World world = world_of(Method::fast);
    add_ground(world, 0.5);
    BodyDef block = body(BoxDef{{1, 1, 0.2}}, 0.5);
    block.mass = 2;
    block.position = {0, 0, 0.1};
    block.velocity = {3, 1, 0};
    const BodyId id = world.add_body(block).value();
    const double start = world.energy().kinetic;
    run(world, 2);
    const Vec3d way = world.state(id).position - block.position;
    const double taken = 0.5 * 2 * kGravity * std::hypot(way.x, way.y);
    return std::abs(world.energy().kinetic - world.ledger().gravity - start + taken) / start;
}

/// Boxes and balls that fly at each other: what is lost of their momenta, over the sums of their
/// sizes.
std::array<double, 2> momentum_remainders() {
    World world = world_of(Method::fast, {});
    Random random(3);
    double linear = 0, angular = 0;
    for (int i = 0; i < 64; ++i) {
        BodyDef def = i % 2 ? body(BoxDef{{0.4, 0.3, 0.5}}, 0.5, 0.3) : body(SphereDef{0.2}, 0.5);
        def.position = {i % 4 - 1.5, i / 4 % 4 - 1.5, i / 16 - 1.5};
        def.velocity = def.position * -random.next(0.5, 1.5);
        def.angular_velocity = {random.next(-2, 2), random.next(-2, 2), random.next(-2, 2)};
        const BodyId id = world.add_body(def).value();
        const double p = world.mass_properties(id).mass * length(def.velocity);
        linear += p;
        angular += p * length(def.position);
    }
    const Momentum before = world.momentum();
    run(world, 5);
    const Momentum after = world.momentum();
    return {length(after.linear - before.linear) / linear,
            length(after.angular - before.angular) / angular};
}

/// The angle of a pendulum released at 90 degrees, after a second.
double pendulum_angle(double dt) {
    World world = world_of(Method::fast);
    const BodyId bob = world.add_body(mass_at({1, 0, 0}, 1, {0.1, 0.1, 0.1})).value();
    const JointId pin = join(world, JointType::hinge, {}, bob, {});
    run(world, 1, dt);
    return world.joint_state(pin).coordinate;
}

/// Where a ball that was thrown without spin is after a second, once it rolls.
double rolling_place(double dt) {
    World world = world_of(Method::fast);
    add_ground(world, 0.2);
    BodyDef ball = body(SphereDef{0.5}, 0.2);
    ball.position = {0, 0, 0.5};
    ball.velocity = {5, 0, 0};
    const BodyId id = world.add_body(ball).value();
    run(world, 1, dt);
    return world.state(id).position.x;
}

void report_order(Reporter& reporter, const std::string& what, double (*f)(double), double exact) {
    const double coarse = std::abs(f(kStep) - exact), middle = std::abs(f(kStep / 2) - exact),
                 fine = std::abs(f(kStep / 4) - exact);
    reporter.report("fast", what + ": errors at dt, dt/2, dt/4", {0}, {coarse, middle, fine},
                    coarse);
    const double order = std::log2(coarse / middle);
    reporter.report("fast", what + ": order from dt to dt/2", {1}, {order}, order);
}

} // namespace

void check_convergence(Reporter& reporter) {
    // From 90 degrees, by Jacobi's elliptic functions. Float's rounding ends the descent at 3e-6.
    report_order(reporter, "pendulum", pendulum_angle, 2.881670197938151);
    // Slides for 2 v / (7 mu g), then rolls at 5/7 of its speed.
    const double sliding = 2 * 5.0 / (7 * 0.2 * kGravity);
    const double place =
        5 * sliding - 0.1 * kGravity * sliding * sliding + 25.0 / 7 * (1 - sliding);
    report_order(reporter, "slide to roll", rolling_place, place);
}

// Space is the same everywhere, in every direction and in the mirror.
void check_invariance(Reporter& reporter) {
    const double seconds = 2;
    const std::vector<Vec3d> plain = QuietScene({}).places_after(seconds, {});
    const auto judge = [&](const std::string& what, const View& view) {
        const double error = farthest(plain, QuietScene(view).places_after(seconds, view));
        reporter.expect("fast", what + ": farthest body after 2 s, m", {0}, {error}, error, 1e-3);
    };
    judge("10 km away", {{}, {6000, -8000, 100}, false});
    judge("turned", {from_rotation_vector(Vec3d{0.3, -0.7, 1.1}), {}, false});
    judge("in the mirror", {{}, {}, true});
    const double error = farthest(plain, QuietScene({}, true).places_after(seconds, {}));
    reporter.report("fast", "bodies in reverse order: farthest, m", {0}, {error}, error);
}

/// What the world's own ledger cannot explain, over the work of gravity, for bodies that fall in a
/// heap, slide, roll and come to rest.
double heap_remainder(double seconds) {
    World world = heap(1, 0, 0); // where joints and contacts mix, that of joints is what is left
    for (int i = 0; i < std::lround(seconds / kStep); ++i) world.step(kStep);
    const Ledger ledger = world.ledger();
    return std::abs(ledger.remainder / ledger.gravity);
}

// First with the work of hinges and of friction from the laws, then with that which the ledger
// measures.
void check_ledger(Reporter& reporter) {
    const auto judge = [&](const char* what, double remainder) {
        reporter.expect("fast", what, {0}, {remainder}, remainder, 0.01);
    };
    judge("pendulum, 10 s: remainder / energy", pendulum_remainder());
    judge("sliding block: remainder / energy", block_remainder());
    const auto [linear, angular] = momentum_remainders();
    judge("64 bodies collide: momentum lost", linear);
    judge("64 bodies collide: angular momentum lost", angular);
    judge("a heap falls, 2 s: remainder / work of gravity", heap_remainder(2));
    judge("the same, 10 s", heap_remainder(10));
}

// The order of all sums is fixed, so threads and lanes change no bit; a snapshot is all there is.
void check_same_bits(Reporter& reporter) {
    const int steps = 180;
    const std::uint64_t expected = hash_after(heap(), steps);
    const auto judge = [&](const std::string& what, std::uint64_t hash) {
        reporter.expect("fast", what + ": hash differs", {0}, {hash == expected ? 0.0 : 1.0},
                        hash == expected ? 0 : 1, 0);
    };
    judge("twice in a row", hash_after(heap(), steps));
    for (const int threads : {2, 3, 8})
        judge(std::to_string(threads) + " threads", hash_after(heap(threads), steps));
    for (const int lanes : {1, 4, 8})
        judge(std::to_string(lanes) + " lanes", hash_after(heap(1, lanes), steps));
    World world = heap();
    for (int i = 0; i < steps / 2; ++i) world.step(kStep);
    const Snapshot half = world.snapshot();
    for (int i = 0; i < 20; ++i) world.step(kStep);
    world.restore(half);
    judge("after restore", hash_after(std::move(world), steps / 2));
}

} // namespace rigor::validation
