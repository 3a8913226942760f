// The checks, one function a row; each in the file of its chapter.
#pragma once

#include "check.h"

namespace rigor::validation {

// free_motion.cpp
void check_free_fall(Reporter& reporter);
void check_asymmetric_top(Reporter& reporter);
void check_intermediate_axis(Reporter& reporter);
void check_stable_spin(Reporter& reporter);

// one_body.cpp
void check_block_on_incline(Reporter& reporter);
void check_slide_to_roll(Reporter& reporter);
void check_sphere_on_incline(Reporter& reporter);
void check_bouncing_ball(Reporter& reporter);
void check_elastic_ball(Reporter& reporter);

} // namespace rigor::validation
