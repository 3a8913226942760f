// Requests of clients, parsed from JSON. The network thread parses; the simulation thread gets
// these types and never text.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "rigor/scene.h"
#include "viewer/session_recording.h"
#include "viewer/subscription.h"

namespace rigor::viewer {

/// The first message of a client.
struct Hello {
    Subscription subscription;
};
struct ListGallery {};
struct OpenScene {
    std::string file;       ///< in the scene folder; empty: the scene is `text`
    std::string text, name; ///< `name` stands for the file in messages
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
struct SetSpeed {
    double value = 1;
};
struct Restart {};
/// Gives a value of the scene that a control is for another one.
struct SetControl {
    std::size_t index = 0; ///< into Scene::controls
    ControlValue value;
};
struct ActionRequest {
    UserAction action;
    std::optional<std::size_t> world; ///< none: all worlds
};
struct Undo {};
struct Redo {};
struct Inspect {
    std::optional<std::uint32_t> body; ///< none: ends it
    std::size_t world = 0;
};
struct Plot {
    std::uint32_t body = 0;
    std::vector<std::string> quantities; ///< empty: ends it
    std::size_t world = 0;
};
struct Pick {
    Vec3d origin, direction;
    std::size_t world = 0;
};
struct SaveRecording {};
struct LoadRecording {
    SessionRecording recording;
};
struct ExportScene {
    std::size_t world = 0;
};
/// Whether the last steps obey the laws of mechanics.
struct CheckRun {
    std::size_t world = 0;
};

using Request = std::variant<Hello, Subscription, ListGallery, OpenScene, Run, Pause, StepBy, Seek,
                             SetSpeed, Restart, SetControl, ActionRequest, Undo, Redo, Inspect,
                             Plot, Pick, SaveRecording, LoadRecording, ExportScene, CheckRun>;

struct ClientMessage {
    Request request;
    std::optional<double> id; ///< returned in the reply
};

/// Fails with one sentence. `type` is set as soon as the message's type is known to be valid.
Result<ClientMessage> parse_request(std::string_view text, std::string& type);

} // namespace rigor::viewer
