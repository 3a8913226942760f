// Any text as the message of a client: parsed or rejected with a sentence. Actions are applied to a
// world, which must stay valid.

#include <cstdint>
#include <cstdlib>

#include <nlohmann/json.hpp>

#include "viewer/access_control.h"
#include "viewer/frame_builder.h"
#include "viewer/request.h"
#include "viewer/scene_export.h"

namespace {

using namespace rigor;
using namespace rigor::viewer;

Session new_session() {
    static const char* const kScene = R"({ "rigor": 1, "name": "fuzz", "bodies": [
      { "name": "floor", "type": "static", "shapes": [ { "type": "plane", "normal": [0, 0, 1] } ] },
      { "name": "box", "position": [0, 0, 0.5], "shapes": [ { "type": "box", "size": [1, 1, 1] } ] },
      { "name": "arm", "position": [3, 0, 2], "shapes": [ { "type": "sphere", "radius": 0.5 } ] } ],
      "joints": [ { "name": "pin", "type": "hinge", "a": "arm", "anchor": [2, 0, 2], "axis": [0, 1, 0] } ] })";
    return Session::make(parse_scene(kScene, "fuzz.json").value(), {1, 1 << 20}).value();
}

// Event-driven methods may take long on fuzzed worlds.
bool is_slow(const UserAction& action) {
    const auto* change = std::get_if<ChangeSettings>(&action.action);
    return change && ((change->method && *change->method != "fast" && *change->method != "free") ||
                      change->substeps.value_or(1) > 4);
}

void act(const UserAction& action) {
    if (is_slow(action)) return;
    Session session = new_session();
    const std::uint64_t before = session.world().state_hash();
    const auto done = session.act(action, 1);
    if (!done && done.error().message.empty()) std::abort();
    if (parse_action(write_action(action), "again").ok() == false) std::abort();
    for (int i = 0; i < 3; ++i) session.step();
    for (const SessionBody& body : *session.state().bodies)
        if (!body.id.is_null() && !is_finite(session.world().pose(body.id).p)) std::abort();
    FrameBuilder frame_builder(session);
    (void)frame_builder.build(session, 0, 1, {OverlaySet{63}, ColorSet{255}});
    (void)export_scene(session);
    session.seek(0, Clock::time_point::max());
    session.undo();
    if (session.world().state_hash() != before) std::abort();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text(reinterpret_cast<const char*>(data), size);
    std::string type;
    const Result<ClientMessage> message = parse_request(text, type);
    if (!message) {
        if (message.error().message.empty()) std::abort();
    } else if (const auto* request = std::get_if<ActionRequest>(&message->request)) {
        act(request->action);
    }
    const AccessControl access({"127.0.0.1", 80, "", {}, {}});
    const auto decision = access.check({"GET", text, "127.0.0.1", "", text});
    if (const auto* granted = std::get_if<AccessGranted>(&decision))
        if (("/" + granted->path + "/").find("/../") != std::string::npos) std::abort();
    return 0;
}
