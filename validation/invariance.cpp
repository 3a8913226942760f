// What must hold for every scene: rows 40 to 43.

#include <algorithm>
#include <array>
#include <cmath>

#include "checks.h"
#include "curves.h"
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

    QuietScene(Method method, const View& view, bool backward = false)
        : world(world_of(method, view.vector({0, 0, -kGravity}))) {
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
double pendulum_remainder(Method method) {
    World world = world_of(method);
    const BodyId bob = world.add_body(mass_at({1, 0, 0}, 1, {0.1, 0.1, 0.1})).value();
    join(world, JointType::hinge, {}, bob, {});
    run(world, 10);
    return std::abs(world.energy().kinetic - world.ledger().gravity) / kGravity;
}

/// The same of a block that slides to rest, over what it had: friction takes mu m g times the way.
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

/// Boxes and balls that fly at each other: what is lost of their momenta, over the sums of their
/// sizes.
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

/// The angle of a pendulum released at 90 degrees, after a second.
double pendulum_angle(Method method, double dt) {
    World world = world_of(method);
    const BodyId bob = world.add_body(mass_at({1, 0, 0}, 1, {0.1, 0.1, 0.1})).value();
    const JointId pin = join(world, JointType::hinge, {}, bob, {});
    run(world, 1, dt);
    return world.joint_state(pin).coordinate;
}

/// Where a ball that was thrown without spin is after a second, once it rolls.
double rolling_place(Method method, double dt) {
    World world = world_of(method);
    add_ground(world, 0.2);
    BodyDef ball = body(SphereDef{0.5}, 0.2);
    ball.position = {0, 0, 0.5};
    ball.velocity = {5, 0, 0};
    const BodyId id = world.add_body(ball).value();
    run(world, 1, dt);
    return world.state(id).position.x;
}

/// How far the angular velocity of an asymmetric top is from what it should be after a second.
double spin_error(Integrator integrator, double dt) {
    WorldSettings settings;
    settings.gravity = {};
    settings.method = Method::free;
    settings.integrator = integrator;
    World world(settings);
    BodyDef def = mass_at({}, 1, {1, 2, 2.5});
    def.angular_velocity = {1, 2, 0.5};
    const BodyId top = world.add_body(def).value();
    const Snapshot start = world.snapshot();
    run(world, 1, dt);
    const Vec3d got = world.state(top).angular_velocity;
    settings.integrator = Integrator::exact;
    world.restore(start);
    world.set_settings(settings);
    world.step(1);
    return length(got - world.state(top).angular_velocity);
}

using Answer = double (*)(Method, double dt);

/// `fast` is shown. The steps of `faithful` are only how often it is asked: between them it takes
/// as many of its own, of order 5, as its tolerance of 1e-12 needs.
void judge_order(Reporter& reporter, const std::string& what, Answer f, double exact) {
    for (const Method method : {Method::fast, Method::faithful}) {
        const auto error = [&](double dt) { return std::abs(f(method, dt) - exact); };
        const double coarse = error(kStep), middle = error(kStep / 2), fine = error(kStep / 4);
        const std::string quantity = what + ": errors at dt, dt/2, dt/4";
        if (method == Method::faithful) {
            const double worst = std::max({coarse, middle, fine});
            reporter.expect(Bound{method, 1e-10}, quantity, {0}, {coarse, middle, fine}, worst);
            continue;
        }
        reporter.report("fast", quantity, {0}, {coarse, middle, fine}, coarse);
        const double order = std::log2(coarse / middle);
        reporter.report("fast", what + ": order from dt to dt/2", {1}, {order}, order);
    }
}

} // namespace

