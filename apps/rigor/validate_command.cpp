// rigor validate: runs the checks and writes the results as a table, JSON or a page.

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <map>

#include "check.h"
#include "command.h"
#include "data_folder.h"
#include "gallery_certificates.h"
#include "output.h"
#include "progress.h"
#include "scene/suggestion.h"
#include "validate_page.h"

namespace rigor::app {
namespace {

using validation::Check;
using validation::CheckPlot;
using validation::CheckResult;
using validation::Status;

Json value(const std::vector<double>& numbers) {
    return numbers.size() == 1 ? Json(numbers[0]) : Json(numbers);
}

Json to_json(const std::vector<CheckResult>& results) {
    Json rows = Json::array();
    for (const CheckResult& r : results) {
        Json row = {{"check", r.check},
                    {"slug", r.slug},
                    {"name", r.name},
                    {"source", r.source},
                    {"method", r.method},
                    {"quantity", r.quantity},
                    {"expected", value(r.expected)},
                    {"got", value(r.got)},
                    {"error", r.error},
                    {"tolerance", r.tolerance},
                    {"status", name(r.status)}};
        if (!r.reason.empty()) row["reason"] = r.reason;
        if (r.bound) row["bound"] = *r.bound;
        if (!r.note.empty()) row["note"] = r.note;
        rows.push_back(std::move(row));
    }
    return rows;
}

/// A number for the table; several have no room there.
std::string cell(const std::vector<double>& numbers) {
    return numbers.size() == 1 ? short_text(numbers[0], 4) : "-";
}

std::string bound_text(const CheckResult& r) {
    if (!r.bound) return "";
    return (r.status == Status::fail ? " (worse than its bound, " : " (bound ") +
           short_text(*r.bound, 3) + ")";
}

void print(const std::vector<CheckResult>& results) {
    std::printf("%-20s %-16s %-48s %10s %10s %9s %9s  %s\n", "check", "method", "quantity",
                "expected", "got", "error", "allowed", "status");
    for (const CheckResult& r : results) {
        const bool is_judged = r.status != Status::report && r.status != Status::skipped;
        const std::string allowed = is_judged ? short_text(r.tolerance, 2) : "-";
        const std::string error = r.status == Status::skipped ? "-" : short_text(r.error, 2);
        std::printf("%-20s %-16s %-48s %10s %10s %9s %9s  %s\n", r.slug.c_str(), r.method.c_str(),
                    r.quantity.c_str(), cell(r.expected).c_str(), cell(r.got).c_str(),
                    error.c_str(), allowed.c_str(), name(r.status));
        if (!r.reason.empty()) std::printf("     %s%s\n", r.reason.c_str(), bound_text(r).c_str());
        if (!r.note.empty()) std::printf("     %s\n", r.note.c_str());
    }
}

using StatusCounts = std::map<Status, int>;

int count(const StatusCounts& counts, Status status) {
    return counts.contains(status) ? counts.at(status) : 0;
}

/// A line about two methods counts to both; the last row counts every line once.
void print_counts(const std::vector<CheckResult>& results, const StatusCounts& all) {
    std::map<std::string, StatusCounts> of_method;
    for (const CheckResult& r : results)
        for (const std::string& method : validation::methods_of(r)) ++of_method[method][r.status];
    std::printf("\n%-16s %6s %6s %6s %8s %7s\n", "method", "pass", "fail", "known", "skipped",
                "report");
    for (const auto& [method, counts] : of_method)
        std::printf("%-16s %6d %6d %6d %8d %7d\n", method.c_str(), count(counts, Status::pass),
                    count(counts, Status::fail), count(counts, Status::known_failure),
                    count(counts, Status::skipped), count(counts, Status::report));
    std::printf("%d pass, %d fail, %d known_failure, %d skipped, %d report\n",
                count(all, Status::pass), count(all, Status::fail),
                count(all, Status::known_failure), count(all, Status::skipped),
                count(all, Status::report));
}

int list_checks() {
    for (const Check& check : validation::all_checks())
        std::printf("%-20s %3d  %s\n", check.slug, check.number, check.name);
    return done;
}

/// The checks of these slugs or numbers, in the order of the table; all of them when none is named.
Result<std::vector<const Check*>> chosen_checks(const std::vector<std::string>& only) {
    std::vector<std::string_view> slugs;
    for (const Check& check : validation::all_checks()) slugs.push_back(check.slug);
    std::vector<const Check*> named;
    for (const std::string& name : only) {
        named.push_back(validation::find_check(name));
        if (named.back()) continue;
        std::string suggestion = did_you_mean(name, slugs);
        if (suggestion.empty()) suggestion = "; see rigor validate --list";
        return Error{ErrorCode::not_found, "--only",
                     "there is no check \"" + name + "\"" + suggestion};
    }
    std::vector<const Check*> chosen;
    for (const Check& check : validation::all_checks())
        if (only.empty() || std::find(named.begin(), named.end(), &check) != named.end())
            chosen.push_back(&check);
    return chosen;
}

/// The folder of `--data`, else that of RIGOR_DATA; empty when neither is given.
Result<std::filesystem::path> data_folder(const ValidateOptions& options) {
    const bool is_option = !options.data.empty();
    const std::filesystem::path folder =
        is_option ? std::filesystem::path(options.data) : validation::find_data_folder();
    if (!folder.empty() && !std::filesystem::is_directory(folder))
        return Error{ErrorCode::not_found, is_option ? "--data" : "RIGOR_DATA",
                     "no such folder: " + folder.string()};
    return folder;
}

std::vector<CheckResult> run_checks(const std::vector<const Check*>& checks,
                                    const std::filesystem::path& data,
                                    std::vector<CheckPlot>* plots) {
    std::vector<CheckResult> results;
    Progress progress("checks", static_cast<long long>(checks.size()));
    long long number = 0;
    for (const Check* check : checks) {
        progress.update(++number);
        validation::run_check(*check, results, data, plots);
    }
    return results;
}

} // namespace

int validate_command(const ValidateOptions& options) {
    if (options.list) return list_checks();
    const auto checks = chosen_checks(options.only);
    if (!checks) return fail(checks.error());
    const auto data = data_folder(options);
    if (!data) return fail(data.error());
    const auto writable = check_outputs({{"--json", options.json}, {"--html", options.html}}, {});
    if (!writable) return fail(writable.error());
    std::vector<CheckPlot> plots;
    const std::vector<CheckResult> results =
        run_checks(*checks, *data, options.html.empty() ? nullptr : &plots);
    if (!options.json.empty()) {
        const auto written = write_json(options.json, to_json(results));
        if (!written) return fail(written.error());
    }
    if (!options.html.empty()) {
        // With some checks alone the page is one to look at, and not to publish.
        std::vector<CertificateSummary> certificates;
        if (options.only.empty()) {
            auto made = certify_gallery();
            if (!made) std::cerr << "rigor: warning: " << made.error().message << "\n";
            if (made) certificates = std::move(*made);
        }
        const auto written =
            write_text(options.html, validation_page(results, plots, certificates));
        if (!written) return fail(written.error());
    }
    StatusCounts counts;
    for (const CheckResult& r : results) ++counts[r.status];
    if (options.json != "-" && options.html != "-") {
        print(results);
        print_counts(results, counts);
    }
    return counts.contains(Status::fail) ? check_failed : done;
}

} // namespace rigor::app
