// The settings as a user of the program meets them: flags, scene keys, warnings, and the pages that
// describe them.

#include <gmock/gmock.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "program.h"
#include "rigor/settings_table.h"

namespace rigor::test {
namespace {

using nlohmann::json;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class SettingsOfTheProgram : public ProgramTest {
  protected:
    std::string ball(const std::string& head) const {
        return write("ball.json", R"({ "rigor": 1, "name": "ball", )" + head + R"(
  "bodies": [ { "name": "floor", "type": "static", "shapes": [ { "type": "plane", "normal": [0, 0, 1] } ] },
              { "name": "ball", "type": "dynamic", "position": [0, 0, 1],
                "shapes": [ { "type": "sphere", "radius": 0.5 } ] } ] })");
    }
    /// The warnings of a run of 3 steps.
    std::vector<std::string> warnings(const std::string& arguments) const {
        const ProgramResult r = rigor("run " + arguments + " --steps 3 --json -");
        EXPECT_EQ(r.exit_code, 0) << r.err;
        return json::parse(r.out)["warnings"];
    }
    static std::string dashed(std::string name) {
        std::replace(name.begin(), name.end(), '_', '-');
        return "--" + name;
    }
    static std::string docs(const std::string& name) {
        return read_file(std::string(RIGOR_SOURCE_DIR "/docs/") + name);
    }
};

TEST_F(SettingsOfTheProgram, ASettingOfAnotherMethodIsAWarningThatSaysSo) {
    const std::string scene = ball(R"("method": "faithful", "settings": { "substeps": 4 },)");
    EXPECT_THAT(warnings(scene),
                ElementsAre("settings.substeps is not used by faithful, only by free and fast"));
    EXPECT_THAT(warnings(scene + " --method fast"), ElementsAre());
    EXPECT_THAT(warnings(scene + " --method fast --resting lp --fixed-steps false"),
                ElementsAre("--fixed-steps is not used by fast, only by faithful",
                            HasSubstr("--resting is not used by fast, only by baber2006, ")));
    EXPECT_THAT(warnings(scene + " --substeps 4 --delta 0.01"),
                ElementsAre("--substeps is not used by faithful, only by free and fast",
                            "--delta is not used by faithful without impact euler or "
                            "mirtich"));
    for (const std::string flag : {"", " --quiet", " --json -", " --csv -"})
        EXPECT_EQ(rigor("run " + scene + " --steps 3" + flag).err,
                  "rigor: " + scene +
                      ": warning: settings.substeps is not used by faithful, only by free and "
                      "fast\n");
}

TEST_F(SettingsOfTheProgram, UnderStrictItIsExitCode3) {
    const std::string scene = ball(R"("method": "faithful",)") + " --steps 3 --strict ";
    EXPECT_EQ(rigor("run " + scene).exit_code, 0);
    const ProgramResult r = rigor("run " + scene + "--substeps 4");
    EXPECT_EQ(r.exit_code, 3);
    EXPECT_THAT(
        r.err,
        HasSubstr(": --substeps is not used by faithful, only by free and fast (--strict)\n"));
    EXPECT_EQ(rigor("compare " + scene + "--methods fast,faithful").exit_code, 0);
    const ProgramResult compared =
        rigor("compare " + scene + "--methods fast,faithful --substeps 2");
    EXPECT_EQ(compared.exit_code, 3);
    EXPECT_THAT(compared.err,
                HasSubstr("faithful: --substeps is not used by faithful, only by free and fast "
                          "(--strict)\n"));
}

TEST_F(SettingsOfTheProgram, CompareWarnsTheMethodThatDoesNotUseIt) {
    const json methods = rigor_json("compare " + ball("") +
                                    " --steps 3 --methods fast,baber2006 --substeps 2")["methods"];
    using Strings = std::vector<std::string>;
    EXPECT_THAT(methods[0]["warnings"].get<Strings>(), ElementsAre());
    EXPECT_THAT(methods[1]["warnings"].get<Strings>(),
                Contains("--substeps is not used by baber2006, only by free and fast"));
}

TEST_F(SettingsOfTheProgram, EachIsAFlagWithItsChoices) {
    for (const std::string command : {"run", "compare"}) {
        const std::string help = rigor(command + " --help").out;
        for (const Setting& setting : settings_table()) {
            EXPECT_THAT(help, HasSubstr("  " + dashed(std::string(setting.name)))) << command;
            for (const std::string_view choice : setting.choices)
                EXPECT_THAT(help, HasSubstr(std::string(choice))) << command;
        }
    }
}

TEST_F(SettingsOfTheProgram, ABadValueGetsTheSentenceOfTheScene) {
    const std::string scene = ball("");
    const struct {
        std::string flag, message;
    } cases[] = {
        {"--substeps 0", "rigor: --substeps must be a whole number from 1 to 10000, got 0\n"},
        {"--max-events 1.5",
         "--max-events must be a whole number from 1 to 1000000000000, got 1.5"},
        {"--delta -1", "rigor: --delta must be positive, got -1"},
        {"--impact newtom",
         "rigor: --impact must be \"newton\", \"poisson\", \"energetic\", "
         "\"euler\", \"mirtich\" or \"planar\", got \"newtom\""},
        {"--fixed-steps 1", "rigor: --fixed-steps must be true or false, got 1\n"},
        {"--set settings.substep=1",
         "settings has an unknown key \"substep\"; did you mean "
         "\"substeps\"?"},
        {"--substep 1",
         "unknown flag \"--substep\"; did you mean \"--substeps\"? (see rigor run "
         "--help)"},
        {"--substeps abc",
         "rigor: --substeps must be a whole number from 1 to 10000, got \"abc\"\n"},
        {"--may-sleep maybe", "rigor: --may-sleep must be true or false, got \"maybe\"\n"},
        {"--may_sleep maybe", "rigor: --may_sleep must be true or false, got \"maybe\"\n"},
        {"--max-wall-seconds soon", "rigor: --max-wall-seconds must be a number, got \"soon\"\n"},
        {"--set bodies[1].type=loose", "rigor: --set bodies[1].type must be \"static\", "},
        {"--method fsat", "rigor: --method must be \"fast\", \"faithful\", "},
    };
    for (const auto& c : cases) {
        const ProgramResult r = rigor("run " + scene + " " + c.flag);
        EXPECT_EQ(r.exit_code, 2) << c.flag;
        EXPECT_THAT(r.err, HasSubstr(c.message));
        EXPECT_EQ(std::count(r.err.begin(), r.err.end(), '\n'), 1) << r.err;
    }
}

TEST_F(SettingsOfTheProgram, LanesDoNotChangeTheHash) {
    const auto hash = [&](const std::string& lanes) {
        const ProgramResult r = rigor("run wall --steps 5 --json - --lanes " + lanes);
        return json::parse(r.out)["state_hash"];
    };
    EXPECT_EQ(hash("1"), hash("4"));
    EXPECT_THAT(warnings(ball("") + " --lanes 4"), ElementsAre());
    EXPECT_THAT(warnings(ball("") + " --method faithful --lanes 4"),
                Contains("lanes is not used by faithful, only by fast"));
}

// What `rigor info` prints belongs into these files, as it is.
TEST_F(SettingsOfTheProgram, SchemaAndReferencePageAreThoseOfTheTable) {
    const json generated = json::parse(rigor("info --schema").out);
    EXPECT_EQ(json::parse(docs("scene.schema.json"))["$defs"]["settings"], generated);
    EXPECT_EQ(generated["properties"].size(), scene_setting_names().size());
    EXPECT_THAT(docs("settings.md"), HasSubstr(rigor("info --settings").out));
}

TEST_F(SettingsOfTheProgram, EveryCommandHasExamplesThatBeginWithItsName) {
    for (const std::string command :
         {"view", "run", "compare", "replay", "mass", "impact", "validate", "bench", "info"}) {
        const ProgramResult r = rigor(command + " --help");
        EXPECT_EQ(r.exit_code, 0);
        EXPECT_THAT(r.out, HasSubstr("examples:\n")) << command;
        EXPECT_THAT(r.out, HasSubstr("\n  rigor " + command)) << command;
    }
}

TEST_F(SettingsOfTheProgram, ASceneOfTheGalleryIsFoundByName) {
    const ProgramResult by_name = rigor("run wall --steps 1 --json -");
    ASSERT_EQ(by_name.exit_code, 0) << by_name.err;
    const ProgramResult by_path = rigor("run scenes/wall.json --steps 1 --json -");
    EXPECT_EQ(json::parse(by_name.out)["state_hash"], json::parse(by_path.out)["state_hash"]);
    EXPECT_EQ(rigor("compare see_saw --methods fast --steps 1").exit_code, 0);
    EXPECT_EQ(rigor("run wal --steps 1").err,
              "rigor: wal: there is no such file, here or in the gallery; did you mean \"wall\" "
              "or \"fracture_wall\"?\n");
    EXPECT_EQ(rigor("run xyzzyxyzzy --steps 1").err,
              "rigor: xyzzyxyzzy: there is no such file, here or in the gallery; rigor run --list "
              "lists the scenes of the gallery\n");
    EXPECT_EQ(rigor("run nowhere/wall.json --steps 1").err,
              "rigor: nowhere/wall.json: there is no such file\n");
}

} // namespace
} // namespace rigor::test
