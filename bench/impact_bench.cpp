// One impact with friction, over a mix of sliding, sticking and everything between.

#include <benchmark/benchmark.h>

#include <random>

#include "rigor/impact.h"
#include "rigor/rotation.h"

namespace {

using namespace rigor;

/// Boxes of all proportions that hit each other at any point, friction up to 1.
std::vector<ContactImpact> impacts() {
    std::mt19937_64 engine(1);
    const auto uniform = [&](double lo, double hi) {
        return lo + (hi - lo) * static_cast<double>(engine() >> 11) * 0x1p-53;
    };
    const auto vec = [&](double reach) {
        const double x = uniform(-reach, reach), y = uniform(-reach, reach);
        return Vec3d{x, y, uniform(-reach, reach)};
    };
    const auto body = [&] {
        const Vec3d size{uniform(0.2, 1), uniform(0.2, 1), uniform(0.2, 1)};
        const Vec3d s = multiply(size, size);
        const double mass = uniform(0.5, 5);
        const Vec3d inverse{12 / (mass * (s.y + s.z)), 12 / (mass * (s.z + s.x)),
                            12 / (mass * (s.x + s.y))};
        const Mat3d axes = to_matrix(
            normalize(Quatd{uniform(-1, 1), uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)}));
        return ImpactBody{1 / mass, rotate(axes, Sym3d::diagonal(inverse)),
                          axes * multiply(size, vec(0.5)), vec(2), vec(3)};
    };
    std::vector<ContactImpact> all;
    while (all.size() < 500) {
        const BodyImpact impact{body(), body(), normalize(vec(1)), uniform(0, 1), uniform(0, 1)};
        const ContactImpact contact = in_contact_frame(impact).impact;
        if (contact.u.z < 0) all.push_back(contact);
    }
    return all;
}

void run(benchmark::State& state, ImpactLaw law) {
    const std::vector<ContactImpact> all = impacts();
    std::size_t i = 0;
    for (auto _ : state) {
        benchmark::DoNotOptimize(solve_impact(all[i], law, 1e-3));
        i = i + 1 < all.size() ? i + 1 : 0;
    }
}

BENCHMARK_CAPTURE(run, impact_energetic, ImpactLaw::energetic);
BENCHMARK_CAPTURE(run, impact_newton, ImpactLaw::newton);
BENCHMARK_CAPTURE(run, impact_planar, ImpactLaw::planar);
BENCHMARK_CAPTURE(run, impact_euler_1000_steps, ImpactLaw::euler);

} // namespace
