// What breaks collision code: needles, plates, sizes 1000 : 1, flat cores, symmetric overlaps,
// lengths from 1e-20 to 1e20.

#include "collide/brute_force.h"
#include "collide/convex_distance.h"
#include "collide/distance.h"
#include "collide/epa.h"
#include "geometry/sample_shapes.h"

namespace rigor::test {
namespace {

Shape<double> shape(ShapeGeometry geometry, double rounding = 0) {
    return make_shape(define(std::move(geometry), rounding)).value();
}

std::vector<Specimen<double>> slender() {
    return {{"needle", shape(BoxDef{{1e-4, 1e-4, 3}})},
            {"plate", shape(BoxDef{{2, 3, 1e-4}})},
            {"wire", shape(CapsuleDef{1e-4, 3})},
            {"coin", shape(CylinderDef{1, 1e-4})},
            {"pin", shape(CylinderDef{1e-4, 3})},
            {"spike", shape(ConeDef{1e-3, 3})},
            {"hat", shape(ConeDef{1, 1e-3})},
            {"splinter", shape(HullDef{random_points(9, 41, {1e-3, 1e-3, 2})})},
            {"cube", shape(BoxDef{{1, 1, 1}})},
            {"mountain", shape(BoxDef{{1000, 1000, 1000}})}};
}

} // namespace

TEST(HardCases, SlenderSolidsAreMeasuredAsWellAsStoutOnes) {
    Random random(42);
    const std::vector<Specimen<double>> all = slender();
    for (const Specimen<double>& a : all) {
        for (const Specimen<double>& b : all) {
            for (int i = 0; i < 20; ++i) {
                Posed pose = random.pose(i % 2 == 0 ? 0.5 : 2);
                if (i % 3 == 0) pose.q = {};
                SCOPED_TRACE(message(a.name, ", ", b.name, " at ", pose.p, pose.q));
                const Distance<double> d = distance(a.shape, b.shape, pose);
                const double size = pair_size(a.shape, b.shape, pose);
                expect_certified(a.shape, b.shape, pose, d, (d.converged ? 1e-9 : 1e-4) * size);
                EXPECT_LE(most_room_by_search(a.shape, b.shape, pose, random),
                          d.distance + 1e-9 * size);
            }
        }
    }
}

// A solid at its own place has a way out, as long as it is wide, and it is a definite one.
TEST(HardCases, ASolidLeavesItselfByItsLeastWidth) {
    Random random(43);
    std::vector<Specimen<double>> all = slender();
    for (const Specimen<double>& s : convex_samples<double>()) all.push_back(s);
    for (const Specimen<double>& s : all) {
        SCOPED_TRACE(s.name);
        const Distance<double> d = distance(s.shape, s.shape, Posed{});
        const double size = pair_size(s.shape, s.shape, Posed{});
        EXPECT_LE(most_room_by_search(s.shape, s.shape, Posed{}, random), d.distance + 1e-9 * size);
        EXPECT_NEAR(room_along(s.shape, s.shape, Posed{}, d.normal), d.distance, 1e-9 * size);
    }
}

// Cores without inside: where two of them meet, their difference may be flat.
TEST(HardCases, FlatCoresPartAcrossEachOther) {
    const Shape<double> disk = shape(CylinderDef{0.8, 0.4}, 0.2); // core: a disk of radius 0.6
    const Shape<double> plate = shape(BoxDef{{2, 2, 0.4}}, 0.2);  // core: a square
    const Shape<double> rod = shape(CapsuleDef{0.1, 2});
    const Posed shifted{{0.1, 0.2, 0}, {}};
    EXPECT_NEAR(distance(disk, disk, shifted).distance, -0.4, 1e-14);
    EXPECT_NEAR(distance(plate, disk, shifted).distance, -0.4, 1e-14);
    EXPECT_NEAR(std::abs(distance(plate, disk, shifted).normal.z), 1, 1e-14);
    // A rod through a plate: out sideways or along the rod, whichever is shorter.
    EXPECT_NEAR(distance(plate, rod, shifted).distance, -(0.8 - 0.2) - 0.2 - 0.1, 1e-12);
    // A rod that lies in the plate leaves it at once.
    const double half = std::sqrt(0.5);
    const Posed lying{{0.1, 0.2, 0}, {half, half, 0, 0}};
    EXPECT_NEAR(distance(plate, rod, lying).distance, -0.3, 1e-14);
}

// Scaling by a power of two must not even change the rounding.
TEST(HardCases, LengthsMayBeOfAnySize) {
    const std::vector<Vec3d> points = random_points(10, 44, {1, 1, 1});
    Random random(45);
    const Posed pose = random.pose(0.8), apart{{2, 1, 1.5}, pose.q};
    const Shape<double> hull = shape(HullDef{points});
    for (const double scale : {0x1p-66, 0x1p66}) { // 1e-20 and 1e20
        Hull<double> scaled = *std::get<std::shared_ptr<const Hull<double>>>(hull.solid);
        for (Vec3d& v : scaled.vertices) v *= scale;
        const Shape<double> large{std::make_shared<const Hull<double>>(scaled)};
        for (const Posed& where : {pose, apart}) {
            const Posed far{where.p * scale, where.q};
            EXPECT_EQ(distance(large, large, far).distance,
                      distance(hull, hull, where).distance * scale);
            const Pose<float> in_float = cast<float>(far);
            const Distance<float> f = distance(to_float(large), to_float(large), in_float);
            EXPECT_NEAR(static_cast<double>(f.distance) / scale,
                        distance(hull, hull, where).distance, 1e-5);
        }
    }
}

// However long the support points keep coming, both algorithms come to an end and say so.
TEST(HardCases, IterationsAreBoundedAndCounted) {
    Random random(46);
    const auto samples = convex_samples<double>();
    int most = 0;
    for (const Specimen<double>& a : samples) {
        for (const Specimen<double>& b : samples) {
            for (int i = 0; i < 10; ++i) {
                most = std::max(most, distance(a.shape, b.shape, random.pose(0.5)).iterations);
            }
        }
    }
    EXPECT_GT(most, 10);
    EXPECT_LT(most, 2 * kMaxGjkIterations + kMaxEpaVertices + 500);
}

} // namespace rigor::test
