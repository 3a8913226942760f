// A break into 100 pieces: the whole of Fracture::after_step, with cells made ahead or not.
#include <benchmark/benchmark.h>

#include "rigor/fracture.h"

namespace rigor {
namespace {

void break_box(benchmark::State& state) {
    WorldSettings settings;
    settings.gravity = {};
    World world(settings);
    BodyDef box{.name = "box"};
    box.shapes.push_back({.geometry = BoxDef{{1, 1, 1}}});
    BodyDef ball{.position = {-0.601, 0, 0}, .velocity = {20, 0, 0}};
    ball.shapes.push_back({.geometry = SphereDef{0.1}});
    const BodyId id = world.add_body(box).value();
    world.add_body(ball).value();
    Fracture before;
    const bool is_ready = state.range(0) != 0;
    before.watch(world, id, box, {.pieces = 100, .impulse = 1e-6, .at_impact = !is_ready}).value();
    before.before_step(world);
    world.step(1.0 / 60);
    const Snapshot snapshot = world.snapshot();
    std::size_t pieces = 0;
    for (auto _ : state) {
        state.PauseTiming();
        world.restore(snapshot);
        Fracture fracture = before;
        state.ResumeTiming();
        fracture.after_step(world, 1.0 / 60);
        pieces = fracture.events().at(0).pieces.size();
    }
    state.counters["pieces"] = static_cast<double>(pieces);
    state.SetLabel(is_ready ? "cells ready" : "cells at the impact");
}
BENCHMARK(break_box)->Arg(1)->Arg(0)->Unit(benchmark::kMillisecond);

} // namespace
} // namespace rigor