namespace {

constexpr double kSteps[] = {kStep * 2, kStep, kStep / 2, kStep / 4, kStep / 8, kStep / 16};

plot::Plot plot_order(const std::string& title, const std::string& label, Answer f, double exact) {
    plot::Panel panel{label};
    panel.is_logarithmic = true;
    for (const Method method : kOwnMethods) {
        panel.series.push_back(series_of(method, plot::Mark::line_and_dots));
        for (const double dt : kSteps)
            panel.series.back().add(dt, magnitude(f(method, dt) - exact));
    }
    plot::Plot plot{title, "time step, s", {panel}};
    plot.is_logarithmic = true;
    return plot;
}

plot::Plot plot_integrators() {
    plot::Panel panel{"error of w after 1 s, rad/s"};
    panel.is_logarithmic = true;
    for (const Integrator integrator :
         {Integrator::rk4, Integrator::symplectic, Integrator::euler}) {
        panel.series.push_back({std::string(name(integrator)),
                                {},
                                {},
                                plot::Mark::line_and_dots,
                                2 + static_cast<int>(integrator)});
        for (const double dt : kSteps) panel.series.back().add(dt, spin_error(integrator, dt));
    }
    for (const auto& [order, at] : {std::pair{1, 0.1}, {2, 1e-3}, {4, 1e-7}}) {
        plot::Series slope = theory("order 1, 2, 4");
        for (const double dt : kSteps) slope.add(dt, at * std::pow(dt / kStep, order));
        panel.series.push_back(slope);
    }
    plot::Plot plot{"A top by the integrators of free motion", "time step, s", {panel}};
    plot.is_logarithmic = true;
    return plot;
}

} // namespace

void check_convergence(Reporter& reporter) {
    // From 90 degrees, by Jacobi's elliptic functions. Float's rounding ends the descent at 3e-6.
    judge_order(reporter, "pendulum", pendulum_angle, 2.881670197938151);
    // Slides for 2 v / (7 mu g), then rolls at 5/7 of its speed.
    const double sliding = 2 * 5.0 / (7 * 0.2 * kGravity);
    const double place =
        5 * sliding - 0.1 * kGravity * sliding * sliding + 25.0 / 7 * (1 - sliding);
    judge_order(reporter, "slide to roll", rolling_place, place);
    // The integrators of free motion that methods can be told to use.
    const std::pair<Integrator, double> nominal[] = {
        {Integrator::rk4, 4}, {Integrator::symplectic, 1}, {Integrator::euler, 1}};
    for (const auto& [integrator, order] : nominal) {
        const double got =
            std::log2(spin_error(integrator, kStep / 2) / spin_error(integrator, kStep / 4));
        reporter.expect("free, " + std::string(name(integrator)), "a top: order from dt/2 to dt/4",
                        {order}, {got}, std::max(0.0, order - got), 0.1);
    }
    reporter.plot([] {
        return plot_order("A pendulum: error after 1 s", "error of the angle, rad", pendulum_angle,
                          2.881670197938151);
    });
    reporter.plot([&] {
        return plot_order("Slide to roll: error after 1 s", "error of the place, m", rolling_place,
                          place);
    });
    reporter.plot(plot_integrators);
}

// Space is the same everywhere, in every direction and in the mirror.
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
}

namespace {

/// What the world's own ledger cannot explain, over the work of gravity, for bodies that fall in a
/// heap, slide, roll and come to rest.
double heap_remainder(const Heap& heap, double seconds) {
    World world = pile_up(heap);
    run(world, seconds);
    const Ledger ledger = world.ledger();
    return std::abs(ledger.remainder / ledger.gravity);
}

} // namespace

namespace {

/// Where the energy of a heap that falls comes from and goes to.
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

// First with the work of hinges and of friction from the laws, then with that which the ledger
// measures.
void check_ledger(Reporter& reporter) {
    for (const Bound& bound : {Bound{Method::fast, 0.01}, Bound{Method::faithful, 1e-9}}) {
        const auto judge = [&](const std::string& what, double remainder) {
            reporter.expect(bound, what, {0}, {remainder}, remainder);
        };
        judge("pendulum, 10 s: remainder / energy", pendulum_remainder(bound.method));
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
        // Where joints and contacts mix, the work of joints is what is left: so there are none.
        judge("a heap falls, 2 s: remainder / work of gravity",
              heap_remainder({bound.method, 120, 0}, 2));
        judge("the same, 10 s", heap_remainder({bound.method, 120, 0}, 10));
    }
    reporter.plot([] { return plot_ledger({Method::fast, 120, 0}, 3); });
    reporter.plot([] { return plot_ledger({Method::faithful, 12, 0}, 1); });
}

// The order of all sums is fixed, so threads and lanes change no bit; a snapshot is all there is.
void check_same_bits(Reporter& reporter) {
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
