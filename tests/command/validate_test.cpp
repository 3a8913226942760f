// rigor validate: what scripts and readers rely on.

#include <nlohmann/json.hpp>

#include <set>
#include <sstream>

#include "program.h"

namespace rigor {
namespace {

using nlohmann::json;
using ValidateCommand = test::ProgramTest;

TEST_F(ValidateCommand, EveryCheckPassesAndHasAllFields) {
    const json rows = rigor_json("validate --only 1,7,12");
    ASSERT_GE(rows.size(), 8u);
    for (const json& row : rows) {
        for (const char* key : {"check", "slug", "name", "source", "method", "quantity", "expected",
                                "got", "error", "tolerance", "status"}) {
            EXPECT_TRUE(row.contains(key)) << key;
        }
        EXPECT_TRUE(row["status"] == "pass" || row["status"] == "report") << row;
    }
}

TEST_F(ValidateCommand, TheLastLineCounts) {
    const auto r = rigor("validate --only 1");
    EXPECT_EQ(r.exit_code, 0);
    EXPECT_NE(r.out.find("\n3 pass, 0 fail, 0 known_failure, 0 skipped, 3 report\n"),
              std::string::npos)
        << r.out;
    for (const char* method : {"\nfast  ", "\nfaithful  ", "\nfree  "})
        EXPECT_NE(r.out.find(method, r.out.find("\nmethod ")), std::string::npos) << method;
    EXPECT_EQ(rigor("validate --only 99").exit_code, 2);
}

// What is skipped or known to fail says why, and neither makes the program fail.
TEST_F(ValidateCommand, NothingIsLeftOutWithoutAReason) {
    const test::ScopedEnvironment no_data("RIGOR_DATA", "");
    for (const json& row : rigor_json("validate --only 16,34,46")) {
        const bool has_reason = row["status"] == "skipped" || row["status"] == "known_failure";
        EXPECT_EQ(has_reason, row.contains("reason")) << row;
        EXPECT_EQ(row["status"] == "known_failure", row.contains("bound")) << row;
        EXPECT_FALSE(row.contains("note")) << row;
        if (row["check"] == 16) {
            EXPECT_EQ(row["reason"], "needs --data DIR or RIGOR_DATA");
        }
    }
}

TEST_F(ValidateCommand, FindsDataWhereItIsTold) {
    const auto r = rigor("validate --only 16 --data no_such_folder");
    EXPECT_EQ(r.exit_code, 2);
    EXPECT_EQ(r.err, "rigor: --data: no such folder: no_such_folder\n");
    RIGOR_NEEDS_DATA();
    const std::string data = std::filesystem::absolute(test::data_dir()).string();
    const auto found = rigor("validate --only impact_oracles --json - --data '" + data + "'");
    for (const json& row : json::parse(found.out)) EXPECT_EQ(row["status"], "pass") << row;
    const test::ScopedEnvironment named("RIGOR_DATA", data);
    EXPECT_EQ(rigor("validate --only impact_oracles --json -").out, found.out);
}

TEST_F(ValidateCommand, AFolderThatIsNotThereIsNamed) {
    const test::ScopedEnvironment missing("RIGOR_DATA", "no_such_folder");
    const auto r = rigor("validate --only free_fall");
    EXPECT_EQ(r.exit_code, 2);
    EXPECT_EQ(r.err, "rigor: RIGOR_DATA: no such folder: no_such_folder\n");
}

// A slug and a number name the same check; checks run in the order of the table.
TEST_F(ValidateCommand, SlugsAndNumbersNameTheSameChecks) {
    const auto by_slug = rigor("validate --only intermediate_axis,free_fall --json -");
    ASSERT_EQ(by_slug.exit_code, 0) << by_slug.err;
    EXPECT_EQ(by_slug.out, rigor("validate --only 1,3 --json -").out);
    const json rows = json::parse(by_slug.out);
    EXPECT_EQ(rows.front()["slug"], "free_fall");
    EXPECT_EQ(rows.front()["check"], 1);
    EXPECT_EQ(rows.back()["slug"], "intermediate_axis");
    EXPECT_NE(rigor("validate --only free_fall").out.find("\nfree_fall "), std::string::npos);
}

TEST_F(ValidateCommand, ListsUniqueSlugsInSnakeCase) {
    const auto r = rigor("validate --list");
    ASSERT_EQ(r.exit_code, 0) << r.err;
    std::istringstream lines(r.out);
    std::set<std::string> slugs;
    std::string slug, title;
    int last = 0; // numbers ascend; some are not taken
    for (int number = 0; lines >> slug >> number && std::getline(lines, title);) {
        EXPECT_TRUE(slugs.insert(slug).second) << slug;
        EXPECT_EQ(slug.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_"),
                  std::string::npos)
            << slug;
        EXPECT_GT(number, last) << slug;
        last = number;
    }
    EXPECT_GE(slugs.size(), 43u);
    EXPECT_TRUE(slugs.contains("rocking_block"));
}

// Every line, the reasons of known failures, a plot, and nothing from elsewhere.
TEST_F(ValidateCommand, ThePageStandsAlone) {
    const auto r =
        rigor("validate --only 1,14,54 --json " + file("v.json") + " --html " + file("v.html"));
    ASSERT_EQ(r.exit_code, 0) << r.err;
    EXPECT_NE(r.out.find(" known_failure"), std::string::npos);
    const std::string page = test::read_file(file("v.html"));
    const json lines = json::parse(test::read_file(file("v.json")));
    EXPECT_EQ(page.rfind("<!doctype html>", 0), 0u);
    EXPECT_EQ(test::count(page, "<tr data-status="), static_cast<int>(lines.size()));
    EXPECT_EQ(test::count(page, "<article "), 3);
    EXPECT_EQ(test::count(page, "<section id=\"known_failures\">"), 1);
    EXPECT_EQ(test::count(page, "<section id=\"defects\">"), 1);
    EXPECT_EQ(test::count(page, "<section id=\"build\">"), 1);
    EXPECT_EQ(test::count(page, "<article id=\"bouncing_ball\">"), 1);
    EXPECT_GE(test::count(page, "<code>bouncing_ball</code>"), 1); // also of a planted defect
    EXPECT_EQ(test::count(page, "<svg "), 3);
    EXPECT_EQ(test::count(page, "<svg "), test::count(page, "</svg>"));
    for (const json& line : lines) {
        if (!line.contains("reason")) continue;
        EXPECT_NE(page.find(line["reason"].get<std::string>()), std::string::npos);
        EXPECT_NE(page.find("data-status=\"known_failure\""), std::string::npos);
    }
    for (const char* outside : {"src=", "<link", "@import", "url(", "https:", "fetch("})
        EXPECT_EQ(page.find(outside), std::string::npos) << outside;
    EXPECT_EQ(test::count(page, "http:"), test::count(page, "http://www.w3.org/2000/svg"));
    EXPECT_EQ(test::count(page, "prefers-color-scheme: dark"), 1);
}

TEST_F(ValidateCommand, ThePageCanGoToStandardOutput) {
    const auto r = rigor("validate --only 1 --html -");
    ASSERT_EQ(r.exit_code, 0) << r.err;
    EXPECT_EQ(r.out.rfind("<!doctype html>", 0), 0u);
    EXPECT_NE(r.out.find("</html>\n"), std::string::npos);
}

TEST_F(ValidateCommand, BadInputGetsOneSentence) {
    EXPECT_EQ(rigor("validate --only 1 --html /nowhere/v.html").err,
              "rigor: /nowhere/v.html: cannot be written: No such file or directory\n");
    EXPECT_EQ(rigor("validate --only 999").err,
              "rigor: --only: there is no check \"999\"; see rigor validate --list\n");
    const auto near = rigor("validate --only rocking_blok");
    EXPECT_EQ(near.exit_code, 2);
    EXPECT_EQ(near.err,
              "rigor: --only: there is no check \"rocking_blok\"; did you mean "
              "\"rocking_block\"?\n");
}

} // namespace
} // namespace rigor
