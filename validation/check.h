// Results you can check: a claim, what was expected, what came out.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "plot.h"
#include "rigor/settings.h"

namespace rigor::validation {

enum class Status { pass, fail, known_failure, skipped, report };

const char* name(Status status);

/// One line of the table.
struct CheckResult {
    int check = 0; ///< row of the table of checks
    std::string name;
    std::string source;
    std::string method;
    std::string quantity;
    std::vector<double> expected, got; ///< one number or several
    double error = 0;
    double tolerance = 0;
    Status status = Status::report;
    std::string reason; ///< of a known failure or a skipped check
};

/// A row: its number, its name, where the claim comes from, and how it is put to the test.
struct Check {
    int number;
    const char* name;
    const char* source;
    std::function<void(class Reporter&)> run;
};

/// Curves that belong to a check.
struct CheckPlot {
    int check = 0;
    plot::Plot plot;
};

/// By how much a method may miss a number, and why it misses by more where it is known to.
struct Bound {
    Method method;
    double tolerance;
    std::string reason = {};
};

/// Collects the lines of one check.
class Reporter {
  public:
    /// `data` is the folder of measured and reference data, empty when there is none. Without
    /// `plots` nobody wants to see any.
    Reporter(const Check& check, std::vector<CheckResult>& results,
             const std::filesystem::path& data = {}, std::vector<CheckPlot>* plots = nullptr)
        : check_(check), results_(results), plots_(plots), data_(data) {}

    /// Passes when the error is within the tolerance; NaN never is.
    void expect(const std::string& method, const std::string& quantity,
                std::vector<double> expected, std::vector<double> got, double error,
                double tolerance);
    /// The same where it is known to miss its tolerance, and why. Passes when it does not.
    void expect_known(const std::string& method, const std::string& quantity,
                      std::vector<double> expected, std::vector<double> got, double error,
                      double tolerance, const std::string& reason);
    /// The one or the other, by whether the bound has a reason.
    void expect(const Bound& bound, const std::string& quantity, std::vector<double> expected,
                std::vector<double> got, double error);
    /// What could not be put to the test, and why.
    void skip(const std::string& method, const std::string& quantity, const std::string& reason);
    /// The same without a verdict.
    void report(const std::string& method, const std::string& quantity,
                std::vector<double> expected, std::vector<double> got, double error);

    /// What is better seen than read. `make` returns a plot::Plot, and is called only when somebody
    /// wants to see it.
    template <class Make>
    void plot(const Make& make) {
        if (plots_) plots_->push_back({check_.number, make()});
    }

    /// A file such as "reference/impacts.json", when it was given; else says what is skipped.
    std::optional<std::filesystem::path> data_file(const std::string& method,
                                                   const std::string& file);

  private:
    void add(const std::string& method, const std::string& quantity, std::vector<double> expected,
             std::vector<double> got, double error, double tolerance, Status status,
             const std::string& reason = "");

    const Check& check_;
    std::vector<CheckResult>& results_;
    std::vector<CheckPlot>* plots_;
    std::filesystem::path data_;
};

/// All checks, by number.
const std::vector<Check>& all_checks();

/// Of the table, by the number of its first check.
struct Chapter {
    int first;
    const char* title;
};
const std::vector<Chapter>& chapters();

} // namespace rigor::validation
