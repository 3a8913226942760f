// Free flight, integrated independently: a parabola, and torque-free rotation by Taylor series.
#pragma once

#include "certificate.h"

namespace check {

/// Velocities of a body from its momenta; locked axes do not turn.
struct Velocity {
    Vec v, w;
};
Velocity velocity(const Body& body, const State& state);
double kinetic_energy(const Body& body, const State& state);
/// Without what locks take up.
Wrench unlocked(const Body& body, Wrench wrench);

/// After a time, under a constant force; kinematic bodies keep their velocities.
State fly(const Body& body, const State& from, Vec force, double time);

} // namespace check
