// How a world is stepped.
#pragma once

#include <optional>
#include <string_view>

#include "rigor/vec.h"

namespace rigor {

/// How a body moves between contacts. All work on (x, q, P, L): position, orientation,
/// momentum and angular momentum, so without torque L keeps its very bits.
enum class Integrator {
    euler,      ///< explicit Euler: first order, gains energy; for comparison
    symplectic, ///< momentum first, then position: first order, cheapest
    rk4,        ///< fourth-order Runge-Kutta
    exact,      ///< free rotation in closed form; kick, rotate, kick under torque
};

std::string_view name(Integrator integrator);
std::optional<Integrator> integrator_named(std::string_view name);

/// What happens where bodies meet.
enum class Method {
    free, ///< nothing: each moves as if it were alone
    fast, ///< soft contacts with friction, many bodies at a time
};

struct WorldSettings {
    Vec3d gravity{0, 0, -9.81};
    Integrator integrator = Integrator::exact; ///< of bodies that touch nothing
    int substeps = 1; ///< equal parts each step is divided into, at least 1; 4 suit `fast`
    int threads = 1;  ///< results do not depend on it
    Method method = Method::free;
    /// How many contacts `fast` solves at a time: 1, 4 or 8, 0 for what suits the machine. Results
    /// do not depend on it either.
    int lanes = 0;
    /// Whether `fast` puts bodies to sleep that have been still for half a second; each of them may
    /// forbid it (BodyDef::can_sleep).
    bool may_sleep = true;
    double hit_speed = 1; ///< m/s: meetings slower than this are no hits (Events::hits)
};

} // namespace rigor
