// A door on a hinge, driven by a motor, pushes a ball away. Contacts are polled after each step.
#include <cstdio>

#include "rigor/world.h"

int main() {
    rigor::World world({.gravity = {0, 0, 0}, .hit_speed = 0.1});

    rigor::BodyDef def;
    def.position = {0.5, 0, 0};
    def.shapes = {{.geometry = rigor::BoxDef{{1, 0.1, 2}}}};
    const rigor::BodyId door = world.add_body(def).value();
    def.position = {0.5, 0.8, 0};
    def.shapes = {{.geometry = rigor::SphereDef{0.2}}};
    const rigor::BodyId ball = world.add_body(def).value();

    const rigor::MotorDef motor{.target_velocity = 1, .max_force = 5000}; // rad/s, N m
    // About z, at one end of the door; a null body is the world.
    const rigor::HingeJoint hinge{
        .axis = {0, 0, 1}, .limits = rigor::Range{0, 1.5}, .motor = motor};
    const rigor::JointId joint = world.add_joint({.b = door, .kind = hinge}).value();

    int hits = 0;
    for (int i = 0; i < 3 * 60; ++i) {
        world.step(1.0 / 60);
        for (const rigor::ContactHit& hit : world.events().hits) {
            std::printf("t = %.2f s: the door hits the ball at %.2f m/s\n", world.time(),
                        hit.speed);
            ++hits;
        }
    }
    const double angle = world.joint_state(joint).coordinate;
    const double speed = length(world.state(ball).velocity);
    std::printf("the door is open by %.2f rad; the ball flies at %.2f m/s\n", angle, speed);
    return hits > 0 && angle > 1.45 && angle < 1.55 && speed > 0.3 ? 0 : 1;
}
