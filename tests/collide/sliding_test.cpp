// Internal edges: a box that slides over a floor made of many pieces must not feel where they meet.
//
// The solver here is the simplest that can show it: sequential impulses without friction. What
// little it sinks in is what makes edges catch.

#include <numbers>

#include "collide/contacts.h"
#include "collide/internal_edges.h"
#include "collide/pieces.h"
#include "geometry/sample_shapes.h"

namespace rigor::test {
namespace {

constexpr ContactSettings<double> kSettings{0.02, 1e-3};

struct Floor {
    std::vector<Shape<double>> shapes;
    std::vector<Posed> poses;
};

/// One body of mass 1 on fixed surroundings.
class Slider {
  public:
    Slider(Shape<double> shape, const Posed& pose, const Vec3d& velocity)
        : shape_(std::move(shape)), pose_(pose), velocity_(velocity) {
        inertia_ = mass_properties(shape_, 1000).value();
        const double mass = inertia_.mass;
        inverse_inertia_ = inverse(inertia_.inertia * (1 / mass));
    }

    const Posed& pose() const { return pose_; }
    const Vec3d& velocity() const { return velocity_; }
    const Vec3d& spin() const { return spin_; }

    void step(const Floor& floor, double dt) {
        velocity_.z -= 9.81 * dt;
        find(floor);
        for (int i = 0; i < 40; ++i) {
            for (Row& row : rows_) solve(row, dt);
        }
        pose_.p += velocity_ * dt;
        pose_.q = normalize(from_rotation_vector(spin_ * dt) * pose_.q);
    }

  private:
    struct Row {
        Vec3d arm, normal; ///< in the world, the normal toward the floor
        double separation, impulse;
    };

    void find(const Floor& floor) {
        std::vector<Manifold<double>> manifolds;
        std::vector<Core<double>> cores;
        std::vector<std::size_t> owners;
        for (std::size_t i = 0; i < floor.shapes.size(); ++i) {
            const Posed relative = relative_pose<double>(pose_, floor.poses[i]);
            std::vector<PartContact<double>> contacts;
            find_contacts(shape_, floor.shapes[i], relative, kSettings, contacts);
            for (const auto& contact : contacts) {
                if (contact.manifold.count == 0) continue;
                manifolds.push_back(contact.manifold);
                owners.push_back(i);
            }
        }
        mend(floor, manifolds, owners);
        rows_.clear();
        for (const Manifold<double>& m : manifolds) {
            for (int i = 0; i < m.count; ++i) {
                const auto& p = m.points[static_cast<std::size_t>(i)];
                rows_.push_back(
                    {rotate(pose_.q, p.point_a), rotate(pose_.q, m.normal), p.separation, 0});
            }
        }
    }

    void mend(const Floor& floor, std::vector<Manifold<double>>& manifolds,
              const std::vector<std::size_t>& owners) {
        std::vector<Core<double>> cores(manifolds.size());
        std::vector<Neighbor<double>> neighbors;
        for (std::size_t i = 0; i < manifolds.size(); ++i) {
            const auto piece = Children<double>::piece_of_shape(floor.shapes[owners[i]]);
            if (const auto* core = std::get_if<Core<double>>(&piece)) {
                cores[i] = *core;
                neighbors.push_back({&cores[i],
                                     relative_pose<double>(pose_, floor.poses[owners[i]]),
                                     &manifolds[i]});
            }
        }
        const auto mine = Children<double>::piece_of_shape(shape_);
        correct_internal_edges<double>(std::get<Core<double>>(mine), neighbors, kSettings);
    }

    void solve(Row& row, double dt) {
        const Vec3d twist = cross(row.arm, row.normal);
        const Vec3d turned = rotate(pose_.q, inverse_inertia_ * inverse_rotate(pose_.q, twist));
        const double stiffness = 1 / (1 + dot(twist, turned));
        const double speed = dot(row.normal, velocity_ + cross(spin_, row.arm)); // into the floor
        const double slop = 1e-4;
        const double allowed = row.separation > 0
                                   ? row.separation / dt
                                   : std::min(0.0, 0.1 * (row.separation + slop) / dt);
        const double wanted = std::max(0.0, row.impulse + (speed - allowed) * stiffness);
        const double change = wanted - row.impulse;
        row.impulse = wanted;
        velocity_ -= row.normal * change;
        spin_ -= turned * change;
    }

