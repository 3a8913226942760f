// Content of a recording: calls of World, and steps with the hashes after them.
#pragma once

#include <algorithm>
#include <functional>
#include <tuple>
#include <utility>

#include "rigor/world.h"
#include "world/recording_fields.h"

namespace rigor {

/// Incremented with every change of the format.
inline constexpr std::uint32_t kRecordingFormat = 6;

/// The calls by number, from 1; 0 is a step. The numbers are the format: new calls go to the end.
inline constexpr std::tuple kRecordedCalls{
    &World::set_settings, &World::add_body,
    &World::remove_body,  &World::set_material_pair,
    &World::add_joint,    &World::remove_joint,
    &World::set_motor,    &World::set_spring,
    &World::set_limits,   &World::set_steer,
    &World::wake,         &World::set_pose,
    &World::set_velocity, &World::set_angular_velocity,
    &World::apply_force,  &World::apply_force_at,
    &World::apply_torque, &World::apply_impulse_at,
    &World::set_mass,     &World::set_frozen,
    &World::set_material, &World::set_mesh_vertices,
};
inline constexpr std::uint8_t kStepNumber = 0;

/// What a recording keeps of a parameter: its value, and of a span the elements.
template <class Parameter>
struct RecordedParameter {
    using Type = Parameter;
};
template <class T>
struct RecordedParameter<std::span<const T>> {
    using Type = std::vector<T>;
};
template <class Parameter>
using Recorded = typename RecordedParameter<std::remove_cvref_t<Parameter>>::Type;

template <class R, class... Parameters>
std::tuple<Recorded<Parameters>...> arguments_of(R (World::*)(Parameters...));
template <class Method>
using ArgumentsOf = decltype(arguments_of(std::declval<Method>()));

/// The position of a call in kRecordedCalls, counted from 1.
template <auto Method>
constexpr std::uint8_t call_number() {
    const auto is_it = [](auto call) {
        if constexpr (std::is_same_v<decltype(call), decltype(Method)>) return call == Method;
        return false;
    };
    return std::apply(
        [&](auto... calls) {
            std::uint8_t number = 0;
            const bool found = ((++number, is_it(calls)) || ...);
            return found ? number : std::uint8_t{0};
        },
        kRecordedCalls);
}

/// The build that recorded it, and the settings of the world.
struct RecordingHeader {
    std::int32_t numerics = 0;
    std::string recorded_by;
    WorldSettings settings;
};
void fields(auto& archive, IsA<RecordingHeader> auto& value) {
    auto& [numerics, recorded_by, settings] = value;
    archive(numerics, recorded_by, settings);
}

/// A step, and the world after it.
struct RecordedStep {
    double dt = 0;
    std::uint64_t state_hash = 0;
    std::vector<std::uint32_t> changed; ///< slots newly watched or no longer watched; ascending
    std::vector<std::uint16_t> motion_hashes; ///< of the watched bodies, by slot
};
void fields(auto& archive, IsA<RecordedStep> auto& value) {
    auto& [dt, state_hash, changed, motion_hashes] = value;
    archive(dt, state_hash, changed, motion_hashes);
}

/// Reads to the end and calls player.call(method, arguments) and player.step(step). Ends early when
/// either returns false, or on invalid data.
template <class Player>
class CallReader {
  public:
    CallReader(RecordingReader& reader, Player& player) : reader_(reader), player_(player) {}

    void read_all() {
        while (!reader_.at_end() && !reader_.failed() && read_one()) {}
    }

  private:
    bool read_one() {
        std::uint8_t number = 0;
        reader_(number);
        if (number == kStepNumber) return read_step();
        return std::apply([&](auto... calls) { return read_call(number, calls...); },
                          kRecordedCalls);
    }

    bool read_step() {
        RecordedStep step;
        reader_(step);
        const bool ascends = std::adjacent_find(step.changed.begin(), step.changed.end(),
                                                std::greater_equal<>()) == step.changed.end();
        if (!ascends) reader_.fail();
        return !reader_.failed() && player_.step(step);
    }

    template <class... Calls>
    bool read_call(std::uint8_t number, Calls... calls) {
        std::uint8_t at = 0;
        bool go_on = false;
        const bool known = ((++at == number && (go_on = read_arguments(calls), true)) || ...);
        if (!known) reader_.fail();
        return go_on;
    }

    template <class Method>
    bool read_arguments(Method method) {
        ArgumentsOf<Method> arguments;
        std::apply(reader_, arguments);
        return !reader_.failed() && player_.call(method, arguments);
    }

    RecordingReader& reader_;
    Player& player_;
};

} // namespace rigor
