// Known failures: a bound that is kept, one that is not, and entries that are out of date.

#include "known_failures.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>
#include <tuple>

#include "check.h"

namespace rigor::validation {
namespace {

/// An entry whose check has no other one, so that it alone decides what is said.
const KnownFailure& lone_entry() {
    for (const KnownFailure& entry : known_failures()) {
        int count = 0;
        for (const KnownFailure& other : known_failures()) count += other.check == entry.check;
        if (count == 1) return entry;
    }
    throw std::logic_error("every check has several known failures");
}

std::vector<CheckResult> lines_of(const std::function<void(Reporter&)>& run) {
    std::vector<CheckResult> lines;
    run_check({lone_entry().check, "slug", "name", "source", run}, lines);
    return lines;
}

/// The line of that entry with this error; the tolerance is a tenth of the bound.
CheckResult line_with(double error) {
    const KnownFailure& known = lone_entry();
    const auto lines = lines_of([&](Reporter& reporter) {
        reporter.expect(known.method, known.quantity, {0}, {error}, error, 0.1 * known.bound);
    });
    EXPECT_EQ(lines.size(), 1u);
    return lines.at(0);
}

TEST(KnownFailure, IsKnownWithinItsBound) {
    const CheckResult line = line_with(0.9 * lone_entry().bound);
    EXPECT_EQ(line.status, Status::known_failure);
    EXPECT_EQ(line.bound, lone_entry().bound);
    EXPECT_EQ(line.reason, lone_entry().reason);
    EXPECT_EQ(line.note, "");
}

TEST(KnownFailure, FailsBeyondItsBound) {
    EXPECT_EQ(line_with(1.01 * lone_entry().bound).status, Status::fail);
    EXPECT_EQ(line_with(std::numeric_limits<double>::quiet_NaN()).status, Status::fail);
}

TEST(KnownFailure, SaysThatALineWhichPassesNeedsNoEntry) {
    const CheckResult line = line_with(0.05 * lone_entry().bound);
    EXPECT_EQ(line.status, Status::pass);
    EXPECT_NE(line.note.find("remove the entry"), std::string::npos);
}

TEST(KnownFailure, SaysThatABoundIsLoose) {
    const CheckResult line = line_with(0.4 * lone_entry().bound);
    EXPECT_EQ(line.status, Status::known_failure);
    EXPECT_NE(line.note.find("tighten the bound"), std::string::npos);
}

TEST(KnownFailure, OfALineThatIsNotThereFails) {
    const auto lines = lines_of([](Reporter&) {});
    ASSERT_EQ(lines.size(), 1u);
    EXPECT_EQ(lines[0].status, Status::fail);
    EXPECT_NE(lines[0].note.find("names no line"), std::string::npos);
}

TEST(KnownFailure, OfALineThatNeedsDataIsNotMissedWithoutThem) {
    const auto lines = lines_of([](Reporter& reporter) { reporter.data_file("fast", "no_such"); });
    ASSERT_EQ(lines.size(), 1u);
    EXPECT_EQ(lines[0].status, Status::skipped);
}

TEST(KnownFailure, OtherLinesAreJudgedByTheirToleranceAlone) {
    const auto lines = lines_of([](Reporter& reporter) {
        const KnownFailure& known = lone_entry();
        reporter.expect(known.method, known.quantity, {0}, {1}, known.bound, 0);
        reporter.expect("another method", known.quantity, {0}, {1}, known.bound, 0);
        reporter.expect(known.method, "another quantity", {0}, {1}, known.bound, 0);
    });
    ASSERT_EQ(lines.size(), 3u);
    EXPECT_EQ(lines[0].status, Status::known_failure);
    EXPECT_EQ(lines[1].status, Status::fail);
    EXPECT_EQ(lines[2].status, Status::fail);
}

TEST(KnownFailures, NameExistingChecksOnceEach) {
    std::set<std::tuple<int, std::string, std::string>> seen;
    for (const KnownFailure& f : known_failures()) {
        EXPECT_NE(find_check(std::to_string(f.check)), nullptr) << f.check;
        EXPECT_TRUE(seen.insert({f.check, f.method, f.quantity}).second) << f.quantity;
        EXPECT_TRUE(f.bound > 0 && std::isfinite(f.bound)) << f.quantity;
        EXPECT_GT(std::string(f.reason).size(), 10u) << f.quantity;
    }
}

// The numbers up to 58 are those of the list of checks that the engine has to have.
TEST(Checks, NoNumberIsMissing) {
    for (int number = 1; number <= 58; ++number)
        EXPECT_NE(find_check(std::to_string(number)), nullptr) << number;
}

} // namespace
} // namespace rigor::validation
