#include "rigor/linear_programs.h"

#include "literature/method_parts.h"
#include "world/linear_programs.h"

namespace rigor {
namespace {

bool is_from_the_literature(Method method) {
    return method != Method::free && method != Method::fast && method != Method::faithful;
}

} // namespace

std::optional<std::string> missing_linear_programs(const WorldSettings& settings) {
    if (has_linear_programs()) return std::nullopt;
    const char* const why =
        " needs linear programs, which this program cannot solve: link "
        "rigor::clp, from a Rigor built with RIGOR_WITH_CLP";
    if (settings.laws.resting == RestingRule::lp) return "resting rule \"lp\"" + std::string(why);
    if (is_from_the_literature(settings.method) &&
        literature::method_parts_for(settings.method, settings).resting == RestingRule::lp)
        return "method \"" + std::string(name(settings.method)) + "\" with its own resting rule" +
               why;
    return std::nullopt;
}

} // namespace rigor
