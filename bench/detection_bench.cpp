// Swept bounding volumes of moving solids [Kavan 2003, 3.2]: boxes along the axes, oriented boxes
// and k-DOPs. Of pairs that never meet, `false` is the share whose volumes overlap all the same,
// and the time is that of both volumes and their test. Few false overlaps are worth a volume that
// costs more: each of them costs a search for the time of impact. The truth is time_of_impact().
//
//     rigor_bench --benchmark_filter='Swept|Substep|Refit'

#include <benchmark/benchmark.h>

#include <cmath>
#include <random>

#include "../tests/geometry/mesh_samples.h"
#include "collide/time_of_impact_variants.h"

namespace rigor {
namespace {

struct Pair {
    Shape<double> a, b;
    Motion<double> motion_a, motion_b;
    bool meet = false;
};

/// A prism over a triangle, as a mesh.
std::shared_ptr<const TriangleSoup> wedge() {
    return std::make_shared<const TriangleSoup>(TriangleSoup{
        {{-0.2, -0.6, -0.15},
         {0.2, -0.6, -0.15},
         {0, -0.6, 0.15},
         {-0.2, 0.6, -0.15},
         {0.2, 0.6, -0.15},
         {0, 0.6, 0.15}},
        {{0, 1, 2}, {3, 5, 4}, {0, 3, 4}, {0, 4, 1}, {1, 4, 5}, {1, 5, 2}, {2, 5, 3}, {2, 3, 0}}});
}

class Pairs {
  public:
    /// `turn` is how far each rotates during the motion, in radians.
    explicit Pairs(double turn) {
        for (int i = 0; i < 2000; ++i) {
            Pair p{shape(), shape(), motion(turn), motion(turn), false};
            p.meet = time_of_impact(p.a, p.motion_a, p.b, p.motion_b).state != ToiStatus::apart;
            list.push_back(std::move(p));
        }
    }

    std::vector<Pair> list;

  private:
    double uniform(double lo, double hi) {
        return lo + (hi - lo) * static_cast<double>(engine_() >> 11) * 0x1p-53;
    }
    Vec3d vec(double reach) {
        return {uniform(-reach, reach), uniform(-reach, reach), uniform(-reach, reach)};
    }
    /// Rods, plates and lumps: what boxes along the axes fit badly, and what they fit well.
    Shape<double> shape() {
        ShapeDef def;
        switch (engine_() % 5) {
            case 0:
                def.geometry = BoxDef{{2, 0.1, 0.1}};
                break;
            case 1:
                def.geometry = BoxDef{{1, 1, 0.05}};
                break;
            case 2:
                def.geometry = CapsuleDef{0.1, 1.5};
                break;
            case 3:
                def.geometry = MeshDef{wedge()};
                break;
            default:
                def.geometry = SphereDef{0.4};
        }
        return make_shape(def).value();
    }
    Motion<double> motion(double turn) {
        const Quatd q =
            normalize(Quatd{uniform(-1, 1), uniform(-1, 1), uniform(-1, 1), uniform(-1, 1) + 1e-3});
        return {{vec(2), q}, {}, vec(1), normalize(vec(1)) * turn};
    }

    std::mt19937_64 engine_{7};
};

const Pairs& pairs_for(int tenths) {
    static const Pairs small(0.1), medium(1), large(6);
    return tenths == 1 ? small : tenths == 10 ? medium : large;
}

void swept_volumes(benchmark::State& state, SweptVolume volume) {
    const Pairs& pairs = pairs_for(static_cast<int>(state.range(0)));
    std::size_t apart = 0, false_overlaps = 0, i = 0;
    for (const Pair& p : pairs.list) {
        apart += !p.meet;
        false_overlaps +=
            !p.meet && swept_volumes_overlap(volume, p.a, p.motion_a, p.b, p.motion_b);
    }
    for (auto _ : state) {
        const Pair& p = pairs.list[i++ % pairs.list.size()];
        benchmark::DoNotOptimize(swept_volumes_overlap(volume, p.a, p.motion_a, p.b, p.motion_b));
    }
    state.counters["false"] = static_cast<double>(false_overlaps) / static_cast<double>(apart);
}

/// The whole search of [Kavan 2003] with each volume: `queries` is how many distances it took.
void substep_search(benchmark::State& state, SweptVolume volume) {
    const Pairs& pairs = pairs_for(static_cast<int>(state.range(0)));
    VariantSettings<double> settings;
    settings.depth = 0.02;
    settings.volume = volume;
    std::size_t i = 0;
    double queries = 0;
    for (auto _ : state) {
        const Pair& p = pairs.list[i++ % pairs.list.size()];
        queries += substep_impact(p.a, p.motion_a, p.b, p.motion_b, settings).iterations;
    }
    state.counters["queries"] = queries / static_cast<double>(i);
}

/// A sheet that waves: its tree refitted, or built anew.
TriangleSoup sheet(int n) {
    return test::sheet_mesh(n, 0.1);
}

void refit_mesh(benchmark::State& state) {
    TriangleSoup soup = sheet(static_cast<int>(state.range(0)));
    const auto mesh = make_mesh(soup).value();
    double phase = 0;
    for (auto _ : state) {
        phase += 0.1;
        for (Vec3d& v : soup.vertices) v.z = 0.1 * std::sin(v.x + phase);
        benchmark::DoNotOptimize(deformed_mesh(*mesh, soup.vertices).value());
    }
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(soup.triangles.size()));
}

void rebuild_mesh(benchmark::State& state) {
    TriangleSoup soup = sheet(static_cast<int>(state.range(0)));
    double phase = 0;
    for (auto _ : state) {
        phase += 0.1;
        for (Vec3d& v : soup.vertices) v.z = 0.1 * std::sin(v.x + phase);
        benchmark::DoNotOptimize(make_mesh(soup).value());
    }
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(soup.triangles.size()));
}

// The argument is the rotation during the motion, in tenths of a radian.
#define RIGOR_VOLUME(name, volume)                  \
    BENCHMARK_CAPTURE(swept_volumes, name, volume)  \
        ->Name("Swept/" #name)                      \
        ->Arg(1)                                    \
        ->Arg(10)                                   \
        ->Arg(60);                                  \
    BENCHMARK_CAPTURE(substep_search, name, volume) \
        ->Name("Substep/" #name)                    \
        ->Arg(1)                                    \
        ->Arg(10)                                   \
        ->Arg(60)
RIGOR_VOLUME(none, SweptVolume::none);
RIGOR_VOLUME(aabb, SweptVolume::aabb);
RIGOR_VOLUME(oriented_box, SweptVolume::oriented_box);
RIGOR_VOLUME(kdop_14, SweptVolume::kdop_14);
RIGOR_VOLUME(kdop_18, SweptVolume::kdop_18);
RIGOR_VOLUME(kdop_26, SweptVolume::kdop_26);
#undef RIGOR_VOLUME
BENCHMARK(refit_mesh)->Name("Refit/deformed")->Arg(30)->Arg(100);
BENCHMARK(rebuild_mesh)->Name("Refit/rebuilt")->Arg(30)->Arg(100);

} // namespace
} // namespace rigor
