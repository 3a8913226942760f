// rigor validate, as SCENE.md promises it to scripts and readers.

#include <nlohmann/json.hpp>

#include "program.h"

namespace rigor {
namespace {

using nlohmann::json;
using ValidateCommand = test::ProgramTest;

int count(const std::string& text, const std::string& word) {
    int n = 0;
    for (auto at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++n;
    return n;
}

TEST_F(ValidateCommand, EveryCheckPassesAndHasAllFields) {
    const auto r = rigor("validate --only 1,2,3 --json -");
    ASSERT_EQ(r.exit_code, 0) << r.err;
    const json rows = json::parse(r.out);
    ASSERT_GE(rows.size(), 8u);
    for (const json& row : rows) {
        for (const char* key : {"check", "name", "source", "method", "quantity", "expected", "got",
                                "error", "tolerance", "status"}) {
            EXPECT_TRUE(row.contains(key)) << key;
        }
        EXPECT_TRUE(row["status"] == "pass" || row["status"] == "report") << row;
    }
}

TEST_F(ValidateCommand, TheLastLineCounts) {
    const auto r = rigor("validate --only 3");
    EXPECT_EQ(r.exit_code, 0);
    EXPECT_NE(r.out.find("\n3 pass, 0 fail, 0 known_failure, 0 skipped, 0 report\n"),
              std::string::npos)
        << r.out;
    EXPECT_EQ(rigor("validate --only 99").exit_code, 2);
}

// What is skipped or known to fail says why, and neither makes the program fail.
TEST_F(ValidateCommand, NothingIsLeftOutWithoutAReason) {
    const auto r = rigor("validate --only 9,16,34 --json -");
    ASSERT_EQ(r.exit_code, 0) << r.err;
    for (const json& row : json::parse(r.out)) {
        const bool has_reason = row["status"] == "skipped" || row["status"] == "known_failure";
        EXPECT_EQ(has_reason, row.contains("reason")) << row;
        if (row["check"] == 16) {
            EXPECT_EQ(row["reason"], "needs --data DIR");
        }
    }
}

TEST_F(ValidateCommand, FindsDataWhereItIsTold) {
    const auto r = rigor("validate --only 16 --data no_such_folder");
    EXPECT_EQ(r.exit_code, 2);
    EXPECT_EQ(r.err, "rigor: --data: no such folder: no_such_folder\n");
    RIGOR_NEEDS_SHARED_DATA(); // the oracles lie beside the project, not in it
    const auto found =
        rigor("validate --only 16 --json - --data '" + test::shared_dir().string() + "'");
    for (const json& row : json::parse(found.out)) EXPECT_EQ(row["status"], "pass") << row;
}

// Every line, the reasons of known failures, a plot, and nothing from elsewhere.
TEST_F(ValidateCommand, ThePageStandsAlone) {
    const auto r =
        rigor("validate --only 1,14 --json " + file("v.json") + " --html " + file("v.html"));
    ASSERT_EQ(r.exit_code, 0) << r.err;
    EXPECT_NE(r.out.find(" known_failure"), std::string::npos);
    const std::string page = test::read_file(file("v.html"));
    const json lines = json::parse(test::read_file(file("v.json")));
    EXPECT_EQ(page.rfind("<!doctype html>", 0), 0u);
    EXPECT_EQ(count(page, "<tr data-status="), static_cast<int>(lines.size()));
    EXPECT_EQ(count(page, "<article "), 2);
    EXPECT_EQ(count(page, "<svg "), 2);
    EXPECT_EQ(count(page, "<svg "), count(page, "</svg>"));
    for (const json& line : lines) {
        if (!line.contains("reason")) continue;
        EXPECT_NE(page.find(line["reason"].get<std::string>()), std::string::npos);
        EXPECT_NE(page.find("data-status=\"known_failure\""), std::string::npos);
    }
    for (const char* outside : {"src=", "<link", "@import", "url(", "https:", "fetch("})
        EXPECT_EQ(page.find(outside), std::string::npos) << outside;
    EXPECT_EQ(count(page, "http:"), count(page, "http://www.w3.org/2000/svg"));
    EXPECT_EQ(count(page, "prefers-color-scheme: dark"), 1);
}

TEST_F(ValidateCommand, ThePageCanGoToStandardOutput) {
    const auto r = rigor("validate --only 1 --html -");
    ASSERT_EQ(r.exit_code, 0) << r.err;
    EXPECT_EQ(r.out.rfind("<!doctype html>", 0), 0u);
    EXPECT_NE(r.out.find("</html>\n"), std::string::npos);
}

TEST_F(ValidateCommand, BadInputGetsOneSentence) {
    EXPECT_EQ(rigor("validate --only 1 --html /nowhere/v.html").err,
              "rigor: /nowhere/v.html: cannot be written\n");
    EXPECT_EQ(rigor("validate --only 999").err,
              "rigor: --only: there is no check 999 in this build\n");
}

} // namespace
} // namespace rigor
