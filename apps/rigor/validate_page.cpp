#include "validate_page.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "output.h"
#include "rigor/version.h"
#include "svg_plot.h"

namespace rigor::app {
namespace {

using plot::escaped;
using validation::CheckPlot;
using validation::CheckResult;
using validation::Status;

/// The worst last.
constexpr Status kStatuses[] = {Status::skipped, Status::report, Status::pass,
                                Status::known_failure, Status::fail};

/// So that color is not the only sign.
const char* symbol(Status status) {
    switch (status) {
        case Status::pass:
            return "✓";
        case Status::fail:
            return "✕";
        case Status::known_failure:
            return "▲";
        case Status::skipped:
            return "○";
        case Status::report:
            break;
    }
    return "◇";
}

std::string words(Status status) {
    std::string text = name(status);
    std::replace(text.begin(), text.end(), '_', ' ');
    return text;
}

bool is_judged(Status status) {
    return status == Status::pass || status == Status::fail || status == Status::known_failure;
}

constexpr const char* kOther = "other";

/// "free, rk4" is of free, "fast, faithful" of both.
std::vector<std::string> methods_of(const CheckResult& result) {
    std::vector<std::string> methods;
    std::string rest = result.method + ", ";
    for (auto comma = rest.find(", "); comma != std::string::npos; comma = rest.find(", ")) {
        const std::string part = rest.substr(0, comma);
        if (method_named(part)) methods.push_back(part);
        rest.erase(0, comma + 2);
    }
    if (methods.empty()) methods.push_back(kOther);
    return methods;
}

/// Those that occur, in the order in which the engine has them.
std::vector<std::string> all_methods(const std::vector<CheckResult>& results) {
    std::vector<std::string> found;
    for (const CheckResult& r : results)
        for (const std::string& method : methods_of(r))
            if (std::find(found.begin(), found.end(), method) == found.end())
                found.push_back(method);
    const auto rank = [](const std::string& method) {
        const auto known = method_named(method);
        return known ? static_cast<int>(*known) : 1000;
    };
    std::stable_sort(found.begin(), found.end(),
                     [&](const auto& a, const auto& b) { return rank(a) < rank(b); });
    return found;
}

struct Counts {
    std::map<Status, int> of;
    int all = 0;

    void add(Status status) {
        ++of[status];
        ++all;
    }
    int operator[](Status status) const { return of.contains(status) ? of.at(status) : 0; }
    int judged() const {
        return (*this)[Status::pass] + (*this)[Status::known_failure] + (*this)[Status::fail];
    }
    Status worst() const {
        Status worst = Status::skipped;
        for (const Status status : kStatuses)
            if ((*this)[status] > 0) worst = status;
        return worst;
    }
};

std::string number(double value) {
    return std::isfinite(value) ? short_text(value, 8) : "none";
}

std::string numbers(const std::vector<double>& values) {
    if (values.size() == 1) return number(values[0]);
    std::string text;
    for (const double value : values) text += (text.empty() ? "" : ", ") + short_text(value, 4);
    return text;
}

std::string tag(const std::string& name, const std::string& attributes,
                const std::string& content) {
    return "<" + name + (attributes.empty() ? "" : " " + attributes) + ">" + content + "</" + name +
           ">";
}

std::string anchor(int check) {
    return "c" + std::to_string(check);
}

/// Error over tolerance on a logarithmic scale: the tolerance is at four fifths, a twentieth is a
/// decade.
std::string bar(const CheckResult& r) {
    if (!is_judged(r.status)) return "";
    double percent = 0;
    if (!(r.error == 0)) percent = 100;
    if (r.error > 0 && r.tolerance > 0)
        percent = std::clamp(80 + 5 * std::log10(r.error / r.tolerance), 1.0, 100.0);
    return tag("span", "class=\"bar\" aria-hidden=\"true\"",
               "<i style=\"width:" + short_text(percent, 3) + "%\"></i>");
}

class Page {
  public:
    Page(const std::vector<CheckResult>& results, const std::vector<CheckPlot>& plots)
        : results_(results), plots_(plots), methods_(all_methods(results)) {
        for (const CheckResult& r : results) {
            counts_.add(r.status);
            for (const std::string& method : methods_of(r)) cells_[{r.check, method}].add(r.status);
        }
    }

    std::string write() {
        out_ =
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
            "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
            "<title>Rigor: results you can check</title>\n<style>\n";
        out_ += std::string(kValidationStyle) + "</style>\n</head>\n<body>\n";
        write_head();
        write_matrix();
        write_filters();
        write_checks();
        write_foot();
        return out_ + "<script>\n" + kValidationScript + "</script>\n</body>\n</html>\n";
    }

