// The tennis racket theorem in ten lines: a box spun about its middle axis flips over.
#include <cstdio>

#include "rigor/rigor.h"

int main() {
    rigor::World world({.gravity = {0, 0, 0}});
    rigor::BodyDef def;
    def.shapes.push_back({.geometry = rigor::BoxDef{{0.1, 0.4, 0.9}}});
    def.angular_velocity = {0.1, 5, 0.1};
    const rigor::BodyId box = world.add_body(def).value();
    for (int i = 1; i <= 600; ++i) {
        world.step(1.0 / 60);
        const rigor::BodyState s = world.state(box);
        const rigor::Vec3d w = inverse_rotate(s.orientation, s.angular_velocity);
        if (i % 60 == 0)
            std::printf("t = %4.1f s: spin about the middle axis %6.3f rad/s\n", world.time(), w.y);
    }
}
