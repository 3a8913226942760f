// Ten boxes fall onto a floor one after another and come to rest as a stack.
#include <cstdio>

#include "rigor/world.h"

int main() {
    rigor::World world;
    rigor::BodyDef floor;
    floor.type = rigor::BodyType::static_body;
    floor.shapes = {{.geometry = rigor::PlaneDef{}}};
    world.add_body(floor).value();

    rigor::BodyId top;
    for (int i = 0; i < 10; ++i) {
        rigor::BodyDef box;
        box.position = {0, 0, 0.5 + 1.05 * i};
        box.shapes = {{.geometry = rigor::BoxDef{{1, 1, 1}}}};
        top = world.add_body(box).value();
    }

    for (int i = 0; i < 5 * 60; ++i) world.step(1.0 / 60);

    const rigor::BodyState state = world.state(top);
    std::printf("the top box rests at a height of %.2f m with a speed of %.3f m/s\n",
                state.position.z, length(state.velocity));
    return state.position.z > 9.4 && length(state.velocity) < 0.01 ? 0 : 1;
}
