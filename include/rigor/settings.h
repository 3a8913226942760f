// WorldSettings: method, gravity, substeps, threads, contact laws.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "rigor/export.h"
#include "rigor/impact.h"
#include "rigor/periodic.h"

namespace rigor {

/// How a body moves between contacts. All work on (x, q, P, L): position, orientation,
/// momentum and angular momentum, so without torque L keeps its very bits.
enum class Integrator {
    euler,      ///< explicit Euler: first order, gains energy; for comparison
    symplectic, ///< momentum first, then position: first order, cheapest
    rk4,        ///< fourth-order Runge-Kutta
    exact,      ///< free rotation in closed form; kick, rotate, kick under torque
};

RIGOR_API std::string_view name(Integrator integrator);
RIGOR_API std::optional<Integrator> integrator_named(std::string_view name);

/// What happens where bodies meet.
enum class Method {
    free,     ///< nothing: each moves as if it were alone
    fast,     ///< soft contacts with friction, many bodies at a time
    faithful, ///< from event to event, by the laws of impact and friction
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

/// In which order contacts are treated that are hit at one moment.
enum class MultiImpact {
    propagation,  ///< one at a time, the fastest approach first, until all part [Baber 2006, 3.4]
    simultaneous, ///< Newton's law for all at once, touching ones too, as one LCP; repeated
    reflections,  ///< generalized reflections [Smith 2012], ended as in [Vouga 2017]
};

/// Which approaching contact `propagation` treats first.
enum class ContactOrder {
    fastest, ///< the fastest approach; of equal ones the first
    listed,  ///< the first of the list, as [Baber 2006, 3.4] has it
};

RIGOR_API std::string_view name(ContactOrder order);
RIGOR_API std::optional<ContactOrder> contact_order_named(std::string_view name);

RIGOR_API std::string_view name(MultiImpact rule);
RIGOR_API std::optional<MultiImpact> multi_impact_named(std::string_view name);

/// How contacts that last are held.
enum class RestingRule {
    lp,         ///< forces by a linear program that guesses who parts [Baber 2006]
    lcp,        ///< forces without friction, exactly
    cone,       ///< forces with friction, exactly
    separation, ///< pushed apart to a small distance [Kavan 2003]
    micro,      ///< a train of small impacts [Mirtich 1996b]
    penalty,    ///< springs and dampers
    none,       ///< not at all: impulses alone, under which bodies sink [Baber 2006, 3.4]
    projection, ///< overlapping bodies are moved apart by their depth [Kenwright]
};

RIGOR_API std::string_view name(RestingRule rule);
RIGOR_API std::optional<RestingRule> resting_rule_named(std::string_view name);

/// How the time of contact is found.
enum class Detection {
    static_only,  ///< "static": at the ends of steps only
    substep,      ///< [Kavan 2003, 3.2]
    bisection,    ///< [Galoppo 2007]
    advancement,  ///< conservative advancement: cannot miss
    regula_falsi, ///< as bisection, by false position (named in [Kavan 2003, 1.1])
};

RIGOR_API std::string_view name(Detection detection);
RIGOR_API std::optional<Detection> detection_named(std::string_view name);

/// Settings of the methods other than `fast`. What is not given is the method's own choice; the
/// table of settings (rigor/settings_table.h) has the values.
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
    std::optional<bool> separating_impulses;   ///< overlapping contacts that part get impulses too
    std::optional<bool> keep_velocity;         ///< of the resting rule `projection`
    std::optional<double> penalty_depth;       ///< m: at which a spring carries the body's weight
    std::optional<double> separation_distance; ///< m: of the resting rule `separation`
    std::uint64_t max_events = 100'000;        ///< of a step; one that needs more ends early
    double max_wall_seconds = 60;              ///< of a step; likewise
    /// When a step of `faithful` needs too many events, as of a large pile that clatters, it falls
    /// back to fixed substeps of at most 1/240 s (Moreau time stepping [Moreau 1988]);
    /// StepReport::fixed_steps counts them. False: every event is followed, at any cost.
    bool fixed_steps = true;
};

struct WorldSettings {
    Vec3d gravity{0, 0, -9.81};
    Integrator integrator = Integrator::exact; ///< of bodies without contacts
    std::optional<int> substeps = {};          ///< of each step; none: default_substeps(method)
    int threads = 1;                           ///< results do not depend on it
    Method method = Method::fast;
    /// How many contacts `fast` solves at a time: 1, 4 or 8, 0 for what suits the machine. Results
    /// do not depend on it either.
    int lanes = 0;
    /// Whether `fast` puts bodies to sleep that have been at rest for half a second; each body may
    /// forbid it (BodyDef::can_sleep).
    bool may_sleep = true;
    double hit_speed = 1; ///< m/s: slower impacts are not reported (Events::hits)
    /// Computing time of all steps of a world together: the step in which it is used up ends early,
    /// and later ones do not begin. None: no limit.
    std::optional<double> max_run_seconds = {};
    ContactLaws laws = {};
    /// The world is one cell of infinitely many that are alike: what leaves it on one side comes in
    /// on the other, and bodies meet across its sides. Every body that is not static must be
    /// smaller than half of it; a static one that is not, a plane for one, is there once and not
    /// in every cell. Queries know the bodies of this cell alone.
    std::optional<PeriodicBox> periodic = {};
    /// MB of 2^20 bytes: of World::memory_bytes() and of what the process grows by during a step. A
    /// step in which it is used up ends early, and later ones do not begin. None: no limit.
    std::optional<double> max_memory_mb = {};
};

/// The substeps of a method that is given none.
RIGOR_API int default_substeps(Method method);
/// Those that a step is divided into.
RIGOR_API int substeps_of(const WorldSettings& settings);

} // namespace rigor
