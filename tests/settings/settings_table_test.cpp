// The table of settings against the structs it describes and the methods it speaks of.

#include "rigor/settings_table.h"

#include <algorithm>
#include <set>

#include "contact_dynamics/contact_laws.h"
#include "literature/method_parts.h"
#include "support/worlds.h"
#include "test_support.h"

namespace rigor::test {
namespace {

constexpr Method kMethods[] = {Method::free,      Method::fast,        Method::faithful,
                               Method::baber2006, Method::kavan2003,   Method::baber2011,
                               Method::kenwright, Method::galoppo2007, Method::penalty};

/// A value that obeys the rule and is not what a method would take.
SettingValue other_value(const Setting& setting, Method method) {
    const auto usual = setting.default_of(method);
    switch (setting.type) {
        case SettingType::boolean:
            return !std::get<bool>(*usual);
        case SettingType::integer:
            return setting.values.empty() ? std::int64_t{7} : setting.values.back();
        case SettingType::choice:
            for (const std::string_view choice : setting.choices)
                if (!usual || std::get<std::string>(*usual) != choice) return std::string(choice);
            return {};
        default:
            return 0.125;
    }
}

TEST(SettingsTable, HasEveryFieldOfTheStructsThatIsASetting) {
    const WorldSettings initial;
    WorldSettings changed;
    for (const Setting& setting : settings_table())
        setting.set(changed, other_value(setting, Method::fast));

    // Taken apart whole: a new field does not compile until it is named here.
    const auto& [gravity, integrator, substeps, threads, method, lanes, may_sleep, hit_speed,
                 max_run_seconds, laws, periodic, max_memory_mb] = changed;
    EXPECT_EQ(gravity, initial.gravity); // of the scene, not settings of a method
    EXPECT_EQ(method, initial.method);
    EXPECT_EQ(periodic, initial.periodic);
    EXPECT_NE(integrator, initial.integrator);
    EXPECT_NE(substeps, initial.substeps);
    EXPECT_NE(threads, initial.threads);
    EXPECT_NE(lanes, initial.lanes);
    EXPECT_NE(may_sleep, initial.may_sleep);
    EXPECT_NE(hit_speed, initial.hit_speed);
    EXPECT_NE(max_run_seconds, initial.max_run_seconds);
    EXPECT_NE(max_memory_mb, initial.max_memory_mb);
    const auto& [own_integrator, impact, multi, resting, detection, tolerance, delta,
                 delta_absolute, contact_order, separating_impulses, keep_velocity, penalty_depth,
                 separation_distance, max_events, max_wall_seconds, fixed_steps] = laws;
    EXPECT_TRUE(delta_absolute && contact_order && separating_impulses && keep_velocity);
    EXPECT_TRUE(own_integrator && impact && multi && resting && detection);
    EXPECT_TRUE(tolerance && delta && penalty_depth && separation_distance);
    EXPECT_NE(max_events, initial.laws.max_events);
    EXPECT_NE(max_wall_seconds, initial.laws.max_wall_seconds);
    EXPECT_NE(fixed_steps, initial.laws.fixed_steps);
}

TEST(SettingsTable, ASettingReadsBackWhatItWroteAndTouchesNoOther) {
    std::set<std::string_view> names;
    for (const Setting& setting : settings_table()) {
        SCOPED_TRACE(setting.name);
        EXPECT_TRUE(names.insert(setting.name).second);
        EXPECT_EQ(find_setting(setting.name), &setting);
        EXPECT_EQ(setting.help.back(), '.');
        EXPECT_FALSE(setting.label.empty());
        WorldSettings settings;
        const SettingValue value = other_value(setting, settings.method);
        EXPECT_TRUE(check_value(setting, value).ok());
        setting.set(settings, value);
        EXPECT_EQ(setting.get(settings), value);
        EXPECT_TRUE(check_settings(settings).ok());
        for (const Setting& other : settings_table())
            EXPECT_EQ(other.get(settings) == other.get(WorldSettings{}), &other != &setting)
                << other.name;
    }
    EXPECT_EQ(find_setting("substep"), nullptr);
}

TEST(SettingsTable, EveryChoiceHasItsName) {
    for (const Setting& setting : settings_table()) {
        if (setting.type != SettingType::choice) continue;
        for (const std::string_view choice : setting.choices) {
            WorldSettings settings;
            setting.set(settings, std::string(choice));
            EXPECT_EQ(to_string(*setting.get(settings)), choice);
        }
    }
    EXPECT_EQ(find_setting("integrator")->choices.size(), 4u);
    EXPECT_EQ(find_setting("impact")->choices.size(), 6u);
    EXPECT_EQ(find_setting("multi")->choices.size(), 3u);
    EXPECT_EQ(find_setting("resting")->choices.size(), 8u);
    EXPECT_EQ(find_setting("detection")->choices.size(), 5u);
    EXPECT_EQ(find_setting("contact_order")->choices.size(), 2u);
}

TEST(SettingsTable, RangesAreThoseOfTheScenes) {
    const auto refusal = [](std::string_view name, const SettingValue& value) {
        const auto checked = check_value(*find_setting(name), value);
        return checked ? "" : checked.error().message;
    };
    using Int = std::int64_t;
    EXPECT_EQ(refusal("substeps", Int{1}), "");
    EXPECT_EQ(refusal("substeps", Int{10'000}), "");
    EXPECT_EQ(refusal("substeps", Int{0}),
              "substeps must be a whole number from 1 to 10000, got 0");
    EXPECT_EQ(refusal("substeps", Int{10'001}),
              "substeps must be a whole number from 1 to 10000, got 10001");
    EXPECT_EQ(refusal("max_events", Int{1'000'000'000'000}), "");
    EXPECT_EQ(refusal("max_events", Int{0}),
              "max_events must be a whole number from 1 to 1000000000000, got 0");
    EXPECT_EQ(refusal("threads", Int{1025}),
              "threads must be a whole number from 1 to 1024, got 1025");
    EXPECT_EQ(refusal("lanes", Int{2}), "lanes must be 0, 1, 4 or 8, got 2");
    for (const Int lanes : {0, 1, 4, 8}) EXPECT_EQ(refusal("lanes", lanes), "");
    for (const char* name : {"tolerance", "delta", "penalty_depth", "separation_distance",
                             "max_wall_seconds", "max_run_seconds"}) {
        EXPECT_EQ(refusal(name, 1e-300), "");
        EXPECT_EQ(refusal(name, 0.0), std::string(name) + " must be positive, got 0");
        EXPECT_EQ(refusal(name, HUGE_VAL), std::string(name) + " must be positive, got inf");
        EXPECT_NE(refusal(name, std::nan("")), "");
        EXPECT_NE(refusal(name, std::string("small")), "");
    }
    EXPECT_EQ(refusal("hit_speed", 0.0), "");
    EXPECT_EQ(refusal("hit_speed", -1.0), "hit_speed must not be negative, got -1");
    EXPECT_EQ(refusal("multi", std::string("all")),
              "multi must be \"propagation\", \"simultaneous\" or \"reflections\", got all");
    EXPECT_EQ(refusal("may_sleep", Int{1}), "may_sleep must be true or false, got 1");
}

TEST(SettingsTable, AWorldRefusesWhatTheTableRefuses) {
    WorldSettings settings;
    settings.substeps = 0;
    EXPECT_THROW(World{settings}, UsageError);
    settings.substeps = 1;
    settings.laws.delta = -1;
    EXPECT_THROW(World{settings}, UsageError);
    World world;
    EXPECT_THROW(world.set_settings(settings), UsageError);
    EXPECT_EQ(world.settings().substeps, std::nullopt);
}

TEST(SettingsTable, MethodsBringTheirOwnSubsteps) {
    EXPECT_EQ(WorldSettings{}.method, Method::fast);
    EXPECT_EQ(substeps_of({.method = Method::fast}), 4);
    EXPECT_EQ(substeps_of({.method = Method::free}), 1);
    EXPECT_EQ(substeps_of({.substeps = 3, .method = Method::fast}), 3);
}

// Giving a method its own default changes nothing that it is made of.
TEST(SettingsTable, DefaultsAreThoseOfTheMethods) {
    for (const Setting& setting : settings_table()) {
        for (const Method method : setting.methods.list()) {
            SCOPED_TRACE(message(name(method), " ", setting.name));
            const auto value = setting.default_of(method);
            if (!value) continue;
            EXPECT_TRUE(check_value(setting, *value).ok());
            WorldSettings given{.method = method};
            setting.set(given, *value);
            EXPECT_EQ(substeps_of(given), substeps_of({.method = method}));
            EXPECT_EQ(given.integrator == Integrator::exact,
                      setting.name != "integrator" || to_string(*value) == "exact");
            if (method == Method::faithful) {
                const auto a = contact_dynamics::laws_of(given.laws),
                           b = contact_dynamics::laws_of({});
                EXPECT_EQ(a.multi, b.multi);
                EXPECT_EQ(a.impact, b.impact);
                EXPECT_EQ(a.delta, b.delta);
                EXPECT_EQ(a.tolerances.restitution_threshold, b.tolerances.restitution_threshold);
            }
            if (method == Method::free || method == Method::fast || method == Method::faithful)
                continue;
            const auto a = literature::method_parts_for(method, given),
                       b = literature::method_parts_for(method, {.method = method});
            EXPECT_EQ(a.integrator, b.integrator);
            EXPECT_EQ(a.detection, b.detection);
            EXPECT_EQ(a.impact, b.impact);
            EXPECT_EQ(a.multi, b.multi);
            EXPECT_EQ(a.resting, b.resting);
            EXPECT_EQ(a.single_pass, b.single_pass);
            EXPECT_EQ(a.resting_speed, b.resting_speed);
            EXPECT_EQ(a.delta.size, b.delta.size);
            EXPECT_EQ(a.delta.is_absolute, b.delta.is_absolute);
            EXPECT_EQ(a.contact_order, b.contact_order);
            EXPECT_EQ(a.separating_impulses, b.separating_impulses);
            EXPECT_EQ(a.keep_velocity, b.keep_velocity);
            EXPECT_EQ(a.penalty_depth, b.penalty_depth);
            EXPECT_EQ(a.separation_distance, b.separation_distance);
        }
    }
}

/// A spinning box that bounces and slides on a floor until it rests.
World falling_box(const WorldSettings& settings) {
    World world(settings);
    add_ground(world);
    BodyDef box = body(BoxDef{{1, 0.6, 0.3}}, {0, 0, 0.8});
    box.velocity = {1, 0.5, -1};
    box.angular_velocity = {3, 1, 2};
    box.shapes[0].material.restitution = 0.5;
    world.add_body(box).value();
    return world;
}

/// The state after each step of a second.
std::vector<std::uint64_t> hashes_of_a_fall(const WorldSettings& settings) {
    World world = falling_box(settings);
    std::vector<std::uint64_t> hashes(static_cast<std::size_t>(step_count(1)));
    for (std::uint64_t& hash : hashes) run_steps(world, 1), hash = world.state_hash();
    return hashes;
}

/// Whether the box falls in another way; the first difference is enough.
bool changes_the_fall(const WorldSettings& settings, const std::vector<std::uint64_t>& hashes) {
    World world = falling_box(settings);
    return std::any_of(hashes.begin(), hashes.end(), [&](std::uint64_t hash) {
        run_steps(world, 1);
        return world.state_hash() != hash;
    });
}

/// Calls check(method, setting, settings, hashes) for every method and setting: with the setting
/// changed, and the hashes of a fall without that.
template <class Check>
void for_each_change(const Check& check) {
    for (const Method method : kMethods) {
        const WorldSettings plain{.method = method};
        const std::vector<std::uint64_t> hashes = hashes_of_a_fall(plain);
        for (const Setting& setting : settings_table()) {
            WorldSettings given = plain;
            setting.set(given, other_value(setting, method));
            check(method, setting, given, hashes);
        }
    }
}

// The table says that a method does not use a setting: then no value of it changes a bit.
TEST(SettingsTable, WhatAMethodDoesNotUseHasNoEffect) {
    for_each_change([](Method method, const Setting& setting, const WorldSettings& given,
                       const std::vector<std::uint64_t>& hashes) {
        if (why_unused(setting, given).empty()) return;
        EXPECT_FALSE(changes_the_fall(given, hashes)) << name(method) << " " << setting.name;
    });
}

// And the other way round, for settings that act on the motion of this box.
TEST(SettingsTable, WhatAMethodUsesHasAnEffect) {
    const std::set<std::string_view> acting = {"integrator", "substeps", "resting", "tolerance",
                                               "penalty_depth"};
    for_each_change([&](Method method, const Setting& setting, const WorldSettings& given,
                        const std::vector<std::uint64_t>& hashes) {
        if (!acting.contains(setting.name) || !why_unused(setting, given).empty()) return;
        // Its slow impacts have the material's restitution where a lone body is stopped: at the
        // contact distance.
        if (method == Method::baber2011 && setting.name == "tolerance") return;
        EXPECT_TRUE(changes_the_fall(given, hashes)) << name(method) << " " << setting.name;
    });
}

TEST(SettingsTable, SaysWhyASettingIsNotUsed) {
    const auto why = [](std::string_view name, WorldSettings settings) {
        return why_unused(*find_setting(name), settings);
    };
    WorldSettings settings{.method = Method::faithful};
    EXPECT_EQ(why("substeps", settings), "is not used by faithful, only by free and fast");
    EXPECT_EQ(why("resting", settings),
              "is not used by faithful, only by baber2006, kavan2003, baber2011, kenwright, "
              "galoppo2007 and penalty");
    EXPECT_EQ(why("fixed_steps", {.method = Method::fast}),
              "is not used by fast, only by faithful");
    EXPECT_EQ(why("multi", settings), "");
    EXPECT_EQ(why("delta", settings), "is not used by faithful without impact euler or mirtich");
    settings.laws.impact = ImpactLaw::mirtich;
    EXPECT_EQ(why("delta", settings), "");
    EXPECT_EQ(why("delta", {.method = Method::baber2011}), ""); // its own law is euler
    EXPECT_EQ(why("impact", {.method = Method::kenwright}),
              "is not used by kenwright without multi");
    EXPECT_EQ(why("penalty_depth", {.method = Method::penalty}), "");
    EXPECT_EQ(why("penalty_depth", {.method = Method::baber2006}),
              "is not used by baber2006 without resting penalty");
}

TEST(SettingValues, KeepWhatWasGivenByName) {
    SettingValues values;
    values.set("substeps", std::int64_t{8});
    values.set("impact", std::string("poisson"));
    values.set("substeps", std::int64_t{2});
    EXPECT_EQ(values.entries().size(), 2u);
    EXPECT_EQ(values.find_as<std::int64_t>("substeps"), 2);
    EXPECT_EQ(values.find("delta"), nullptr);
    WorldSettings settings{.method = Method::faithful};
    values.apply_to(settings);
    EXPECT_EQ(settings.substeps, 2);
    EXPECT_EQ(settings.laws.impact, ImpactLaw::poisson);
    EXPECT_EQ(values.warnings(settings),
              std::vector<std::string>{
                  "settings.substeps is not used by faithful, only by free and fast"});
    EXPECT_THROW(values.set("substpes", std::int64_t{1}), UsageError);
    EXPECT_THROW(values.set("substeps", std::int64_t{0}), UsageError);
    EXPECT_THROW(values.set("substeps", 2.0), UsageError);
}

} // namespace
} // namespace rigor::test
