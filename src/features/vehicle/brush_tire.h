// The brush tire of [Pacejka 2012, chapter 3] and [Svendenius 2007], with combined slip, and its
// transients at low speed.
//
// Bristles of stiffness C/L deflect by u. While the tire rolls at speed w = |spin| r the
// deflection follows the slip velocity s of the contact:
//
//     du/dt = -s - w u/L        at rest: u/L = -s/w, the slip of steady rolling
//
// so that a tire that does not roll is a spring: a car with its brakes on stays at rest on a slope.
// The force is that of the brush model for the slip u/L: with psi = |(Cx ux, Cy uy)| / (3 mu N L)
//
//     F_i = C_i u_i/L (1 - psi)² + mu N psi² (3 - 2 psi) u_i/|u|     psi < 1: part of it slides
//     F   = mu N u/|u|                                              psi = 1: all of it slides
#pragma once

#include "rigor/vehicle.h"

namespace rigor::vehicle {

/// What acts on one wheel during a step. Index 0 is forward, 1 to the left.
struct TireStep {
    double load = 0;          ///< N
    double friction = 0;      ///< at this load
    double radius = 0;        ///< from the axle to the contact, m
    double inertia = 1;       ///< about the axle, kg m²
    double drive = 0;         ///< N m; drives no faster than max_spin
    double max_spin = 0;      ///< rad/s, not negative
    double brake = 0;         ///< N m of dry friction
    double velocity[2]{};     ///< of the hub over the contact, against the ground
    double acceleration[2]{}; ///< of it, by other forces
    double inverse_mass[2]{}; ///< its acceleration per tire force, an upper bound
    double spin = 0;          ///< rad/s
    double deflection[2]{};   ///< m
};

/// What comes of it: the state at the end, and means over the step.
struct TireOutcome {
    double spin = 0;
    double deflection[2]{};
    double force[2]{};
    double drive = 0, brake = 0; ///< torques on the wheel, N m
};

/// The step in implicit substeps. A wheel is light and its tire stiff: an explicit force would make
/// its spin diverge at 60 steps per second.
TireOutcome advance_tire(const TireDef& tire, const TireStep& step, double dt);

} // namespace rigor::vehicle
