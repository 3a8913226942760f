// The cache of meshes: bodies of one soup share one mesh.

#include <gtest/gtest.h>

#include <thread>

#include "geometry/mesh_samples.h"
#include "geometry/shape.h"
#include "rigor/mesh.h"
#include "test_support.h"

namespace rigor::test {
namespace {

using Mesh = std::shared_ptr<const TriangleMesh<double>>;

std::shared_ptr<const TriangleSoup> share(TriangleSoup soup) {
    return std::make_shared<const TriangleSoup>(std::move(soup));
}

Shape<double> shape_of(const std::shared_ptr<const TriangleSoup>& soup) {
    ShapeDef def;
    def.geometry = MeshDef{soup};
    return make_shape(def).value();
}

Mesh mesh_of(const std::shared_ptr<const TriangleSoup>& soup) {
    return std::get<Mesh>(shape_of(soup).solid);
}

TEST(MeshSharing, BodiesOfOneSoupHoldOneMesh) {
    const auto soup = share(pawn_mesh());
    const Mesh first = mesh_of(soup);
    EXPECT_EQ(first, mesh_of(soup));
    ShapeDef child, compound;
    child.geometry = MeshDef{soup};
    compound.geometry = CompoundDef{{child, child}};
    const Shape<double> built = make_shape(compound).value();
    for (const auto& part :
         std::get<std::shared_ptr<const Compound<double>>>(built.solid)->children)
        EXPECT_EQ(first, std::get<Mesh>(part.shape));
    EXPECT_NE(first, mesh_of(share(pawn_mesh()))); // equal, but another soup
}

// Shapes come and go, as when a scene is checked body by body: the mesh stays with its soup.
TEST(MeshSharing, MeshLivesAsLongAsItsSoup) {
    const auto soup = share(pawn_mesh());
    const std::weak_ptr<const TriangleMesh<double>> mesh = mesh_of(soup);
    EXPECT_FALSE(mesh.expired());
    EXPECT_EQ(mesh.lock(), mesh_of(soup));
}

// The soup is not kept alive, its mesh goes when the next one is built, and a new soup at an old
// address is not taken for the old one.
TEST(MeshSharing, DeadSoupsLeaveNothingBehind) {
    std::weak_ptr<const TriangleMesh<double>> last;
    for (int i = 1; i <= 200; ++i) {
        std::weak_ptr<const TriangleSoup> soup;
        {
            const auto given = share(box_mesh({1, 1, static_cast<double>(i)}));
            const Mesh built = mesh_of(given);
            EXPECT_EQ(built->box.hi.z, i / 2.0);
            EXPECT_TRUE(last.expired());
            soup = given;
            last = built;
        }
        EXPECT_TRUE(soup.expired());
    }
}

TEST(MeshSharing, ThreadsGetTheSameMesh) {
    const auto soup = share(torus_mesh(2, 0.5, 40, 20));
    std::array<Mesh, 8> meshes;
    std::vector<std::thread> threads;
    for (Mesh& mesh : meshes) threads.emplace_back([&] { mesh = mesh_of(soup); });
    for (std::thread& thread : threads) thread.join();
    for (const Mesh& mesh : meshes) EXPECT_EQ(mesh, meshes[0]);
}

// The moments kept with the mesh are those of weighing it anew, to the bit.
TEST(MeshSharing, KeepsTheMassOfTheMesh) {
    const TriangleSoup pawn = pawn_mesh();
    const Shape<double> shape = shape_of(share(pawn));
    for (const bool hollow : {false, true}) {
        const MeshMass anew = mesh_mass(pawn, {.density = 700, .hollow = hollow}).value();
        const MassProperties kept = mass_properties(shape, 700, hollow).value();
        EXPECT_EQ(kept.mass, anew.properties.mass);
        EXPECT_EQ(kept.center, anew.properties.center);
        EXPECT_EQ(kept.inertia.xx, anew.properties.inertia.xx);
        EXPECT_EQ(kept.inertia.yz, anew.properties.inertia.yz);
        EXPECT_EQ(volume(shape), anew.volume);
        EXPECT_EQ(area(shape), anew.area);
    }
}

TEST(MeshSharing, OpenMeshHasASkinOnly) {
    TriangleSoup open = box_mesh({1, 1, 1});
    open.triangles.pop_back();
    const Shape<double> shape = shape_of(share(open));
    EXPECT_EQ(mass_properties(shape, 1).error().message, mesh_mass(open).error().message);
    EXPECT_NEAR(mass_properties(shape, 1, true).value().mass, 5.5, 1e-15);
    EXPECT_EQ(volume(shape), 0);
}

} // namespace
} // namespace rigor::test
