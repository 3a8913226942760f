// Mesh queries: distance, sign and rays against brute force over the triangles.

#include "geometry/mesh.h"

#include <gtest/gtest.h>

#include "geometry/mesh_samples.h"
#include "test_support.h"

namespace rigor::test {
namespace {

template <class S>
std::shared_ptr<const TriangleMesh<S>> make(const TriangleSoup& soup) {
    auto mesh = make_mesh(soup).value();
    if constexpr (std::is_same_v<S, double>) {
        return mesh;
    } else {
        return to_float(*mesh);
    }
}

template <class S>
class MeshTest : public ::testing::Test {};
TYPED_TEST_SUITE(MeshTest, Scalars);

// All triangles, one by one.
template <class S>
S nearest_by_brute_force(const TriangleMesh<S>& mesh, const Vec3<S>& p) {
    S best = std::numeric_limits<S>::infinity();
    for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
        best = std::min(best, length(p - closest_point(triangle_at(mesh, t), p).point));
    }
    return best;
}

// The number of times the boundary winds around a point, from solid angles: 1 inside, 0 outside
// [Van Oosterom 1983].
template <class S>
int winding_number(const TriangleMesh<S>& mesh, const Vec3<S>& point) {
    double sum = 0;
    const Vec3d p = cast<double>(point);
    for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
        const Triangle<S> tri = triangle_at(mesh, t);
        const Vec3d a = cast<double>(tri.a) - p, b = cast<double>(tri.b) - p,
                    c = cast<double>(tri.c) - p;
        const double la = length(a), lb = length(b), lc = length(c);
        sum += 2 * atan2(dot(a, cross(b, c)),
                         la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb);
    }
    return static_cast<int>(std::lround(sum / (4 * kPi<double>)));
}

template <class S>
std::optional<S> first_by_brute_force(const TriangleMesh<S>& mesh, const Ray<S>& ray) {
    std::optional<S> best;
    const RayShear<S> shear(ray);
    for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
        const auto hit = cast_ray(triangle_at(mesh, t), shear);
        if (hit && !(mesh.closed && hit->from_behind) && (!best || hit->t < *best)) best = hit->t;
    }
    return best;
}

TYPED_TEST(MeshTest, DistanceAndSignAgreeWithBruteForce) {
    using S = TypeParam;
    Random random(1);
    for (const TriangleSoup& soup :
         {pawn_mesh(), torus_mesh(0.3, 0.1, 24, 12), cube_with_hole_mesh(), pyramid_mesh()}) {
        const auto mesh = make<S>(soup);
        ASSERT_TRUE(mesh->closed);
        const Vec3<S> center = (mesh->box.lo + mesh->box.hi) * S(0.5);
        const S reach = length(mesh->box.hi - mesh->box.lo);
        for (int i = 0; i < 300; ++i) {
            const Vec3<S> p = center + random.vec<S>() * (reach * S(0.7));
            const SurfacePoint<S> found = closest_point(*mesh, p);
            const S expected = nearest_by_brute_force(*mesh, p);
            EXPECT_NEAR(std::abs(found.distance), expected, round_off(reach));
            EXPECT_NEAR(length(p - found.point), expected, round_off(reach));
            if (expected < S(1e-4) * reach) continue;
            EXPECT_EQ(found.distance < S(0), winding_number(*mesh, p) == 1);
            const Vec3<S> back = found.point + found.normal * found.distance;
            EXPECT_LE(length(back - p), S(8) * round_off(reach));
        }
    }
}

// Points around all edges, and most around the sharp one from the origin to the tip.
template <class S>
void expect_right_signs(const TriangleSoup& soup, const Vec3d& tip) {
    const auto mesh = make<S>(soup);
    ASSERT_TRUE(mesh->closed);
    Random random(4);
    for (int i = 0; i < 3000; ++i) {
        const auto& corner = mesh->triangles[random.bits() % mesh->triangles.size()];
        const Vec3<S> a = i % 2 ? mesh->vertices[corner[0]] : Vec3<S>{};
        const Vec3<S> b = i % 2 ? mesh->vertices[corner[1]] : cast<S>(tip);
        const S u = static_cast<S>(random.integer(0, 8)) / S(8);
        const Vec3<S> p = a + (b - a) * u + random.vec<S>() * S(0.05);
        const SurfacePoint<S> found = closest_point(*mesh, p);
        if (std::abs(found.distance) < S(1e-4)) continue;
        EXPECT_EQ(found.distance < S(0), winding_number(*mesh, p) == 1) << p;
    }
}

// Nearest to an edge or a corner the normal of any one of the faces there may point the wrong
// way. A thin blade has such edges all around.
TYPED_TEST(MeshTest, SignIsRightNextToSharpEdges) {
    using S = TypeParam;
    const TriangleSoup blade{{{0, 0, 0}, {1, 0.05, 0}, {1, -0.05, 0}, {0.2, 0, 1}},
                             {{0, 1, 2}, {0, 2, 3}, {2, 1, 3}, {1, 0, 3}}};
    expect_right_signs<S>(blade, {0.2, 0, 1});
    // The same with the edge from 0 to 3 divided on one side only, and a triangle without area
    // to close the gap.
    const TriangleSoup divided{
        {{0, 0, 0}, {1, 0.05, 0}, {1, -0.05, 0}, {0.25, 0, 1}, {0.125, 0, 0.5}},
        {{0, 1, 2}, {0, 2, 4}, {4, 2, 3}, {2, 1, 3}, {1, 0, 3}, {0, 4, 3}}};
    expect_right_signs<S>(divided, {0.25, 0, 1});
}

