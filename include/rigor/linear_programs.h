// has_linear_programs(): whether CLP, a solver of linear programs, is linked.
#pragma once

#include "rigor/export.h"

namespace rigor {

/// True in a program that links the component `rigor::clp`. RestingRule::lp needs it, and so does
/// Method::baber2006 unless another resting rule is chosen.
RIGOR_API bool has_linear_programs();

} // namespace rigor
