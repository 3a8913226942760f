// Properties of every scene: invariance, ledger, determinism.

#include <algorithm>
#include <array>
#include <cmath>

#include "checks.h"
#include "curves.h"
#include "worlds.h"

namespace rigor::validation {
namespace {

/// A coordinate transformation of a scene: rotation, translation, reflection. Results must not
/// depend on it.
struct View {
    Quatd turn;
    Vec3d shift;
    bool mirror = false; ///< y becomes -y, first

    Vec3d vector(Vec3d v) const {
        if (mirror) v.y = -v.y;
        return rotate(turn, v);
    }
    Vec3d point(const Vec3d& p) const { return vector(p) + shift; }
    /// For angular velocities: an axial vector changes its sign under reflection.
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

    QuietScene(Method method, const View& view, bool backward = false)
        : world(world_of(method, view.vector({0, 0, -kGravity}))) {
        std::vector<BodyDef> defs = bodies();
        ids.resize(defs.size());
        for (std::size_t k = 0; k < defs.size(); ++k) {
            const std::size_t i = backward ? defs.size() - 1 - k : k;
            ids[i] = world.add_body(view.body(defs[i])).value();
        }
        join(world, BallJoint{}, {}, ids.back(), view.point({0, -3, 2}));
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

struct Heap {
    Method method;
    int count, links = 8;
    int threads = 1, lanes = 0;
};

/// Boxes, balls and a swinging chain that fall in a heap.
World pile_up(const Heap& heap) {
    World world = world_of(heap.method);
    WorldSettings settings = world.settings();
    settings.threads = heap.threads;
    settings.lanes = heap.lanes;
    settings.laws.fixed_steps = true; // a heap that clatters has too many events
    world.set_settings(settings);
    add_ground(world, 0.5);
    Random random(7);
    for (int i = 0; i < heap.count; ++i) {
        BodyDef def = i % 2 ? body(BoxDef{{0.4, 0.3, 0.5}}, 0.5, 0.2) : body(SphereDef{0.2}, 0.4);
        def.position = {random.next(-1, 1), random.next(-1, 1), 1 + 0.15 * i};
        def.orientation = from_rotation_vector(Vec3d{random.next(-1, 1), random.next(-1, 1), 0});
        world.add_body(def).value();
    }
    BodyId last;
    for (int i = 0; i < heap.links; ++i) {
        BodyDef link = body(CapsuleDef{0.05, 0.2}, 0.5);
        link.position = {0.3 * i + 1, 0, 3};
        link.orientation = from_axis_angle(Vec3d{0, 1, 0}, kPi / 2);
        const BodyId id = world.add_body(link).value();
        join(world, BallJoint{}, last, id, {0.3 * i + 0.85, 0, 3});
        last = id;
    }
    return world;
}

std::uint64_t hash_after(World world, int steps) {
    for (int i = 0; i < steps; ++i) world.step(kStep);
    return world.state_hash();
}

/// A pendulum after 10 s; its largest kinetic energy is kGravity.
World swung_pendulum(Method method) {
    World world = world_of(method);
    const BodyId bob = world.add_body(mass_at({1, 0, 0}, 1, {0.1, 0.1, 0.1})).value();
    join(world, HingeJoint{{0, 1, 0}}, {}, bob, {});
    run(world, 10);
    return world;
}

/// The same for a block that slides to rest, over its initial energy: friction does the work mu m g
/// times the path.
double block_remainder(Method method) {
    World world = world_of(method);
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

/// Colliding boxes and balls: the change of their total momenta, over the sums of their magnitudes.
std::array<double, 2> momentum_remainders(Method method, int count) {
    World world = world_of(method, {});
    WorldSettings settings = world.settings();
    settings.laws.fixed_steps = true; // boxes that jam have too many events
    world.set_settings(settings);
    Random random(3);
    double linear = 0, angular = 0;
    for (int i = 0; i < count; ++i) {
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

} // namespace

// The laws are invariant under translation, rotation and reflection.
void check_invariance(Reporter& reporter) {
    const double seconds = 2;
    for (const Bound& bound : {Bound{Method::fast, 1e-3}, Bound{Method::faithful, 1e-9}}) {
        const auto places = [&](const View& view, bool backward = false) {
            return QuietScene(bound.method, view, backward).places_after(seconds, view);
        };
        const std::vector<Vec3d> plain = places({});
        const auto judge = [&](const std::string& what, const View& view) {
            const double error = farthest(plain, places(view));
            reporter.expect(bound, what + ": farthest body after 2 s, m", {0}, {error}, error);
        };
        judge("10 km away", {{}, {6000, -8000, 100}, false});
        judge("turned", {from_rotation_vector(Vec3d{0.3, -0.7, 1.1}), {}, false});
        judge("in the mirror", {{}, {}, true});
        const double error = farthest(plain, places({}, true));
        const char* reverse = "bodies in reverse order: farthest, m";
        if (bound.method == Method::fast)
            reporter.report("fast", reverse, {0}, {error}, error);
        else
            reporter.expect(bound, reverse, {0}, {error}, error);
    }
    judge_toss_invariance(reporter);
}

namespace {

/// The ledger's remainder over the work of gravity, for bodies that fall in a heap, slide, roll and
/// come to rest.
double heap_remainder(const Heap& heap, double seconds) {
    World world = pile_up(heap);
    run(world, seconds);
    const Ledger ledger = world.ledger();
    return std::abs(ledger.remainder / ledger.gravity);
}

/// The energy flow of a falling heap.
plot::Plot plot_ledger(const Heap& heap, double seconds) {
    struct Account {
        const char* name;
        double (*value)(const World&);
    };
    const Account accounts[] = {
        {"work of gravity", [](const World& w) { return w.ledger().gravity; }},
        {"kinetic energy", [](const World& w) { return w.energy().kinetic; }},
        {"contacts", [](const World& w) { return w.ledger().contact_normal; }},
        {"friction", [](const World& w) { return w.ledger().contact_friction; }},
        {"impacts", [](const World& w) { return w.ledger().impact; }},
        {"remainder", [](const World& w) { return w.ledger().remainder; }},
    };
    plot::Panel panel{"J"};
    World world = pile_up(heap);
    int color = 0;
    for (const Account& account : accounts)
        panel.series.push_back({account.name, {}, {}, plot::Mark::line, color++});
    for (int i = 0; i <= std::lround(seconds / kStep); ++i) {
        if (i > 0) world.step(kStep);
        for (std::size_t k = 0; k < std::size(accounts); ++k)
            panel.series[k].add(world.time(), accounts[k].value(world));
    }
    const std::string count = std::to_string(heap.count);
    return {
        "The ledger of a heap of " + count + " that falls, under " + std::string(name(heap.method)),
        "time, s",
        {panel}};
}

} // namespace

// First with the work of hinges and of friction by closed forms, then with that of the ledger.
void check_ledger(Reporter& reporter) {
    for (const Bound& bound : {Bound{Method::fast, 0.01}, Bound{Method::faithful, 1e-9}}) {
        const auto judge = [&](const std::string& what, double remainder) {
            reporter.expect(bound, what, {0}, {remainder}, remainder);
        };
        // A hinge does no work: kinetic energy beyond the work of gravity, and what the ledger has.
        const World pendulum = swung_pendulum(bound.method);
        const double beyond = pendulum.energy().kinetic - pendulum.ledger().gravity;
        judge("pendulum, 10 s: remainder / energy", std::abs(beyond) / kGravity);
        judge("pendulum, 10 s: work of the hinge / energy",
              std::abs(pendulum.ledger().joints) / kGravity);
        judge("sliding block: remainder / energy", block_remainder(bound.method));
        const int count = bound.method == Method::fast ? 64 : 16;
        const auto [linear, angular] = momentum_remainders(bound.method, count);
        judge(std::to_string(count) + " bodies collide: momentum lost", linear);
        judge(std::to_string(count) + " bodies collide: angular momentum lost", angular);
        if (bound.method == Method::faithful) {
            judge("a heap of 12 and a chain, 1 s: remainder / work of gravity",
                  heap_remainder({bound.method, 12}, 1));
            continue;
        }
        judge("a heap falls, 2 s: remainder / work of gravity",
              heap_remainder({bound.method, 120, 0}, 2));
        judge("a heap and a chain fall, 2 s: remainder / work of gravity",
              heap_remainder({bound.method, 120}, 2));
        judge("the same, 10 s", heap_remainder({bound.method, 120, 0}, 10));
    }
    reporter.plot([] { return plot_ledger({Method::fast, 120, 0}, 3); });
    reporter.plot([] { return plot_ledger({Method::faithful, 12, 0}, 1); });
}

// The order of all sums is fixed, so threads and lanes change no bit; a snapshot is the whole
// state.
void check_determinism(Reporter& reporter) {
    struct Case {
        Method method;
        int count, steps;
        std::vector<int> lanes;
    };
    for (const auto& [method, count, steps, all_lanes] :
         {Case{Method::fast, 120, 180, {1, 4, 8}}, Case{Method::faithful, 12, 60, {}}}) {
        const Heap heap{method, count};
        const std::uint64_t expected = hash_after(pile_up(heap), steps);
        const auto judge = [&, method = method](const std::string& what, std::uint64_t hash) {
            const double differs = hash == expected ? 0 : 1;
            reporter.expect(Bound{method, 0}, what + ": hash differs", {0}, {differs}, differs);
        };
        judge("twice in a row", hash_after(pile_up(heap), steps));
        for (const int threads : {2, 3, 8}) {
            Heap other = heap;
            other.threads = threads;
            judge(std::to_string(threads) + " threads", hash_after(pile_up(other), steps));
        }
        for (const int lanes : all_lanes) {
            Heap other = heap;
            other.lanes = lanes;
            judge(std::to_string(lanes) + " lanes", hash_after(pile_up(other), steps));
        }
        World world = pile_up(heap);
        for (int i = 0; i < steps / 2; ++i) world.step(kStep);
        const Snapshot half = world.snapshot();
        for (int i = 0; i < 20; ++i) world.step(kStep);
        world.restore(half);
        judge("after restore", hash_after(std::move(world), steps / 2));
    }
}

} // namespace rigor::validation
