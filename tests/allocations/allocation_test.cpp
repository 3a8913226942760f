// A step that is like those before it allocates nothing. This program counts every allocation.

#include <atomic>
#include <cstdlib>
#include <new>

#include "rigor/world.h"
#include "test_support.h"

namespace {
std::atomic<long> allocations{0};
}

void* operator new(std::size_t size) {
    ++allocations;
    if (void* memory = std::malloc(size)) return memory;
    throw std::bad_alloc();
}
void operator delete(void* memory) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
    std::free(memory);
}

namespace rigor::test {
namespace {

TEST(Allocations, AWarmStepHasNone) {
    // Boxes, balls and chains, at rest and swinging, with two threads.
    WorldSettings settings;
    settings.threads = 2;
    settings.may_sleep = false;
    World world(settings);
    BodyDef def;
    ShapeDef shape;
    shape.geometry = BoxDef{{100, 100, 2}};
    def.type = BodyType::static_body;
    def.position = {0, 0, -1};
    def.shapes.push_back(shape);
    world.add_body(def).value();
    def.type = BodyType::dynamic_body;
    for (int i = 0; i < 300; ++i) {
        if (i % 2 == 0)
            def.shapes[0].geometry = BoxDef{{1, 1, 1}};
        else
            def.shapes[0].geometry = SphereDef{0.5};
        def.position = {(i % 10) * 1.05, (i / 10 % 10) * 1.05, 0.5 + 1.02 * (i / 100)};
        world.add_body(def).value();
    }
    BodyId last;
    def.shapes[0].geometry = CapsuleDef{0.05, 0.3};
    for (int i = 0; i < 20; ++i) {
        def.position = {-20 + 0.4 * i, 0, 20};
        const BodyId link = world.add_body(def).value();
        const Vec3d anchor{-20.2 + 0.4 * i, 0, 20};
        world.add_joint({.a = last, .b = link, .anchor = anchor, .kind = BallJoint{}}).value();
        last = link;
    }
    for (int i = 0; i < 600; ++i) world.step(1.0 / 60);
    const long before = allocations;
    for (int i = 0; i < 100; ++i) world.step(1.0 / 60);
    EXPECT_EQ(allocations - before, 0);
}

} // namespace
} // namespace rigor::test
