// What a page may say, parsed. The network thread does this; the show gets nothing but these.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "view/picture.h"
#include "view/session.h"

namespace rigor::view {

struct See {
    OverlaySet overlays;
    std::optional<Color> color;
};
struct Hello {
    See see;
};
struct AskGallery {};
struct Open {
    std::string file;       ///< in the scene folder; or else
    std::string text, name; ///< the scene itself
    std::vector<std::string> methods;
};
struct Run {};
struct Pause {};
struct StepBy {
    int count = 1;
};
struct Seek {
    std::uint64_t step = 0;
};
struct Speed {
    double value = 1;
};
struct Restart {};
struct Act {
    Action action;
    std::optional<std::size_t> world; ///< none: all
};
struct Undo {};
struct Redo {};
struct Inspect {
    std::optional<std::uint32_t> body;
    std::size_t world = 0;
};
struct Plot {
    std::uint32_t body = 0;
    std::vector<std::string> quantities;
    std::size_t world = 0;
};
struct Pick {
    Vec3d origin, direction;
    std::size_t world = 0;
};
struct Save {};
struct Load {
    Session session;
};
struct Export {
    std::size_t world = 0;
};

using Said = std::variant<Hello, See, AskGallery, Open, Run, Pause, StepBy, Seek, Speed, Restart,
                          Act, Undo, Redo, Inspect, Plot, Pick, Save, Load, Export>;

struct Message {
    Said said;
    std::optional<double> id; ///< goes back with the answer
};

/// Fails with one sentence. `type` is what could be read of the message's type.
Result<Message> parse_message(std::string_view text, std::string& type);

} // namespace rigor::view
