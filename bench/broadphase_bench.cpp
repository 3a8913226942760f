// Broadphase: one step of a moving scene, for each of ours and for Bullet's tree on the same
// boxes. A step moves every box and asks for all pairs.

#include <benchmark/benchmark.h>

#include <cmath>
#include <random>

#include "broadphase/broadphase.h"
#include "broadphase/pair_finder.h"

#ifdef RIGOR_HAS_BULLET
#include <BulletCollision/BroadphaseCollision/btDbvtBroadphase.h>
#endif

namespace rigor {
namespace {

constexpr float kMargin = 0.05f; // Bullet's own default

// Boxes of half a meter to one and a half in a cube with 2 m³ for each, so that each overlaps
// about four others whatever their number; each flies straight, reflected by the walls. `still`
// of them, as in a settled pile, only tremble.
class MovingBoxes {
  public:
    MovingBoxes(std::size_t n, double still) {
        std::mt19937_64 random(7);
        const auto uniform = [&](double lo, double hi) {
            return static_cast<float>(lo +
                                      (hi - lo) * static_cast<double>(random() >> 11) * 0x1p-53);
        };
        half_width_ = static_cast<float>(0.5 * std::cbrt(2.0 * static_cast<double>(n)));
        const double w = static_cast<double>(half_width_);
        for (std::size_t i = 0; i < n; ++i) {
            const bool is_still = static_cast<double>(i % 100) < 100 * still;
            // Speeds of all sizes, so that the boxes do not leave their margins all in one step.
            const double speed = is_still ? 0.02 : static_cast<double>(uniform(0, 3));
            bodies_.push_back(
                {{uniform(-w, w), uniform(-w, w), uniform(-w, w)},
                 {uniform(-speed, speed), uniform(-speed, speed), uniform(-speed, speed)},
                 {uniform(0.25, 0.75), uniform(0.25, 0.75), uniform(0.25, 0.75)},
                 is_still});
        }
    }

    std::size_t size() const { return bodies_.size(); }
    Aabbf box(std::size_t i) const {
        return {bodies_[i].position - bodies_[i].half, bodies_[i].position + bodies_[i].half};
    }

    void step() {
        ++steps_;
        for (Body& b : bodies_) {
            for (int i = 0; i < 3; ++i) {
                b.position[i] += b.velocity[i] / 60;
                const bool turn = b.is_still ? steps_ % 8 == 0
                                             : b.position[i] * b.velocity[i] > 0 &&
                                                   std::abs(b.position[i]) > half_width_;
                if (turn) b.velocity[i] = -b.velocity[i];
            }
        }
    }