  private:
    void write_head() {
        const VersionInfo version = version_info();
        std::vector<int> checks;
        for (const CheckResult& r : results_)
            if (checks.empty() || checks.back() != r.check) checks.push_back(r.check);
        out_ += "<header>\n" + tag("h1", "", "Results you can check") + "\n";
        out_ += tag("p", "class=\"version\"",
                    "Rigor " + escaped(version.version) + " · numerics version " +
                        std::to_string(version.numerics) + " · " + std::to_string(checks.size()) +
                        " checks, " + std::to_string(counts_.all) + " lines") +
                "\n";
        out_ += tag("p", "",
                    "Each line is a claim with a source: what was expected, what came out, and by "
                    "how much it may miss. A known failure misses, and says why. A report has no "
                    "verdict: it is there to be compared with.") +
                "\n";
        out_ += "<div class=\"share\" aria-hidden=\"true\">";
        for (const Status status : kByInterest)
            if (counts_[status] > 0)
                out_ += "<i class=\"" + std::string(name(status)) +
                        "\" style=\"flex-grow:" + std::to_string(counts_[status]) + "\"></i>";
        out_ += "</div>\n<ul class=\"counts\">\n";
        for (const Status status : kByInterest)
            out_ += "<li class=\"" + std::string(name(status)) + "\"><b>" +
                    std::to_string(counts_[status]) + "</b> " + sign(status) + " " + words(status) +
                    "</li>\n";
        out_ += "</ul>\n</header>\n";
    }

    /// A table for each chapter; side by side where there is room.
    void write_matrix() {
        out_ +=
            "<section>\n<h2>Methods side by side</h2>\n"
            "<p>Lines that pass of those with a verdict; the sign is the worst of them.</p>\n";
        out_ += methods_.size() > 4 ? "<div class=\"scroll\">\n" : "<div class=\"columns\">\n";
        std::size_t next = 0;
        int last = 0;
        for (const CheckResult& r : results_) {
            if (r.check == last) continue;
            if (enter_chapter(r.check, next)) {
                if (last > 0) out_ += "</tbody></table>\n";
                open_matrix(validation::chapters()[next - 1].title);
            }
            last = r.check;
            out_ += "<tr><td class=\"number\">" + std::to_string(r.check) +
                    "</td><th scope=\"row\"><a href=\"#" + anchor(r.check) + "\">" +
                    escaped(r.name) + "</a></th>";
            for (const std::string& method : methods_) write_cell(r.check, method);
            out_ += "</tr>\n";
        }
        out_ += (last > 0 ? "</tbody></table>" : "") + std::string("</div>\n</section>\n");
    }

    void open_matrix(const std::string& title) {
        out_ +=
            "<table class=\"matrix\">\n<thead><tr><th colspan=\"2\">" + escaped(title) + "</th>";
        for (const std::string& method : methods_) out_ += tag("th", "", escaped(method));
        out_ += "</tr></thead>\n<tbody>\n";
    }

    /// Whether a check begins a new chapter; `next` counts those that have begun.
    static bool enter_chapter(int check, std::size_t& next) {
        const auto& chapters = validation::chapters();
        const std::size_t before = next;
        while (next < chapters.size() && chapters[next].first <= check) ++next;
        return next > before;
    }

    void write_cell(int check, const std::string& method) {
        const auto found = cells_.find({check, method});
        if (found == cells_.end()) {
            out_ += "<td></td>";
            return;
        }
        const Counts& counts = found->second;
        const std::string text = counts.judged() > 0 ? std::to_string(counts[Status::pass]) + "/" +
                                                           std::to_string(counts.judged())
                                                     : std::to_string(counts.all);
        out_ += tag("td", "class=\"" + std::string(name(counts.worst())) + "\"",
                    sign(counts.worst()) + " " + text);
    }

    void write_filters() {
        out_ += "<section id=\"all\">\n<h2>All checks</h2>\n<form class=\"filters\" hidden>\n";
        for (const Status status : kByInterest) {
            if (counts_[status] == 0) continue;
            const std::string id = name(status);
            out_ += "<label class=\"" + id +
                    "\"><input type=\"checkbox\" name=\"status\" value=\"" + id + "\" checked> " +
                    sign(status) + " " + words(status) + "</label>\n";
        }
        out_ += "<label>method <select name=\"method\"><option value=\"\">all</option>";
        for (const std::string& method : methods_)
            out_ += tag("option", "value=\"" + escaped(method) + "\"", escaped(method));
        out_ +=
            "</select></label>\n<output></output>\n</form>\n"
            "<p class=\"key\">Bars show the error on a logarithmic scale, four decades from tick "
            "to tick; the dark mark is what is allowed.</p>\n";
    }

