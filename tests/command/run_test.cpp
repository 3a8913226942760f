// rigor run: the output that scripts rely on.

#include <chrono>
#include <nlohmann/json.hpp>

#include "program.h"

namespace rigor {
namespace {

using nlohmann::json;
using RunCommand = test::ProgramTest;

Vec3d vec(const json& j) {
    return {j[0], j[1], j[2]};
}
Quatd quat(const json& j) {
    return {j[0], j[1], j[2], j[3]};
}

constexpr const char* kBall = R"({
  "rigor": 1, "name": "ball", "method": "free",
  "bodies": [ { "name": "ball", "type": "dynamic", "position": [0, 0, 5],
                "shapes": [ { "type": "sphere", "radius": 0.5 } ] } ]
})";

// The check asymmetric_top, through the program and at full precision.
TEST_F(RunCommand, AsymmetricTopComesOutAsPublished) {
    const json summary =
        rigor_json("run scenes/asymmetric_top.json --time 10 --csv " + file("top.csv"));
    ASSERT_EQ(summary["final"].size(), 1u);
    const json& body = summary["final"].front();
    const Quatd q = quat(body["orientation"]);
    const Vec3d w = inverse_rotate(q, vec(body["angular_velocity"]));
    EXPECT_LT(length(w - Vec3d{2.755840405147, -3.735963519216, -3.161809003468}), 1e-9);
    const Quatd expected{0.225164563414, -0.619927562499, -0.277029150687, 0.698745723640};
    EXPECT_NEAR(std::abs(dot(q, expected)), 1, 1e-12);
    EXPECT_NEAR(summary["ledger"]["remainder"].get<double>(), 0, 1e-11);

    // The last row of the CSV is the same state to the last bit.
    const std::string csv = test::read_file(file("top.csv"));
    EXPECT_EQ(csv.substr(0, csv.find('\n')), "t,body,x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz");
    EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 1 + 601);
    const std::string last = csv.substr(csv.rfind('\n', csv.size() - 2) + 1);
    double t, x, y, z, c[10];
    ASSERT_EQ(std::sscanf(last.c_str(),
                          "%lf,%*[^,],%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf", &t, &x,
                          &y, &z, c, c + 1, c + 2, c + 3, c + 4, c + 5, c + 6, c + 7, c + 8, c + 9),
              14);
    EXPECT_NEAR(t, 10, 1e-12);
    EXPECT_EQ((Quatd{c[0], c[1], c[2], c[3]}), q);
    EXPECT_EQ((Vec3d{c[7], c[8], c[9]}), vec(body["angular_velocity"]));
}

// A body that broke is gone and its pieces are there: `bodies` counts what `final` lists.
TEST_F(RunCommand, CountsThePiecesOfBrokenBodies) {
    const json summary = rigor_json("run scenes/breaking_plate.json --time 1");
    EXPECT_EQ(summary["bodies"], summary["final"].size());
    EXPECT_GT(summary["bodies"], 20);
}

TEST_F(RunCommand, OneExactStepIsBetterStill) {
    const json body =
        rigor_json("run scenes/asymmetric_top.json --steps 1 --dt 10")["final"].front();
    const Vec3d w = inverse_rotate(quat(body["orientation"]), vec(body["angular_velocity"]));
    EXPECT_LT(length(w - Vec3d{2.755840405147, -3.735963519216, -3.161809003468}), 1e-12);
}

TEST_F(RunCommand, TheSummaryHasEveryFieldOfTheContract) {
    const json s = rigor_json("run " + write("ball.json", kBall) + " --time 1");
    for (const char* key : {"scene",
                            "method",
                            "threads",
                            "steps",
                            "dt",
                            "time",
                            "bodies",
                            "wall_seconds",
                            "ms_per_step",
                            "stages",
                            "contacts",
                            "energy",
                            "ledger",
                            "momentum_start",
                            "momentum_end",
                            "angular_momentum_start",
                            "angular_momentum_end",
                            "max_penetration",
                            "penetration_end",
                            "state_hash",
                            "awake",
                            "quarantined",
                            "warnings",
                            "final"}) {
        EXPECT_TRUE(s.contains(key)) << key;
    }
    for (const char* key : {"mean", "p50", "p99", "max"})
        EXPECT_TRUE(s["ms_per_step"].contains(key));
    for (const char* key : {"start", "end", "kinetic_end", "potential_end"}) {
        EXPECT_TRUE(s["energy"].contains(key)) << key;
    }
    for (const char* key : {"gravity", "forces", "contact_normal", "contact_friction", "impact",
                            "joints", "damping", "remainder"}) {
        EXPECT_TRUE(s["ledger"].contains(key)) << key;
    }
    EXPECT_EQ(s["steps"], 60);
    EXPECT_EQ(s["state_hash"].get<std::string>().size(), 16u);
    // One second of free fall.
    const double mass = 1000 * 4.0 / 3 * 3.14159265358979 * 0.125;
    EXPECT_NEAR(vec(s["final"]["ball"]["position"]).z, 5 - 9.81 / 2, 1e-12);
    EXPECT_NEAR(s["ledger"]["gravity"].get<double>(), mass * 9.81 * 9.81 / 2, 1e-7);
    EXPECT_NEAR(s["energy"]["start"].get<double>(), s["energy"]["end"].get<double>(), 1e-8);
}

