// The pressed keys as directions.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

namespace rigor::viewer {

/// -1, 0 or 1 for each direction: W A S D or the arrow keys, Q and E or the page keys.
struct KeyInput {
    explicit KeyInput(const std::vector<std::string>& keys) {
        const auto is_down = [&](const char* key) {
            return std::find(keys.begin(), keys.end(), key) != keys.end();
        };
        const auto axis = [&](const char* plus, const char* plus2, const char* minus,
                              const char* minus2) {
            return static_cast<int>(is_down(plus) || is_down(plus2)) -
                   static_cast<int>(is_down(minus) || is_down(minus2));
        };
        forward = axis("KeyW", "ArrowUp", "KeyS", "ArrowDown");
        left = axis("KeyA", "ArrowLeft", "KeyD", "ArrowRight");
        up = axis("KeyE", "PageUp", "KeyQ", "PageDown");
        hand_brake = is_down("Space");
    }
    bool any() const { return forward != 0 || left != 0 || up != 0; }

    /// Whether a key that drives a vehicle is pressed.
    bool drives() const { return forward != 0 || left != 0 || hand_brake; }

    int forward = 0, left = 0, up = 0;
    bool hand_brake = false;
};

} // namespace rigor::viewer
