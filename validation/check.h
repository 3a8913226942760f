// A check compares a claim of the literature with what the engine computes.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "plot.h"
#include "rigor/settings.h"

namespace rigor::validation {

enum class Status { pass, fail, known_failure, skipped, report };

const char* name(Status status);

/// One line of the table.
struct CheckResult {
    int check = 0; ///< number of the check
    std::string slug;
    std::string name;
    std::string source;
    std::string method;
    std::string quantity;
    std::vector<double> expected, got; ///< one number or several
    double error = 0;
    double tolerance = 0;
    Status status = Status::report;
    std::string reason;          ///< of a known failure or a skipped check
    std::optional<double> bound; ///< of a known failure: the error that it may have today
    std::string note;            ///< a known failure that is out of date, and what to do about it
};

/// What a line without a method of the engine counts to.
inline constexpr const char* kNoMethod = "other";

/// The methods that a line is about: "free, rk4" is of free, "fast, faithful" of both.
std::vector<std::string> methods_of(const CheckResult& result);

/// One claim: its number and slug (each names it on the command line), its title, where the claim
/// comes from, and the function that tests it.
struct Check {
    int number;
    const char* slug;
    const char* name;
    const char* source;
    std::function<void(class Reporter&)> run;
};

/// Curves that belong to a check.
struct CheckPlot {
    int check = 0;
    plot::Plot plot;
};

/// The tolerance of a method.
struct Bound {
    Method method;
    double tolerance;
};

/// Collects the lines of one check.
class Reporter {
  public:
    /// `data` is the folder of measured and reference data, empty when there is none. Plots are
    /// made only when `plots` is given.
    Reporter(const Check& check, std::vector<CheckResult>& results,
             const std::filesystem::path& data = {}, std::vector<CheckPlot>* plots = nullptr)
        : check_(check), results_(results), plots_(plots), data_(data) {}

    /// Passes when the error is within the tolerance; NaN never is. A line that is a known failure
    /// (known_failures.h) fails when its error exceeds the bound written there.
    void expect(const std::string& method, const std::string& quantity,
                std::vector<double> expected, std::vector<double> got, double error,
                double tolerance);
    void expect(const Bound& bound, const std::string& quantity, std::vector<double> expected,
                std::vector<double> got, double error);
    /// A quantity that could not be tested, and why.
    void skip(const std::string& method, const std::string& quantity, const std::string& reason);
    /// A quantity without a verdict.
    void report(const std::string& method, const std::string& quantity,
                std::vector<double> expected, std::vector<double> got, double error);

    /// Adds a plot. `make` returns a plot::Plot, and is called only when plots are wanted.
    template <class Make>
    void plot(const Make& make) {
        if (plots_) plots_->push_back({check_.number, make()});
    }

    /// The path of a data file such as "reference/impacts.json"; when it is not there, adds a
    /// skipped line and returns nothing.
    std::optional<std::filesystem::path> data_file(const std::string& method,
                                                   const std::string& file);

  private:
    CheckResult& add(const std::string& method, const std::string& quantity,
                     std::vector<double> expected, std::vector<double> got, double error,
                     double tolerance, Status status, const std::string& reason = "");

    friend void run_check(const Check&, std::vector<CheckResult>&, const std::filesystem::path&,
                          std::vector<CheckPlot>*);
    void find_misnamed_failures(std::size_t first);

    const Check& check_;
    std::vector<CheckResult>& results_;
    std::vector<CheckPlot>* plots_;
    std::filesystem::path data_;
    bool lacks_data_ = false;
};

/// Runs a check and adds its lines. An entry of known_failures() that names none of them is a line
/// of its own, which fails.
void run_check(const Check& check, std::vector<CheckResult>& results,
               const std::filesystem::path& data = {}, std::vector<CheckPlot>* plots = nullptr);

/// All checks, by number.
const std::vector<Check>& all_checks();

/// The check of this slug or number, or null.
const Check* find_check(std::string_view slug_or_number);

/// A group of checks, by the number of its first one.
struct Chapter {
    int first;
    const char* title;
};
const std::vector<Chapter>& chapters();

} // namespace rigor::validation
