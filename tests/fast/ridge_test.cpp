// Bodies that fall flat on a ridge: a contact of a face with an edge that reaches beyond it.
#include <algorithm>
#include <string>

#include "rigor/rotation.h"
#include "support/worlds.h"

namespace rigor::test {
namespace {

struct Ridge {
    const char* name;
    BodyDef body;
    double top;
};

std::vector<Ridge> ridges() {
    const std::vector<Vec3d> wedge{{-0.5, -0.5, 0}, {0.5, -0.5, 0}, {0.5, 0.5, 0},
                                   {-0.5, 0.5, 0},  {0, -0.5, 0.5}, {0, 0.5, 0.5}};
    BodyDef box = body(BoxDef{{0.6, 1, 0.6}}, {}, BodyType::static_body);
    box.orientation = from_axis_angle({0, 1, 0}, 0.25 * 3.14159265358979);
    return {{"a wedge", body(HullDef{wedge}, {}, BodyType::static_body), 0.5},
            {"a box on its edge", box, 0.3 * std::sqrt(2.0)},
            {"a bar", body(BoxDef{{0.02, 1.4, 0.4}}, {}, BodyType::static_body), 0.2}};
}

double deepest(const World& world) {
    const std::vector<double> depths = world.penetrations();
    return depths.empty() ? 0 : *std::max_element(depths.begin(), depths.end());
}

// Before the ends of the ridge under the face were both contact points, the plank rocked from one
// to the other, sank by 65 mm, and gained 12 kJ.
TEST(Ridge, CarriesWhatFallsFlatOnIt) {
    const Vec3d sizes[] = {{4, 0.6, 0.1}, {2, 0.6, 0.1}, {1, 1, 1}, {0.3, 0.2, 0.05}};
    for (const Ridge& ridge : ridges()) {
        for (const Vec3d& size : sizes) {
            for (const double yaw : {0.0, 0.02, 0.4, 1.5707963}) {
                World world{settings_of(Method::fast)};
                (void)world.add_body(ridge.body).value();
                BodyDef plank = body(BoxDef{size});
                plank.orientation = from_axis_angle({0, 0, 1}, yaw);
                plank.position = {0, 0.05, ridge.top + 0.5 * size.z + 0.01};
                const BodyId id = world.add_body(plank).value();
                const double start = world.energy().total();
                for (int i = 0; i < 60; ++i) {
                    world.step(kStep);
                    const std::string what = std::string(ridge.name) + ", size " +
                                             std::to_string(size.x) + ", yaw " +
                                             std::to_string(yaw) + ", step " + std::to_string(i);
                    ASSERT_LT(deepest(world), 0.004) << what;
                    ASSERT_LT(world.energy().total(), start + 1e-3 * std::abs(start)) << what;
                }
                EXPECT_LT(length(world.state(id).velocity), 3) << ridge.name;
            }
        }
    }
}

} // namespace
} // namespace rigor::test
