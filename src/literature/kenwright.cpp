// Normal and tangential impulses in a single pass, with a bias velocity [Kenwright]. This is the
// simulator of the workshop: a fixed step, velocities first, then positions.
// Contacts are found where bodies overlap. Each gets, once and in turn,
//
//     1. a normal impulse -(1 + e) u_n / K_nn, with a bias velocity that grows with the penetration
//        so that bodies do not sink;
//     2. a tangential impulse against the slip that is left, of at most mu times the normal one.
//
// Corrected here: signs as equations (7), (8) and (11) to (14) should have them; the normal impulse
// is never negative; the tangential one is clamped; the bias is a velocity, where the listing has
// an impulse.
#include "literature/method_parts.h"

namespace rigor::literature {

MethodParts kenwright() {
    MethodParts method;
    method.integrator = Integrator::symplectic;
    method.detection = Detection::static_only;
    method.impact = ImpactLaw::newton;
    method.single_pass = true;
    method.baumgarte_rate = 6; // 0.1 of the depth in a step of 1/60 s
    method.resting = RestingRule::none;
    method.contact_distance = 0;
    method.resting_speed = 0;
    return method;
}

} // namespace rigor::literature
