// rigor validate: every check, as a table or a page.

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <map>

#include "check.h"
#include "command.h"
#include "output.h"
#include "progress.h"
#include "validate_page.h"

namespace rigor::app {
namespace {

using validation::Check;
using validation::CheckPlot;
using validation::CheckResult;
using validation::Reporter;
using validation::Status;

Json value(const std::vector<double>& numbers) {
    return numbers.size() == 1 ? Json(numbers[0]) : Json(numbers);
}

Json to_json(const std::vector<CheckResult>& results) {
    Json rows = Json::array();
    for (const CheckResult& r : results) {
        Json row = {{"check", r.check},         {"name", r.name},
                    {"source", r.source},       {"method", r.method},
                    {"quantity", r.quantity},   {"expected", value(r.expected)},
                    {"got", value(r.got)},      {"error", r.error},
                    {"tolerance", r.tolerance}, {"status", name(r.status)}};
        if (!r.reason.empty()) row["reason"] = r.reason;
        rows.push_back(std::move(row));
    }
    return rows;
}

/// A number for the table; several have no room there.
std::string cell(const std::vector<double>& numbers) {
    return numbers.size() == 1 ? short_text(numbers[0], 4) : "-";
}

void print(const std::vector<CheckResult>& results) {
    std::printf("%3s  %-20s %-16s %-48s %10s %10s %9s %9s  %s\n", "row", "check", "method",
                "quantity", "expected", "got", "error", "allowed", "status");
    for (const CheckResult& r : results) {
        const bool is_judged = r.status != Status::report && r.status != Status::skipped;
        const std::string allowed = is_judged ? short_text(r.tolerance, 2) : "-";
        const std::string error = r.status == Status::skipped ? "-" : short_text(r.error, 2);
        std::printf("%3d  %-20s %-16s %-48s %10s %10s %9s %9s  %s\n", r.check, r.name.c_str(),
                    r.method.c_str(), r.quantity.c_str(), cell(r.expected).c_str(),
                    cell(r.got).c_str(), error.c_str(), allowed.c_str(), name(r.status));
        if (!r.reason.empty()) std::printf("     %s\n", r.reason.c_str());
    }
}

void print_counts(const std::map<Status, int>& counts) {
    const auto count = [&](Status s) { return counts.contains(s) ? counts.at(s) : 0; };
    std::printf("%d pass, %d fail, %d known_failure, %d skipped, %d report\n", count(Status::pass),
                count(Status::fail), count(Status::known_failure), count(Status::skipped),
                count(Status::report));
}

} // namespace

int validate_command(const ValidateOptions& options) {
    const std::vector<Check>& all = validation::all_checks();
    for (const int wanted : options.only) {
        if (std::none_of(all.begin(), all.end(),
                         [&](const Check& c) { return c.number == wanted; })) {
            return fail({ErrorCode::not_found, "--only",
                         "there is no check " + std::to_string(wanted) + " in this build"});
        }
    }
    const auto is_wanted = [&](const Check& c) {
        return options.only.empty() ||
               std::find(options.only.begin(), options.only.end(), c.number) != options.only.end();
    };
    if (!options.data.empty() && !std::filesystem::is_directory(options.data)) {
        return fail({ErrorCode::not_found, "--data", "no such folder: " + options.data});
    }
    for (const std::string& path : {options.json, options.html})
        if (const auto checked = check_writable(path); !checked) return fail(checked.error());
    std::vector<CheckResult> results;
    std::vector<CheckPlot> plots;
    {
        Progress progress("checks", static_cast<long long>(all.size()));
        long long number = 0;
        for (const Check& check : all) {
            progress.update(++number);
            if (!is_wanted(check)) continue;
            Reporter reporter(check, results, options.data,
                              options.html.empty() ? nullptr : &plots);
            check.run(reporter);
        }
    }
    std::map<Status, int> counts;
    for (const CheckResult& r : results) ++counts[r.status];
    if (!options.json.empty()) {
        const auto written = write_json(options.json, to_json(results));
        if (!written) return fail(written.error());
    }
    if (!options.html.empty()) {
        const auto written = write_text(options.html, validation_page(results, plots));
        if (!written) return fail(written.error());
    }
    if (options.json != "-" && options.html != "-") {
        print(results);
        print_counts(counts);
    }
    return counts.contains(Status::fail) ? check_failed : done;
}

} // namespace rigor::app
