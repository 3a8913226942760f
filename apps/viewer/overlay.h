// Debug overlays: contacts, bounding boxes, the broadphase tree, and more, as binary messages.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "viewer/enum_set.h"
#include "viewer/session.h"

namespace rigor::viewer {

enum class Overlay { contacts, bounds, tree, sweep, axes, joints, tracks };
using OverlaySet = EnumSet<Overlay>;

inline constexpr std::array kOverlays{Overlay::contacts, Overlay::bounds, Overlay::tree,
                                      Overlay::sweep,    Overlay::axes,   Overlay::joints,
                                      Overlay::tracks};

std::string_view name(Overlay overlay);
std::optional<Overlay> overlay_named(std::string_view name);

/// The binary message. Points are relative to `center`, that of the world's frame.
std::string encode_overlay(Overlay overlay, const Session& session, std::uint8_t world,
                           const Vec3d& center);

} // namespace rigor::viewer
