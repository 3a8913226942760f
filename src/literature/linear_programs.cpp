#include "literature/linear_programs.h"

#include "rigor/linear_programs.h"

namespace rigor::literature {
namespace {

Error missing_linear_programs(const std::string& what) {
    return {ErrorCode::unsupported, "settings",
            what +
                " needs linear programs, which this program cannot solve: link rigor::clp, from a "
                "Rigor built with RIGOR_WITH_CLP"};
}

} // namespace

Result<void> check_linear_programs(const ContactLaws& laws) {
    if (laws.resting == RestingRule::lp && !has_linear_programs())
        return missing_linear_programs("resting rule \"lp\"");
    return {};
}

Result<void> check_linear_programs(Method method, const MethodParts& parts) {
    if (parts.resting == RestingRule::lp && !has_linear_programs())
        return missing_linear_programs("method \"" + std::string(name(method)) +
                                       "\" with its own resting rule");
    return {};
}

} // namespace rigor::literature
