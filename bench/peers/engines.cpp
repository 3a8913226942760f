// The engines that are measured: those found when the program was built.

#include "bench/peers/peer.h"

namespace rigor::bench {

#ifndef RIGOR_HAS_BULLET
Engine bullet_engine() {
    return {.name = "bullet", .package = "libbullet-dev"};
}
#endif
#ifndef RIGOR_HAS_ODE
Engine ode_engine() {
    return {.name = "ode", .package = "libode-dev"};
}
#endif
#ifndef RIGOR_HAS_MUJOCO
Engine mujoco_engine() {
    return {.name = "mujoco", .package = "libmujoco-dev"};
}
#endif

const std::vector<Engine>& engines() {
    static const std::vector<Engine> all{rigor_engine(), bullet_engine(), ode_engine(),
                                         mujoco_engine()};
    return all;
}

} // namespace rigor::bench
