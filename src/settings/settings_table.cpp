// The entries of the table of settings.

#include "rigor/settings_table.h"

#include "settings/setting_access.h"

namespace rigor {
namespace {

using enum Method;
using Default = std::optional<SettingValue>;

constexpr MethodSet kAll = {free,      fast,      faithful,    baber2006, kavan2003,
                            baber2011, kenwright, galoppo2007, penalty};
constexpr MethodSet kLiterature = {baber2006, kavan2003,   baber2011,
                                   kenwright, galoppo2007, penalty};
constexpr MethodSet kEventDriven = {faithful,  baber2006,   kavan2003, baber2011,
                                    kenwright, galoppo2007, penalty};

std::vector<std::string_view> all_names(ChoiceNames names) {
    return {names.begin(), names.end()};
}

template <HasChoiceNames E>
Default choice(E value) {
    return std::string(name_of(value));
}

/// The default of the struct, the same for every method.
template <auto Member>
Default initial(Method) {
    return get_field<Member>(WorldSettings{});
}

// ---- choices

Default default_integrator(Method method) {
    switch (method) {
        case free:
        case fast:
            return choice(Integrator::exact);
        case faithful:
            return std::nullopt;
        case kavan2003:
        case kenwright:
        case penalty:
            return choice(Integrator::symplectic);
        default:
            return choice(Integrator::rk4);
    }
}

Default default_impact(Method method) {
    switch (method) {
        case faithful:
            return choice(ImpactLaw::energetic);
        case baber2011:
            return choice(ImpactLaw::euler);
        default:
            return choice(ImpactLaw::newton);
    }
}

/// kenwright treats each contact once, in turn, unless a rule is given.
Default default_multi(Method method) {
    if (method == kenwright) return std::nullopt;
    return choice(method == faithful ? MultiImpact::reflections : MultiImpact::propagation);
}

Default default_resting(Method method) {
    switch (method) {
        case kavan2003:
            return choice(RestingRule::separation);
        case baber2011:
            return choice(RestingRule::micro);
        case galoppo2007:
        case penalty:
            return choice(RestingRule::penalty);
        case kenwright:
            return choice(RestingRule::none);
        default:
            return choice(RestingRule::lp);
    }
}

Default default_detection(Method method) {
    switch (method) {
        case kavan2003:
            return choice(Detection::substep);
        case baber2011:
            return choice(Detection::advancement);
        case galoppo2007:
            return choice(Detection::bisection);
        default:
            return choice(Detection::static_only);
    }
}

Setting integrator() {
    Setting s{
        .name = "integrator",
        .label = "Integrator",
        .help = "How a body moves between contacts.",
        .type = SettingType::choice,
        .methods = {free, fast, baber2006, kavan2003, baber2011, kenwright, galoppo2007, penalty},
        .choices = all_names(kChoiceNames<Integrator>),
        .default_of = default_integrator};
    // Two fields: that of bodies without contacts under free and fast, and that of the methods from
    // the literature, which each bring their own.
    s.get = [](const WorldSettings& settings) {
        const bool is_own = settings.method == free || settings.method == fast;
        return is_own && !settings.laws.integrator ? to_value(settings.integrator)
                                                   : get_field<&ContactLaws::integrator>(settings);
    };
    s.set = [](WorldSettings& settings, const SettingValue& value) {
        set_field<&WorldSettings::integrator>(settings, value);
        set_field<&ContactLaws::integrator>(settings, value);
    };
    return s;
}

void add_impact_choices(std::vector<Setting>& table) {
    table.push_back({.name = "impact",
                     .label = "Impact law",
                     .help = "Law of a single impact; euler is baber2011 as printed.",
                     .type = SettingType::choice,
                     .methods = kEventDriven,
                     .choices = all_names(kChoiceNames<ImpactLaw>),
                     .conditions = {{{kenwright}, "multi"},
                                    {kLiterature, "multi", {"propagation", "reflections"}},
                                    {{penalty}, "tolerance"}},
                     .default_of = default_impact,
                     .get = get_field<&ContactLaws::impact>,
                     .set = set_field<&ContactLaws::impact>});
    table.push_back({.name = "multi",
                     .label = "Simultaneous impacts",
                     .help = "Rule for several impacts at one time.",
                     .type = SettingType::choice,
                     .methods = kEventDriven,
                     .choices = all_names(kChoiceNames<MultiImpact>),
                     .conditions = {{{penalty}, "tolerance"}},
                     .default_of = default_multi,
                     .get = get_field<&ContactLaws::multi>,
                     .set = set_field<&ContactLaws::multi>});
    table.push_back(
        {.name = "contact_order",
         .label = "Order of contacts",
         .help = "Which approaching contact the rule propagation treats first.",
         .type = SettingType::choice,
         .methods = kLiterature,
         .choices = all_names(kChoiceNames<ContactOrder>),
         .conditions = {{kLiterature, "multi", {"propagation"}}, {{penalty}, "tolerance"}},
         .default_of = [](Method) { return choice(ContactOrder::fastest); },
         .get = get_field<&ContactLaws::contact_order>,
         .set = set_field<&ContactLaws::contact_order>});
    table.push_back({.name = "separating_impulses",
                     .label = "Impulses while separating",
                     .help = "Whether overlapping contacts that separate get an impulse, which "
                             "pulls them together (the error of baber2006, video 04).",
                     .type = SettingType::boolean,
                     .methods = {baber2006},
                     .default_of = [](Method) { return Default(false); },
                     .get = get_field<&ContactLaws::separating_impulses>,
                     .set = set_field<&ContactLaws::separating_impulses>});
}

void add_choices(std::vector<Setting>& table) {
    table.push_back(integrator());
    add_impact_choices(table);
    table.push_back({.name = "resting",
                     .label = "Resting contact",
                     .help = "Rule for resting contact.",
                     .type = SettingType::choice,
                     .methods = kLiterature,
                     .choices = all_names(kChoiceNames<RestingRule>),
                     .default_of = default_resting,
                     .get = get_field<&ContactLaws::resting>,
                     .set = set_field<&ContactLaws::resting>});
    table.push_back({.name = "detection",
                     .label = "Collision timing",
                     .help = "How the time of impact is found.",
                     .type = SettingType::choice,
                     .methods = kLiterature,
                     .choices = all_names(kChoiceNames<Detection>),
                     .default_of = default_detection,
                     .get = get_field<&ContactLaws::detection>,
                     .set = set_field<&ContactLaws::detection>});
}

// ---- numbers

/// Of kenwright every approach is an impact, of penalty none: no positive speed says so.
Default default_tolerance(Method method) {
    switch (method) {
        case faithful:
            return 1e-5;
        case kavan2003:
            return 0.2;
        case baber2011:
            return 0.15;
        case kenwright:
        case penalty:
            return std::nullopt;
        default:
            return 0.05;
    }
}

void add_impulse_steps(std::vector<Setting>& table) {
    table.push_back(
        {.name = "delta",
         .label = "Impulse step",
         .help = "Impulse step of impact laws that integrate over the impulse, as a "
                 "share of the whole impulse.",
         .methods = kEventDriven,
         .excludes_min = true,
         .conditions = {{kEventDriven, "impact", {"euler", "mirtich"}}, {{penalty}, "tolerance"}},
         .default_of = [](Method) { return Default(1e-3); },
         .get = get_field<&ContactLaws::delta>,
         .set = set_field<&ContactLaws::delta>});
    table.push_back(
        {.name = "delta_absolute",
         .label = "Absolute impulse step",
         .help = "The same as an impulse, as baber2011 prints it; it replaces delta.",
         .unit = "N s",
         .methods = kLiterature,
         .excludes_min = true,
         .conditions = {{kLiterature, "impact", {"euler", "mirtich"}}, {{penalty}, "tolerance"}},
         .default_of = [](Method) { return Default(); },
         .get = get_field<&ContactLaws::delta_absolute>,
         .set = set_field<&ContactLaws::delta_absolute>});
}

void add_lengths_and_speeds(std::vector<Setting>& table) {
    table.push_back({.name = "tolerance",
                     .label = "Restitution threshold",
                     .help = "Restitution threshold: impacts slower than this do not bounce.",
                     .unit = "m/s",
                     .methods = kEventDriven,
                     .excludes_min = true,
                     .default_of = default_tolerance,
                     .get = get_field<&ContactLaws::tolerance>,
                     .set = set_field<&ContactLaws::tolerance>});
    table.push_back({.name = "penalty_depth",
                     .label = "Penalty depth",
                     .help = "Penetration at which a penalty spring carries the body's weight.",
                     .unit = "m",
                     .methods = kLiterature,
                     .excludes_min = true,
                     .conditions = {{kLiterature, "resting", {"penalty"}}},
                     .default_of = [](Method) { return Default(1e-3); },
                     .get = get_field<&ContactLaws::penalty_depth>,
                     .set = set_field<&ContactLaws::penalty_depth>});
    table.push_back({.name = "separation_distance",
                     .label = "Separation distance",
                     .help = "Distance to which the resting rule separation moves bodies apart.",
                     .unit = "m",
                     .methods = kLiterature,
                     .excludes_min = true,
                     .default_of = [](Method) { return Default(1e-3); },
                     .get = get_field<&ContactLaws::separation_distance>,
                     .set = set_field<&ContactLaws::separation_distance>});
    table.push_back({.name = "keep_velocity",
                     .label = "Keep velocities",
                     .help = "Whether bodies that the resting rule projection moves keep their "
                             "velocities; else they are set to zero.",
                     .type = SettingType::boolean,
                     .methods = kLiterature,
                     .conditions = {{kLiterature, "resting", {"projection"}}},
                     .default_of = [](Method) { return Default(true); },
                     .get = get_field<&ContactLaws::keep_velocity>,
                     .set = set_field<&ContactLaws::keep_velocity>});
    table.push_back({.name = "hit_speed",
                     .label = "Hit speed",
                     .help = "Impacts slower than this are not reported as hits.",
                     .unit = "m/s",
                     .methods = {fast, faithful, baber2006, kavan2003, baber2011, kenwright,
                                 galoppo2007, penalty},
                     .default_of = initial<&WorldSettings::hit_speed>,
                     .get = get_field<&WorldSettings::hit_speed>,
                     .set = set_field<&WorldSettings::hit_speed>});
}

// ---- stepping

void add_stepping(std::vector<Setting>& table) {
    table.push_back({.name = "substeps",
                     .label = "Substeps",
                     .help = "Substeps that each time step is divided into.",
                     .type = SettingType::integer,
                     .methods = {free, fast},
                     .min = 1,
                     .max = 10'000,
                     .default_of = [](Method m) { return Default(to_value(default_substeps(m))); },
                     .get = get_field<&WorldSettings::substeps>,
                     .set = set_field<&WorldSettings::substeps>});
    table.push_back({.name = "fixed_steps",
                     .label = "Fixed substeps",
                     .help = "Whether a step with too many events may fall back to fixed substeps "
                             "(Moreau time stepping).",
                     .type = SettingType::boolean,
                     .methods = {faithful},
                     .default_of = initial<&ContactLaws::fixed_steps>,
                     .get = get_field<&ContactLaws::fixed_steps>,
                     .set = set_field<&ContactLaws::fixed_steps>});
    table.push_back({.name = "may_sleep",
                     .label = "Sleeping",
                     .help = "Whether bodies at rest may fall asleep.",
                     .type = SettingType::boolean,
                     .methods = {fast},
                     .default_of = initial<&WorldSettings::may_sleep>,
                     .get = get_field<&WorldSettings::may_sleep>,
                     .set = set_field<&WorldSettings::may_sleep>});
}

void add_budgets(std::vector<Setting>& table) {
    table.push_back({.name = "max_events",
                     .label = "Event budget",
                     .help = "Events of one step after which it stops early.",
                     .type = SettingType::integer,
                     .methods = kEventDriven,
                     .min = 1,
                     .max = 1e12,
                     .conditions = {{{baber2006, kenwright},
                                     "detection",
                                     {"substep", "bisection", "advancement", "regula_falsi"}}},
                     .default_of = initial<&ContactLaws::max_events>,
                     .get = get_field<&ContactLaws::max_events>,
                     .set = set_field<&ContactLaws::max_events>});
    table.push_back({.name = "max_wall_seconds",
                     .label = "Time budget",
                     .help = "Computing time of one step after which it stops early.",
                     .unit = "s",
                     .methods = kAll,
                     .excludes_min = true,
                     .default_of = initial<&ContactLaws::max_wall_seconds>,
                     .get = get_field<&ContactLaws::max_wall_seconds>,
                     .set = set_field<&ContactLaws::max_wall_seconds>});
    table.push_back({.name = "max_run_seconds",
                     .label = "Time of a run",
                     .help = "Computing time of all steps together, or of a whole rigor run, after "
                             "which it ends.",
                     .unit = "s",
                     .methods = kAll,
                     .excludes_min = true,
                     .default_of = initial<&WorldSettings::max_run_seconds>,
                     .get = get_field<&WorldSettings::max_run_seconds>,
                     .set = set_field<&WorldSettings::max_run_seconds>});
    table.push_back({.name = "max_memory_mb",
                     .label = "Memory budget",
                     .help = "Memory of a world after which its steps end.",
                     .unit = "MB",
                     .methods = kAll,
                     .excludes_min = true,
                     .default_of = initial<&WorldSettings::max_memory_mb>,
                     .get = get_field<&WorldSettings::max_memory_mb>,
                     .set = set_field<&WorldSettings::max_memory_mb>});
}

void add_machine(std::vector<Setting>& table) {
    table.push_back({.name = "threads",
                     .label = "Threads",
                     .help = "Worker threads; results do not depend on it.",
                     .type = SettingType::integer,
                     .methods = kAll,
                     .min = 1,
                     .max = 1024,
                     .in_scenes = false,
                     .default_of = initial<&WorldSettings::threads>,
                     .get = get_field<&WorldSettings::threads>,
                     .set = set_field<&WorldSettings::threads>});
    table.push_back({.name = "lanes",
                     .label = "Lanes",
                     .help = "Contacts that are solved at a time, 0 for what suits the machine; "
                             "results do not depend on it.",
                     .type = SettingType::integer,
                     .methods = {fast},
                     .max = 8,
                     .values = {0, 1, 4, 8},
                     .in_scenes = false,
                     .default_of = initial<&WorldSettings::lanes>,
                     .get = get_field<&WorldSettings::lanes>,
                     .set = set_field<&WorldSettings::lanes>});
}

} // namespace

std::span<const Setting> settings_table() {
    static const std::vector<Setting> kTable = [] {
        std::vector<Setting> table;
        add_stepping(table);
        add_choices(table);
        add_impulse_steps(table);
        add_lengths_and_speeds(table);
        add_budgets(table);
        add_machine(table);
        return table;
    }();
    return kTable;
}

} // namespace rigor
