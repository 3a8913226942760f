// Queries: rays against 10,000 boxes, for us and for Bullet on the same boxes and rays. `wrong` is
// the share of rays whose hit is more than 1 cm off that of a plain loop over all boxes.

#include <benchmark/benchmark.h>

#include <cmath>
#include <random>

#include "rigor/world.h"

#ifdef RIGOR_HAS_BULLET
#include <BulletCollision/NarrowPhaseCollision/btRaycastCallback.h>
#include <btBulletCollisionCommon.h>
#endif

namespace rigor {
namespace {

struct Placing {
    Vec3d position, size;
    Quatd orientation;
};

// Boxes of half a meter to one and a half, turned anyhow, in a cube; rays from one random point
// of the cube toward another, a quarter of its width long or endless. `room` is the volume per
// box: at 2 m³ boxes overlap and rays end soon, at 50 m³ they fly some 20 m through the gaps.
class Scene {
  public:
    Scene(int boxes, double room) {
        const double w = 0.5 * std::cbrt(room * boxes);
        for (int i = 0; i < boxes; ++i) {
            const Quatd q{uniform(-1, 1), uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)};
            placings.push_back({vec(-w, w), vec(0.5, 1.5), normalize(q)});
        }
        for (int i = 0; i < 4096; ++i) {
            const Vec3d origin = vec(-w, w);
            rays.push_back({origin, vec(-w, w) - origin, 0.5 * w});
        }
    }

    std::vector<Placing> placings;
    std::vector<RayQuery> rays;

    /// How far a ray gets, by asking every box: infinity when it hits nothing.
    double distance(const RayQuery& ray) const {
        double least = std::numeric_limits<double>::infinity();
        const Vec3d direction = normalize(ray.direction);
        for (const Placing& p : placings) {
            const Vec3d o = inverse_rotate(p.orientation, ray.origin - p.position);
            const Vec3d d = inverse_rotate(p.orientation, direction);
            double near = 0, far = ray.max_distance;
            for (int i = 0; i < 3; ++i) {
                const double to_lo = (-0.5 * p.size[i] - o[i]) / d[i];
                const double to_hi = (0.5 * p.size[i] - o[i]) / d[i];
                near = std::max(near, std::min(to_lo, to_hi));
                far = std::min(far, std::max(to_lo, to_hi));
            }
            if (near <= far) least = std::min(least, near);
        }
        return least;
    }

  private:
    double uniform(double lo, double hi) {
        return lo + (hi - lo) * static_cast<double>(random_() >> 11) * 0x1p-53;
    }
    Vec3d vec(double lo, double hi) {
        const double x = uniform(lo, hi), y = uniform(lo, hi), z = uniform(lo, hi);
        return {x, y, z};
    }

