// What bodies are colored by: one byte for each.
#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "view/name_set.h"
#include "view/stage.h"

namespace rigor::view {

enum class Color { momentum, speed, body, material, island, sleep, energy, stress };
using ColorSet = NameSet<Color>;

inline constexpr std::array kColors{Color::momentum, Color::speed, Color::body,   Color::material,
                                    Color::island,   Color::sleep, Color::energy, Color::stress};

std::string_view name(Color color);
std::optional<Color> color_named(std::string_view name);

/// What 255 stands for. It follows the largest value of the last seconds in steps of 1, 2, 5, 10,
/// and falls only when that is less than a third, so that colors do not flicker.
struct ColorScale {
    double max = 0; ///< 0: categories, without a scale
    const char* unit = "";
    double peak = 0; ///< the largest value, forgotten little by little
    double time = 0; ///< of the world, when it was taken
};

/// By slot. Writes the scale.
std::vector<std::uint8_t> color_values(const Stage& stage, Color color, ColorScale& scale);

} // namespace rigor::view