    Shape<double> shape_;
    Posed pose_;
    Vec3d velocity_, spin_;
    MassProperties inertia_;
    Sym3d inverse_inertia_;
    std::vector<Row> rows_;
};

/// Slides over the floor, whose top is at z = 0, and must neither slow down nor hop nor turn.
void expect_smooth(const Floor& floor, const Shape<double>& shape, double height,
                   const Vec3d& start, const Vec3d& velocity, double seconds) {
    Slider slider(shape, Posed{start + Vec3d{0, 0, height - 1e-4}, {}}, velocity);
    const double dt = 1.0 / 240;
    for (int i = 0; i < seconds / dt; ++i) {
        slider.step(floor, dt);
        ASSERT_NEAR(slider.pose().p.z, height - 1e-4, 5e-4) << "at step " << i << slider.pose().p;
        ASSERT_NEAR(std::hypot(slider.velocity().x, slider.velocity().y), length(velocity),
                    1e-3 * length(velocity))
            << "at step " << i << slider.pose().p;
        ASSERT_LE(length(slider.spin()), 1e-2) << "at step " << i;
    }
    EXPECT_NEAR(length(slider.pose().p - start - velocity * seconds), height, 0.05);
}

Shape<double> shape_of(ShapeGeometry geometry) {
    return make_shape(define(std::move(geometry))).value();
}

/// Quads of two triangles; with `shared` their corners are the same vertices, else each has its
/// own, shifted rows making corners meet edges.
Shape<double> quads(int columns, int rows, double size, bool shared) {
    auto soup = std::make_shared<TriangleSoup>();
    for (int j = 0; j < rows; ++j) {
        const double shift = shared || j % 2 == 0 ? 0 : 0.37 * size;
        for (int i = 0; i < columns; ++i) {
            const auto v = static_cast<std::uint32_t>(soup->vertices.size());
            const double x = i * size + shift, y = (j - rows / 2.0) * size;
            soup->vertices.insert(
                soup->vertices.end(),
                {{x, y, 0}, {x + size, y, 0}, {x + size, y + size, 0}, {x, y + size, 0}});
            soup->triangles.push_back({v, v + 1, v + 2});
            soup->triangles.push_back({v, v + 2, v + 3});
        }
    }
    return shape_of(MeshDef{soup, {}});
}

const Vec3d kAlong{3, 0, 0}, kAcross{3, 0.2, 0};

} // namespace

TEST(Sliding, OverAThousandFlushTriangles) {
    const Floor floor{{quads(125, 4, 0.4, true)}, {{}}};
    const Shape<double> box = shape_of(BoxDef{{0.5, 0.5, 0.2}});
    expect_smooth(floor, box, 0.1, {1, 0.03, 0}, kAlong, 15);
    expect_smooth(floor, box, 0.1, {1, -0.3, 0}, Vec3d{3, 0.04, 0}, 15);
}

// Rows of triangles that lie side by side but share no corners: their edges are rims.
TEST(Sliding, OverTrianglesThatShareNoCorners) {
    const Floor floor{{quads(125, 4, 0.4, false)}, {{}}};
    const Shape<double> box = shape_of(BoxDef{{0.5, 0.5, 0.2}});
    expect_smooth(floor, box, 0.1, {1, 0.03, 0}, kAlong, 15);
    expect_smooth(floor, box, 0.1, {1, -0.3, 0}, Vec3d{3, 0.04, 0}, 15);
}

TEST(Sliding, OverAHeightField) {
    HeightFieldDef def{50, 4, 101, 9, std::vector<double>(101 * 9, 0.0)};
    const Floor floor{{shape_of(def)}, {{{24, 0, 0}, {}}}};
    const Shape<double> box = shape_of(BoxDef{{0.7, 0.6, 0.2}});
    expect_smooth(floor, box, 0.1, {1, 0.1, 0}, kAlong, 15);
}

TEST(Sliding, OverAHundredTiles) {
    Floor floor;
    for (int i = 0; i < 50; ++i) {
        for (int j = 0; j < 2; ++j) {
            floor.shapes.push_back(shape_of(BoxDef{{1, 1, 0.5}}));
            floor.poses.push_back({{i + 0.5, j - 0.5, -0.25}, {}});
        }
    }
    const Shape<double> box = shape_of(BoxDef{{0.5, 0.5, 0.2}});
    expect_smooth(floor, box, 0.1, {1, 0.5, 0}, kAlong, 15);  // over one row
    expect_smooth(floor, box, 0.1, {1, 0.03, 0}, kAlong, 15); // over the joint of two
    expect_smooth(floor, box, 0.1, {1, -0.5, 0}, Vec3d{3, 0.06, 0}, 15);
    const Shape<double> ball = shape_of(SphereDef{0.3});
    expect_smooth(floor, ball, 0.3, {1, 0.03, 0}, kAlong, 15);
    const Shape<double> hull = shape_of(HullDef{{{-0.25, -0.25, -0.1},
                                                 {0.25, -0.25, -0.1},
                                                 {0.25, 0.25, -0.1},
                                                 {-0.25, 0.25, -0.1},
                                                 {0, 0, 0.3}}});
    expect_smooth(floor, hull, 0.1, {1, 0.03, 0}, kAlong, 15);
}

// A step that is really there stops the box.
TEST(Sliding, IntoAStepIsStopped) {
    Floor floor;
    floor.shapes = {shape_of(BoxDef{{10, 2, 0.5}}), shape_of(BoxDef{{10, 2, 0.5}})};
    floor.poses = {{{0, 0, -0.25}, {}}, {{10, 0, -0.25 + 0.05}, {}}};
    Slider slider(shape_of(BoxDef{{0.5, 0.5, 0.2}}), Posed{{0, 0, 0.0999}, {}}, kAlong);
    for (int i = 0; i < 600; ++i) slider.step(floor, 1.0 / 240);
    EXPECT_LE(slider.pose().p.x, 4.76);
}

} // namespace rigor::test