TEST_F(RunCommand, ThreadsAndRepetitionDoNotChangeTheHash) {
    const auto hash = [&](const std::string& flags) {
        const auto r = rigor("run scenes/thrown_shapes.json --time 1 --json - " + flags);
        EXPECT_EQ(r.exit_code, 0) << r.err;
        return json::parse(r.out)["state_hash"];
    };
    const json one = hash("--threads 1");
    EXPECT_EQ(hash("--threads 1"), one);
    EXPECT_EQ(hash("--threads 2"), one);
    EXPECT_EQ(hash("--threads 3"), one);
    EXPECT_NE(hash("--integrator rk4"), one);
}

TEST_F(RunCommand, FlagsAndSetReachTheScene) {
    const std::string ball = write("ball.json", kBall);
    const json s =
        rigor_json("run " + ball + " --steps 60 --set gravity=[0,0,-1.62] --integrator rk4");
    EXPECT_NEAR(vec(s["final"]["ball"]["position"]).z, 5 - 0.81, 1e-12);
    EXPECT_EQ(s["integrator"], "rk4");
}

TEST_F(RunCommand, PrintsAReadableSummaryAndNothingElseInAPipe) {
    const auto r = rigor("run " + write("ball.json", kBall) + " --time 1");
    EXPECT_EQ(r.exit_code, 0);
    EXPECT_EQ(r.err, "");
    EXPECT_NE(r.out.find("ball: method free, integrator exact, 1 thread"), std::string::npos)
        << r.out;
    EXPECT_NE(r.out.find("bytes each"), std::string::npos);
}

TEST_F(RunCommand, WhatAMethodDoesNotKnowIsSaid) {
    const json s = rigor_json("run scenes/see_saw.json --steps 1 --method free");
    EXPECT_EQ(s["method"], "free");
    const json& warnings = s["warnings"];
    EXPECT_EQ(std::count(warnings.begin(), warnings.end(),
                         "joints do not act under \"free\": choose another method, such as "
                         "\"fast\""),
              1)
        << warnings;
}

TEST_F(RunCommand, EveryMethodRunsByName) {
    for (const char* method : {"fast", "faithful", "baber2006", "kavan2003", "baber2011",
                               "kenwright", "galoppo2007", "penalty"}) {
        const auto r =
            rigor("run scenes/diamond_2.json --steps 3 --json - --method " + std::string(method));
        ASSERT_EQ(r.exit_code, 0) << method << r.err;
        EXPECT_EQ(json::parse(r.out)["method"], method);
    }
}

// The first scene of the documentation: the plank comes to rest on something, and says how deep.
TEST_F(RunCommand, FastIsTheMethodThatSeesContacts) {
    const json s = rigor_json("run scenes/see_saw.json --steps 60");
    EXPECT_EQ(s["method"], "fast");
    EXPECT_GT(s["contacts"], 0);
    EXPECT_GE(s["max_penetration"], 0);
    EXPECT_LE(s["max_penetration"], 0.05);
    EXPECT_TRUE(s["stages"].contains("update contacts") &&
                s["stages"].contains("solve constraints"));
}

// A torque of 1e300 N m is finite, what it does is not.
TEST_F(RunCommand, ANonFiniteBodyIsContainedAndUnderStrictReported) {
    const std::string scene = write("bomb.json", R"({
      "rigor": 1, "name": "bomb", "method": "free", "gravity": [0, 0, 0],
      "bodies": [
        { "name": "bomb", "type": "dynamic", "shapes": [ { "type": "box", "size": [1, 1, 1] } ] },
        { "name": "bystander", "type": "dynamic", "velocity": [1, 0, 0],
          "shapes": [ { "type": "box", "size": [1, 1, 1] } ] } ],
      "forces": [ { "body": "bomb", "torque": [1e300, 2e300, 0], "from": 0.5 } ]
    })");
    const auto r = rigor("run " + scene + " --steps 60 --json -");
    EXPECT_EQ(r.exit_code, 0);
    const json s = json::parse(r.out);
    EXPECT_EQ(s["quarantined"], json::array({"bomb"}));
    EXPECT_NEAR(vec(s["final"]["bystander"]["position"]).x, 1, 1e-12);
    EXPECT_EQ(rigor("run " + scene + " --steps 60 --strict").exit_code, 3);
}

