// Drivers: what moves a body from outside the physics.
#pragma once

#include <string>
#include <vector>

#include "rigor/pose.h"

namespace rigor {

struct Keyframe {
    double time = 0;
    Posed pose;
};

/// What moves a kinematic body: keyframes, or an input device.
struct DriverDef {
    std::vector<Keyframe> keyframes; ///< times ascend
    bool loop = false;
    std::string input;       ///< "mouse", "keys", "socket"; empty: keyframes
    std::vector<Posed> grid; ///< 9 key poses, rows of a 3 x 3 grid; or none
    double grip = 1;         ///< how soon control returns after a hit: larger is sooner
};

} // namespace rigor
