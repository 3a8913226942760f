// Static contact forces: supports; at 60 Hz, from the contact impulses.

#include <algorithm>
#include <cmath>

#include "checks.h"
#include "worlds.h"

namespace rigor::validation {
namespace {

/// A body of 100 N on fixed supports, whose tops are at z = 0.
struct Supported {
    static constexpr double kWeight = 100;
    World world;
    std::vector<BodyId> supports;
    BodyId load;

    explicit Supported(Method method) : world(world_of(method)) {}

    void support(const Vec3d& place) {
        BodyDef pillar = fixed(body(BoxDef{{0.1, 0.1, 0.5}}, 0.5));
        pillar.position = place - Vec3d{0, 0, 0.25};
        supports.push_back(world.add_body(pillar).value());
    }
    void put(BodyDef def) {
        def.mass = kWeight / kGravity;
        load = world.add_body(def).value();
    }

    /// Means over a second, after ten to settle.
    std::vector<double> loads() {
        run(world, 10);
        std::vector<double> means(supports.size(), 0);
        for (int i = 0; i < 60; ++i) {
            world.step(kStep);
            for (std::size_t k = 0; k < supports.size(); ++k)
                means[k] += load_on(world, supports[k]) / 60;
        }
        return means;
    }
};

void judge(Reporter& reporter, const Bound& each, const std::string& what,
           const std::vector<double>& loads) {
    const double share = Supported::kWeight / static_cast<double>(loads.size());
    double sum = 0, worst = 0;
    for (const double load : loads) {
        sum += load;
        worst = std::max(worst, relative(load, share));
    }
    reporter.expect(Bound{each.method, each.tolerance}, what + ": sum of the loads, N",
                    {Supported::kWeight}, {sum}, relative(sum, Supported::kWeight));
    reporter.expect(each, what + ": each load, N", {share}, loads, worst);
}

std::vector<double> loads_of_beam(Method method) {
    Supported beam(method);
    for (const double x : {-1.0, 0.0, 1.0}) beam.support({x, 0, 0});
    BodyDef plank = body(BoxDef{{2.4, 0.1, 0.1}}, 0.5);
    plank.position = {0, 0, 0.05};
    beam.put(plank);
    return beam.loads();
}

std::vector<double> loads_of_table(Method method) {
    Supported table(method);
    BodyDef top = body(BoxDef{{1.2, 1.2, 0.05}}, 0.5);
    top.position = {0, 0, 0.725};
    for (const double x : {-0.5, 0.5}) {
        for (const double y : {-0.5, 0.5}) {
            table.support({x, y, 0});
            ShapeDef leg = body(BoxDef{{0.05, 0.05, 0.7}}, 0.5).shapes[0];
            leg.position = {x, y, -0.375};
            top.shapes.push_back(leg);
        }
    }
    table.put(top);
    return table.loads();
}

} // namespace

// Three supports in a row and four in a square are statically indeterminate; the least-norm
// solution distributes the load equally.
void check_supports(Reporter& reporter) {
    for (const Bound& bound : {Bound{Method::fast, 1e-3}, Bound{Method::faithful, 1e-12}}) {
        judge(reporter, bound, "beam on three pillars", loads_of_beam(bound.method));
        judge(reporter, bound, "four-leg table", loads_of_table(bound.method));
    }
}

} // namespace rigor::validation
