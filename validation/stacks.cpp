// Bricks on bricks: rows 29, 30, 32 and 33, for `fast` at 60 Hz with its defaults. Verdicts: what
// statics says stands must stand, and what it says falls must fall.

#include <algorithm>
#include <cmath>

#include "checks.h"
#include "worlds.h"

namespace rigor::validation {
namespace {

/// Bodies that were put up with care, and how far they have gone since.
struct Structure {
    World world = world_of(Method::fast);
    std::vector<BodyId> parts;
    std::vector<Vec3d> start;

    void add(const BodyDef& def) {
        parts.push_back(world.add_body(def).value());
        start.push_back(world.state(parts.back()).position);
    }
    /// How far the farthest has gone.
    double drift() const {
        double farthest = 0;
        for (std::size_t i = 0; i < parts.size(); ++i)
            farthest = std::max(farthest, length(world.state(parts[i]).position - start[i]));
        return farthest;
    }
    /// Runs for a while, or until something has moved by `far`; how long.
    double run_until_moved(double far, double seconds) {
        const double begin = world.time();
        while (world.time() < begin + seconds - 1e-9 && drift() < far) world.step(kStep);
        return world.time() - begin;
    }
};

constexpr double kBrickHeight = 0.5;

/// Rows of bricks of length 1, each shifted by half a brick against the one below; the one at the
/// bottom stays where it is.
Structure rows_of_bricks(const std::vector<int>& counts) {
    Structure pile;
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

Structure diamond(int n) {
    std::vector<int> counts;
    for (int row = 1; row < 2 * n; ++row) counts.push_back(std::min(row, 2 * n - row));
    return rows_of_bricks(counts);
}

Structure inverted_triangle(int n) {
    std::vector<int> counts;
    for (int row = 1; row <= n; ++row) counts.push_back(row);
    return rows_of_bricks(counts);
}

/// Five bricks of length 1 that reach over a table's edge at x = 0.
Structure overhang(double scale) {
    const double height = 0.25;
    Structure stack;
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
Structure arch(double thickness_ratio, double friction) {
    const double radius = 5, half = 0.5 * thickness_ratio * radius;
    Structure stones;
    add_ground(stones.world, friction);
    for (int i = 0; i < 20; ++i) {
        stones.add(
            voussoir(radius - half, radius + half, kPi * i / 20, kPi * (i + 1) / 20, friction));
    }
    return stones;
}

/// For 10 s. `reason` is for what is known to fall.
void expect_stands(Reporter& reporter, Structure pile, const std::string& what, double allowed,
                   const std::string& reason = "") {
    pile.run_until_moved(1, 10);
    const double drift = pile.drift();
    const std::string quantity = what + " stands: drift, m";
    if (reason.empty())
        reporter.expect("fast", quantity, {0}, {drift}, drift, allowed);
    else
        reporter.expect_known("fast", quantity, {0}, {drift}, drift, allowed, reason);
}

void expect_falls(Reporter& reporter, Structure pile, const std::string& what) {
    const double when = pile.run_until_moved(0.5, 10);
    reporter.expect("fast", what + " falls: within, s", {10}, {when}, when < 9.99 ? 0 : 1, 0);
}

/// One second with four times the substeps, in place of the centering that masons take away once
/// the stones carry each other. What follows has the default settings.
Structure settled(Structure pile) {
    WorldSettings settings = pile.world.settings();
    settings.substeps = 16;
    pile.world.set_settings(settings);
    run(pile.world, 1);
    settings.substeps = 4;
    pile.world.set_settings(settings);
    return pile;
}

} // namespace

// Frictionless bricks can only push: a diamond holds by the weight of its upper half until it is
// five wide [Paterson 2009]. A hundredth of a brick is allowed.
void check_diamonds(Reporter& reporter) {
    const std::string soft =
        "bricks lean by some 1e-3 rad on soft contacts, and slide without "
        "friction; diamond 3 moves by 8 cm at 1 kHz";
    expect_stands(reporter, diamond(2), "diamond 2", 0.01);
    expect_stands(reporter, diamond(3), "diamond 3", 0.01, soft);
    expect_stands(reporter, diamond(4), "diamond 4", 0.01, soft);
    expect_falls(reporter, diamond(5), "diamond 5");
    expect_stands(reporter, inverted_triangle(2), "triangle 2", 0.01,
                  "the centers of the upper bricks are right above the edge: any give tips them");
    expect_falls(reporter, inverted_triangle(3), "triangle 3");
}

// The harmonic series: each brick's edge is right below the center of all that is above it.
// Soft contacts let the top lean by some centimeters; to fall is another matter.
void check_harmonic_overhang(Reporter& reporter) {
    expect_stands(reporter, overhang(0.98), "2 % less", 0.1,
                  "soft contacts at the edges give by a millimeter, as much as is left; 5 % less "
                  "stands, and so does 2 % less with 16 substeps");
    expect_falls(reporter, overhang(1.02), "2 % more");
}

void check_mass_ratio(Reporter& reporter) {
    Structure stack;
    add_ground(stack.world, 0.5);
    for (const double mass : {1.0, 1000.0}) {
        BodyDef box = body(BoxDef{{1, 1, 1}}, 0.5);
        box.mass = mass;
        box.position = {0, 0, mass < 2 ? 0.5 : 1.5};
        stack.add(box);
    }
    run(stack.world, 10);
    const std::vector<double> depths = stack.world.penetrations();
    const double deepest = depths.empty() ? 0 : depths.back();
    reporter.report("fast", "1000 kg on 1 kg: penetration, m", {0}, {deepest}, deepest);
    reporter.report("fast", "1000 kg on 1 kg: drift in 10 s, m", {0}, {stack.drift()},
                    stack.drift());
}

// The least thickness of a semicircular arch [Heyman 1969, Milankovitch 1907]; with less friction
// than 0.394 its blocks slide.
void check_arch(Reporter& reporter) {
    const double least = 0.1075, slippery = 0.394;
    expect_stands(reporter, settled(arch(1.1 * least, 0.7)), "t/R 10 % more", 0.1);
    expect_falls(reporter, settled(arch(0.9 * least, 0.7)), "t/R 10 % less");
    expect_stands(reporter, settled(arch(1.1 * least, 1.1 * slippery)), "mu 10 % more", 0.1);
    expect_falls(reporter, settled(arch(1.1 * least, 0.9 * slippery)), "mu 10 % less");
    expect_stands(reporter, arch(1.1 * least, 0.7), "t/R 10 % more, at once", 0.1,
                  "until forces have found their way through 20 blocks the arch sinks; at 20 % "
                  "more it stands at once");
}

} // namespace rigor::validation
