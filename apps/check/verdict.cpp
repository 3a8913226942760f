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
    const Header& header = reader.header();
    Verdict verdict{header.scene, header.method, header.bodies.size(), 0, 0, {}, true};
    Findings findings;
    Run run(header, findings);
    for (Record record; reader.next(record); ++verdict.records) {
        if (should_stop && should_stop()) {
            verdict.is_complete = false;
            break;
        }
        if (record.is == "step") ++verdict.steps;
        check_record(run, record);
    }
    for (const auto& [law, worst] : findings.worst()) {
        verdict.laws.push_back(
            {law->name, law->says, worst.residual, law->tolerance, worst.place.time, {}});
        for (const int i : {worst.place.a, worst.place.b})
            if (i >= 0) verdict.laws.back().bodies.push_back(run.body(i).name);
    }
    return verdict;
}

} // namespace check
