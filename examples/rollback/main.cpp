// Rollback: a snapshot is taken, a future is tried out, and the world goes back to try another.
#include <cstdio>

#include "rigor/world.h"

namespace {

void run(rigor::World& world, int steps) {
    for (int i = 0; i < steps; ++i) world.step(1.0 / 60);
}

} // namespace

int main() {
    rigor::World world;
    rigor::BodyDef floor;
    floor.type = rigor::BodyType::static_body;
    floor.shapes = {{.geometry = rigor::PlaneDef{}}};
    world.add_body(floor).value();
    rigor::BodyDef def;
    def.position = {0, 0, 3};
    def.shapes = {{.geometry = rigor::BoxDef{}}};
    const rigor::BodyId box = world.add_body(def).value();
    run(world, 30);

    const rigor::Snapshot before = world.snapshot();
    run(world, 60);
    const std::uint64_t undisturbed = world.state_hash();

    world.restore(before); // the other future: the box is pushed where a ray hits it
    const auto hit =
        world.cast_ray({.origin = {-10, 0, world.pose(box).p.z}, .direction = {1, 0, 0}});
    if (!hit || hit->body != box) return 1;
    world.apply_impulse_at(box, {3000, 0, 0}, hit->point);
    run(world, 60);
    std::printf("pushed at x = %.2f m, the box slides to x = %.2f m\n", hit->point.x,
                world.pose(box).p.x);
    const bool moved = world.pose(box).p.x > 0.5;

    world.restore(before); // and the first one again, to the bit
    run(world, 60);
    const bool same = world.state_hash() == undisturbed;
    std::printf("without the push, again: %s\n", same ? "the same bits" : "other bits");
    return moved && same ? 0 : 1;
}
