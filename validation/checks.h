// The checks, one function each, in the file of their subject.
#pragma once

#include "check.h"

namespace rigor::validation {

// free_motion.cpp
void check_free_fall(Reporter& reporter);
void check_asymmetric_top(Reporter& reporter);
void check_intermediate_axis(Reporter& reporter);
void check_stable_spin(Reporter& reporter);

// tops.cpp
void check_heavy_top(Reporter& reporter);
void check_sleeping_top(Reporter& reporter);

// joints.cpp
void check_pendulum(Reporter& reporter);
void check_double_pendulum(Reporter& reporter);
void check_falling_rod(Reporter& reporter);
void check_hinged_chain(Reporter& reporter);

// joint_actions.cpp
void check_hinge_limit(Reporter& reporter);
void check_capped_motor(Reporter& reporter);
void check_hinge_spring(Reporter& reporter);
void check_hinge_friction(Reporter& reporter);
void check_joint_special_cases(Reporter& reporter);
void check_gears(Reporter& reporter);

// track.cpp
void check_bead_on_track(Reporter& reporter);

// pinned.cpp
void check_gyroscope(Reporter& reporter);
void check_pinned_spin(Reporter& reporter);
void check_pinned_bodies(Reporter& reporter);

// mechanisms.cpp
void check_ladder(Reporter& reporter);
void check_conical_pendulum(Reporter& reporter);
void check_four_bar(Reporter& reporter);
void check_slider_crank(Reporter& reporter);
void check_ballistic_pendulum(Reporter& reporter);

// lasting_contact.cpp
void check_bowl(Reporter& reporter);
void check_rolling_bodies(Reporter& reporter);
void check_box_on_turntable(Reporter& reporter);

// tunneling.cpp
void check_tunneling(Reporter& reporter);

// materials.cpp
void check_stick_slip(Reporter& reporter);
void check_slow_slide(Reporter& reporter);
void check_anisotropic_sliding(Reporter& reporter);
void check_conveyor(Reporter& reporter);
void check_rolling_resistance(Reporter& reporter);
void check_torsional_friction(Reporter& reporter);

// one_body.cpp
void check_block_on_incline(Reporter& reporter);
void check_slide_to_roll(Reporter& reporter);
void check_sphere_on_incline(Reporter& reporter);
void check_bouncing_ball(Reporter& reporter);
void check_elastic_ball(Reporter& reporter);

// impacts.cpp
void check_oblique_impact(Reporter& reporter);
void check_elastic_energy(Reporter& reporter);
void check_painleve_rod(Reporter& reporter);
void check_rocking_block(Reporter& reporter);

// oracles.cpp
void check_impact_oracles(Reporter& reporter);
void check_contact_problems(Reporter& reporter);

// rolling.cpp
void check_friction_isotropy(Reporter& reporter);
void check_turntable(Reporter& reporter);
void check_turntables(Reporter& reporter);
void check_rolling_disk(Reporter& reporter);
void check_jellett(Reporter& reporter);

// simultaneous.cpp
void check_newtons_cradle(Reporter& reporter);
void check_bernoulli(Reporter& reporter);
void check_flat_stick(Reporter& reporter);
void check_pi(Reporter& reporter);
void check_five_properties(Reporter& reporter);

// stacks.cpp
void check_diamonds(Reporter& reporter);
void check_harmonic_overhang(Reporter& reporter);
void check_mass_ratio(Reporter& reporter);
void check_arch(Reporter& reporter);

// statics.cpp
void check_supports(Reporter& reporter);

// spheres.cpp
void check_gas(Reporter& reporter);
void check_six_six_six(Reporter& reporter);

// measured.cpp
void check_cube_tosses(Reporter& reporter);
void check_ellipse_impacts(Reporter& reporter);
/// Lines of check_invariance.
void judge_toss_invariance(Reporter& reporter);

// convergence.cpp
void check_convergence(Reporter& reporter);

// vehicle.cpp
void check_vehicle(Reporter& reporter);

// invariance.cpp
void check_invariance(Reporter& reporter);
void check_ledger(Reporter& reporter);
void check_determinism(Reporter& reporter);

} // namespace rigor::validation
