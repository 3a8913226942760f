// Settings that need a solver of linear programs, which not every program links (rigor::clp).
#pragma once

#include "literature/method_parts.h"
#include "rigor/result.h"

namespace rigor::literature {

/// Refuses the resting rule `lp` where the caller chose it and linear programs cannot be solved.
Result<void> check_linear_programs(const ContactLaws& laws);

/// Refuses a method whose own resting rule is `lp`, likewise.
Result<void> check_linear_programs(Method method, const MethodParts& parts);

} // namespace rigor::literature