TEST_F(RunCommand, ABudgetThatIsUsedUpStopsTheRun) {
    const auto r = rigor("run " + write("ball.json", kBall) +
                         " --steps 1000000 --max-run-seconds 0.01 --json -");
    EXPECT_EQ(r.exit_code, 3);
    const json s = json::parse(r.out);
    EXPECT_LT(s["steps"].get<int>(), 1000000);
    EXPECT_NE(r.err.find("the budget of max_run_seconds, 0.01, is used up"), std::string::npos)
        << r.err;
}

// Of a world, whether it is too large from the start or grows.
TEST_F(RunCommand, TheMemoryOfAWorldIsBounded) {
    const std::string ball = "run " + write("ball.json", kBall) + " --steps 10 --json - ";
    for (const char* flag : {"--max-memory 5e-4", "--max-memory-mb 5e-4"}) {
        const auto r = rigor(ball + flag);
        EXPECT_EQ(r.exit_code, 3) << r.err;
        EXPECT_NE(r.err.find("the budget of max_memory_mb, 0.0005, is used up"), std::string::npos)
            << r.err;
        const json s = json::parse(r.out);
        EXPECT_EQ(s["time"], 0);
        EXPECT_TRUE(s.contains("state_hash"));
    }
    const auto enough = rigor(ball + "--max-memory 100");
    EXPECT_EQ(enough.exit_code, 0) << enough.err;
    EXPECT_EQ(json::parse(enough.out)["state_hash"], json::parse(rigor(ball).out)["state_hash"]);
    EXPECT_EQ(rigor(ball + "--max-memory 0").exit_code, 2);
}

// 800 boxes in one place have 7,000 pairs, even of those that are handled in a step: more than a
// limit that fits the bodies alone.
TEST_F(RunCommand, AStepThatGrowsBeyondItsMemoryEnds) {
    const std::string heap = write("heap.json", R"({ "rigor": 1, "generate": [
      { "pattern": "grid", "count": [8, 10, 10], "spacing": 0.001,
        "body": { "shapes": [ { "type": "box", "size": [1, 1, 1] } ] } } ] })");
    const auto r = rigor("run " + heap + " --steps 2 --max-memory 6 --max-run-seconds 60 --json -");
    EXPECT_EQ(r.exit_code, 3) << r.err;
    EXPECT_NE(r.err.find("the budget of max_memory_mb, 6, is used up"), std::string::npos) << r.err;
}

TEST_F(RunCommand, ALimitOfTheRunThatIsNotReachedIsNotSeen) {
    const std::string command = "run " + write("ball.json", kBall) + " --steps 100 --json - ";
    const auto limited = rigor(command + "--max-run-seconds 100");
    EXPECT_EQ(limited.exit_code, 0) << limited.err;
    const json a = json::parse(limited.out), b = json::parse(rigor(command).out);
    EXPECT_EQ(a["state_hash"], b["state_hash"]);
}

// Steps of seconds or minutes: very many substeps, bodies or events.
TEST_F(RunCommand, UnderEveryMethodARunEndsWithinASecondOfItsLimit) {
    const std::string pile = write("pile.json", R"({
      "rigor": 1, "name": "pile", "time_step": 0.5,
      "bodies": [ { "name": "floor", "type": "static",
                    "shapes": [ { "type": "plane", "normal": [0, 0, 1], "offset": 0 } ] } ],
      "generate": [ { "pattern": "grid", "count": [12, 12, 12], "spacing": 0.01, "jitter": 0.004,
                      "tilt": 0.3, "seed": 1, "position": [0, 0, 0.05],
                      "body": { "shapes": [ { "type": "box", "size": [0.1, 0.1, 0.1] } ] } } ]
    })");
    const double limit = 0.25;
    for (const char* method : {"free", "fast", "faithful", "baber2006", "kavan2003", "baber2011",
                               "kenwright", "galoppo2007", "penalty"}) {
        const bool has_substeps = std::string(method) == "free" || std::string(method) == "fast";
        const auto start = std::chrono::steady_clock::now();
        const auto r = rigor("run " + pile + " --steps 1000000 --json - --method " + method +
                             (has_substeps ? " --substeps 10000" : "") + " --max-run-seconds " +
                             std::to_string(limit));
        const double seconds =
            std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        EXPECT_EQ(r.exit_code, 3) << method << ": " << r.err;
        EXPECT_LT(seconds, limit + 1) << method;
        EXPECT_NE(r.err.find("max_run_seconds"), std::string::npos) << method << ": " << r.err;
        const json s = json::parse(r.out, nullptr, false);
        ASSERT_TRUE(s.is_object()) << method;
        EXPECT_TRUE(s.contains("state_hash")) << method;
    }
}

