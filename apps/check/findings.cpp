#include "findings.h"

#include <cstdio>

namespace check {

void Findings::add(const Law& law, double residual, const Place& place) {
    Worst& worst = worst_[&law];
    if (!(residual <= worst.residual)) worst = {std::isnan(residual) ? HUGE_VAL : residual, place};
}

bool Findings::hold() const {
    return std::all_of(worst_.begin(), worst_.end(), [](const auto& entry) {
        return entry.second.residual <= entry.first->tolerance;
    });
}

std::string Findings::table() const {
    std::string text;
    for (const auto& [law, worst] : worst_) {
        char line[200];
        std::snprintf(line, sizeof line, "%-5s %-19s %9.2e of %5.0e  %-49s",
                      worst.residual <= law->tolerance ? "holds" : "FAILS", law->name,
                      worst.residual, law->tolerance, law->says);
        text += line;
        if (worst.residual > 0) {
            std::snprintf(line, sizeof line, " t = %.9g s", worst.place.time);
            text += line;
            for (const int i : {worst.place.a, worst.place.b})
                if (i >= 0) text += ", \"" + header_.bodies[std::size_t(i)].name + "\"";
        }
        text += "\n";
    }
    return text;
}

} // namespace check
