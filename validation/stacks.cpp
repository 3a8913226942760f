// Stacks: diamonds, harmonic_overhang, mass_ratio, arch; at 60 Hz. A structure that is stable by
// statics must stand, and an unstable one must fall.

#include <algorithm>
#include <cmath>

#include "checks.h"
#include "curves.h"
#include "worlds.h"

namespace rigor::validation {
namespace {

/// A stack, and the displacement of its bodies since the start.
struct Structure {
    World world;
    std::vector<BodyId> parts;
    std::vector<Vec3d> start;

    explicit Structure(Method method) : world(world_of(method)) {}

    void add(const BodyDef& def) {
        parts.push_back(world.add_body(def).value());
        start.push_back(world.state(parts.back()).position);
    }
    /// The largest displacement.
    double drift() const {
        double farthest = 0;
        for (std::size_t i = 0; i < parts.size(); ++i)
            farthest = std::max(farthest, length(world.state(parts[i]).position - start[i]));
        return farthest;
    }
    /// The force certificate: contact forces within their friction cones that balance every body.
    /// Its residual force and torque, over the weight of a body. For methods whose contacts have
    /// one point each.
    double unbalanced() const {
        double worst = 0;
        for (const BodyId id : parts) {
            if (world.type(id) == BodyType::static_body) continue;
            const double weight = world.mass_properties(id).mass * kGravity;
            Vec3d force{0, 0, -weight}, torque;
            for (const ContactView& contact : world.contacts(id)) {
                const ContactPointView& point = contact.points[0];
                if (!(point.impulse >= 0)) return kNone;
                const double sign = contact.b.body == id ? 1 : -1;
                const Vec3d push =
                    (contact.normal * point.impulse + contact.friction) * (sign / kStep);
                force += push;
                torque += cross(point.point - world.state(id).position, push);
            }
            worst = std::max(worst, (length(force) + length(torque)) / weight);
        }
        return worst;
    }
    /// Runs for some time, or until a body has moved by `far`; returns the time.
    double run_until_moved(double far, double seconds, double dt = kStep) {
        const double begin = world.time();
        while (world.time() < begin + seconds - 1e-9 && drift() < far) world.step(dt);
        return world.time() - begin;
    }
};

constexpr double kBrickHeight = 0.5;

/// Rows of bricks of length 1, each shifted by half a brick against the one below; the one at the
/// bottom stays where it is.
Structure rows_of_bricks(Method method, const std::vector<int>& counts) {
    Structure pile(method);
    for (std::size_t row = 0; row < counts.size(); ++row) {
        for (int i = 0; i < counts[row]; ++i) {
            BodyDef brick = body(BoxDef{{1, 0.5, kBrickHeight}}, 0);
            brick.position = {i - 0.5 * (counts[row] - 1), 0,
                              (static_cast<double>(row) + 0.5) * kBrickHeight};
            pile.add(row == 0 ? fixed(brick) : brick);
        }
    }
    return pile;
}

Structure diamond(Method method, int n) {
    std::vector<int> counts;
    for (int row = 1; row < 2 * n; ++row) counts.push_back(std::min(row, 2 * n - row));
    return rows_of_bricks(method, counts);
}

Structure inverted_triangle(Method method, int n) {
    std::vector<int> counts;
    for (int row = 1; row <= n; ++row) counts.push_back(row);
    return rows_of_bricks(method, counts);
}

/// Five bricks of length 1 that reach over a table's edge at x = 0.
Structure overhang(Method method, double scale) {
    const double height = 0.25;
    Structure stack(method);
    BodyDef table = fixed(body(BoxDef{{4, 2, 1}}, 0.5));
    table.position = {-2, 0, -0.5};
    stack.world.add_body(table).value();
    double end = 0;
    for (int i = 5; i >= 1; --i) {
        end += scale / (2 * i);
        BodyDef brick = body(BoxDef{{1, 0.5, height}}, 0.5);
        brick.position = {end - 0.5, 0, (5 - i + 0.5) * height};
        stack.add(brick);
    }
    return stack;
}

/// A block of a ring about the y axis, between two radii and two angles.
BodyDef voussoir(double inner, double outer, double from, double to, double friction) {
    HullDef hull;
    const double middle = 0.5 * (from + to), radius = 0.5 * (inner + outer);
    const Vec3d center{radius * std::cos(middle), 0, radius * std::sin(middle)};
    for (const double angle : {from, to}) {
        for (const double r : {inner, outer}) {
            for (const double y : {-0.5, 0.5})
                hull.points.push_back(Vec3d{r * std::cos(angle), y, r * std::sin(angle)} - center);
        }
    }
    BodyDef def = body(hull, friction);
    def.position = center;
    return def;
}

/// Half a circle of 20 blocks and mean radius 5 m.
Structure arch(Method method, double thickness_ratio, double friction) {
    const double radius = 5, half = 0.5 * thickness_ratio * radius;
    Structure stones(method);
    add_ground(stones.world, friction);
    for (int i = 0; i < 20; ++i) {
        stones.add(
            voussoir(radius - half, radius + half, kPi * i / 20, kPi * (i + 1) / 20, friction));
    }
    return stones;
}

/// For 10 s. The step size does not matter to `faithful`.
void expect_stands(Reporter& reporter, const Bound& bound, Structure pile,
                   const std::string& what) {
    pile.run_until_moved(1, 10, bound.method == Method::fast ? kStep : 1);
    const double drift = pile.drift();
    reporter.expect(bound, what + " stands: drift, m", {0}, {drift}, drift);
    if (bound.method != Method::faithful) return;
    pile.world.step(kStep);
    const double unbalanced = pile.unbalanced();
    reporter.expect(Bound{bound.method, 1e-6}, what + ": weight that no force carries", {0},
                    {unbalanced}, unbalanced);
}

/// By half a meter; under `faithful`, where stable stacks do not move at all, by a centimeter.
void expect_falls(Reporter& reporter, Method method, Structure pile, const std::string& what) {
    const double when = pile.run_until_moved(method == Method::fast ? 0.5 : 0.01, 10);
    reporter.expect(Bound{method, 0}, what + " falls: within, s", {10}, {when},
                    when < 9.99 ? 0 : 1);
}

/// The same from the initial accelerations, where the fall itself would take too long to compute.
void expect_gives(Reporter& reporter, Structure pile, const std::string& what) {
    const double moment = 1e-7;
    pile.world.step(moment);
    double fastest = 0;
    for (const BodyId id : pile.parts)
        fastest = std::max(fastest, length(pile.world.state(id).velocity));
    reporter.expect(Bound{Method::faithful, 0}, what + " falls: acceleration at once, m/s^2",
                    {kGravity}, {fastest / moment}, fastest / moment > 1e-3 * kGravity ? 0 : 1);
}

/// One second with four times the substeps, in place of the centering that masons remove once the
/// stones carry each other. Afterward the default settings apply.
Structure settled(Structure pile) {
    WorldSettings settings = pile.world.settings();
    settings.substeps = 16;
    pile.world.set_settings(settings);
    run(pile.world, 1);
    settings.substeps.reset();
    pile.world.set_settings(settings);
    return pile;
}

} // namespace

namespace {

/// By method, until it has fallen, at most for the given time.
plot::Plot plot_drift(int n, double seconds) {
    plot::Panel panel{"drift, m"};
    panel.is_logarithmic = true;
    for (const Method method : kAllMethods) {
        Structure pile = diamond(method, n);
        plot::Series series = series_of(method);
        while (pile.world.time() < seconds && pile.drift() < 0.3) {
            pile.world.step(kStep);
            series.add(pile.world.time(), magnitude(pile.drift()));
        }
        panel.series.push_back(series);
    }
    return {"Diamond " + std::to_string(n) + " without friction: how far a brick has moved",
            "time, s",
            {panel}};
}

} // namespace

// Frictionless bricks can only push: a diamond holds by the weight of its upper half until it is
// five wide [Paterson 2009]. A hundredth of a brick is allowed.
void check_diamonds(Reporter& reporter) {
    const std::string soft =
        "bricks lean by some 1e-3 rad on soft contacts, and slide without friction; diamond 3 "
        "moves by 8 cm at 1 kHz";
    const std::string tips =
        "the centers of the upper bricks are exactly above the edge: any compliance tips them";
    for (const auto& [method, drift] : {std::pair{Method::fast, 0.01}, {Method::faithful, 1e-6}}) {
        const bool is_fast = method == Method::fast;
        for (const int n : {2, 3, 4}) {
            expect_stands(reporter, {method, drift, is_fast && n > 2 ? soft : ""},
                          diamond(method, n), "diamond " + std::to_string(n));
        }
        if (is_fast)
            expect_falls(reporter, method, diamond(method, 5), "diamond 5");
        else
            expect_gives(reporter, diamond(method, 5), "diamond 5");
        expect_stands(reporter, {method, drift, is_fast ? tips : ""}, inverted_triangle(method, 2),
                      "triangle 2");
        expect_falls(reporter, method, inverted_triangle(method, 3), "triangle 3");
    }
    reporter.plot([] { return plot_drift(2, 3); });
    reporter.plot([] { return plot_drift(3, 1); });
}

// The harmonic series: each brick's edge is right below the center of all that is above it.
// Soft contacts let the top lean by some centimeters without falling.
void check_harmonic_overhang(Reporter& reporter) {
    const std::string soft =
        "soft contacts at the edges yield by a millimeter, which is the whole margin; 5 % less "
        "stands, and so does 2 % less with 16 substeps";
    expect_stands(reporter, {Method::fast, 0.1, soft}, overhang(Method::fast, 0.98), "2 % less");
    expect_falls(reporter, Method::fast, overhang(Method::fast, 1.02), "2 % more");
    const Method faithful = Method::faithful;
    expect_stands(reporter, {faithful, 1e-6}, overhang(faithful, 0.999), "0.1 % less");
    expect_falls(reporter, faithful, overhang(faithful, 1.001), "0.1 % more");
}

void check_mass_ratio(Reporter& reporter) {
    for (const Method method : {Method::fast, Method::faithful}) {
        Structure stack(method);
        const BodyId ground = add_ground(stack.world, 0.5);
        for (const double mass : {1.0, 1000.0}) {
            BodyDef box = body(BoxDef{{1, 1, 1}}, 0.5);
            box.mass = mass;
            box.position = {0, 0, mass < 2 ? 0.5 : 1.5};
            stack.add(box);
        }
        run(stack.world, 10);
        const std::vector<double> depths = stack.world.penetrations();
        const double deepest = depths.empty() ? 0 : depths.back(), drift = stack.drift();
        const char* penetration = "1000 kg on 1 kg: penetration, m";
        const char* moved = "1000 kg on 1 kg: drift in 10 s, m";
        if (method == Method::fast) {
            reporter.report("fast", penetration, {0}, {deepest}, deepest);
            reporter.report("fast", moved, {0}, {drift}, drift);
            continue;
        }
        reporter.expect({method, 1e-3}, penetration, {0}, {deepest}, deepest);
        reporter.expect({method, 1e-3}, moved, {0}, {drift}, drift);
        const double below = load_on(stack.world, ground),
                     above = load_on(stack.world, stack.parts[1]);
        const double error =
            std::max(relative(below, 1001 * kGravity), relative(above, 1000 * kGravity));
        reporter.expect({method, 1e-10}, "forces on the ground and under the upper box, N",
                        {1001 * kGravity, 1000 * kGravity}, {below, above}, error);
    }
}

// The least thickness of a semicircular arch [Heyman 1969, Milankovitch 1907]; with less friction
// than 0.394 its blocks slide.
void check_arch(Reporter& reporter) {
    const double least = 0.1075, slippery = 0.394;
    const auto judge = [&](Method method, double part, double drift, const auto& built) {
        const std::string by = part > 0.05 ? " 10 % " : " 1 % ";
        const double more = 1 + part, less = 1 - part, sound = more * least;
        expect_stands(reporter, {method, drift}, built(arch(method, more * least, 0.7)),
                      "t/R" + by + "more");
        expect_stands(reporter, {method, drift}, built(arch(method, sound, more * slippery)),
                      "mu" + by + "more");
        Structure thin = built(arch(method, less * least, 0.7));
        Structure slides = built(arch(method, sound, less * slippery));
        if (method == Method::fast) {
            expect_falls(reporter, method, std::move(thin), "t/R" + by + "less");
            expect_falls(reporter, method, std::move(slides), "mu" + by + "less");
        } else {
            expect_gives(reporter, std::move(thin), "t/R" + by + "less");
            expect_gives(reporter, std::move(slides), "mu" + by + "less");
        }
    };
    judge(Method::fast, 0.1, 0.1, settled);
    const std::string sinks =
        "until the forces have propagated through 20 blocks the arch sinks; at 20 % more it "
        "stands without settling";
    expect_stands(reporter, {Method::fast, 0.1, sinks}, arch(Method::fast, 1.1 * least, 0.7),
                  "t/R 10 % more, at once");
    judge(Method::faithful, 0.01, 1e-6, [](Structure pile) { return pile; });
}

} // namespace rigor::validation
