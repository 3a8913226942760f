// Convex decomposition: what is promised of the pieces, measured by means that the decomposition
// itself does not use; and solids whose pieces are known.

#include "geometry/decompose.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "geometry/decompose_samples.h"
#include "geometry/hull_builder.h"
#include "geometry/shape.h"
#include "geometry/solid_moments.h"

namespace rigor::test {
namespace {

using Mesh = std::shared_ptr<const TriangleMesh<double>>;

struct Decomposed {
    Mesh mesh;
    Decomposition result;
    std::vector<Hull<double>> hulls;
    double diagonal = 0;
};

Decomposed decomposed(const TriangleSoup& soup, const DecomposeOptions& options) {
    Decomposed out;
    out.mesh = make_mesh(soup).value();
    out.result = decompose(*out.mesh, options).value();
    for (const auto& piece : out.result.pieces) out.hulls.push_back(make_hull(piece).value());
    out.diagonal = length(out.mesh->box.hi - out.mesh->box.lo);
    return out;
}

double height_over_solid(const Decomposed& d, const Vec3d& p) {
    return closest_point(*d.mesh, p).distance;
}

double distance_to_pieces(const Decomposed& d, const Vec3d& p) {
    double nearest = std::numeric_limits<double>::infinity();
    for (const Hull<double>& hull : d.hulls) {
        nearest = std::min(nearest, closest_point(hull, p).distance);
    }
    return nearest;
}

// Points of a piece: anywhere in it, and on its faces, where the excess is largest most often.
Vec3d point_of(const Hull<double>& hull, Random& random) {
    const auto& face = hull.faces[static_cast<std::size_t>(
        random.integer(0, static_cast<int>(hull.faces.size()) - 1))];
    Vec3d sum;
    double weights = 0;
    for (std::uint32_t h = face.first; h < face.first + face.count; ++h) {
        const double w = random.unit();
        sum += hull.origin(h) * w;
        weights += w;
    }
    const Vec3d on_face = sum / weights;
    const double inward = std::max(0.0, random.uniform(-1, 1));
    return on_face + (hull.center - on_face) * inward;
}

// Pieces of what has a few corners hold all of it; those of round things may stay a little behind.
enum class Kind { blocks, round };

void expect_promises_kept(const TriangleSoup& soup, double concavity, Kind kind = Kind::blocks) {
    SCOPED_TRACE(message("concavity ", concavity));
    const Decomposed d = decomposed(soup, {concavity});
    EXPECT_EQ(d.result.warning, "");
    EXPECT_LE(d.result.concavity, concavity);
    const double limit = concavity * d.diagonal, rounding = 1e-6 * d.diagonal;
    Random random;
    for (const Hull<double>& hull : d.hulls) {
        for (int i = 0; i < 500; ++i) {
            ASSERT_LE(height_over_solid(d, point_of(hull, random)), limit + rounding);
        }
    }
    const double behind = (kind == Kind::round ? 0.1 * limit : 0) + rounding;
    const Aabb<double> box = expand(d.mesh->box, limit);
    for (int i = 0; i < 4000; ++i) {
        Vec3d p;
        for (int k = 0; k < 3; ++k) p[k] = random.uniform(box.lo[k], box.hi[k]);
        const double height = height_over_solid(d, p);
        if (height <= 0) {
            ASSERT_LE(distance_to_pieces(d, p), behind) << p;
        } else if (height > limit + rounding) {
            ASSERT_GT(distance_to_pieces(d, p), 0) << p;
        }
    }
}

TEST(Decompose, AConvexMeshIsOnePieceEqualToItsHull) {
    for (const TriangleSoup& soup : {box_mesh({1, 2, 3}), pyramid_mesh(), ball_mesh(6, 10)}) {
        const Decomposed d = decomposed(soup, {0.02});
        ASSERT_EQ(d.hulls.size(), 1u);
        EXPECT_THAT(d.hulls[0].vertices,
                    testing::UnorderedElementsAreArray(make_hull(soup.vertices).value().vertices));
    }
}

// A plus is two bars across each other: pieces may overlap.
TEST(Decompose, BlocksFallApartIntoTheFewestBoxes) {
    const struct {
        TriangleSoup soup;
        std::size_t pieces;
    } cases[] = {{l_mesh(), 2}, {u_mesh(), 3}, {plus_mesh(), 2}, {stairs_mesh(4), 4}};
    for (const auto& c : cases) {
        EXPECT_EQ(decomposed(c.soup, {0.02}).hulls.size(), c.pieces);
        const TriangleSoup turned = moved(c.soup, Random(5).pose(10));
        EXPECT_LE(decomposed(turned, {0.02}).hulls.size(), c.pieces + 1);
    }
}

TEST(Decompose, KeepsItsPromisesForBlocks) {
    for (const TriangleSoup& soup : {l_mesh(), u_mesh(), plus_mesh(), stairs_mesh(5)}) {
        expect_promises_kept(soup, 0.02);
        expect_promises_kept(moved(soup, Random(7).pose(3)), 0.05);
    }
}

TEST(Decompose, KeepsItsPromisesForRoundThings) {
    expect_promises_kept(torus_mesh(1, 0.35, 30, 16), 0.05, Kind::round);
    expect_promises_kept(torus_mesh(1, 0.35, 30, 16), 0.1, Kind::round);
    expect_promises_kept(pawn_mesh(), 0.03, Kind::round);
    expect_promises_kept(bumpy_mesh(24, 24), 0.03, Kind::round);
}

TEST(Decompose, KeepsItsPromisesForThinWalls) {
    expect_promises_kept(cup_mesh(), 0.05, Kind::round);
    // A wall of a hundredth of the diagonal, much thinner than the concavity.
    expect_promises_kept(
        lathe_mesh({{0, 0}, {1, 0}, {1, 1}, {0.975, 1}, {0.975, 0.025}, {0, 0.025}}, 24), 0.05,
        Kind::round);
}

// How many pieces a ring takes follows from its inner radius a: an arc of half angle t has a hull
// that reaches a (1 - cos t) into the hole, so that with the limit c the fewest are pi / acos(1 - c
// / a). We ask for at most twice as many.
TEST(Decompose, ATorusTakesAFewArcs) {
    for (const double concavity : {0.05, 0.1}) {
        const Decomposed d = decomposed(torus_mesh(1, 0.35, 40, 16), {concavity});
        const double fewest =
            kPi<double> / std::acos(1 - std::min(1.0, concavity * d.diagonal / 0.65));
        EXPECT_GE(static_cast<double>(d.hulls.size()), fewest - 1);
        EXPECT_LE(static_cast<double>(d.hulls.size()), 2 * std::ceil(fewest));
        EXPECT_GT(distance_to_pieces(d, {0, 0, 0}), 0) << "the hole stays open";
    }
}

TEST(Decompose, ACavityStaysEmpty) {
    const TriangleSoup soup = cube_with_hole_mesh();
    expect_promises_kept(soup, 0.02);
    const Decomposed d = decomposed(soup, {0.02});
    EXPECT_EQ(d.hulls.size(), 6u); // one for each wall
    EXPECT_GT(distance_to_pieces(d, {0, 0, 0}), 0.4);
}

TEST(Decompose, SeparateSolidsStaySeparate) {
    TriangleSoup soup = box_mesh({1, 1, 1});
    append(soup, ball_mesh(6, 8));
    for (std::size_t i = 8; i < soup.vertices.size(); ++i) soup.vertices[i] += {3, 2, 1};
    append(soup, l_mesh());
    for (std::size_t i = soup.vertices.size() - 12; i < soup.vertices.size(); ++i) {
        soup.vertices[i] += {-6, 0, 0};
    }
    EXPECT_EQ(decomposed(soup, {0.01}).hulls.size(), 4u);
    expect_promises_kept(soup, 0.01);
}

// Rings through each other: their boxes overlap, and no plane parts them.
TEST(Decompose, LinkedRingsAreToldApart) {
    TriangleSoup soup = torus_mesh(1, 0.2, 24, 10);
    const Quatd quarter{std::sqrt(0.5), std::sqrt(0.5), 0, 0};
    append(soup, moved(torus_mesh(1, 0.2, 24, 10), {{1, 0, 0}, quarter}));
    expect_promises_kept(soup, 0.05, Kind::round);
}

// Cells of a grid, filled at random, touch in edges and corners and enclose cavities.
TEST(Decompose, KeepsItsPromisesForRandomCells) {
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
        SCOPED_TRACE(message("seed ", seed));
        Random random(seed);
        const std::uint64_t filled = random.bits() | random.bits();
        const TriangleSoup soup = cells_mesh(
            3, [&](int x, int y, int z) { return (filled >> (x + 3 * y + 9 * z) & 1) != 0; });
        expect_promises_kept(soup, 0.03);
    }
}

TEST(Decompose, TheSameMeshGivesTheSamePieces) {
    const TriangleSoup soup = cup_mesh();
    const auto once = decomposed(soup, {0.08}).result.pieces;
    EXPECT_EQ(decomposed(soup, {0.08}).result.pieces, once);
    // Nothing is measured in meters: a thousandfold cup has thousandfold pieces, to the bit.
    TriangleSoup large = soup;
    for (Vec3d& v : large.vertices) v *= 1024;
    auto large_pieces = decomposed(large, {0.08}).result.pieces;
    for (auto& piece : large_pieces) {
        for (Vec3d& v : piece) v = v / 1024.0;
    }
    EXPECT_EQ(large_pieces, once);
}

TEST(Decompose, SliversDoNotSpoilTheRest) {
    // A needle, a flat shell of no volume, and two corners as close as numbers get.
    TriangleSoup soup = l_mesh();
    append(soup,
           TriangleSoup{{{0.2, 0.2, 1}, {0.8, 0.2, 1}, {0.2, 0.8, 1}}, {{0, 1, 2}, {0, 2, 1}}});
    append(soup, box_mesh({1e-9, 1e-9, 2}, {0.5, 0.5, 2}));
    soup.vertices[3] = {std::nextafter(1.0, 2.0), 1, 0};
    const Decomposed d = decomposed(soup, {0.05});
    EXPECT_GE(d.hulls.size(), 2u);
    EXPECT_LE(d.hulls.size(), 4u);
    Random random;
    for (const Hull<double>& hull : d.hulls) {
        for (int i = 0; i < 200; ++i) {
            EXPECT_LE(height_over_solid(d, point_of(hull, random)), 0.0501 * d.diagonal);
        }
    }
}

TEST(Decompose, TooFewPiecesAreAWarningAndStillCoverTheSolid) {
    const Decomposed d = decomposed(cup_mesh(), {0.01, 6});
    EXPECT_LE(d.hulls.size(), 6u);
    EXPECT_GT(d.result.concavity, 0.01);
    EXPECT_THAT(
        d.result.warning,
        testing::MatchesRegex("the convex pieces of the mesh reach a concavity of 0\\.[0-9]+ "
                              "instead of 0\\.01: there may be at most 6"));
    for (const Vec3d& v : d.mesh->vertices) {
        EXPECT_LE(distance_to_pieces(d, v), 0.001 * d.diagonal + 1e-6);
    }
}

TEST(Decompose, TellsHowFarItIsAndStopsWhenAsked) {
    std::vector<std::size_t> pieces;
    const auto stop_after_three = [&](const DecomposeProgress& progress) {
        EXPECT_LE(progress.waiting, progress.pieces);
        pieces.push_back(progress.pieces);
        return pieces.size() < 3;
    };
    const Decomposed d = decomposed(cup_mesh(), {0.01, 256, stop_after_three});
    EXPECT_THAT(pieces, testing::ElementsAre(1, 2, 3));
    EXPECT_LE(d.hulls.size(), 3u);
    EXPECT_THAT(d.result.warning, testing::HasSubstr("instead of 0.01: the work was ended early"));
}

TEST(Decompose, RefusesWhatItCannotDoInOneSentence) {
    const auto refusal = [](const TriangleSoup& soup, const DecomposeOptions& options) {
        return to_string(decompose(**make_mesh(soup), options).error());
    };
    TriangleSoup open = box_mesh({1, 1, 1});
    open.triangles.pop_back();
    EXPECT_EQ(refusal(open, {}),
              "mesh: a mesh must be closed to be decomposed, got one with 3 open edges");
    EXPECT_EQ(refusal(l_mesh(), {1.5}), "concavity: concavity must be from 0 to 1, got 1.5");
    EXPECT_EQ(refusal(l_mesh(), {std::nan("")}),
              "concavity: concavity must be from 0 to 1, got nan");
    EXPECT_EQ(refusal(l_mesh(), {0.1, 0}), "max_pieces: max_pieces must be at least 1, got 0");
}

// However many triangles there are, planes are chosen on a few thousand, and the pieces are those
// of the same solid with fewer.
TEST(Decompose, ManyTrianglesTakeHardlyMorePieces) {
    expect_promises_kept(torus_mesh(1, 0.35, 200, 100), 0.1, Kind::round);
    EXPECT_LE(decomposed(torus_mesh(1, 0.35, 200, 100), {0.1}).hulls.size(), 5u);
}

ShapeDef define(const TriangleSoup& soup, std::optional<double> concavity) {
    ShapeDef def;
    def.geometry = MeshDef{std::make_shared<const TriangleSoup>(soup), concavity};
    return def;
}

// The pieces overlap and fill dents, so their masses would add up to too much: a decomposed mesh
// weighs what the mesh does.
TEST(DecomposedShape, WeighsWhatTheMeshDoes) {
    const TriangleSoup soup = torus_mesh(1, 0.35, 24, 12);
    const Shape<double> mesh = make_shape(define(soup, {})).value();
    const Shape<double> pieces = make_shape(define(soup, 0.1)).value();
    EXPECT_STREQ(name(pieces), "compound");
    EXPECT_EQ(volume(pieces), volume(mesh));
    EXPECT_EQ(area(pieces), area(mesh));
    for (const bool hollow : {false, true}) {
        const MassProperties expected = mass_properties(mesh, 700, hollow).value();
        const MassProperties found = mass_properties(pieces, 700, hollow).value();
        EXPECT_NEAR(found.mass, expected.mass, round_off(expected.mass));
        EXPECT_NEAR(found.inertia.zz, expected.inertia.zz, round_off(expected.inertia.zz));
    }
}

TEST(DecomposedShape, WeighsTheSameInsideACompound) {
    ShapeDef ball, ring = define(torus_mesh(1, 0.35, 24, 12), 0.1), both;
    ball.geometry = SphereDef{0.5};
    ring.position = {0, 0, 3};
    both.geometry = CompoundDef{{ball, ring, ball}};
    const Shape<double> shape = make_shape(both).value();
    const MassProperties ring_mass = mass_properties(make_shape(ring).value(), 1000).value();
    const double ball_mass = 1000 * kPi<double> / 6;
    const MassProperties all = mass_properties(shape, 1000).value();
    EXPECT_NEAR(all.mass, ring_mass.mass + 2 * ball_mass, 1e-9 * all.mass);
    EXPECT_NEAR(all.center.z, 3 * ring_mass.mass / all.mass, 1e-9);
}

TEST(DecomposedShape, SharesItsPiecesBetweenBodies) {
    const ShapeDef def = define(l_mesh(), 0.05);
    const auto pieces = [&] {
        const Shape<double> shape = make_shape(def).value();
        return std::get<std::shared_ptr<const Compound<double>>>(shape.solid)->children;
    };
    const auto first = pieces(), second = pieces();
    ASSERT_EQ(first.size(), 2u);
    EXPECT_EQ(std::get<std::shared_ptr<const Hull<double>>>(first[0].shape),
              std::get<std::shared_ptr<const Hull<double>>>(second[0].shape));
}

TEST(DecomposedShape, RefusesWhatHasNoInside) {
    TriangleSoup open = box_mesh({1, 1, 1});
    open.triangles.pop_back();
    EXPECT_EQ(to_string(make_shape(define(open, 0.05)).error()),
              "mesh: a mesh must be closed to be decomposed, got one with 3 open edges");
    EXPECT_EQ(to_string(make_shape(define(l_mesh(), -1)).error()),
              "concavity: concavity must be from 0 to 1, got -1");
    ShapeDef rounded = define(l_mesh(), 0.05);
    rounded.rounding = 0.1;
    EXPECT_EQ(to_string(make_shape(rounded).error()),
              "rounding: a mesh cannot be rounded, got 0.1");
}

} // namespace
} // namespace rigor::test
