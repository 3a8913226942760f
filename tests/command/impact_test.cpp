// rigor impact: the output that scripts rely on.

#include <algorithm>
#include <nlohmann/json.hpp>

#include "program.h"
#include "rigor/vec.h"

namespace rigor {
namespace {

using nlohmann::json;

class ImpactCommand : public test::ProgramTest {
  protected:
    void expect_refusal(const std::string& arguments, const std::string& start) const {
        const auto r = rigor(arguments);
        EXPECT_EQ(r.exit_code, 2) << arguments;
        EXPECT_EQ(r.err.rfind("rigor: " + start, 0), 0u) << r.err;
        EXPECT_EQ(std::count(r.err.begin(), r.err.end(), '\n'), 1) << r.err;
    }
};

Vec3d vec(const json& j) {
    return {j[0], j[1], j[2]};
}

TEST_F(ImpactCommand, AllOfTheReferenceSetToNineDigits) {
    RIGOR_NEEDS_DATA();
    const std::string file = (test::data_dir() / "reference" / "impacts.json").string();
    const json expected = json::parse(test::read_file(file));
    const json results = rigor_json("impact '" + file + "'");
    ASSERT_EQ(results.size(), 150u);
    for (std::size_t i = 0; i < results.size(); ++i) {
        const json &got = results[i], &want = expected[i]["expect"];
        EXPECT_LE(length(vec(got["impulse"]) - vec(want["impulse"])),
                  1e-9 * length(vec(want["impulse"])));
        EXPECT_EQ(got["mode"], want["mode"]);
        EXPECT_EQ(got["b"].is_null(), want["b"].is_null());
        EXPECT_LE(length(vec(got["a"]["velocity"]) - vec(want["a"]["velocity"])), 1e-9);
    }
    const auto euler = rigor("impact '" + file + "' --impact euler --delta 1e-4 --json -");
    ASSERT_EQ(euler.exit_code, 0);
    EXPECT_EQ(json::parse(euler.out).size(), 150u);
}

TEST_F(ImpactCommand, ExampleOfBaber2011) {
    const json impact = rigor_json("impact scenes/impacts/baber2011.json")[0];
    EXPECT_LE(length(vec(impact["impulse"]) - Vec3d{-15.09702, 25.63525, 60.81154}), 1e-5);
    EXPECT_EQ(impact["mode"], "sliding");
    EXPECT_EQ(impact["phases"], 4);
    EXPECT_TRUE(impact["b"].is_null());
    EXPECT_LT(impact["work_compression"].get<double>(), 0);
    EXPECT_NEAR(impact["work_decompression"].get<double>(),
                -0.81 * impact["work_compression"].get<double>(), 1e-10);
    const auto table = rigor("impact scenes/impacts/baber2011.json --impact mirtich");
    ASSERT_EQ(table.exit_code, 0);
    EXPECT_NE(table.out.find("sliding"), std::string::npos) << table.out;
}

// Four phases, two of each kind, in two panels.
TEST_F(ImpactCommand, PlotsTheWayWithItsPhases) {
    const auto r = rigor("impact scenes/impacts/baber2011.json --plot '" + file("u.svg") + "'");
    ASSERT_EQ(r.exit_code, 0) << r.err;
    const std::string svg = test::read_file(file("u.svg"));
    EXPECT_EQ(svg.rfind("<svg ", 0), 0u);
    EXPECT_EQ(test::count(svg, "<polyline"), 2 + 2); // two of them in the legend
    EXPECT_EQ(test::count(svg, ">compression<"), 1);
    EXPECT_EQ(test::count(svg, "fill=\"#dbe7f5\""), 5); // two of each panel, one in the legend
    EXPECT_EQ(test::count(svg, "fill=\"#fbe8d8\""), 5);
    EXPECT_EQ(test::count(svg, "nan"), 0);
}

// Figure 4 of [Baber 2011]: four rays at the angles of 3.7, one of which leads away, and 16 ways.
TEST_F(ImpactCommand, PortraitHasTheRaysOfTheDocument) {
    EXPECT_EQ(rigor_json("impact scenes/impacts/baber2011_figure4.json --portrait '" +
                         file("portrait.svg") + "'")[0]["mode"],
              "unstable sticking");
    const std::string svg = test::read_file(file("portrait.svg"));
    for (const char* angle : {">86.7°<", ">209.1°<", ">281.4°<", ">322.9°<"})
        EXPECT_NE(svg.find(angle), std::string::npos) << angle;
    EXPECT_EQ(test::count(svg, "<circle"), 16 + 1);           // one in the legend
    EXPECT_EQ(test::count(svg, "stroke=\"#c2410c\""), 1 + 1); // one diverges
    EXPECT_EQ(test::count(svg, "nan"), 0);
}

TEST_F(ImpactCommand, BadInputGetsOneSentence) {
    const std::string good =
        R"([{"restitution":0.5,"friction":0.3,"normal":[0,0,1],
  "a":{"mass":1,"inertia":[1,0,0,0,1,0,0,0,1],"r":[0,0,-1],"velocity":[0,0,-1]},"b":null}])";
    ASSERT_EQ(rigor("impact " + write("good.json", good)).exit_code, 0);
    const struct {
        std::string from, to, message;
    } changes[] = {
        {"0.5", "1.5", ":1:17: [0].restitution must be from 0 to 1, got 1.5"},
        {"0.3", "-0.3", ":1:32: [0].friction must not be negative, got -0.3"},
        {"[0,0,1],", "[0,0,2],", ":1:45: [0].normal must have the length 1, got 2"},
        {"1,0,0,0,1]", "1,0,0,0,0]",
         ":2:27: [0].a.inertia must have positive principal moments, got 0, 1 and 1"},
        {"[1,0,0,0", "[1,2,0,0",
         ":2:27: [0].a.inertia must be symmetric, got 2 above the diagonal and 0 below"},
        {"\"mass\":1", "\"mass\":0", ":2:15: [0].a.mass must be positive, got 0"},
        {"friction", "frictoin",
         ":1:21: [0] has an unknown key \"frictoin\"; did you mean \"friction\"?"},
        {"[{", "{\"a\":[{", ":"},
    };
    for (const auto& [from, to, message] : changes) {
        std::string text = good;
        text.replace(text.find(from), from.size(), to);
        expect_refusal("impact " + write("bad.json", text), file("bad.json") + message);
    }
    const std::string fine = "impact " + write("good.json", good);
    expect_refusal("impact nothing.json", "nothing.json: ");
    expect_refusal(fine + " --impact elastic",
                   "--impact must be newton, poisson, energetic, euler, mirtich or planar, got "
                   "\"elastic\"");
    expect_refusal(fine + " --delta 0", "--delta must be above 0 and at most 1, got 0");
    expect_refusal(fine + " --index 1 --plot x.svg",
                   "--index must be less than 1, the number of impacts, got 1");
    expect_refusal(fine + " --index 1 --portrait x.svg",
                   "--index must be less than 1, the number of impacts, got 1");
    expect_refusal(fine + " --plot /nowhere/x.svg", "/nowhere/x.svg: cannot be written");
}

} // namespace
} // namespace rigor
