// Simultaneous impacts: newtons_cradle, bernoulli_problem, flat_stick, collisions_count_pi,
// five_properties. Without a law of propagation there is no unique answer: `faithful` uses
// generalized reflections [Smith 2012] and sets the ambiguity flag where another order would give
// another result; the results of other methods are reported beside it.

#include <algorithm>
#include <cmath>

#include "checks.h"
#include "worlds.h"

namespace rigor::validation {
namespace {

BodyId add_ball(World& world, const Vec3d& position, const Vec3d& velocity) {
    BodyDef ball = body(SphereDef{0.5}, 0, 1);
    ball.mass = 1;
    ball.position = position;
    ball.velocity = velocity;
    return world.add_body(ball).value();
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
    double worst = 0;
    for (std::size_t i = 0; i < a.size(); ++i) worst = std::max(worst, std::abs(a[i] - b[i]));
    return worst;
}

World elastic_world(Method method, std::optional<MultiImpact> rule = {}) {
    World world = world_of(method, {});
    WorldSettings settings = world.settings();
    settings.laws.multi = rule;
    world.set_settings(settings);
    return world;
}

/// Balls, and their velocities after the impact.
struct Balls {
    World world;
    std::vector<BodyId> ids = {};
    int ambiguous = 0, impacts = 0;

    void add(const Vec3d& position, const Vec3d& velocity) {
        ids.push_back(add_ball(world, position, velocity));
    }
    void run(double seconds) {
        for (int i = 0; i < std::lround(seconds / kStep); ++i) {
            const StepReport& report = world.step(kStep);
            ambiguous += report.ambiguous_count;
            impacts += report.impact_count;
        }
    }
    std::vector<double> velocities(int axes) const {
        std::vector<double> all;
        for (const BodyId id : ids) {
            const Vec3d v = world.state(id).velocity;
            for (int k = 0; k < axes; ++k) all.push_back(v[k]);
        }
        return all;
    }
};

/// Five balls that touch; the first `coming` of them arrive at speed 1.
Balls cradle(World world, int coming) {
    Balls balls{std::move(world)};
    for (int i = 0; i < 5; ++i) {
        const bool comes = i < coming;
        balls.add({i - (comes ? 0.1 : 0.0), 0, 0}, {comes ? 1.0 : 0.0, 0, 0});
    }
    balls.run(0.5);
    return balls;
}

/// A ball that hits two touching ones at the same time.
Balls bernoulli(World world) {
    const double x = std::sqrt(3.0) / 2;
    Balls balls{std::move(world)};
    balls.add({-x - 0.1, 0, 0}, {1, 0, 0});
    balls.add({0, 0.5, 0}, {});
    balls.add({0, -0.5, 0}, {});
    balls.run(0.5);
    return balls;
}

/// A stick of length 2 that comes down flat at speed 1.
struct FlatStick {
    World world;
    int ambiguous = 0, impulses = 0;
    double v = 0, w = 0; ///< after it has bounced

    FlatStick(World empty, double inertia) : world(std::move(empty)) {
        add_ground(world, 0, 1);
        BodyDef stick = mass_at({0, 0, 0.11}, 1, {inertia, inertia, inertia});
        stick.velocity = {0, 0, -1};
        stick.shapes = body(SphereDef{0.1}, 0, 1).shapes;
        stick.shapes.push_back(stick.shapes[0]);
        stick.shapes[0].position = {-1, 0, 0};
        stick.shapes[1].position = {1, 0, 0};
        const BodyId id = world.add_body(stick).value();
        for (int i = 0; i < 12; ++i) {
            const StepReport& report = world.step(kStep);
            ambiguous += report.ambiguous_count;
            impulses += report.impulse_count;
        }
        v = world.state(id).velocity.z;
        w = world.state(id).angular_velocity.y;
    }
};

/// The same with one end after the other, until none approaches.
struct StickByEnds {
    double v = -1, w = 0;
    int impulses = 0;

