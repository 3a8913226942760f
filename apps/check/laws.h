// The laws with their tolerances, and the worst residual of each.
#pragma once

#include <string_view>

#include "vector.h"

namespace check {

/// Tolerances are relative unless the description ends in a unit.
struct Law {
    std::string_view name;
    double tolerance;
    std::string_view says;
};
inline constexpr std::array kLaws = {
    Law{"coverage", 1e-12, "all bodies are followed at all times, s"},
    Law{"continuity", 3e-11, "a record begins where the last one ended"},
    Law{"unit vectors", 1e-12, "normals and orientations have length 1"},
    Law{"momentum", 1e-9, "p' = sum of the forces"},
    Law{"angular momentum", 1e-9, "L' = sum of the torques"},
    Law{"kinematics", 1e-9, "poses follow the velocities"},
    Law{"energy", 1e-9, "kinetic energy changes by the work of the forces"},
    Law{"statics", 1e-8, "at rest, forces and torques balance"},
    Law{"contact place", 1e-8, "points on both surfaces, normals part them, m"},
    Law{"material", 1e-14, "coefficients follow from the materials"},
    Law{"cone", 1e-8, "contacts push, within the friction cone"},
    Law{"slip", 1e-7, "stick has no slip, friction is against it, m/s"},
    Law{"normal rate", 1e-8, "contacts with a force do not part, m/s"},
    Law{"impact momentum", 1e-10, "momenta change by the impulses alone"},
    Law{"impact energy", 1e-10, "no impact adds energy, beyond its own work"},
    Law{"restitution", 1e-8, "impulses are those of the impact law"},
    Law{"separation", 1e-9, "after an impact no contact approaches"},
    Law{"projection", 2e-5, "what is removed was slow, m/s"},
    Law{"joint place", 1e-8, "anchors, axes and lengths hold, m, rad"},
    Law{"joint force", 1e-9, "joints push along what they hold"},
    Law{"joint work", 1e-9, "ideal joints do no work"},
    Law{"joint action", 1e-8, "limits, motors, friction keep their bounds"},
    Law{"penetration", 2e-8, "bodies do not overlap at events, m"},
    Law{"penetration between", 1e-6, "nor in between, by a bound, m"},
    Law{"displacement", 1e-3, "poses corrected without a velocity, m"},
    // Of fast, in parts of what the certificate claims where the tolerance is 1:
    Law{"step momentum", 1e-4, "momenta change by impulses and gravity"},
    Law{"cone of floats", 1e-5, "contacts push, within the friction cone"},
    Law{"path", 1, "bodies move as fast as they are, of 4 m/s more"},
    Law{"depth", 1, "overlap at the end of a step, as claimed"},
    Law{"joint error", 1, "anchors, axes and lengths, as claimed"},
    Law{"sleep", 1, "what falls asleep was as slow as claimed"},
    Law{"energy gain", 1, "no energy appears, as claimed"},
    Law{"sums", 1e-11, "energy and momenta of all bodies, as stated"},
};

/// A law by its name, which the compiler looks up: a law that is not in the table is an error.
struct LawName {
    std::size_t index = 0;
    consteval LawName(const char* name) {
        while (kLaws[index].name != name) ++index;
    }
};

/// The worst residual of a law, when it was, and between which bodies.
struct Finding {
    double residual = -1; ///< negative: the law was not asked
    double time = 0;
    int a = -1, b = -1;
};
using Findings = std::array<Finding, kLaws.size()>;

/// Where laws are held against a run.
struct Place {
    Findings& findings;
    double time;
    int a, b;

    /// The residual is error / scale; below zero it is none, and what is no number is the worst.
    void add(LawName law, double error, double scale = 1) const {
        const double residual = error > 0 ? error / std::max(scale, 1e-300) : error;
        Finding& worst = findings[law.index];
        if (worst.residual < 0) worst.residual = 0;
        if (!(residual <= worst.residual))
            worst = {std::isnan(residual) ? HUGE_VAL : residual, time, a, b};
    }
    void add(LawName law, LawName angular_law, const Screw& error, Sizes scale) const {
        add(law, length(error.lin), scale.lin);
        add(angular_law, length(error.ang), scale.ang);
    }
};

} // namespace check
