// What the program says of a wrong command line: one sentence that names the flag and the value.

#include <gmock/gmock.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "program.h"

namespace rigor::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

class Usage : public ProgramTest {
  protected:
    struct Case {
        std::string arguments, message;
    };

    void expect_refused(const std::vector<Case>& cases) const {
        for (const auto& [arguments, message] : cases) {
            const ProgramResult r = rigor(arguments);
            EXPECT_EQ(r.exit_code, 2) << arguments;
            EXPECT_THAT(r.err, StartsWith("rigor: " + message)) << arguments;
            EXPECT_EQ(std::count(r.err.begin(), r.err.end(), '\n'), 1) << r.err;
            EXPECT_EQ(r.out, "") << arguments;
        }
    }
    std::string ball() const {
        return write("ball.json", R"({ "rigor": 1, "method": "free", "bodies": [ { "name": "ball",
            "type": "dynamic", "shapes": [ { "type": "sphere", "radius": 0.5 } ] } ] })");
    }
};

TEST_F(Usage, AFlagThatIsNoNumber) {
    expect_refused({
        {"run wall --time abc", "--time must be a number, got \"abc\" (see rigor run --help)\n"},
        {"run wall --dt 1s", "--dt must be a number, got \"1s\""},
        {"run wall --steps 1.5", "--steps must be a whole number, got 1.5"},
        {"run wall --steps 1e99", "--steps must be a whole number, got 1e99"},
        {"run wall --every x", "--every must be a whole number, got \"x\""},
        {"run wall --threads two", "--threads must be a whole number from 1 to 1024, got \"two\""},
        {"run wall --lanes two", "--lanes must be 0, 1, 4 or 8, got \"two\""},
        {"run wall --time --strict", "--time must be a number, got \"--strict\""},
        {"view --port abc", "--port must be a whole number from 0 to 65535, got \"abc\""},
        {"view --history-mb x", "--history-mb must be a whole number from 1 to 1000000, got \"x\""},
        {"mass x.obj --density abc", "--density must be a number, got \"abc\""},
        {"impact x.json --index -1", "--index must be a whole number, 0 or more, got -1"},
        {"bench --seed minus", "--seed must be a whole number, 0 or more, got \"minus\""},
        {"bench --threads 1,b", "--threads must be a whole number from 1 to 1024, got \"b\""},
    });
}

TEST_F(Usage, AValueThatIsMissing) {
    expect_refused({
        {"run wall --time", "--time needs a number, e.g. --time 10 (see rigor run --help)\n"},
        {"run wall --substeps", "--substeps needs a whole number from 1 to 10000"},
        {"run wall --method", "--method needs a method: fast, faithful, "},
        {"run wall --json", "--json needs a file, or - for stdout"},
        {"run wall --json \"\"", "--json needs a file, or - for stdout, got \"\""},
        {"run wall --set", "--set needs PATH=VALUE, e.g. --set bodies[0].mass=3"},
        {"run wall --set x", "--set needs PATH=VALUE, e.g. --set bodies[0].mass=3, got \"x\""},
        {"run", "run needs a scene: a file, or a name such as wall (see rigor run --help)\n"},
        {"compare", "compare needs a scene: a file, or a name such as wall"},
        {"compare wall", "compare needs --methods: names of methods, e.g. --methods fast,faithful"},
        {"mass", "mass needs a mesh file, e.g. scenes/meshes/pawn.obj"},
        {"impact", "impact needs a file of impacts, e.g. scenes/impacts/baber2011.json"},
        {"replay", "replay needs a recording, from rigor run --record"},
        {"bench --only", "--only needs names of scenes, e.g. --only pyramid,wall"},
    });
}

TEST_F(Usage, WhatIsNotExpected) {
    expect_refused({
        {"--frob", "unknown flag \"--frob\" (see rigor --help)\n"},
        {"run wall -x", "unknown flag \"-x\" (see rigor run --help)\n"},
        {"run wall --tme 3", "unknown flag \"--tme\"; did you mean \"--time\"?"},
        {"run wall wall2", "run takes one scene, got \"wall2\" as well"},
        {"run wall info", "run takes one scene, got \"info\" as well"},
        {"mass a.obj b.obj", "mass takes one file, got \"b.obj\" as well"},
        {"info extra", "info takes no arguments but flags, got \"extra\""},
        {"bench pyramid", "bench takes no arguments but flags, got \"pyramid\""},
        {"--strict run wall", "--strict is a flag of run: write it after the command"},
        {"run wall --time 1 --time 2", "--time may be given only once"},
        {"run wall --strict=maybe", "--strict takes no value"},
        {"help fly", "unknown command \"fly\"; the commands are "},
    });
}