  private:
    struct Body {
        Vec3f position, velocity, half;
        bool is_still;
    };
    std::vector<Body> bodies_;
    float half_width_;
    int steps_ = 0;
};

MovingBoxes make_boxes(const benchmark::State& state) {
    return {static_cast<std::size_t>(state.range(0)), 0.01 * static_cast<double>(state.range(1))};
}

void report(benchmark::State& state, std::size_t pairs) {
    const double n = static_cast<double>(state.range(0));
    state.counters["pairs"] = static_cast<double>(pairs);
    state.counters["per n log2 n"] =
        benchmark::Counter(n * std::log2(n), benchmark::Counter::kIsIterationInvariantRate |
                                                 benchmark::Counter::kInvert);
}

/// Times step() alone, not the motion of the boxes before it. The first steps do not count: from
/// then on the boxes leave their margins a few at a time and not all at once.
template <class Step>
void time_steps(benchmark::State& state, MovingBoxes& boxes, const Step& step) {
    for (int i = 0; i < 20; ++i) {
        boxes.step();
        step();
    }
    for (auto _ : state) {
        state.PauseTiming();
        boxes.step();
        state.ResumeTiming();
        step();
    }
}

/// add(box) and move(proxy, box) are those of the structure that finds pairs.
template <class Finder, class Add, class Move>
void run(benchmark::State& state, Finder& finder, int threads, const Add& add, const Move& move) {
    MovingBoxes boxes = make_boxes(state);
    ThreadTeam team(threads);
    std::vector<ProxyId> ids;
    for (std::size_t i = 0; i < boxes.size(); ++i) ids.push_back(add(boxes.box(i)));
    std::vector<ProxyPair> pairs;
    const auto step = [&] {
        for (std::size_t i = 0; i < boxes.size(); ++i) move(ids[i], boxes.box(i));
        finder.find_pairs(team, pairs);
    };
    time_steps(state, boxes, step);
    report(state, pairs.size());
}

void run(benchmark::State& state, Broadphase& broadphase, int threads) {
    run(
        state, broadphase, threads,
        [&](const Aabbf& box) { return broadphase.add(ProxyKind::moving, box); },
        [&](ProxyId proxy, const Aabbf& box) { broadphase.move(proxy, box); });
}

// What a pipeline does that keeps its own pairs: new ones only.
void broadphase_new_pairs(benchmark::State& state) {
    PairFinder finder;
    run(
        state, finder, 1,
        [&](const Aabbf& box) { return finder.add(ProxyKind::moving, box, kMargin, {}, 0); },
        [&](ProxyId proxy, const Aabbf& box) { finder.move(proxy, box, kMargin); });
}

void broadphase_tree(benchmark::State& state) {
    run(state, *make_tree_broadphase(kMargin), 1);
}
void broadphase_tree_2_threads(benchmark::State& state) {
    run(state, *make_tree_broadphase(kMargin), 2);
}
void broadphase_grid(benchmark::State& state) {
    run(state, *make_grid_broadphase(), 1);
}
void broadphase_sweep(benchmark::State& state) {
    run(state, *make_sweep_broadphase(), 1);
}

#ifdef RIGOR_HAS_BULLET
void broadphase_bullet(benchmark::State& state) {
    MovingBoxes boxes = make_boxes(state);
    btDbvtBroadphase broadphase;
    std::vector<btBroadphaseProxy*> proxies;
    const auto lo = [&](std::size_t i) {
        const Vec3f v = boxes.box(i).lo;
        return btVector3(v.x, v.y, v.z);
    };
    const auto hi = [&](std::size_t i) {
        const Vec3f v = boxes.box(i).hi;
        return btVector3(v.x, v.y, v.z);
    };
    for (std::size_t i = 0; i < boxes.size(); ++i) {
        proxies.push_back(broadphase.createProxy(lo(i), hi(i), 0, nullptr, 1, -1, nullptr));
    }
    const auto step = [&] {
        for (std::size_t i = 0; i < boxes.size(); ++i) {
            broadphase.setAabb(proxies[i], lo(i), hi(i), nullptr);
        }
        broadphase.calculateOverlappingPairs(nullptr);
    };
    time_steps(state, boxes, step);
    // With those that ended a while ago: Bullet looks at a tenth of its pairs per step.
    report(state, static_cast<std::size_t>(
                      broadphase.getOverlappingPairCache()->getNumOverlappingPairs()));
    for (btBroadphaseProxy* proxy : proxies) broadphase.destroyProxy(proxy, nullptr);
}
#endif

// The second number is the share of boxes that stand still, in percent. All take the same
// steps: the cost of a step depends on how many boxes leave their margins in it.
void measure(const char* name, void (*function)(benchmark::State&)) {
    for (const int still : {0, 90}) {
        for (const int n : {1000, 10000, 100000}) {
            benchmark::RegisterBenchmark(name, function)
                ->ArgNames({"n", "still"})
                ->Args({n, still})
                ->Unit(benchmark::kMillisecond)
                ->Iterations(n == 1000    ? 600
                             : n == 10000 ? 60
                                          : 12)
                ->MeasureProcessCPUTime();
        }
    }
}

[[maybe_unused]] const bool registered = [] {
    measure("broadphase_new_pairs", broadphase_new_pairs);
    measure("broadphase_tree", broadphase_tree);
#ifdef RIGOR_HAS_BULLET
    measure("broadphase_bullet", broadphase_bullet);
#endif
    measure("broadphase_tree_2_threads", broadphase_tree_2_threads);
    measure("broadphase_grid", broadphase_grid);
    measure("broadphase_sweep", broadphase_sweep);
    return true;
}();

} // namespace
} // namespace rigor