    void write_checks() {
        std::size_t next = 0;
        int last = 0;
        for (const CheckResult& r : results_) {
            if (r.check != last) {
                if (last > 0) out_ += "</tbody></table></article>\n";
                if (enter_chapter(r.check, next))
                    out_ += tag("h3", "", escaped(validation::chapters()[next - 1].title)) + "\n";
                open_check(r);
            }
            last = r.check;
            write_line(r);
        }
        if (last > 0) out_ += "</tbody></table></article>\n";
        out_ += "</section>\n";
    }

    void open_check(const CheckResult& r) {
        out_ += "<article id=\"" + anchor(r.check) + "\">\n<h4><span class=\"number\">" +
                std::to_string(r.check) + "</span> " + escaped(r.name) + " <small>" +
                escaped(r.source) + "</small></h4>\n";
        write_plots(r.check);
        out_ +=
            "<table class=\"lines\"><thead><tr><th>method</th><th>quantity</th>"
            "<th class=\"n\">expected</th><th class=\"n\">got</th><th class=\"n\">error</th>"
            "<th></th><th class=\"n\">allowed</th><th>status</th></tr></thead>\n<tbody>\n";
    }

    void write_plots(int check) {
        std::string figures;
        for (const CheckPlot& p : plots_) {
            if (p.check != check) continue;
            plot::SvgOptions options{460, 270, false, &plot::page_look()};
            options.height += 110 * (static_cast<int>(p.plot.panels.size()) - 1);
            if (p.plot.is_map) options.height = 500;
            figures += "<figure><figcaption>" + escaped(p.plot.title) + "</figcaption>" +
                       to_svg(p.plot, options) + "</figure>\n";
        }
        if (!figures.empty()) out_ += "<div class=\"plots\">\n" + figures + "</div>\n";
    }

    void write_line(const CheckResult& r) {
        std::string methods;
        for (const std::string& method : methods_of(r)) methods += " " + method;
        const bool is_skipped = r.status == Status::skipped;
        const auto cell = [](const char* label, const std::string& content) {
            return std::string("<td class=\"n\" data-label=\"") + label + "\">" + escaped(content) +
                   "</td>";
        };
        out_ += "<tr data-status=\"" + std::string(name(r.status)) + "\" data-method=\"" +
                escaped(methods.substr(1)) + "\">" + tag("td", "class=\"m\"", escaped(r.method)) +
                "<td class=\"q\">" + escaped(r.quantity);
        if (!r.reason.empty()) out_ += tag("p", "", escaped(r.reason));
        out_ += "</td>" + cell("expected", is_skipped ? "" : numbers(r.expected)) +
                cell("got", is_skipped ? "" : numbers(r.got)) +
                cell("error", is_skipped            ? ""
                              : std::isnan(r.error) ? "none"
                                                    : short_text(r.error, 2)) +
                tag("td", "class=\"b\"", bar(r)) +
                cell("allowed", is_judged(r.status) ? short_text(r.tolerance, 3) : "") +
                tag("td", "class=\"s " + std::string(name(r.status)) + "\"",
                    sign(r.status) + " " + words(r.status)) +
                "</tr>\n";
    }

    void write_foot() {
        out_ +=
            "<footer><p>Made by <code>rigor validate --html</code>. Numbers come out the same on "
            "every machine, but for those that say how long something took.</p></footer>\n";
    }

    static std::string sign(Status status) {
        return tag("span", "class=\"sign\" aria-hidden=\"true\"", symbol(status));
    }

    static constexpr Status kByInterest[] = {Status::pass, Status::fail, Status::known_failure,
                                             Status::skipped, Status::report};

    const std::vector<CheckResult>& results_;
    const std::vector<CheckPlot>& plots_;
    std::vector<std::string> methods_;
    Counts counts_;
    std::map<std::pair<int, std::string>, Counts> cells_; ///< of the matrix: check, method
    std::string out_;
};

} // namespace

std::string validation_page(const std::vector<CheckResult>& results,
                            const std::vector<CheckPlot>& plots) {
    return Page(results, plots).write();
}

} // namespace rigor::app
