// Stacks: diamonds, harmonic_overhang, mass_ratio, arch; at 60 Hz. A structure that is stable by
// statics must stand, and an unstable one must fall.

#include <algorithm>
#include <cmath>

#include "checks.h"
#include "curves.h"
#include "worlds.h"

namespace rigor::validation {
namespace {

/// The force certificate of a structure at rest: contact forces that balance every body, within
/// their friction cones, and only where bodies touch. Each number is over the weight of a body,
/// except for the gap.
struct Certificate {
    double unbalanced = 0; ///< force and torque, N and N m per N
    double outside = 0;    ///< how far a force is outside of its cone; pulling counts
    double gap = 0;        ///< m: the largest distance of a loaded point from either surface
};

/// A stack, and the displacement of its bodies since the start.
struct Structure {
    World world;
    double friction;
    std::vector<BodyId> parts = {};
    std::vector<Vec3d> start = {};

    Structure(Method method, double mu) : world(world_of(method)), friction(mu) {}

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
    /// Of the last step, which took kStep; for methods whose contacts have one point each.
    Certificate certificate() const {
        Certificate worst;
        for (const BodyId id : parts) {
            if (world.type(id) == BodyType::static_body) continue;
            const double weight = world.mass_properties(id).mass * kGravity;
            Vec3d force{0, 0, -weight}, torque;
            for (const ContactView& contact : world.contacts(id)) {
                const ContactPointView& point = contact.points[0];
                const double sign = contact.b.body == id ? 1 : -1;
                const double normal = point.impulse / kStep;
                const Vec3d tangential = contact.friction / kStep;
                const Vec3d push = (contact.normal * normal + tangential) * sign;
                force += push;
                torque += cross(point.point - world.state(id).position, push);
                const double outside = std::max(-normal, length(tangential) - friction * normal);
                worst.outside = std::max(worst.outside, outside / weight);
                if (normal > 1e-9 * weight)
                    worst.gap = std::max(worst.gap, distance_from(id, point.point));
            }
            worst.unbalanced =
                std::max(worst.unbalanced, (length(force) + length(torque)) / weight);
        }
        return worst;
    }
    double distance_from(BodyId id, const Vec3d& point) const {
        QueryFilter only;
        only.accept = [id](BodyId body, ShapeId) { return body == id; };
        const auto nearest = world.closest_point(point, 1, only);
        return nearest ? std::abs(nearest->distance) : 1;
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
    Structure pile(method, 0);
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
    Structure stack(method, 0.5);
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
    Structure stones(method, friction);
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
    const Certificate found = pile.certificate();
    const Bound exact{bound.method, 1e-9};
    reporter.expect(Bound{bound.method, 1e-7}, what + ": weight that no force carries", {0},
                    {found.unbalanced}, found.unbalanced);
    reporter.expect(exact, what + ": force outside of its cone", {0}, {found.outside},
                    found.outside);
    reporter.expect(exact, what + ": gap at a loaded point, m", {0}, {found.gap}, found.gap);
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
    for (const auto& [method, drift] : {std::pair{Method::fast, 0.01}, {Method::faithful, 1e-6}}) {
        const bool is_fast = method == Method::fast;
        for (const int n : {2, 3, 4}) {
            expect_stands(reporter, {method, drift}, diamond(method, n),
                          "diamond " + std::to_string(n));
        }
        if (is_fast)
            expect_falls(reporter, method, diamond(method, 5), "diamond 5");
        else
            expect_gives(reporter, diamond(method, 5), "diamond 5");
        expect_stands(reporter, {method, drift}, inverted_triangle(method, 2), "triangle 2");
        expect_falls(reporter, method, inverted_triangle(method, 3), "triangle 3");
    }
    reporter.plot([] { return plot_drift(2, 3); });
    reporter.plot([] { return plot_drift(3, 1); });
}

// The harmonic series: each brick's edge is right below the center of all that is above it.
// Soft contacts let the top lean by some centimeters without falling.
void check_harmonic_overhang(Reporter& reporter) {
    expect_stands(reporter, {Method::fast, 0.1}, overhang(Method::fast, 0.98), "2 % less");
    expect_falls(reporter, Method::fast, overhang(Method::fast, 1.02), "2 % more");
    const Method faithful = Method::faithful;
    expect_stands(reporter, {faithful, 1e-6}, overhang(faithful, 0.999), "0.1 % less");
    expect_falls(reporter, faithful, overhang(faithful, 1.001), "0.1 % more");
}

void check_mass_ratio(Reporter& reporter) {
    for (const Method method : {Method::fast, Method::faithful}) {
        Structure stack(method, 0.5);
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
        reporter.expect({method, 1e-3}, "1000 kg on 1 kg: penetration, m", {0}, {deepest}, deepest);
        reporter.expect({method, 1e-3}, "1000 kg on 1 kg: drift in 10 s, m", {0}, {drift}, drift);
        if (method == Method::fast) continue; // its forces are means over soft contacts
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
    expect_stands(reporter, {Method::fast, 0.1}, arch(Method::fast, 1.1 * least, 0.7),
                  "t/R 10 % more, at once");
    judge(Method::faithful, 0.01, 1e-6, [](Structure pile) { return pile; });
}

} // namespace rigor::validation
