// Color modes: which quantity the colors of bodies show, one byte a body.
#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "viewer/enum_set.h"
#include "viewer/session.h"

namespace rigor::viewer {

enum class ColorMode { momentum, speed, body, material, island, sleep, energy, stress };
using ColorSet = EnumSet<ColorMode>;

inline constexpr std::array kColorModes{ColorMode::momentum, ColorMode::speed,  ColorMode::body,
                                        ColorMode::material, ColorMode::island, ColorMode::sleep,
                                        ColorMode::energy,   ColorMode::stress};

std::string_view name(ColorMode color);
std::optional<ColorMode> color_mode_named(std::string_view name);

/// The value that byte 255 stands for. It follows the largest value of the last seconds in steps of
/// 1, 2, 5, 10, and falls only when that is below a third, so colors do not flicker.
struct ColorScale {
    double max = 0; ///< 0: the bytes are categories
    const char* unit = "";
    double peak = 0; ///< the largest value, decaying
    double time = 0; ///< of the world, at the last update
};

/// One byte for each slot. Updates the scale.
std::vector<std::uint8_t> color_values(const Session& session, ColorMode color, ColorScale& scale);

} // namespace rigor::viewer
