// What clients want to have in their frames beside the poses.
#pragma once

#include <optional>

#include "viewer/color.h"
#include "viewer/overlay.h"

namespace rigor::viewer {

/// Of one client.
struct Subscription {
    OverlaySet overlays;
    std::optional<ColorMode> color;
};

/// The union over all clients: what the simulation server has to compute.
struct Subscriptions {
    OverlaySet overlays;
    ColorSet colors;
    friend bool operator==(const Subscriptions&, const Subscriptions&) = default;
};

} // namespace rigor::viewer