    explicit StickByEnds(double inertia) {
        for (double side = 1; v + side * w < -1e-9 || v - side * w < -1e-9; side = -side) {
            const double push = -2 * (v + side * w) / (1 + 1 / inertia);
            v += push;
            w += side * push / inertia;
            ++impulses;
        }
    }
};

void judge_flag(Reporter& reporter, const std::string& what, bool expected, int ambiguous) {
    reporter.expect(Bound{Method::faithful, 0}, what + ": flagged as ambiguous",
                    {expected ? 1.0 : 0.0}, {static_cast<double>(ambiguous)},
                    expected == (ambiguous > 0) ? 0 : 1);
}

void judge_cradle(Reporter& reporter, int coming, const std::vector<double>& expected,
                  const std::vector<double>& of_one_lcp) {
    const std::string what = std::to_string(coming) + " in: speeds";
    const std::vector<double> fast = cradle(elastic_world(Method::fast), coming).velocities(1);
    reporter.report("fast", what, expected, fast, largest_difference(expected, fast));
    const std::vector<double> got = cradle(elastic_world(Method::faithful), coming).velocities(1);
    reporter.expect(Bound{Method::faithful, 1e-12}, what, expected, got,
                    largest_difference(expected, got));
    const std::vector<double> lcp =
        cradle(elastic_world(Method::baber2006, MultiImpact::simultaneous), coming).velocities(1);
    reporter.expect("baber2006, simultaneous", what, of_one_lcp, lcp,
                    largest_difference(of_one_lcp, lcp), 1e-12);
}

} // namespace

void check_newtons_cradle(Reporter& reporter) {
    judge_cradle(reporter, 1, {0, 0, 0, 0, 1}, {-.6, .4, .4, .4, .4});
    judge_cradle(reporter, 2, {0, 0, 0, 1, 1}, {-.2, -.2, .8, .8, .8});
}

void check_bernoulli(Reporter& reporter) {
    const double side = std::sqrt(3.0) / 5;
    const std::vector<double> expected{-0.2, 0, 0.6, side, 0.6, -side};
    const char* what = "velocities of the three balls";
    const std::vector<double> fast = bernoulli(elastic_world(Method::fast)).velocities(2);
    reporter.report("fast", what, expected, fast, largest_difference(expected, fast));
    const Balls balls = bernoulli(elastic_world(Method::faithful));
    const std::vector<double> got = balls.velocities(2);
    reporter.expect(Bound{Method::faithful, 1e-12}, what, expected, got,
                    largest_difference(expected, got));
    judge_flag(reporter, what, true, balls.ambiguous);
}

// In the metric of kinetic energy its ends make a wedge of arccos((1 - I)/(1 + I)): 60 and 90
// degrees for I = 1/3 and 1, where every order gives the same result. Impulses at one end after the
// other end at v = 79/81, w = 40/81 for I = 1/5, and with the other sign of w if the other end is
// first.
void check_flat_stick(Reporter& reporter) {
    const std::pair<double, int> sticks[] = {{1.0 / 3, 3}, {1.0, 2}, {1.0 / 5, 4}, {1.0 / 20, 7}};
    for (const auto& [inertia, count] : sticks) {
        const std::string what = "v, w for I = " + std::to_string(inertia).substr(0, 5);
        const FlatStick fast(elastic_world(Method::fast), inertia);
        reporter.report("fast", what, {1, 0}, {fast.v, fast.w},
                        largest_difference({1, 0}, {fast.v, fast.w}));
        const FlatStick faithful(elastic_world(Method::faithful), inertia);
        reporter.expect(Bound{Method::faithful, 1e-12}, what, {1, 0}, {faithful.v, faithful.w},
                        largest_difference({1, 0}, {faithful.v, faithful.w}));
        judge_flag(reporter, what, inertia < 0.3, faithful.ambiguous);
        const FlatStick by_ends(elastic_world(Method::faithful, MultiImpact::propagation), inertia);
        const StickByEnds exact(inertia);
        reporter.expect("faithful, propagation", "impulses" + what.substr(4), {1.0 * count},
                        {1.0 * by_ends.impulses}, std::abs(by_ends.impulses - count), 0);
        const std::vector<double> expected{exact.v, std::abs(exact.w)};
        const std::vector<double> got{by_ends.v, std::abs(by_ends.w)};
        reporter.expect("faithful, propagation", "v, |w|" + what.substr(4), expected, got,
                        largest_difference(expected, got), 1e-12);
    }
}

// A wall, a ball of mass 1 at rest, and one of 100^k that comes in: their collisions count the
// digits of pi [Galperin 2003].
void check_pi(Reporter& reporter) {
    double mass = 1;
    for (const double expected : {3, 31, 314, 3141, 31415}) {
        Balls balls{elastic_world(Method::faithful)};
        balls.world.add_body(fixed(body(PlaneDef{{1, 0, 0}, 0}, 0, 1))).value();
        balls.add({1.5, 0, 0}, {});
        BodyDef heavy = body(SphereDef{0.5}, 0, 1);
        heavy.mass = mass;
        heavy.position = {3, 0, 0};
        heavy.velocity = {-1, 0, 0};
        balls.world.add_body(heavy).value();
        balls.run(10);
        const double got = balls.impacts;
        reporter.expect(Bound{Method::faithful, 0},
                        "mass 1e" + std::to_string(std::lround(std::log10(mass))) + ": collisions",
                        {expected}, {got}, std::abs(got - expected));
        mass *= 100;
    }
}

namespace {

/// Balls in a row that touch, of different masses and velocities. In a row the impulse of each
/// contact follows from the momenta.
struct Row {
    std::vector<double> mass, before, after, impulse;

    Row(MultiImpact rule, Random& random, bool mirrored) {
        constexpr int kCount = 5;
        for (int i = 0; i < kCount; ++i) {
            mass.push_back(random.next(0.5, 2));
            before.push_back(random.next(-1, 1));
        }
        if (mirrored) {
            std::reverse(mass.begin(), mass.end());
            std::reverse(before.begin(), before.end());
            for (double& v : before) v = -v;
        }
        World world = elastic_world(Method::faithful, rule);
        std::vector<BodyId> ids;
        for (int i = 0; i < kCount; ++i) {
            const auto k = static_cast<std::size_t>(i);
            ids.push_back(add_ball(world, {1.0 * i, 0, 0}, {before[k], 0, 0}));
            world.set_mass(ids.back(), mass[k]);
        }
        world.step(1e-9);
        double sum = 0;
        for (std::size_t i = 0; i < mass.size(); ++i) {
            after.push_back(world.state(ids[i]).velocity.x);
            sum += mass[i] * (before[i] - after[i]);
            impulse.push_back(sum); // between ball i and the next
        }
    }