TEST_F(Usage, AnUnknownScene) {
    expect_refused({
        {"run \"\"", "SCENE is empty: give a file, or a name such as wall\n"},
        {"run .", ".: must be a scene file, but is a folder\n"},
        {"run scenes/", "scenes/: must be a scene file, but is a folder\n"},
        {"run nofile.json",
         "nofile.json: there is no such file, here or in the gallery; rigor "
         "run --list lists the scenes of the gallery\n"},
        {"view wall --methods fast,nope", "--methods must be \"fast\", \"faithful\", "},
        {"view --methods fast", "--methods needs a scene"},
    });
    expect_refused({{"view --methods fast wall nothing", "view takes one scene, got \"nothing\""}});
    EXPECT_THAT(rigor("run --list").out, HasSubstr("\nwall\n"));
}

TEST_F(Usage, AFolderOfTheUsersOwnDoesNotHideTheGallery) {
    std::filesystem::create_directories(file("scenes"));
    std::filesystem::copy_file(ball(), file("scenes/mine.json"));
    for (const std::string scene : {"mine", "wall"})
        EXPECT_EQ(std::system(("cd '" + file("") + "' && '" RIGOR_BUILD_DIR "/rigor' run " + scene +
                               " --steps 1 --quiet")
                                  .c_str()),
                  0)
            << scene;
}

TEST_F(Usage, EachResultHasAFileOfItsOwn) {
    const std::string scene = ball(), x = file("x"), same = file("") + "./x";
    expect_refused({
        {"run " + scene + " --json " + x + " --csv " + same,
         "--json and --csv need different files, got \"" + same + "\" for both\n"},
        {"run " + scene + " --json - --csv -",
         "--json and --csv need different files, got \"-\" for both\n"},
        {"run " + scene + " --json " + scene, "--json would overwrite the input, \"" + scene},
        {"run " + scene + " --record -", "--record needs a file"},
        {"run " + scene + " --json " + file(""), file("") + ": cannot be written: it is a folder"},
        {"compare " + scene + " --methods free --plot x.png",
         "--plot writes SVG: its name must end in .svg, got \"x.png\"\n"},
        {"impact scenes/impacts/baber2011.json --portrait x.png",
         "--portrait writes SVG: its name must end in .svg, got \"x.png\"\n"},
    });
    rigor("run " + scene + " --method nope --json " + x);
    EXPECT_FALSE(std::filesystem::exists(x)) << "what is refused leaves no file";
    EXPECT_EQ(rigor("run " + scene + " --steps 1 --json /dev/null --csv /dev/null").exit_code, 0);
    const ProgramResult plot = rigor("compare " + scene + " --methods free --steps 2 --plot -");
    EXPECT_THAT(plot.out, StartsWith("<"));
    EXPECT_THAT(plot.out, Not(HasSubstr("ms/step")));
}

TEST_F(Usage, HelpIsACommandToo) {
    EXPECT_EQ(rigor("help").out, rigor("--help").out);
    EXPECT_EQ(rigor("help run").out, rigor("run --help").out);
    EXPECT_THAT(rigor("help run").out, HasSubstr("--time NUMBER"));
    EXPECT_THAT(rigor("help run").out, HasSubstr("--may-sleep true|false"));
    EXPECT_THAT(rigor("help view").out, Not(HasSubstr("{false}")));
    EXPECT_THAT(rigor("help mass").out, HasSubstr("OFF"));
}

TEST_F(Usage, ATimeStepThatFastIsNotMadeForIsAWarning) {
    const std::string fast = ball() + " --method fast --steps 2 --dt ";
    const std::string warning =
        "the time step of 100000 s is far above the 1/30 s that fast is "
        "made for";
    EXPECT_THAT(rigor("run " + fast + "100000").err, HasSubstr(": warning: " + warning + "\n"));
    const ProgramResult strict = rigor("run " + fast + "100000 --strict");
    EXPECT_EQ(strict.exit_code, 3);
    EXPECT_THAT(strict.err, HasSubstr(": " + warning + " (--strict)\n"));
    EXPECT_EQ(rigor("run " + fast + "0.03 --strict").err, "");
}

