// The static tree of a mesh: complete, and shallow on hard input.

#include "geometry/mesh_bvh.h"

#include <gtest/gtest.h>

#include "test_support.h"

namespace rigor::test {
namespace {

using Tree = MeshBvh<double>;

// Every item is in exactly one leaf, and every box holds what lies below it.
int check_node(const Tree& tree, const std::vector<Aabb<double>>& boxes, std::uint32_t index,
               std::vector<int>& seen) {
    const Tree::Node& node = tree.nodes[index];
    for (std::uint32_t i = 0; i < node.count; ++i) {
        const std::uint32_t item = tree.items[node.next + i];
        EXPECT_TRUE(contains(node.box, boxes[item]));
        ++seen[item];
    }
    if (node.count > 0) return 1;
    EXPECT_TRUE(contains(node.box, tree.nodes[index + 1].box));
    EXPECT_TRUE(contains(node.box, tree.nodes[node.next].box));
    return 1 + std::max(check_node(tree, boxes, index + 1, seen),
                        check_node(tree, boxes, node.next, seen));
}

int check(const std::vector<Aabb<double>>& boxes) {
    const Tree tree = build_bvh(boxes);
    std::vector<int> seen(boxes.size(), 0);
    const int depth = check_node(tree, boxes, 0, seen);
    EXPECT_EQ(std::count(seen.begin(), seen.end(), 1), static_cast<std::ptrdiff_t>(boxes.size()));
    EXPECT_LT(depth, Tree::kMaxDepth);
    return depth;
}

TEST(MeshBvh, HoldsEveryItemOnce) {
    Random random;
    std::vector<Aabb<double>> boxes;
    for (int i = 0; i < 5000; ++i) {
        const Vec3d p = random.vec();
        boxes.push_back({p, p + random.vec(0, 0.1)});
    }
    EXPECT_LT(check(boxes), 30);
}

// Equal boxes, boxes on a line, and middles that double each time (each cut takes one off, so
// the heuristic alone would make a list of them).
TEST(MeshBvh, StaysShallowOnHardInput) {
    std::vector<Aabb<double>> same(3000), line, doubling;
    for (Aabb<double>& box : same) box = {{1, 1, 1}, {2, 2, 2}};
    for (int i = 0; i < 3000; ++i) line.push_back({{i * 1.0, 0, 0}, {i + 1.0, 0, 0}});
    double x = 1e-150;
    for (int i = 0; i < 900; ++i, x *= 2) doubling.push_back({{x, 0, 0}, {x, 1e-160, 0}});
    check(same);
    check(line);
    check(doubling);
    EXPECT_TRUE(build_bvh(std::vector<Aabb<double>>{}).nodes.empty());
    check({{{0, 0, 0}, {1, 1, 1}}});
}

// A ray within the face of a box, and one from a corner outward, still meet it.
TEST(MeshBvh, SlabsCountTouching) {
    const Aabb<double> box{{0, 0, 0}, {1, 1, 1}};
    const double inf = std::numeric_limits<double>::infinity();
    EXPECT_NEAR(RaySlabs<double>({{-1, 0, 0}, {1, 0, 0}}).enter(box, inf), 1, 1e-15);
    EXPECT_EQ(RaySlabs<double>({{1, 1, 1}, {1, 1, 1}}).enter(box, inf), 0);
    EXPECT_EQ(RaySlabs<double>({{-1, 1.5, 0}, {1, 0, 0}}).enter(box, inf), inf);
    EXPECT_EQ(RaySlabs<double>({{-1, 0.5, 0.5}, {1, 0, 0}}).enter(box, 0.5), inf);
    EXPECT_EQ(RaySlabs<double>({{2, 0.5, 0.5}, {1, 0, 0}}).enter(box, inf), inf);
}

} // namespace
} // namespace rigor::test
