// WorldSettings: method, gravity, substeps, threads, contact laws.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "rigor/export.h"
#include "rigor/impact.h"
#include "rigor/periodic.h"

namespace rigor {

/// Integrator of free motion. All integrate (x, q, P, L): position, orientation, momentum and
/// angular momentum, so without torque L stays constant to the bit.
enum class Integrator {
    euler,      ///< explicit Euler: first order, gains energy; for comparison
    symplectic, ///< momentum first, then position: first order, cheapest
    rk4,        ///< fourth-order Runge-Kutta
    exact,      ///< free rotation in closed form; kick, rotate, kick under torque
};

RIGOR_API std::string_view name(Integrator integrator);
RIGOR_API std::optional<Integrator> integrator_named(std::string_view name);

/// The method of simulation, above all of contacts.
enum class Method {
    free,     ///< no contacts and joints: each body moves by itself
    fast,     ///< soft constraints and substeps, in single precision and SIMD: for many bodies
    faithful, ///< event-driven, with exact laws of impact and friction
    // Methods from the literature, as published (docs/theory/methods.md):
    baber2006,
    kavan2003,
    baber2011,
    kenwright,
    galoppo2007,
    penalty, ///< springs and dampers
};

RIGOR_API std::string_view name(Method method);
RIGOR_API std::optional<Method> method_named(std::string_view name);

/// Rule for simultaneous impacts.
enum class MultiImpact {
    propagation,  ///< one contact at a time, until all separate [Baber 2006, 3.4]
    simultaneous, ///< Newton's law for all contacts as one LCP, touching ones included; repeated
    reflections,  ///< generalized reflections [Smith 2012], ended as in [Vouga 2017]
};

/// Which approaching contact `propagation` resolves first.
enum class ContactOrder {
    fastest, ///< the fastest approach; of equal ones the first
    listed,  ///< the first of the list, as [Baber 2006, 3.4] has it
};

RIGOR_API std::string_view name(ContactOrder order);
RIGOR_API std::optional<ContactOrder> contact_order_named(std::string_view name);

RIGOR_API std::string_view name(MultiImpact rule);
RIGOR_API std::optional<MultiImpact> multi_impact_named(std::string_view name);

/// Rule for resting contacts.
enum class RestingRule {
    lp,         ///< forces by a linear program that guesses which contacts open [Baber 2006]
    lcp,        ///< forces without friction, exactly
    cone,       ///< forces with friction, exactly
    separation, ///< bodies are separated to a small distance [Kavan 2003]
    micro,      ///< micro-collisions: a sequence of small impacts [Mirtich 1996b]
    penalty,    ///< springs and dampers
    none,       ///< impulses only, under which bodies sink [Baber 2006, 3.4]
    projection, ///< overlapping bodies are moved apart by the penetration depth [Kenwright]
};

RIGOR_API std::string_view name(RestingRule rule);
RIGOR_API std::optional<RestingRule> resting_rule_named(std::string_view name);

/// How the time of impact is found.
enum class Detection {
    static_only,  ///< "static": at the ends of steps only
    substep,      ///< [Kavan 2003, 3.2]
    bisection,    ///< [Galoppo 2007]
    advancement,  ///< conservative advancement: cannot miss
    regula_falsi, ///< as bisection, by false position (named in [Kavan 2003, 1.1])
};

RIGOR_API std::string_view name(Detection detection);
RIGOR_API std::optional<Detection> detection_named(std::string_view name);

/// Settings of the methods other than `fast`. A setting that is not given has the default of the
/// method, which the table of settings (rigor/settings_table.h) lists.
struct ContactLaws {
    std::optional<Integrator> integrator; ///< of the methods from the literature
    std::optional<ImpactLaw> impact;
    std::optional<MultiImpact> multi;
    std::optional<RestingRule> resting;
    std::optional<Detection> detection;
    std::optional<double> tolerance;           ///< m/s: restitution threshold
    std::optional<double> delta;               ///< impulse step of the laws `euler` and `mirtich`
    std::optional<double> delta_absolute;      ///< N s: the same, as [Baber 2011] prints it
    std::optional<ContactOrder> contact_order; ///< of the rule `propagation`
    std::optional<bool> separating_impulses;   ///< impulses also at separating overlaps
    std::optional<bool> keep_velocity;         ///< of the resting rule `projection`
    std::optional<double> penalty_depth;       ///< m: where a penalty spring carries the weight
    std::optional<double> separation_distance; ///< m: of the resting rule `separation`
    std::uint64_t max_events = 100'000;        ///< per step; a step that needs more ends early
    double max_wall_seconds = 60;              ///< per step; likewise
    /// When a step of `faithful` needs too many events, as in a large clattering pile, it falls
    /// back to fixed substeps of at most 1/240 s (Moreau time stepping [Moreau 1988]);
    /// StepReport::fixed_steps counts them. False: every event is resolved, at any cost.
    bool fixed_steps = true;
};

struct WorldSettings {
    Vec3d gravity{0, 0, -9.81};
    Integrator integrator = Integrator::exact; ///< of bodies without contacts
    std::optional<int> substeps = {};          ///< of each step; none: default_substeps(method)
    int threads = 1;                           ///< results do not depend on it
    Method method = Method::fast;
    /// SIMD width of `fast`: 1, 4 or 8 contacts at a time, 0 for the best of the machine. Results
    /// do not depend on it either.
    int lanes = 0;
    /// Whether `fast` puts bodies to sleep that have been at rest for half a second; each body may
    /// forbid it (BodyDef::can_sleep).
    bool may_sleep = true;
    double hit_speed = 1; ///< m/s: slower impacts are not reported (Events::hits)
    /// Budget of computing time for all steps of a world: the step that exceeds it ends early, and
    /// later steps do nothing. None: no limit.
    std::optional<double> max_run_seconds = {};
    ContactLaws laws = {};
    /// Periodic boundaries: a body that leaves the cell on one side enters it on the opposite side,
    /// and bodies collide across its sides. Every body that is not static must be smaller than half
    /// of the cell; a larger static body, such as a plane, exists once and not in every image.
    /// Queries see only the bodies of this cell.
    std::optional<PeriodicBox> periodic = {};
    /// MB of 2^20 bytes: of World::memory_bytes() and of what the process grows by during a step. A
    /// step in which it is used up ends early, and later ones do not begin. None: no limit.
    std::optional<double> max_memory_mb = {};
};

/// Default number of substeps of a method.
RIGOR_API int default_substeps(Method method);
/// Number of substeps per step: the given one, or the default of the method.
RIGOR_API int substeps_of(const WorldSettings& settings);

} // namespace rigor
