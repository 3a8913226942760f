#include "verdict.h"

#include <cstdio>

#include "run.h"

namespace check {

bool Verdict::holds() const {
    return std::all_of(laws.begin(), laws.end(), [](const LawVerdict& law) { return law.holds(); });
}

std::string Verdict::table() const {
    std::string text;
    for (const LawVerdict& law : laws) {
        char line[200];
        std::snprintf(line, sizeof line, "%-5s %-19s %9.2e of %5.0e  %-49s",
                      law.holds() ? "holds" : "FAILS", law.law.c_str(), law.residual, law.tolerance,
                      law.says.c_str());
        text += line;
        if (law.residual > 0) {
            std::snprintf(line, sizeof line, " t = %.9g s", law.time);
            text += line;
            for (const std::string& body : law.bodies) text += ", \"" + body + "\"";
        }
        text += "\n";
    }
    return text;
}

Verdict check_certificate(std::istream& file, const std::string& name,
                          const std::function<bool()>& should_stop) {
    Reader reader(file, name);
    const Header& header = reader.header;
    Verdict verdict{header.scene, header.method, header.bodies.size(), 0, 0, {}, true};
    Run run(header);
    const auto check = [&](Record record) {
        verdict.is_complete = !(should_stop && should_stop());
        if (verdict.is_complete) check_record(run, std::move(record)), ++verdict.records;
    };
    while (reader.next(check) && verdict.is_complete) {}
    verdict.steps = run.steps;
    for (std::size_t i = 0; i < kLaws.size(); ++i) {
        const auto& [residual, time, a, b] = run.findings[i];
        if (residual < 0) continue;
        const Law& law = kLaws[i];
        verdict.laws.push_back(
            {std::string(law.name), std::string(law.says), residual, law.tolerance, time, {}});
        for (const int body : {a, b})
            if (body >= 0) verdict.laws.back().bodies.push_back(run.body(body).name);
    }
    return verdict;
}

} // namespace check