// Corners on the sphere, so the mesh lies between the sphere and its inner one that touches the
// middle of the largest face.
TYPED_TEST(MeshTest, FineBallIsNearlyTheBall) {
    using S = TypeParam;
    const auto mesh = make<S>(ball_mesh(64, 128));
    const S gap = S(0.002); // 1 - cos of half of the angle a face spans
    Random random(2);
    for (int i = 0; i < 500; ++i) {
        const Vec3<S> p = random.vec<S>(-2, 2), d = random.direction<S>();
        EXPECT_NEAR(closest_point(*mesh, p).distance, length(p) - S(1), gap);
        EXPECT_NEAR(dot(support(*mesh, d), d), S(1), gap);
        const Vec3<S> origin = d * S(3), target = random.vec<S>(-0.4, 0.4);
        const auto hit = cast_ray(*mesh, {origin, target - origin});
        ASSERT_TRUE(hit);
        const Vec3<S> at = origin + (target - origin) * hit->t;
        EXPECT_NEAR(length(at), S(1), gap);
        EXPECT_GT(dot(hit->normal, at), S(0.99));
        EXPECT_FALSE(hit->inside);
    }
    EXPECT_NEAR(bounding_radius(*mesh, {2, 0, 0}), S(3), gap);
}

TYPED_TEST(MeshTest, RaysAgreeWithBruteForce) {
    using S = TypeParam;
    Random random(3);
    for (const bool open : {false, true}) {
        TriangleSoup soup = torus_mesh(1, 0.4, 20, 10);
        if (open) soup.triangles.erase(soup.triangles.begin(), soup.triangles.begin() + 20);
        const auto mesh = make<S>(soup);
        ASSERT_EQ(mesh->closed, !open);
        int hits = 0;
        for (int i = 0; i < 1000; ++i) {
            const Ray<S> ray{random.vec<S>(-2, 2), random.vec<S>(),
                             i % 2 ? S(2) : Aabb<S>::kInfinity};
            if (std::abs(closest_point(*mesh, ray.origin).distance) < S(1e-4)) continue;
            const auto hit = cast_ray(*mesh, ray);
            if (!open && winding_number(*mesh, ray.origin) == 1) {
                ASSERT_TRUE(hit);
                EXPECT_TRUE(hit->inside);
                EXPECT_EQ(hit->t, S(0));
                EXPECT_GT(dot(hit->normal, -ray.direction), S(0));
                continue;
            }
            const std::optional<S> expected = first_by_brute_force(*mesh, ray);
            ASSERT_EQ(hit.has_value(), expected.has_value());
            if (!hit) continue;
            ++hits;
            EXPECT_EQ(hit->t, *expected);
            EXPECT_LT(dot(hit->normal, ray.direction), S(0));
            EXPECT_LT(hit->feature, mesh->triangles.size());
        }
        EXPECT_GT(hits, 100);
    }
}

// Nothing gets into a closed mesh unseen: not through its vertices, not through the middles of
// its edges, not along the axes.
TYPED_TEST(MeshTest, IsWatertight) {
    using S = TypeParam;
    Random random(5);
    const auto mesh = make<S>(ball_mesh(12, 16));
    const auto expect_hit = [&](const Vec3<S>& origin, const Vec3<S>& target) {
        const auto hit = cast_ray(*mesh, {origin, target - origin});
        ASSERT_TRUE(hit) << target;
        EXPECT_FALSE(hit->inside);
        EXPECT_LT(hit->t, S(1.001));
    };
    for (const auto& corner : mesh->triangles) {
        const Vec3<S> a = mesh->vertices[corner[0]], b = mesh->vertices[corner[1]];
        for (const S u : {S(0), S(0.25), S(0.5), S(0.7)}) {
            const Vec3<S> target = a + (b - a) * u;
            expect_hit(target * S(3), target * S(0.9));
            expect_hit(target * S(2) + random.vec<S>() * S(0.2), target * S(0.9));
        }
    }
    for (const Vec3<S>& axis : {Vec3<S>{1, 0, 0}, Vec3<S>{0, 1, 0}, Vec3<S>{0, 0, 1}}) {
        expect_hit(axis * S(5), {});
        expect_hit(axis * S(-5), {});
    }
}