// Four boxes under 10,000 times the gravity of the earth were 60 m deep in the floor, silently.
TEST_F(Usage, ATimeStepInWhichBodiesFallFartherThanTheirSizeIsAWarning) {
    const auto scene = [&](const std::string& radius) {
        return write("small.json", R"({"rigor": 1, "bodies": [{"name": "crumb",
            "shapes": [{"type": "sphere", "radius": )" +
                                       radius + "}]}]}");
    };
    EXPECT_THAT(rigor("run " + scene("1e-5") + " --steps 2").err,
                HasSubstr("bodies fall by 0.0013625 m in one step, and \"crumb\" has a size of"));
    EXPECT_EQ(rigor("run " + scene("1e-5") + " --steps 2 --dt 1e-4").err, "");
    EXPECT_EQ(rigor("run " + scene("1e-2") + " --steps 2").err, "");
}

// Twenty balls in one place, or two concave bodies half a meter in each other, were pushed apart in
// silence.
TEST_F(Usage, BodiesThatBeginInEachOtherAreAWarningUnderEveryMethod) {
    const auto scene = [&](const std::string& height) {
        return write("in.json", R"({"rigor": 1, "gravity": [0, 0, 0],
            "materials": {"smooth": {"friction": 0}}, "bodies": [
            {"name": "low", "shapes": [{"type": "box", "size": [1, 1, 1], "material": "smooth"}]},
            {"name": "high", "position": [0, 0, )" +
                                    height + R"(],
             "shapes": [{"type": "box", "size": [1, 1, 1], "material": "smooth"}]},
            {"name": "third", "position": [5, 0, 0],
             "shapes": [{"type": "sphere", "radius": 1, "material": "smooth"}]},
            {"name": "fourth", "position": [5, 0, 1.9],
             "shapes": [{"type": "sphere", "radius": 1, "material": "smooth"}]}]})");
    };
    const std::string warning =
        "\"low\" and \"high\" overlap by 0.4 m at the start, and so does 1 other pair";
    for (const std::string method : {"fast", "faithful", "baber2006", "kavan2003", "baber2011",
                                     "kenwright", "galoppo2007", "penalty"}) {
        SCOPED_TRACE(method);
        const std::string run = "run " + scene("0.6") + " --steps 1 --method " + method;
        EXPECT_THAT(rigor(run).err, HasSubstr("warning: " + warning + "\n"));
        const ProgramResult strict = rigor(run + " --strict");
        EXPECT_EQ(strict.exit_code, 3);
        EXPECT_THAT(strict.err, HasSubstr(": " + warning + " (--strict)\n"));
        EXPECT_THAT(rigor("run " + scene("0.99") + " --steps 1 --method " + method).err,
                    HasSubstr("\"third\" and \"fourth\" overlap by 0.1 m at the start\n"));
    }
}

// Bodies that begin where their joint does not fit are pulled together, which lifts one of them.
TEST_F(Usage, EnergyThatJointsAddIsAWarning) {
    const auto scene = [&](const std::string& more) {
        return write("far.json", R"({"rigor": 1, "bodies": [{"name": "a", "position": [0, 0, 5],
            "shapes": [{"type": "sphere", "radius": 0.2}]}],
            "joints": [{"type": "distance", "a": "a", "anchor_b": [0, 0, 20], "length": 1)" +
                                     more + "}]}");
    };
    const std::string run = " --method fast --time 2";
    EXPECT_THAT(rigor("run " + scene("") + run).err, HasSubstr("warning: joints under fast added"));
    // A spring may be stretched.
    const std::string spring = R"(, "spring": {"frequency_hz": 1, "damping_ratio": 0})";
    EXPECT_EQ(rigor("run " + scene(spring) + run).err, "");
}

TEST_F(Usage, ASceneWithoutBodiesOrName) {
    const ProgramResult r = rigor("run " + write("void.json", "{\"rigor\": 1}") + " --steps 1");
    EXPECT_EQ(r.exit_code, 0);
    EXPECT_THAT(r.out, StartsWith("void: method fast"));
    EXPECT_THAT(r.out, HasSubstr("  bodies     0, 0 dynamic\n"));
    EXPECT_THAT(r.err, HasSubstr(": warning: the scene has no bodies\n"));
}

// Nearest rank: of fewer than 100 steps the 99th percentile is the largest.
TEST_F(Usage, PercentilesAreNotRoundedDown) {
    const auto ms =
        nlohmann::json::parse(rigor("run " + ball() + " --steps 20 --json -").out)["ms_per_step"];
    EXPECT_EQ(ms["p99"], ms["max"]);
}

} // namespace
} // namespace rigor::test
