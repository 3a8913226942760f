// Contact problems with friction, each line with the merit that was reached.
//
// Walls of about 500 contacts, half of whose rows are redundant, from nothing to 1e-8; the problems
// a stepper meets, of 4 to 96 contacts, from nothing, from a start that is nearly right, and from
// one that is right.

#include <benchmark/benchmark.h>

#include "body_contacts.h"

namespace rigor {
namespace {

FrictionSettings settings(double tolerance) {
    FrictionSettings s;
    s.tolerance = tolerance;
    return s;
}

void solve(benchmark::State& state, const FrictionProblem& problem, double tolerance,
           const std::vector<Vec3d>& start) {
    FrictionResult result;
    for (auto _ : state) result = solve_friction(problem, settings(tolerance), start);
    state.counters["contacts"] = static_cast<double>(problem.q.size());
    state.counters["merit"] = result.merit;
    state.counters["iterations"] = result.iterations;
    if (!result.converged) state.SkipWithError("not converged");
}

void wall(benchmark::State& state) {
    const auto rows = static_cast<int>(state.range(0)), columns = static_cast<int>(state.range(1));
    const double mu = 0.1 * static_cast<double>(state.range(2));
    solve(state, test::brick_wall(rows, columns, mu).problem(), 1e-8, {});
}
BENCHMARK(wall)
    ->ArgNames({"rows", "columns", "10mu"})
    ->ArgsProduct({{2}, {42}, {0, 3, 7}})
    ->ArgsProduct({{4}, {18}, {0, 3, 7}})
    ->ArgsProduct({{8}, {9}, {0, 3, 7}})
    ->ArgsProduct({{16}, {4}, {0, 3, 7}})
    ->Unit(benchmark::kMillisecond);

enum class Start { none, near, right };

void step(benchmark::State& state, Start kind) {
    const auto rows = static_cast<int>(state.range(0));
    FrictionProblem problem = test::brick_wall(rows, rows, 0.5).problem();
    std::vector<Vec3d> start;
    if (kind != Start::none) start = solve_friction(problem, settings(1e-10)).r;
    if (kind == Start::near) // the bodies have moved on by a thousandth
        for (std::size_t i = 0; i < problem.q.size(); ++i)
            problem.q[i] = problem.q[i] * 1.001 + Vec3d{1e-4, 0, 0};
    solve(state, problem, 1e-10, start);
}
BENCHMARK_CAPTURE(step, from_nothing, Start::none)->DenseRange(1, 4)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(step, nearly_right, Start::near)->DenseRange(1, 4)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(step, right, Start::right)->DenseRange(1, 4)->Unit(benchmark::kMicrosecond);

} // namespace
} // namespace rigor
