// The checks, one function a row; each in the file of its chapter.
#pragma once

#include "check.h"

namespace rigor::validation {

// free_motion.cpp
void check_free_fall(Reporter& reporter);
void check_asymmetric_top(Reporter& reporter);
void check_intermediate_axis(Reporter& reporter);
void check_stable_spin(Reporter& reporter);

} // namespace rigor::validation
