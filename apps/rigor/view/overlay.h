// What can be laid over the bodies: binary messages beside the frames.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "view/name_set.h"
#include "view/stage.h"

namespace rigor::view {

enum class Overlay { contacts, bounds, tree, sweep, axes, joints };
using OverlaySet = NameSet<Overlay>;

inline constexpr std::array kOverlays{Overlay::contacts, Overlay::bounds, Overlay::tree,
                                      Overlay::sweep,    Overlay::axes,   Overlay::joints};

std::string_view name(Overlay overlay);
std::optional<Overlay> overlay_named(std::string_view name);

/// Points are relative to `middle`.
std::string encode_overlay(Overlay overlay, const Stage& stage, std::uint8_t world,
                           const Vec3d& middle);

} // namespace rigor::view
