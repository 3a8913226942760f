// The laws with their tolerances, and the worst residual of each.
#pragma once

#include "certificate.h"

namespace check {

/// Tolerances are relative unless the description ends in a unit.
struct Law {
    const char* name;
    double tolerance;
    const char* says;
};
namespace law {
inline constexpr Law coverage{"coverage", 1e-12, "all bodies are followed at all times, s"};
inline constexpr Law continuity{"continuity", 3e-11, "a record begins where the last one ended"};
inline constexpr Law units{"unit vectors", 1e-12, "normals and orientations have length 1"};
inline constexpr Law momentum{"momentum", 1e-9, "p' = sum of the forces"};
inline constexpr Law angular{"angular momentum", 1e-9, "L' = sum of the torques"};
inline constexpr Law kinematics{"kinematics", 1e-9, "poses follow the velocities"};
inline constexpr Law energy{"energy", 1e-9, "kinetic energy changes by the work of the forces"};
inline constexpr Law statics{"statics", 1e-8, "at rest, forces and torques balance"};
inline constexpr Law place{"contact place", 1e-8, "points on both surfaces, normals part them, m"};
inline constexpr Law material{"material", 1e-14, "coefficients follow from the materials"};
inline constexpr Law cone{"cone", 1e-8, "contacts push, within the friction cone"};
inline constexpr Law slip{"slip", 1e-7, "stick has no slip, friction is against it, m/s"};
inline constexpr Law hold{"normal rate", 1e-8, "contacts with a force do not part, m/s"};
inline constexpr Law impulse{"impact momentum", 1e-10, "momenta change by the impulses alone"};
inline constexpr Law loss{"impact energy", 1e-10, "no impact adds energy, beyond its own work"};
inline constexpr Law restitution{"restitution", 1e-8, "impulses are those of the impact law"};
inline constexpr Law separation{"separation", 1e-9, "after an impact no contact approaches"};
inline constexpr Law projection{"projection", 2e-5, "what is removed was slow, m/s"};
inline constexpr Law joint{"joint place", 1e-8, "anchors, axes and lengths hold, m, rad"};
inline constexpr Law reaction{"joint force", 1e-9, "joints push along what they hold"};
inline constexpr Law ideal{"joint work", 1e-9, "ideal joints do no work"};
inline constexpr Law action{"joint action", 1e-8, "limits, motors, friction keep their bounds"};
inline constexpr Law overlap{"penetration", 2e-8, "bodies do not overlap at events, m"};
inline constexpr Law between{"penetration between", 1e-6, "nor in between, by a bound, m"};
inline constexpr Law moved{"displacement", 1e-3, "poses corrected without a velocity, m"};
// Of fast, in parts of what the certificate claims where the tolerance is 1:
inline constexpr Law step{"step momentum", 1e-4, "momenta change by impulses and gravity"};
inline constexpr Law float_cone{"cone of floats", 1e-5, "contacts push, within the friction cone"};
inline constexpr Law path{"path", 1, "bodies move as fast as they are, of 4 m/s more"};
inline constexpr Law depth{"depth", 1, "overlap at the end of a step, as claimed"};
inline constexpr Law drift{"joint error", 1, "anchors, axes and lengths, as claimed"};
inline constexpr Law sleep{"sleep", 1, "what falls asleep was as slow as claimed"};
inline constexpr Law gain{"energy gain", 1, "no energy appears, as claimed"};
inline constexpr Law sums{"sums", 1e-11, "energy and momenta of all bodies, as stated"};
} // namespace law

/// When, and between which bodies.
struct Place {
    double time = 0;
    int a = -1, b = -1;
};

/// The worst of a law.
struct Finding {
    double residual = 0;
    Place place;
};

class Findings {
  public:
    /// What is not a number is worse than any.
    void add(const Law& law, double residual, const Place& place);
    const std::map<const Law*, Finding>& worst() const { return worst_; }

  private:
    std::map<const Law*, Finding> worst_;
};

} // namespace check