    std::mt19937_64 random_{7};
};

Scene make_scene(const benchmark::State& state) {
    return {static_cast<int>(state.range(0)), static_cast<double>(state.range(1))};
}

World make_world(const Scene& scene, int threads = 1) {
    World world({{}, Integrator::symplectic, 1, threads, Method::free});
    BodyDef def;
    for (const Placing& p : scene.placings) {
        def.position = p.position;
        def.orientation = p.orientation;
        def.shapes = {{BoxDef{p.size}}};
        world.add_body(def).value();
    }
    world.overlap_point({}); // the tree is built by the first query
    return world;
}

void report(benchmark::State& state, int hits, std::size_t rays) {
    state.counters["hits"] = static_cast<double>(hits) / static_cast<double>(rays);
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(rays));
    state.counters["per ray"] = benchmark::Counter(
        static_cast<double>(rays),
        benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

template <class Cast>
void run(benchmark::State& state, const Scene& scene, Cast&& cast) {
    int hits = 0;
    for (auto _ : state) {
        hits = 0;
        for (const RayQuery& ray : scene.rays) hits += cast(ray);
        benchmark::DoNotOptimize(hits);
    }
    report(state, hits, scene.rays.size());
}

// Rays that start inside a box are left out: to Bullet they hit something else.
template <class Distance>
void count_wrong(benchmark::State& state, const Scene& scene, Distance&& distance) {
    int asked = 0, wrong = 0;
    for (std::size_t i = 0; i < scene.rays.size(); i += 8) {
        const double expected = scene.distance(scene.rays[i]);
        if (expected == 0) continue;
        const double found = distance(scene.rays[i]);
        ++asked;
        wrong += found != expected && !(std::abs(found - expected) < 0.01);
    }
    state.counters["wrong"] = static_cast<double>(wrong) / asked;
}

void query_ray(benchmark::State& state) {
    const Scene scene = make_scene(state);
    const World world = make_world(scene);
    run(state, scene, [&](const RayQuery& ray) { return world.cast_ray(ray).has_value(); });
    count_wrong(state, scene, [&](const RayQuery& ray) {
        const auto hit = world.cast_ray(ray);
        return hit ? hit->distance : std::numeric_limits<double>::infinity();
    });
}

void query_ray_any(benchmark::State& state) {
    const Scene scene = make_scene(state);
    const World world = make_world(scene);
    run(state, scene, [&](const RayQuery& ray) { return world.cast_ray_any(ray); });
}

void query_ray_all(benchmark::State& state) {
    const Scene scene = make_scene(state);
    const World world = make_world(scene);
    run(state, scene, [&](const RayQuery& ray) { return !world.cast_ray_all(ray).empty(); });
}

void query_rays_batched(benchmark::State& state) {
    const Scene scene = make_scene(state);
    const World world = make_world(scene, 2);
    std::vector<std::optional<RayCastHit>> hits(scene.rays.size());
    int count = 0;
    for (auto _ : state) {
        world.cast_rays(scene.rays, hits);
        count = 0;
        for (const auto& hit : hits) count += hit.has_value();
    }
    report(state, count, scene.rays.size());
}

// A sphere of 1 m at the origin of each ray.
void query_overlap_sphere(benchmark::State& state) {
    const Scene scene = make_scene(state);
    const World world = make_world(scene);
    const ShapeDef ball{SphereDef{0.5}};
    run(state, scene, [&](const RayQuery& ray) {
        return !world.overlap_shape(ball, {ray.origin, {}}).value().empty();
    });
}

void query_closest_point(benchmark::State& state) {
    const Scene scene = make_scene(state);
    const World world = make_world(scene);
    run(state, scene,
        [&](const RayQuery& ray) { return world.closest_point(ray.origin, 100).has_value(); });
}

// What a world pays that is both stepped and asked.
void query_refresh(benchmark::State& state) {
    const Scene scene = make_scene(state);
    World world = make_world(scene);
    int i = 0;
    for (const BodyId id : world.bodies()) {
        world.set_velocity(id, {0.3 * (i % 11 - 5), 0.3 * (i % 7 - 3), 0.3 * (i % 5 - 2)}), ++i;
    }
    for (auto _ : state) {
        state.PauseTiming();
        world.step(1.0 / 60);
        state.ResumeTiming();
        benchmark::DoNotOptimize(world.overlap_point({}));
    }
}

#ifdef RIGOR_HAS_BULLET
btVector3 bullet(const Vec3d& v) {
    return {static_cast<btScalar>(v.x), static_cast<btScalar>(v.y), static_cast<btScalar>(v.z)};
}

class BulletWorld {
  public:
    explicit BulletWorld(const Scene& scene) {
        for (const Placing& p : scene.placings) {
            shapes_.push_back(std::make_unique<btBoxShape>(bullet(0.5 * p.size)));
            objects_.push_back(std::make_unique<btCollisionObject>());
            const Quatd& q = p.orientation;
            objects_.back()->setCollisionShape(shapes_.back().get());
            objects_.back()->setWorldTransform(
                btTransform(btQuaternion(static_cast<btScalar>(q.x), static_cast<btScalar>(q.y),
                                         static_cast<btScalar>(q.z), static_cast<btScalar>(q.w)),
                            bullet(p.position)));
            world_.addCollisionObject(objects_.back().get());
        }
        broadphase_.optimize();
    }
    ~BulletWorld() {
        for (const auto& object : objects_) world_.removeCollisionObject(object.get());
    }

    /// How far the ray gets; infinity when it hits nothing.
    double cast(const RayQuery& ray, unsigned flags) const {
        const btVector3 from = bullet(ray.origin);
        const btVector3 to =
            bullet(ray.origin + ray.max_distance / length(ray.direction) * ray.direction);
        btCollisionWorld::ClosestRayResultCallback result(from, to);
        result.m_flags |= flags;
        world_.rayTest(from, to, result);
        return result.hasHit() ? static_cast<double>(result.m_closestHitFraction) * ray.max_distance
                               : std::numeric_limits<double>::infinity();
    }

  private:
    btDefaultCollisionConfiguration configuration_;
    btCollisionDispatcher dispatcher_{&configuration_};
    btDbvtBroadphase broadphase_;
    btCollisionWorld world_{&dispatcher_, &broadphase_, &configuration_};
    std::vector<std::unique_ptr<btBoxShape>> shapes_;
    std::vector<std::unique_ptr<btCollisionObject>> objects_;
};

void cast_with_bullet(benchmark::State& state, unsigned flags) {
    const Scene scene = make_scene(state);
    const BulletWorld world(scene);
    run(state, scene, [&](const RayQuery& ray) { return std::isfinite(world.cast(ray, flags)); });
    count_wrong(state, scene, [&](const RayQuery& ray) { return world.cast(ray, flags); });
}

void query_ray_bullet(benchmark::State& state) {
    cast_with_bullet(state, 0);
}
// Slower, and more often right.
void query_ray_bullet_gjk(benchmark::State& state) {
    cast_with_bullet(state, btTriangleRaycastCallback::kF_UseGjkConvexCastRaytest);
}
#endif

void measure(const char* name, void (*function)(benchmark::State&)) {
    benchmark::RegisterBenchmark(name, function)
        ->ArgNames({"boxes", "room"})
        ->Args({10000, 2})
        ->Args({10000, 50})
        ->Unit(benchmark::kMicrosecond)
        ->MeasureProcessCPUTime();
}

[[maybe_unused]] const bool registered = [] {
    measure("query_ray", query_ray);
#ifdef RIGOR_HAS_BULLET
    measure("query_ray_bullet", query_ray_bullet);
    measure("query_ray_bullet_gjk", query_ray_bullet_gjk);
#endif
    measure("query_ray_any", query_ray_any);
    measure("query_ray_all", query_ray_all);
    measure("query_rays_batched_2_threads", query_rays_batched);
    measure("query_overlap_sphere", query_overlap_sphere);
    measure("query_closest_point", query_closest_point);
    measure("query_refresh", query_refresh);
    return true;
}();

} // namespace
} // namespace rigor
