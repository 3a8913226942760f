// Any text as a message of a page: understood or refused with a sentence. What is understood is
// done to a world, and the world goes on.

#include <cstdint>
#include <cstdlib>

#include <nlohmann/json.hpp>

#include "view/client_feed.h"
#include "view/gate.h"
#include "view/message.h"
#include "view/scene_text.h"

namespace {

using namespace rigor;
using namespace rigor::view;

Stage fresh_stage() {
    static const char* const kScene = R"({ "rigor": 1, "name": "fuzz", "bodies": [
      { "name": "floor", "type": "static", "shapes": [ { "type": "plane", "normal": [0, 0, 1] } ] },
      { "name": "box", "position": [0, 0, 0.5], "shapes": [ { "type": "box", "size": [1, 1, 1] } ] },
      { "name": "arm", "position": [3, 0, 2], "shapes": [ { "type": "sphere", "radius": 0.5 } ] } ],
      "joints": [ { "name": "pin", "type": "hinge", "a": "arm", "anchor": [2, 0, 2], "axis": [0, 1, 0] } ] })";
    return Stage::make(parse_scene(kScene, "fuzz.json").value(), {1, 1 << 20}).value();
}

// From event to event a world of a fuzzer may take long.
bool is_slow(const Action& action) {
    const auto* change = std::get_if<ChangeSettings>(&action.deed);
    return change && ((change->method && *change->method != "fast" && *change->method != "free") ||
                      change->substeps.value_or(1) > 4);
}

void act(const Action& action) {
    if (is_slow(action)) return;
    Stage stage = fresh_stage();
    const std::uint64_t before = stage.world().state_hash();
    const auto done = stage.act(action, 1);
    if (!done && done.error().message.empty()) std::abort();
    if (parse_action(write_action(action), "again").ok() == false) std::abort();
    for (int i = 0; i < 3; ++i) stage.step();
    for (const Member& member : *stage.state().members)
        if (!member.id.is_null() && !is_finite(stage.world().pose(member.id).p)) std::abort();
    Painter painter(stage);
    (void)painter.paint(stage, 0, 1, {OverlaySet{63}, ColorSet{255}});
    (void)scene_text(stage);
    stage.approach(0, Clock::time_point::max());
    stage.undo();
    if (stage.world().state_hash() != before) std::abort();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text(reinterpret_cast<const char*>(data), size);
    std::string type;
    const Result<Message> message = parse_message(text, type);
    if (!message) {
        if (message.error().message.empty()) std::abort();
    } else if (const auto* said = std::get_if<Act>(&message->said)) {
        act(said->action);
    }
    const Gate gate({"127.0.0.1", 80, "", {}, {}});
    const auto verdict = gate.judge({"GET", text, "127.0.0.1", "", text});
    if (const auto* admitted = std::get_if<Admitted>(&verdict))
        if (("/" + admitted->path + "/").find("/../") != std::string::npos) std::abort();
    return 0;
}
