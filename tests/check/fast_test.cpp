// Certificates of `fast`: the weaker laws that it claims hold in runs of the gallery, and each of
// them can fail.

#include <nlohmann/json.hpp>

#include "run_checker.h"

namespace rigor::app {
namespace {

using Json = nlohmann::ordered_json;

struct FastRun {
    std::string scene;
    double time;
};

class CertifiedFastRun : public testing::TestWithParam<FastRun> {};

TEST_P(CertifiedFastRun, ObeysTheLawsOfFast) {
    const Result<std::string> file = certify(GetParam().scene, GetParam().time, "fast");
    ASSERT_TRUE(file) << file.error().message;
    const CheckOutcome outcome = run_checker(*file);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.output;
    EXPECT_NE(outcome.output.find("step momentum"), std::string::npos) << outcome.output;
}

INSTANTIATE_TEST_SUITE_P(Gallery, CertifiedFastRun,
                         testing::Values(FastRun{"bouncing_balls", 2},
                                         FastRun{"frictional_impact", 1},
                                         FastRun{"rolling_race", 2}, FastRun{"diamond_2", 1},
                                         FastRun{"arch", 1}, FastRun{"spinning_top", 1},
                                         FastRun{"dominoes", 2}, FastRun{"box_off_table", 2},
                                         FastRun{"slopes", 2}, FastRun{"gyroscope", 1},
                                         FastRun{"stack", 1}, FastRun{"overhang_four", 0.5}),
                         [](const auto& run) { return run.param.scene; });

/// A number that is multiplied, in the record `impulses` or `sums` of a step, or in the header.
struct Change {
    std::string name, scene, record, pointer;
    double factor;
    std::string law;
};

class CorruptedFastRun : public testing::TestWithParam<Change> {};

TEST_P(CorruptedFastRun, NamesTheLaw) {
    const Change& c = GetParam();
    const Result<std::string> file = certify(c.scene, 1, "fast");
    ASSERT_TRUE(file) << file.error().message;
    std::vector<std::string> lines = lines_of(*file);
    int found = 0;
    for (std::string& line : lines) {
        const bool is_header = c.record.empty();
        if (!is_header && line.rfind("{\"is\":\"" + c.record + "\"", 0) != 0) continue;
        if (!is_header && found++ < 50) continue; // by then all bodies touch
        Json json = Json::parse(line);
        Json& number = json.at(Json::json_pointer(c.pointer));
        ASSERT_NE(number.get<double>(), 0) << c.pointer;
        number = number.get<double>() * c.factor;
        line = json.dump();
        break;
    }
    expect_rejected(lines, "fast_" + c.name, c.law);
}

INSTANTIATE_TEST_SUITE_P(
    OneNumber, CorruptedFastRun,
    testing::Values(
        Change{"gravity", "rolling_race", "", "/gravity/2", 1.001, "step momentum"},
        Change{"mass", "rolling_race", "", "/bodies/6/mass", 1.001, "step momentum"},
        Change{"impulse", "rolling_race", "impulses", "/contacts/0/at/0/8", 1.001, "step momentum"},
        Change{"pull", "rolling_race", "impulses", "/contacts/0/at/0/8", -1, "cone of floats"},
        Change{"friction", "slopes", "impulses", "/contacts/0/at/0/6", 20, "cone of floats"},
        Change{"coefficient", "slopes", "impulses", "/contacts/0/friction/1", 1.000001, "material"},
        Change{"normal", "rolling_race", "impulses", "/contacts/0/at/0/5", 1.000001,
               "unit vectors"},
        Change{"momentum", "rolling_race", "impulses", "/states/1/85", 1.000001, "continuity"},
        Change{"position", "rolling_race", "impulses", "/states/1/78", 1.000001, "continuity"},
        Change{"static_body", "rolling_race", "impulses", "/states/1/3", 1.000001, "continuity"},
        Change{"size", "diamond_2", "", "/bodies/1/shapes/0/size/2", 1.1, "depth"},
        Change{"anchor", "gyroscope", "", "/joints/0/anchor/2", 1.1, "joint error"},
        Change{"claim", "diamond_2", "", "/claims/penetration", 1e-6, "depth"},
        Change{"energy", "rolling_race", "sums", "/kinetic", 1.000001, "sums"}),
    [](const auto& run) { return run.param.name; });

// A certificate may not leave out what its method claims, or pass for one of another method.
TEST(FastCertificate, MustHaveTheRecordsOfItsMethod) {
    const Result<std::string> file = certify("rolling_race", 0.2, "fast");
    ASSERT_TRUE(file);
    std::vector<std::string> lines = lines_of(*file);
    const std::size_t at = lines[0].find("\"method\":\"fast\"");
    ASSERT_NE(at, std::string::npos);
    lines[0].replace(at, 15, "\"method\":\"faithful\"");
    const std::string changed = scratch_file("other_method.jsonl");
    write_lines(changed, lines);
    EXPECT_TRUE(run_checker(changed).fails("coverage"));
}

} // namespace
} // namespace rigor::app
