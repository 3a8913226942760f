// A user of the core: a hull (Qhull), two threads, a method with impacts, and the refusal of linear
// programs, which the core alone cannot solve.
#include <cstdio>

#include "rigor/linear_programs.h"
#include "rigor/rotation.h"
#include "rigor/world.h"

namespace {

double height_after_a_second(const rigor::WorldSettings& settings) {
    rigor::World world(settings);
    rigor::BodyDef def;
    def.type = rigor::BodyType::static_body;
    def.shapes = {{.geometry = rigor::PlaneDef{}}};
    world.add_body(def).value();
    def.type = rigor::BodyType::dynamic_body;
    def.position = {0, 0, 1.5};
    def.orientation = rigor::from_axis_angle(rigor::Vec3d{0, 0, 1}, 0.5);
    def.shapes = {{.geometry = rigor::HullDef{{{-1, -1, -1},
                                               {1, -1, -1},
                                               {-1, 1, -1},
                                               {1, 1, -1},
                                               {-1, -1, 1},
                                               {1, -1, 1},
                                               {-1, 1, 1},
                                               {1, 1, 1}}}}};
    const rigor::BodyId body = world.add_body(def).value();
    for (int i = 0; i < 60; ++i) world.step(1.0 / 60);
    return world.pose(body).p.z;
}

} // namespace

int main() {
    rigor::WorldSettings settings;
    settings.method = rigor::Method::fast;
    settings.substeps = 4;
    settings.threads = 2;
    const double fast = height_after_a_second(settings);
    settings.method = rigor::Method::faithful;
    settings.substeps = 1;
    const double faithful = height_after_a_second(settings);
    std::printf("a cube rests at %.3f m (fast) and %.3f m (faithful)\n", fast, faithful);
    if (!(fast > 0.98 && fast < 1.02 && faithful > 0.98 && faithful < 1.02)) return 1;

    if (rigor::has_linear_programs()) return 2;
    settings.method = rigor::Method::baber2006;
    try {
        rigor::World world(settings);
    } catch (const rigor::UsageError& e) {
        std::printf("%s\n", e.what());
        return 0;
    }
    return 3;
}
