// rigor bench: the table, and the JSON that scripts rely on.

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "program.h"

namespace rigor {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

class BenchCommand : public test::ProgramTest {
  protected:
    /// The rows that `rigor bench` writes as JSON; none when it fails.
    json rows_of(const std::string& options) const {
        const auto r = rigor("bench --json - " + options);
        EXPECT_EQ(r.exit_code, 0) << r.err;
        return r.exit_code == 0 ? json::parse(r.out) : json::array();
    }
};

constexpr const char* kScenes[] = {"pyramid",    "pyramids_many", "pile_mixed",
                                   "pile_hulls", "tall_stack20",  "tall_stack40",
                                   "wall",       "chains",        "mesh"};

TEST_F(BenchCommand, PrintsARowForEverySceneEngineAndNumberOfThreads) {
    const auto r = rigor("bench --steps 2 --scale 0.02");
    ASSERT_EQ(r.exit_code, 0) << r.err;
    EXPECT_THAT(r.out, HasSubstr("ms/step"));
    EXPECT_THAT(r.out, HasSubstr("pen. p99"));
    for (const char* scene : kScenes) {
        const auto starts = [&](const std::string& engine, int threads) {
            char line[64];
            std::snprintf(line, sizeof line, "\n%-14s %-7s %2d ", scene, engine.c_str(), threads);
            return r.out.find(line) != std::string::npos;
        };
        EXPECT_TRUE(starts("rigor", 1)) << scene;
        EXPECT_TRUE(starts("rigor", 2)) << scene;
    }
    EXPECT_EQ(r.err, "");
}

TEST_F(BenchCommand, WritesTheKeysOfTheContract) {
    const json rows =
        rows_of("--only wall,chains,tall_stack20 --steps 5 --scale 0.05 --repeat 2 --threads 1,2");
    ASSERT_GE(rows.size(), 6u);
    for (const json& row : rows) {
        for (const char* key : {"scene", "engine", "version", "flags", "threads", "bodies",
                                "ms_per_step", "p99", "runs", "penetration_max", "penetration_p99",
                                "drift", "joint_error", "kinetic_energy", "notes"}) {
            EXPECT_TRUE(row.contains(key)) << key << " in " << row;
        }
        if (row["runs"] == 0) { // an engine that does not support the scene says why
            EXPECT_TRUE(row["ms_per_step"].is_null());
            EXPECT_THAT(row["notes"].get<std::string>(), HasSubstr("skipped"));
            continue;
        }
        EXPECT_EQ(row["runs"], 2);
        EXPECT_GT(row["ms_per_step"].get<double>(), 0);
        EXPECT_GE(row["p99"].get<double>(), row["ms_per_step"].get<double>());
        EXPECT_EQ(row["drift"].is_null(), row["scene"] != "tall_stack20");
        EXPECT_EQ(row["joint_error"].is_null(), row["scene"] != "chains");
    }
    EXPECT_EQ(rows[0]["scene"], "tall_stack20"); // in the order of the table
    EXPECT_EQ(rows[0]["engine"], "rigor");
    EXPECT_FALSE(rows[0]["stages"].empty());
}

// Results do not depend on the number of threads; quality so neither.
TEST_F(BenchCommand, FindsTheSameQualityWithAnyNumberOfThreads) {
    const json rows =
        rows_of("--only pile_mixed --steps 60 --scale 0.05 --peers none --threads 1,3");
    ASSERT_EQ(rows.size(), 2u);
    EXPECT_EQ(rows[1]["threads"], 3);
    for (const char* key : {"penetration_max", "penetration_p99", "kinetic_energy"}) {
        EXPECT_EQ(rows[0][key], rows[1][key]) << key;
    }
}

TEST_F(BenchCommand, ScalesAndSeedsTheScenes) {
    const auto first_row = [&](const std::string& options) {
        return rows_of("--peers none --threads 1 --only " + options).at(0);
    };
    EXPECT_EQ(first_row("pile_mixed --steps 1")["bodies"], 4000);
    EXPECT_EQ(first_row("pile_mixed --steps 1 --scale 2")["bodies"], 8000);
    EXPECT_EQ(first_row("tall_stack20 --steps 1 --scale 0.5")["bodies"], 10);
    const auto energy = [&](const char* seed) {
        return first_row("mesh --scale 0.1 --steps 60 --seed " + std::string(seed))
            .at("kinetic_energy");
    };
    EXPECT_EQ(energy("1"), energy("1"));
    EXPECT_NE(energy("1"), energy("2"));
}

TEST_F(BenchCommand, ListsScenesAndStages) {
    const auto list = rigor("bench --list");
    ASSERT_EQ(list.exit_code, 0);
    for (const char* scene : kScenes) EXPECT_THAT(list.out, HasSubstr(scene));
    for (const char* engine : {"rigor", "bullet", "ode", "mujoco"}) {
        EXPECT_THAT(list.out, HasSubstr(engine));
    }
    const auto stages =
        rigor("bench --only tall_stack20 --steps 3 --peers none --threads 1 --stages");
    EXPECT_THAT(stages.out, HasSubstr("ms by stage:"));
}

TEST_F(BenchCommand, AnswersBadUsageWithOneSentence) {
    const struct {
        const char *arguments, *message;
    } cases[] = {
        {"--only pyramyd", "--only: there is no scene \"pyramyd\"; did you mean \"pyramid\"?"},
        {"--only zebra", "--only: there is no scene \"zebra\"; see rigor bench --list"},
        {"--peers bulet", "--peers: there is no engine \"bulet\"; did you mean \"bullet\"?"},
        {"--repeat 0", "--repeat must be a whole number from 1 to 1000, got 0"},
        {"--steps 0", "--steps must be a whole number from 1 to 10000000, got 0"},
        {"--scale 0", "--scale must be positive and at most 500, got 0"},
        {"--scale nan", "--scale must be positive and at most 500, got nan"},
        {"--threads 1,0", "--threads must be a whole number from 1 to 1024, got 0"},
        {"--json /nowhere/x.json", "/nowhere/x.json: cannot be written: No such file or directory"},
    };
    for (const auto& c : cases) {
        const auto r = rigor(std::string("bench ") + c.arguments);
        EXPECT_EQ(r.exit_code, 2) << c.arguments;
        EXPECT_EQ(r.err, std::string("rigor: ") + c.message + "\n") << c.arguments;
        EXPECT_EQ(r.out, "") << c.arguments;
    }
    EXPECT_EQ(rigor("bench --seed minus").exit_code, 2);
}

} // namespace
} // namespace rigor