TYPED_TEST(MeshTest, RaysThatStartOnTheSurface) {
    using S = TypeParam;
    const auto cube = make<S>(box_mesh({2, 2, 2}));
    const Vec3<S> on{S(0.25), S(0.5), 1};
    const auto in = cast_ray(*cube, {on, {0, 0, -1}});
    ASSERT_TRUE(in);
    EXPECT_EQ(in->t, S(0));
    EXPECT_FALSE(in->inside);
    EXPECT_EQ(in->normal, (Vec3<S>{0, 0, 1}));
    EXPECT_FALSE(cast_ray(*cube, {on, {0, 0, 1}}));
    EXPECT_FALSE(cast_ray(*cube, {{5, 5, 5}, {}}));
    ASSERT_TRUE(cast_ray(*cube, {{0, 0, S(0.5)}, {}}));
    EXPECT_TRUE(cast_ray(*cube, {{0, 0, S(0.5)}, {}})->inside);
    EXPECT_FALSE(cast_ray(*cube, {{Aabb<S>::kInfinity, 0, 0}, {1, 0, 0}}));
}

TYPED_TEST(MeshTest, SheetsHaveTwoSides) {
    using S = TypeParam;
    const auto sheet = make<S>({{{-1, -1, 0}, {1, -1, 0}, {0, 1, 0}}, {{0, 1, 2}}});
    for (const S z : {S(2), S(-2)}) {
        const auto hit = cast_ray(*sheet, {{0, 0, z}, {0, 0, -z}});
        ASSERT_TRUE(hit);
        EXPECT_EQ(hit->normal, (Vec3<S>{0, 0, z / S(2)}));
        EXPECT_EQ(closest_point(*sheet, {0, 0, z}).distance, S(2));
        EXPECT_EQ(closest_point(*sheet, {0, 0, z}).normal, (Vec3<S>{0, 0, z / S(2)}));
    }
}

TYPED_TEST(MeshTest, BoxesAreTight) {
    using S = TypeParam;
    Random random(6);
    const auto mesh = make<S>(pawn_mesh());
    for (int i = 0; i < 20; ++i) {
        const Pose<S> pose = random.pose<S>();
        const Aabb<S> box = bounds(*mesh, pose);
        for (int axis = 0; axis < 3; ++axis) {
            Vec3<S> d;
            d[axis] = 1;
            const Vec3<S> local = inverse_rotate(pose.q, d);
            EXPECT_NEAR(box.hi[axis], transform(pose, support(*mesh, local))[axis],
                        round_off(S(1)));
            EXPECT_NEAR(box.lo[axis], transform(pose, support(*mesh, -local))[axis],
                        round_off(S(1)));
        }
    }
}

TYPED_TEST(MeshTest, VisitsExactlyTheTrianglesInABox) {
    using S = TypeParam;
    Random random(7);
    const auto mesh = make<S>(torus_mesh(1, 0.4, 30, 15));
    for (int i = 0; i < 100; ++i) {
        const Vec3<S> center = random.vec<S>(-1.5, 1.5);
        const Aabb<S> box = expand(Aabb<S>{center, center}, static_cast<S>(random.uniform(0, 0.5)));
        std::vector<std::uint32_t> found, expected;
        visit_triangles(*mesh, box,
                        [&](std::uint32_t t, const Triangle<S>&) { found.push_back(t); });
        for (std::uint32_t t = 0; t < mesh->triangles.size(); ++t) {
            if (overlap(bounds(triangle_at(*mesh, t)), box)) expected.push_back(t);
        }
        std::sort(found.begin(), found.end());
        EXPECT_EQ(found, expected);
    }
}

// Of a cube all edges are convex but the diagonals of its faces, which are flat; the hole in it
// turns convex to concave. Sheets end in rims.
TEST(Mesh, EdgesKnowHowTheyBend) {
    const auto count = [](const TriangleMesh<double>& mesh, EdgeKind kind) {
        return std::count(mesh.edge_kinds.begin(), mesh.edge_kinds.end(), kind) / 2.0;
    };
    const auto cube = make_mesh(cube_with_hole_mesh()).value();
    EXPECT_EQ(count(*cube, EdgeKind::convex), 12);
    EXPECT_EQ(count(*cube, EdgeKind::concave), 12);
    EXPECT_EQ(count(*cube, EdgeKind::flat), 12);
    TriangleSoup open = box_mesh({1, 1, 1});
    open.triangles.pop_back();
    const auto mesh = make_mesh(open).value();
    EXPECT_EQ(count(*mesh, EdgeKind::rim), 1.5);
    EXPECT_FALSE(mesh->closed);
}

TEST(Mesh, DropsWhatNothingUses) {
    TriangleSoup soup = torn(box_mesh({1, 1, 1}));
    soup.vertices.push_back({100, 100, 100});
    const auto mesh = make_mesh(soup).value();
    EXPECT_EQ(mesh->vertices.size(), 8u);
    EXPECT_EQ(mesh->box, (Aabb<double>{{-0.5, -0.5, -0.5}, {0.5, 0.5, 0.5}}));
}

TEST(Mesh, RefusesBadData) {
    EXPECT_EQ(make_mesh({}).error().message, "a mesh needs at least one triangle");
    EXPECT_EQ(make_mesh({{{0, 0, 0}}, {{0, 0, 0}}}).error().message,
              "a mesh needs a triangle with three different corners, but all 1 repeat one");
}

} // namespace
} // namespace rigor::test
