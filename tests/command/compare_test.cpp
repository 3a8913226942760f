// rigor compare: the output that scripts rely on.

#include <algorithm>
#include <nlohmann/json.hpp>

#include "program.h"

namespace rigor {
namespace {

using nlohmann::json;

class CompareCommand : public test::ProgramTest {
  protected:
    /// A ball that falls by half a meter and bounces.
    std::string ball() const {
        return write("ball.json", R"({
  "rigor": 1, "name": "a <ball>", "time_step": 0.01,
  "bodies": [
    { "name": "floor", "type": "static",
      "shapes": [ { "type": "plane", "normal": [0, 0, 1], "offset": 0, "restitution": 0.5 } ] },
    { "name": "ball", "type": "dynamic", "position": [0, 0, 1],
      "shapes": [ { "type": "sphere", "radius": 0.5 } ] } ] })");
    }
    std::string compare(const std::string& methods, const std::string& flags) const {
        return "compare " + ball() + " --methods '" + methods + "' " + flags;
    }
    json compared(const std::string& methods, const std::string& flags = "", int code = 0) const {
        const auto r = rigor(compare(methods, flags + " --json -"));
        EXPECT_EQ(r.exit_code, code) << r.err;
        return json::parse(r.out);
    }
};

TEST_F(CompareCommand, EachRunIsTheOneThatRunMakes) {
    const json all = compared("faithful,fast,fast:substeps=8", "--steps 100");
    EXPECT_EQ(all["steps"], 100);
    EXPECT_EQ(all["dt"], 0.01);
    const char* flags[] = {"--method faithful", "--method fast", "--method fast --substeps 8"};
    ASSERT_EQ(all["methods"].size(), 3u);
    for (std::size_t i = 0; i < 3; ++i) {
        const json& got = all["methods"][i];
        EXPECT_EQ(got["status"], "done");
        EXPECT_EQ(got.contains("distance_end"), i > 0);
        const auto r = rigor("run " + ball() + " --steps 100 --json - " + flags[i]);
        const json run = json::parse(r.out);
        for (const char* key : {"state_hash", "energy", "ledger", "momentum_end", "final"})
            EXPECT_EQ(got[key], run[key]) << key;
        EXPECT_TRUE(got["ms_per_step"].contains("mean"));
    }
    EXPECT_EQ(all["methods"][2]["label"], "fast:substeps=8");
    EXPECT_GT(all["methods"][0]["impacts"], 0);
}

// Euler's free fall is late by g dt t / 2, which has nothing to do with the engine.
TEST_F(CompareCommand, DistanceIsFromTheFirst) {
    const json all = compared("free,free:integrator=euler,free", "--time 2");
    const double late = 9.81 * 0.01 * 2 / 2;
    for (const char* which : {"distance_end", "distance_largest"}) {
        EXPECT_NEAR(all["methods"][1][which]["max"].get<double>(), late, 1e-12);
        EXPECT_NEAR(all["methods"][1][which]["mean"].get<double>(), late, 1e-12);
        EXPECT_EQ(all["methods"][2][which]["max"], 0);
    }
}

TEST_F(CompareCommand, OneThatRunsOutOfBudgetStopsNoOther) {
    const json all = compared("faithful:max_events=1,fast,faithful", "--steps 100", 3);
    EXPECT_EQ(all["methods"][0]["status"], "stopped");
    EXPECT_NE(all["methods"][0]["problem"].get<std::string>().find("the budget of max_events, 1"),
              std::string::npos);
    EXPECT_LT(all["methods"][0]["steps"], 100);
    for (const int other : {1, 2}) {
        EXPECT_EQ(all["methods"][other]["status"], "done");
        EXPECT_EQ(all["methods"][other]["steps"], 100);
    }
    const auto table = rigor(compare("fast,faithful:max_events=1", "--steps 100"));
    EXPECT_EQ(table.exit_code, 3);
    EXPECT_NE(table.err.find("stopped after"), std::string::npos) << table.err;
}

// `run` says the same of a step that ended early.
TEST_F(CompareCommand, RunStopsAtTheBudgetToo) {
    const auto r = rigor("run " + ball() + " --method faithful --max-events 1 --steps 100");
    EXPECT_EQ(r.exit_code, 3);
    EXPECT_NE(r.err.find("the budget of max_events, 1 in one step, is used up"), std::string::npos)
        << r.err;
}

TEST_F(CompareCommand, PlotHasFourPanelsAndOneColorForEachMethod) {
    const auto r =
        rigor(compare("faithful,fast,penalty", "--steps 100 --plot '" + file("c.svg") + "'"));
    ASSERT_EQ(r.exit_code, 0) << r.err;
    EXPECT_EQ(r.err, "");
    const std::string svg = test::read_file(file("c.svg"));
    const auto count = [&](const std::string& word) {
        int n = 0;
        for (auto at = svg.find(word); at != std::string::npos; at = svg.find(word, at + 1)) ++n;
        return n;
    };
    EXPECT_NE(svg.find("a &lt;ball&gt;"), std::string::npos);
    for (const char* label : {"energy, J", "|momentum|, kg m/s", "from faithful, m", "depth, mm"})
        EXPECT_NE(svg.find(label), std::string::npos) << label;
    EXPECT_EQ(count(">fast<"), 1);
    EXPECT_EQ(count("stroke=\"#1f5fa8\""), 3 + 1); // no distance from itself; one in the legend
    EXPECT_GE(count("stroke=\"#15803d\""), 4 + 1); // a distance of zero interrupts its line
    EXPECT_EQ(count("nan") + count("inf"), 0);
}

TEST_F(CompareCommand, PathsAndListsReachTheScene) {
    const json all = compared("free,free:gravity[2]=0;bodies[1].velocity=[0,0,1]", "--steps 100");
    EXPECT_NEAR(all["methods"][1]["final"]["ball"]["position"][2].get<double>(), 2, 1e-12);
    EXPECT_NEAR(all["methods"][0]["final"]["ball"]["position"][2].get<double>(), 1 - 9.81 / 2,
                1e-12);
}

TEST_F(CompareCommand, BadInputGetsOneSentence) {
    const struct {
        std::string methods, flags, message;
    } cases[] = {
        {"fast,slow", "", "--methods must be \"fast\", "},
        {"fast,,faithful", "", "--methods needs a name, got \"\""},
        {"fast:substeps", "", "--methods needs NAME=VALUE after \"fast:\", got \"substeps\""},
        {"fast:substeps=0", "",
         "--methods fast:substeps must be a whole number from 1 to 10000, got 0"},
        {"fast:substpes=2", "", "--methods fast:substpes: "},
        {"fast", "--steps 1 --time 1", "--time and --steps exclude each other"},
        {"fast", "--plot /nowhere/x.svg", "/nowhere/x.svg: cannot be written"},
    };
    for (const auto& c : cases) {
        const auto r = rigor(compare(c.methods, c.flags));
        EXPECT_EQ(r.exit_code, 2) << c.methods;
        EXPECT_NE(r.err.find(c.message), std::string::npos) << r.err;
        EXPECT_EQ(std::count(r.err.begin(), r.err.end(), '\n'), 1) << r.err;
    }
    EXPECT_EQ(rigor("compare " + ball()).exit_code, 2);
    EXPECT_EQ(rigor("compare nothing.json --methods fast").exit_code, 2);
}

} // namespace
} // namespace rigor
