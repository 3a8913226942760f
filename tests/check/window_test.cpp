// Certificates that begin in the middle of a run.

#include <nlohmann/json.hpp>

#include "run_checker.h"

namespace rigor::app {
namespace {

using Json = nlohmann::ordered_json;

// Joints have turned meanwhile, so that they must be known from their own reference.
TEST(Window, ObeysAllLaws) {
    for (const char* scene :
         {"bouncing_balls", "double_pendulum", "slider_crank", "rolling_race"}) {
        const CheckOutcome outcome = check_lines(window(scene, 20, 20));
        EXPECT_EQ(outcome.exit_code, 0) << scene << outcome.output;
    }
    const CheckOutcome fast = check_lines(window("hinged_chain", 60, 30, "fast"));
    EXPECT_EQ(fast.exit_code, 0) << fast.output;
}

TEST(Window, AWrongBeginIsSeen) {
    const std::vector<std::string> good = window("bouncing_balls", 20, 5);
    for (const std::size_t number : {13 * 2 + 2, 13 * 2 + 9}) { // height and momentum of body 2
        std::vector<std::string> lines = good;
        Json from = Json::parse(lines[1]);
        ASSERT_EQ(from["is"], "from");
        from["states"][0][number] = from["states"][0][number].get<double>() * (1 + 1e-6);
        lines[1] = from.dump();
        EXPECT_TRUE(check_lines(lines).fails("continuity")) << number;
    }
    std::vector<std::string> lines = good;
    Json from = Json::parse(lines[1]);
    from["time"] = from["time"].get<double>() * (1 + 1e-6);
    lines[1] = from.dump();
    EXPECT_TRUE(check_lines(lines).fails("coverage"));
}

// Elsewhere it would excuse any jump.
TEST(Window, BeginsInTheSecondLineOnly) {
    std::vector<std::string> lines = window("bouncing_balls", 20, 5);
    lines.insert(lines.begin() + 8, lines[1]);
    const CheckOutcome twice = check_lines(lines);
    EXPECT_EQ(twice.exit_code, 2);
    EXPECT_NE(twice.output.find("\"from\" is not the second line"), std::string::npos)
        << twice.output;
}

} // namespace
} // namespace rigor::app