TEST_F(RunCommand, AStepEndsWithinASecondOfItsLimit) {
    const std::string ball = write("ball.json", kBall);
    for (const char* method : {"free", "fast"}) {
        const auto r = rigor("run " + ball + " --dt 1e5 --steps 3 --substeps 10000 --json - " +
                             "--max-wall-seconds 1e-5 --method " + method);
        EXPECT_EQ(r.exit_code, 3) << method;
        EXPECT_NE(r.err.find("max_wall_seconds, 1e-05 in one step"), std::string::npos) << r.err;
        EXPECT_LT(json::parse(r.out)["time"].get<double>(), 1e5) << method;
    }
}

TEST_F(RunCommand, AFullDeviceIsNoSuccess) {
    const std::string ball = write("ball.json", kBall);
    EXPECT_EQ(rigor("run " + ball + " --steps 1 --csv /dev/full").exit_code, 2);
    EXPECT_EQ(rigor("run " + ball + " --steps 1 --json /dev/full").exit_code, 2);
}

TEST_F(RunCommand, BadUsageGetsOneSentenceAndExitCode2) {
    const std::string ball = write("ball.json", kBall);
    const struct {
        std::string arguments, message;
    } cases[] = {
        {"run " + ball + " --time -1", "rigor: --time must be positive, got -1\n"},
        {"run " + ball + " --dt 0", "rigor: --dt must be positive, got 0\n"},
        {"run " + ball + " --time nan", "rigor: --time must be positive, got nan\n"},
        {"run " + ball + " --time 1 --steps 2", "rigor: --time and --steps exclude each other\n"},
        {"run " + ball + " --threads 0",
         "rigor: --threads must be a whole number from 1 to 1024, got 0\n"},
        {"run " + ball + " --lanes 3", "rigor: --lanes must be 0, 1, 4 or 8, got 3\n"},
        {"run " + ball + " --every 0", "rigor: --every must be at least 1, got 0\n"},
        {"run " + ball + " --json /no/such/folder/x.json",
         "rigor: /no/such/folder/x.json: cannot be written: No such file or directory\n"},
        {"run " + ball + " --csv /no/such/folder/x.csv",
         "rigor: /no/such/folder/x.csv: cannot be written: No such file or directory\n"},
    };
    for (const auto& c : cases) {
        const auto r = rigor(c.arguments);
        EXPECT_EQ(r.exit_code, 2) << c.arguments;
        EXPECT_EQ(r.err, c.message) << c.arguments;
    }
    EXPECT_EQ(
        rigor("fly").err,
        "rigor: unknown command \"fly\"; the commands are view, run, compare, replay, new, mass, "
        "impact, validate, bench and info (see rigor --help)\n");
    EXPECT_EQ(rigor("rum").err,
              "rigor: unknown command \"rum\"; did you mean \"run\"? (see rigor --help)\n");
    for (const char* arguments : {"fly", "run", "run a.json b.json", "run x.json --tme 3"}) {
        const auto r = rigor(arguments);
        EXPECT_EQ(r.exit_code, 2) << arguments;
        EXPECT_EQ(std::count(r.err.begin(), r.err.end(), '\n'), 1) << r.err;
    }
}

TEST_F(RunCommand, HelpAndVersionAndInfo) {
    const auto help = rigor("--help");
    EXPECT_EQ(help.exit_code, 0);
    EXPECT_NE(help.out.find("examples:"), std::string::npos);
    const auto bare = rigor("");
    EXPECT_EQ(bare.exit_code, 0);
    EXPECT_EQ(bare.out, help.out);
    const auto version = rigor("--version");
    EXPECT_EQ(version.exit_code, 0);
    EXPECT_NE(version.out.find("numerics version"), std::string::npos);
    const auto info = rigor("info");
    for (const char* key : {"numerics", "flags", "simd", "threads"}) {
        EXPECT_NE(info.out.find(key), std::string::npos) << key;
    }
}

} // namespace
} // namespace rigor
