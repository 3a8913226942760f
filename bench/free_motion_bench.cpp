// Free motion: body-steps per second for each integrator.

#include <benchmark/benchmark.h>

#include "rigor/world.h"

namespace rigor {
namespace {

void free_bodies(benchmark::State& state, Integrator integrator, int threads) {
    World world({{0, 0, -9.81}, integrator, 1, threads, Method::free});
    BodyDef def;
    def.shapes.push_back({BoxDef{{0.1, 0.4, 0.9}}});
    for (int i = 0; i < state.range(0); ++i) {
        def.position = {static_cast<double>(i), 0, 0};
        def.angular_velocity = {0.1 + 1e-5 * i, 5, 0.1};
        world.add_body(def).value();
    }
    for (auto _ : state) world.step(1.0 / 60);
    state.SetItemsProcessed(state.iterations() * state.range(0));
}

BENCHMARK_CAPTURE(free_bodies, euler, Integrator::euler, 1)->Arg(1000)->Arg(100000);
BENCHMARK_CAPTURE(free_bodies, symplectic, Integrator::symplectic, 1)->Arg(1000)->Arg(100000);
BENCHMARK_CAPTURE(free_bodies, symplectic_2_threads, Integrator::symplectic, 2)
    ->Arg(100000)
    ->UseRealTime();
BENCHMARK_CAPTURE(free_bodies, rk4, Integrator::rk4, 1)->Arg(1000);
BENCHMARK_CAPTURE(free_bodies, exact, Integrator::exact, 1)->Arg(1000);

} // namespace
} // namespace rigor
