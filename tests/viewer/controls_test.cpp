// Controls of a scene over real sockets: what pages are told, and what a change does.

#include "live_server.h"

namespace rigor::viewer {
namespace {

const char* const kControlled = R"({ "rigor": 1, "name": "controlled", "gravity": [0, 0, -10],
  "bodies": [ { "name": "ball", "position": [0, 0, 2], "shapes": [ { "type": "sphere", "radius": 1 } ] } ],
  "controls": [
    { "type": "slider", "label": "Height", "unit": "m", "path": "bodies[0].position[2]", "range": [0, 9], "step": 0.5 },
    { "type": "switch", "label": "Weight", "path": "gravity[2]", "range": [0, -10] },
    { "type": "choice", "label": "Method", "path": "method", "range": ["fast", "penalty"] },
    { "type": "button", "label": "Again", "action": "restart" } ] })";

class Controls : public testing::Test {
  protected:
    Controls() {
        client.hello();
        EXPECT_FALSE(client.wait_for("state").is_null());
        client.send({{"type", "open"}, {"text", kControlled}, {"name", "controlled.json"}});
        scene = client.wait_for("scene");
        client.send({{"type", "pause"}});
        client.wait_for("state", 5000, [](const json& s) { return s["running"] == false; });
    }

    json set(int index, const json& value) {
        client.send({{"type", "control"}, {"index", index}, {"value", value}});
        return client.wait_for("scene");
    }

    /// The z coordinate at a step.
    double height() {
        client.send({{"type", "inspect"}, {"body", 0}});
        return client.wait_for("body")["position"][2];
    }

    LiveServer server;
    TestClient client{server.port()};
    json scene;
};

TEST_F(Controls, ArePartOfTheScene) {
    const json& controls = scene["controls"];
    ASSERT_EQ(controls.size(), 4u);
    EXPECT_EQ(controls[0], json::parse(R"({"type": "slider", "label": "Height", "unit": "m",
      "path": "bodies[0].position[2]", "range": [0, 9], "step": 0.5, "value": 2})"));
    EXPECT_EQ(controls[1]["values"], json::parse("[0, -10]"));
    EXPECT_EQ(controls[2]["value"], "fast");
    EXPECT_EQ(controls[3],
              json::parse(R"({"type": "button", "label": "Again", "action": "restart"})"));
}

// As rigor run --set, one value after the other, and they stay through a restart.
TEST_F(Controls, AChangeOpensTheSceneAgain) {
    const json raised = set(0, 5);
    EXPECT_EQ(raised["reloaded"], true);
    EXPECT_EQ(raised["controls"][0]["value"], 5);
    EXPECT_EQ(height(), 5);
    EXPECT_EQ(set(1, 0)["worlds"][0]["settings"]["gravity"][2], 0);
    EXPECT_EQ(set(2, "penalty")["worlds"][0]["method"], "penalty");
    EXPECT_EQ(height(), 5) << "the first value is forgotten";
    client.send({{"type", "step"}, {"count", 20}});
    const json state =
        client.wait_for("state", 5000, [](const json& s) { return s["step"] == 20; });
    EXPECT_EQ(state["running"], false);
    EXPECT_EQ(height(), 5) << "it has weight";
    client.send({{"type", "restart"}});
    client.wait_for("state", 5000, [](const json& s) { return s["step"] == 0; });
    EXPECT_EQ(height(), 5);
}

TEST_F(Controls, BadOnesAreRefusedAndTheSceneStays) {
    const auto refusal = [&](int index, const json& value) {
        client.send({{"type", "control"}, {"index", index}, {"value", value}});
        return client.wait_for("error")["message"].get<std::string>();
    };
    const double before = height();
    EXPECT_EQ(refusal(9, 1), "the scene has no control 9 that gives a value");
    EXPECT_EQ(refusal(3, 1), "the scene has no control 3 that gives a value");
    EXPECT_NE(refusal(0, "high").find("Height must be a number"), std::string::npos);
    EXPECT_NE(refusal(2, "slow").find("Method must be \"fast\""), std::string::npos);
    EXPECT_EQ(height(), before);
}

TEST_F(Controls, AreSavedWithARecording) {
    set(0, 5);
    client.send({{"type", "step"}, {"count", 30}});
    const json then = client.wait_for("state", 5000, [](const json& s) { return s["step"] == 30; });
    client.send({{"type", "save"}});
    const std::string text = client.wait_for("recording")["text"];
    client.send({{"type", "load"}, {"recording", text}});
    EXPECT_EQ(client.wait_for("scene")["controls"][0]["value"], 5);
    client.send({{"type", "seek"}, {"step", 30}});
    const json again = client.wait_for(
        "state", 5000, [](const json& s) { return s["step"] == 30 && s.contains("hashes"); });
    EXPECT_EQ(again["hashes"], then["hashes"]);
}

} // namespace
} // namespace rigor::viewer
