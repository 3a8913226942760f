// Queries by many: batches are what single rays are, and threads do not disturb each other.

#include <atomic>
#include <thread>

#include "query_world.h"

namespace rigor {
namespace {

using test::QueryWorld;

using Hits = std::vector<std::optional<RayCastHit>>;

std::vector<RayQuery> many_rays(QueryWorld& w, int count) {
    std::vector<RayQuery> rays;
    for (int i = 0; i < count; ++i) rays.push_back(w.ray());
    return rays;
}

Hits one_by_one(const World& world, const std::vector<RayQuery>& rays) {
    Hits hits;
    for (const RayQuery& ray : rays) hits.push_back(world.cast_ray(ray));
    return hits;
}

TEST(QueryThreads, ABatchIsItsRaysForAnyNumberOfThreads) {
    for (const int threads : {1, 2, 5}) {
        QueryWorld w(11, 120, {}, threads);
        const auto rays = many_rays(w, 1000);
        Hits batched(rays.size());
        w.world.cast_rays(rays, batched);
        EXPECT_TRUE(batched == one_by_one(w.world, rays)) << threads;
    }
}

// The first of them to ask finds the tree out of date, and they all ask at once.
TEST(QueryThreads, FourThreadsAskAtOnceAndAllAreAnsweredRight) {
    QueryWorld w(12, 120, {}, 2);
    const auto rays = many_rays(w, 200);
    for (int round = 0; round < 10; ++round) {
        w.world.step(0.02);
        std::vector<Hits> hits(4);
        std::vector<std::thread> threads;
        for (std::size_t t = 0; t < 4; ++t) {
            threads.emplace_back([&, t] {
                if (t % 2 == 0) {
                    hits[t] = one_by_one(w.world, rays);
                } else { // two batches share one team
                    hits[t].resize(rays.size());
                    w.world.cast_rays(rays, hits[t]);
                }
                w.world.overlap_shape({SphereDef{}}, {{0, 0, 1}, {}}).value();
                w.world.closest_point({1, 0, 0}, 3);
            });
        }
        for (std::thread& thread : threads) thread.join();
        const Hits expected = one_by_one(w.world, rays);
        for (std::size_t t = 0; t < 4; ++t) EXPECT_TRUE(hits[t] == expected) << t;
    }
}

TEST(QueryThreads, ABatchMayAskTheWorldFromItsFilter) {
    QueryWorld w(13, 60, {}, 2);
    const auto rays = many_rays(w, 100);
    std::atomic<int> nested{0};
    QueryFilter filter;
    filter.accept = [&](BodyId, ShapeId) {
        Hits hits(2);
        w.world.cast_rays(std::span(rays).first(2), hits);
        ++nested;
        return true;
    };
    Hits hits(rays.size());
    w.world.cast_rays(rays, hits, filter);
    EXPECT_GT(nested, 0);
    EXPECT_TRUE(hits == one_by_one(w.world, rays));
}

TEST(QueryThreads, WhatAFilterThrowsReachesTheCaller) {
    QueryWorld w(14, 60, {}, 2);
    const auto rays = many_rays(w, 200);
    Hits hits(rays.size());
    QueryFilter filter;
    filter.accept = [](BodyId, ShapeId) -> bool { throw std::runtime_error("no"); };
    EXPECT_THROW(w.world.cast_rays(rays, hits, filter), std::runtime_error);
    EXPECT_NO_THROW(w.world.cast_rays(rays, hits));
}

} // namespace
} // namespace rigor
