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
using validation::methods_of;
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

/// Those that occur, in the order in which the engine has them.
std::vector<std::string> all_methods(const std::vector<const CheckResult*>& lines) {
    std::vector<std::string> found;
    for (const CheckResult* line : lines)
        for (const std::string& method : methods_of(*line))
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

/// The lines of one check, or of one chapter, which has no slug.
struct Section {
    const char* title;
    const char* slug;
    int first;
    std::vector<const CheckResult*> lines;
};

std::vector<Section> by_chapter(const std::vector<CheckResult>& results) {
    std::vector<Section> sections;
    for (const validation::Chapter& chapter : validation::chapters())
        sections.push_back({chapter.title, "", chapter.first, {}});
    for (const CheckResult& r : results) {
        const auto next = std::find_if(sections.begin(), sections.end(),
                                       [&](const Section& s) { return s.first > r.check; });
        std::prev(next)->lines.push_back(&r);
    }
    std::erase_if(sections, [](const Section& s) { return s.lines.empty(); });
    return sections;
}

std::vector<Section> by_check(const Section& chapter) {
    std::vector<Section> checks;
    for (const CheckResult* line : chapter.lines) {
        if (checks.empty() || checks.back().first != line->check)
            checks.push_back({line->name.c_str(), line->slug.c_str(), line->check, {}});
        checks.back().lines.push_back(line);
    }
    return checks;
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
    Page(const std::vector<CheckResult>& results, const std::vector<CheckPlot>& plots,
         const std::vector<CertificateSummary>& certificates)
        : results_(results),
          plots_(plots),
          certificates_(certificates),
          chapters_(by_chapter(results)) {
        for (const CheckResult& r : results) {
            counts_.add(r.status);
            lines_.push_back(&r);
        }
    }

    std::string write() {
        out_ =
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
            "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
            "<title>Rigor: results you can check</title>\n<style>\n";
        out_ += std::string(kValidationStyle) + "</style>\n</head>\n<body>\n";
        write_head();
        write_matrices();
        out_ += known_failures_section(results_) + mutation_section() +
                certificates_section(certificates_);
        write_filters();
        for (const Section& chapter : chapters_) {
            out_ += tag("h3", "", escaped(chapter.title)) + "\n";
            for (const Section& check : by_check(chapter)) write_check(check);
        }
        out_ += "</section>\n" + build_section();
        write_foot();
        return out_ + "<script>\n" + kValidationScript + "</script>\n</body>\n</html>\n";
    }

  private:
    void write_head() {
        const VersionInfo version = version_info();
        std::size_t checks = 0;
        for (const Section& chapter : chapters_) checks += by_check(chapter).size();
        out_ += "<header>\n" + tag("h1", "", "Results you can check") + "\n";
        out_ += tag("p", "class=\"version\"",
                    "Rigor " + escaped(version.version) + " · numerics version " +
                        std::to_string(version.numerics) + " · " + std::to_string(checks) +
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

    /// A table for each chapter, of the methods that it has; side by side where there is room.
    void write_matrices() {
        out_ +=
            "<section>\n<h2>Methods side by side</h2>\n"
            "<p>Lines that pass of those with a verdict; the sign is the worst of them.</p>\n";
        std::size_t most = 0;
        for (const Section& chapter : chapters_)
            most = std::max(most, all_methods(chapter.lines).size());
        out_ += most > 5 ? "<div>\n" : "<div class=\"columns\">\n";
        for (const Section& chapter : chapters_) write_matrix(chapter);
        out_ += "</div>\n</section>\n";
    }

    void write_matrix(const Section& chapter) {
        const std::vector<std::string> methods = all_methods(chapter.lines);
        out_ += "<div class=\"scroll\"><table class=\"matrix\">\n<colgroup><col class=\"k\"><col>";
        for (std::size_t i = 0; i < methods.size(); ++i) out_ += "<col class=\"c\">";
        out_ += "</colgroup>\n<thead><tr><th colspan=\"2\">" + escaped(chapter.title) + "</th>";
        for (const std::string& method : methods) out_ += tag("th", "", escaped(method));
        out_ += "</tr></thead>\n<tbody>\n";
        for (const Section& check : by_check(chapter)) {
            out_ += "<tr><td class=\"number\">" + std::to_string(check.first) +
                    "</td><th scope=\"row\"><a href=\"#" + check.slug + "\">" +
                    escaped(check.title) + "</a></th>";
            for (const std::string& method : methods) write_cell(check, method);
            out_ += "</tr>\n";
        }
        out_ += "</tbody></table></div>\n";
    }

    void write_cell(const Section& check, const std::string& method) {
        Counts counts;
        for (const CheckResult* line : check.lines)
            for (const std::string& of : methods_of(*line))
                if (of == method) counts.add(line->status);
        if (counts.all == 0) {
            out_ += "<td></td>";
            return;
        }
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
        for (const std::string& method : all_methods(lines_))
            out_ += tag("option", "value=\"" + escaped(method) + "\"", escaped(method));
        out_ +=
            "</select></label>\n<output></output>\n</form>\n"
            "<p class=\"key\">Bars show the error on a logarithmic scale, four decades from tick "
            "to tick; the dark mark is what is allowed. In logarithmic plots, 0 is drawn at "
            "10⁻¹⁷.</p>\n";
    }

    void write_check(const Section& check) {
        out_ += "<article id=\"" + std::string(check.slug) + "\">\n<h4><span class=\"number\">" +
                std::to_string(check.first) + "</span> " + escaped(check.title) + " <code>" +
                check.slug + "</code> <small>" + escaped(check.lines.front()->source) +
                "</small></h4>\n";
        write_plots(check.first);
        out_ +=
            "<table class=\"lines\">\n<colgroup><col class=\"m\"><col><col class=\"v\">"
            "<col class=\"v\"><col class=\"e\"><col class=\"b\"><col class=\"e\">"
            "<col class=\"s\"></colgroup>\n<thead><tr><th>method</th><th>quantity</th>"
            "<th class=\"n\">expected</th><th class=\"n\">got</th><th class=\"n\">error</th>"
            "<th></th><th class=\"n\">allowed</th><th>status</th></tr></thead>\n<tbody>\n";
        for (const CheckResult* line : check.lines) write_line(*line);
        out_ += "</tbody></table></article>\n";
    }

    void write_plots(int check) {
        std::string figures;
        for (const CheckPlot& p : plots_) {
            if (p.check != check) continue;
            plot::SvgOptions options{440, 280, false, &plot::page_look()};
            options.height += 110 * (static_cast<int>(p.plot.panels.size()) - 1);
            if (p.plot.is_map) options.height = 440;
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
        if (!r.note.empty()) out_ += tag("p", "", escaped(r.note));
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
        out_ += "<footer><p>Made by <code>rigor validate --html</code>.</p></footer>\n";
    }

    static std::string sign(Status status) {
        return tag("span", "class=\"sign\" aria-hidden=\"true\"", symbol(status));
    }

    static constexpr Status kByInterest[] = {Status::pass, Status::fail, Status::known_failure,
                                             Status::skipped, Status::report};

    const std::vector<CheckResult>& results_;
    const std::vector<CheckPlot>& plots_;
    const std::vector<CertificateSummary>& certificates_;
    std::vector<Section> chapters_;
    std::vector<const CheckResult*> lines_;
    Counts counts_;
    std::string out_;
};

} // namespace

std::string validation_page(const std::vector<CheckResult>& results,
                            const std::vector<CheckPlot>& plots,
                            const std::vector<CertificateSummary>& certificates) {
    return Page(results, plots, certificates).write();
}

} // namespace rigor::app
