// Sections of the page of checks beside the checks themselves: known failures, planted defects,
// certificates, machine and build.

#include <sstream>

#include "mutation_table.h"
#include "output.h"
#include "rigor/version.h"
#include "svg_plot.h"
#include "validate_page.h"

namespace rigor::app {
namespace {

using plot::escaped;
using validation::CheckResult;
using validation::Status;

std::string section(const std::string& id, const std::string& title, const std::string& about,
                    const std::string& content) {
    return "<section id=\"" + id + "\">\n<h2>" + title + "</h2>\n<p>" + about + "</p>\n" + content +
           "</section>\n";
}

std::string number_cell(const char* label, double value) {
    return std::string("<td class=\"n\" data-label=\"") + label + "\">" +
           escaped(short_text(value, 3)) + "</td>";
}

/// Escaped, with `code` in code tags.
std::string with_code(const std::string& text) {
    std::string html;
    bool inside = false;
    for (const char c : escaped(text)) {
        if (c != '`') {
            html += c;
            continue;
        }
        html += inside ? "</code>" : "<code>";
        inside = !inside;
    }
    return html;
}

/// The cells of a row of a Markdown table; none of other lines.
std::vector<std::string> cells_of(const std::string& line) {
    std::vector<std::string> cells;
    if (line.rfind("| ", 0) != 0) return cells;
    for (std::size_t begin = 2, end; begin < line.size(); begin = end + 3) {
        end = line.find(" |", begin);
        if (end == std::string::npos) break;
        cells.push_back(line.substr(begin, end - begin));
    }
    return cells;
}

} // namespace

std::string known_failures_section(const std::vector<CheckResult>& results) {
    std::string rows;
    for (const CheckResult& r : results) {
        if (!r.bound || r.status == Status::pass) continue;
        rows += "<tr><td class=\"m\">" + escaped(r.method) + "</td><td class=\"q\"><a href=\"#" +
                r.slug + "\">" + std::to_string(r.check) + " " + escaped(r.name) +
                "</a>: " + escaped(r.quantity) + "<p>" + escaped(r.reason) + "</p></td>" +
                number_cell("error", r.error) + number_cell("allowed", r.tolerance) +
                number_cell("bound", *r.bound) + "</tr>\n";
    }
    if (rows.empty()) return "";
    return section(
        "known_failures", "Known failures",
        "Lines that miss what is allowed, with the reason. Beyond its bound, which is "
        "what it keeps today, such a line fails.",
        "<article><table class=\"lines\">\n<colgroup><col class=\"m\"><col>"
        "<col class=\"e\"><col class=\"e\"><col class=\"e\"></colgroup>\n<thead><tr>"
        "<th>method</th><th>check, quantity and reason</th><th class=\"n\">error</th>"
        "<th class=\"n\">allowed</th><th class=\"n\">bound</th></tr></thead>\n<tbody>\n" +
            rows + "</tbody></table></article>\n");
}

std::string mutation_section() {
    std::istringstream page(kMutationTable);
    std::string rows;
    int found = 0;
    for (std::string line; std::getline(page, line);) {
        const std::vector<std::string> cells = cells_of(line);
        if (cells.size() < 3 || cells[0] == "defect") continue;
        ++found;
        rows += "<tr><td class=\"m\">" + escaped(cells[0]) + "</td><td class=\"q\">" +
                with_code(cells[1]) + "</td><td class=\"f\">" + with_code(cells[2]) +
                "</td></tr>\n";
    }
    if (rows.empty()) return "";
    return section("defects", "Defects that would be noticed",
                   std::to_string(found) +
                       " small defects were planted in a copy of the engine, one at a time: a "
                       "sign, a factor of 1.01, a term left out. Each made at least one line fail.",
                   "<article><table class=\"lines defects\">\n<colgroup><col class=\"m\"><col>"
                   "<col></colgroup>\n<thead><tr><th>part</th><th>what was changed</th>"
                   "<th>found by</th></tr></thead>\n<tbody>\n" +
                       rows + "</tbody></table></article>\n");
}

std::string certificates_section(const std::vector<CertificateSummary>& certificates) {
    if (certificates.empty()) return "";
    std::string rows;
    for (const CertificateSummary& c : certificates)
        rows += "<tr><td class=\"m\">" + escaped(c.method) + "</td><td class=\"q\">" +
                escaped(c.scene) + ": " + escaped(c.worst_law) + "</td>" +
                number_cell("residual", c.residual) + number_cell("allowed", c.tolerance) +
                "<td class=\"s " + (c.holds ? "pass\">holds" : "fail\">does not hold") +
                "</td></tr>\n";
    return section(
        "certificates", "Runs that anybody can check",
        "Ten scenes of the gallery wrote what is needed to check them without the engine, "
        "and rigor-check held that against the laws which the method claims; those of "
        "fast are weaker, and some of its runs break them. The law that is nearest to "
        "its tolerance is shown, or farthest beyond it.",
        "<article><table class=\"lines\">\n<colgroup><col class=\"m\"><col>"
        "<col class=\"e\"><col class=\"e\"><col class=\"s\"></colgroup>\n<thead><tr>"
        "<th>method</th><th>scene and law</th><th class=\"n\">residual</th>"
        "<th class=\"n\">allowed</th><th>verdict</th></tr>"
        "</thead>\n<tbody>\n" +
            rows + "</tbody></table></article>\n");
}

std::string build_section() {
    const VersionInfo v = version_info();
    const std::pair<const char*, std::string> facts[] = {
        {"version", v.version},
        {"numerics version", std::to_string(v.numerics)},
        {"compiler", v.compiler},
        {"flags", v.flags},
        {"machine", v.simd + ", " + std::to_string(v.hardware_threads) + " threads"}};
    std::string list = "<dl>\n";
    for (const auto& [name, value] : facts)
        list += std::string("<dt>") + name + "</dt><dd>" + escaped(value) + "</dd>\n";
    return section("build", "Machine and build",
                   "Numbers come out the same on every machine, but for those that say how long "
                   "something took.",
                   list + "</dl>\n");
}

} // namespace rigor::app