    /// Contacts push, none approaches afterwards, and each pushes only where it would approach
    /// without its own impulse: an impulse of a contact makes its neighbors approach, never part.
    bool is_one_sided() const {
        bool holds = true;
        for (std::size_t i = 0; i + 1 < mass.size(); ++i) {
            const double left = i > 0 ? impulse[i - 1] / mass[i] : 0;
            const double right = i + 2 < mass.size() ? impulse[i + 1] / mass[i + 1] : 0;
            const double without = before[i + 1] - before[i] - left - right;
            holds = holds && impulse[i] > -1e-9 && after[i + 1] - after[i] > -1e-9 &&
                    (impulse[i] < 1e-9 || without < 0);
        }
        return holds;
    }
    bool keeps_energy() const {
        double gained = 0;
        for (std::size_t i = 0; i < mass.size(); ++i)
            gained += 0.5 * mass[i] * (after[i] * after[i] - before[i] * before[i]);
        return std::abs(gained) < 1e-12;
    }
    /// The last sum of impulses is the change of all momentum.
    bool keeps_momentum() const { return std::abs(impulse.back()) < 1e-12; }
    bool is_mirror_of(const Row& other) const {
        double off = 0;
        for (std::size_t i = 0; i < mass.size(); ++i)
            off = std::max(off, std::abs(after[i] + other.after[mass.size() - 1 - i]));
        return off < 1e-9;
    }
};

/// The properties that a rule for simultaneous impacts should have [Smith 2012], in the cradle,
/// Bernoulli's problem and rows of balls, some of whose contacts part before the impact.
struct Properties {
    bool breaks_away = true, symmetric = true, keeps_energy = true, keeps_momentum = true,
         one_sided = true;

    explicit Properties(MultiImpact rule) {
        const Balls row = cradle(elastic_world(Method::faithful, rule), 1);
        const std::vector<double> v = row.velocities(1);
        breaks_away = v[4] - v[3] > 1e-9; // the last has nothing to stay for
        conserve(row, 0.5, {1, 0, 0});
        const Balls three = bernoulli(elastic_world(Method::faithful, rule));
        const std::vector<double> u = three.velocities(2);
        symmetric = std::abs(u[2] - u[4]) + std::abs(u[3] + u[5]) + std::abs(u[1]) < 1e-9;
        conserve(three, 0.5, {1, 0, 0});
        for (std::uint64_t seed = 1; seed <= 40; ++seed) try_row(rule, seed);
    }

    void try_row(MultiImpact rule, std::uint64_t seed) {
        Random random(seed), same(seed);
        const Row plain(rule, random, false), mirrored(rule, same, true);
        symmetric = symmetric && plain.is_mirror_of(mirrored);
        keeps_energy = keeps_energy && plain.keeps_energy();
        keeps_momentum = keeps_momentum && plain.keeps_momentum();
        one_sided = one_sided && plain.is_one_sided();
    }

    void conserve(const Balls& balls, double energy, const Vec3d& momentum) {
        keeps_energy = keeps_energy && std::abs(balls.world.energy().kinetic - energy) < 1e-12;
        keeps_momentum = keeps_momentum && length(balls.world.momentum().linear - momentum) < 1e-12;
        for (std::size_t i = 0; i < balls.ids.size(); ++i)
            for (std::size_t k = 0; k < i; ++k) one_sided = one_sided && !overlap(balls, i, k);
    }
    static bool overlap(const Balls& balls, std::size_t i, std::size_t k) {
        const Vec3d apart =
            balls.world.state(balls.ids[i]).position - balls.world.state(balls.ids[k]).position;
        return length(apart) < 1 - 1e-9;
    }
    std::vector<double> numbers() const {
        std::vector<double> all;
        for (const bool has : {breaks_away, symmetric, keeps_energy, keeps_momentum, one_sided})
            all.push_back(has ? 1 : 0);
        return all;
    }
};

} // namespace

// Only generalized reflections have all five: sequential impulses depend on their order, and one
// complementarity problem for all contacts fails to separate them.
void check_five_properties(Reporter& reporter) {
    const auto judge = [&](MultiImpact rule, const std::vector<double>& expected) {
        const std::vector<double> got = Properties(rule).numbers();
        reporter.expect("faithful, " + std::string(name(rule)),
                        "breaks away, symmetric, keeps energy, momentum, one-sided", expected, got,
                        largest_difference(expected, got), 0);
    };
    judge(MultiImpact::reflections, {1, 1, 1, 1, 1});
    judge(MultiImpact::propagation, {1, 0, 1, 1, 1});
    judge(MultiImpact::simultaneous, {0, 1, 1, 1, 1});
}

} // namespace rigor::validation
