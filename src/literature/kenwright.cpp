// [Kenwright]: the workshop's simulator. A fixed step; velocities first, then positions. Contacts
// are found where bodies overlap; each gets, once and in turn, a normal impulse -(1 + e) u_n /
// K_nn, with a speed of leaving that grows with the depth so that things do not sink, and then a
// tangential one against the velocity that is left, of at most mu times the normal one. (Signs and
// clamps as they should be; the listing's bias is an impulse there, and a speed here.)
#include "literature/method_parts.h"

namespace rigor::literature {

MethodParts kenwright() {
    MethodParts method;
    method.integrator = Integrator::symplectic;
    method.detection = Detection::static_only;
    method.impact = ImpactLaw::newton;
    method.single_pass = true;
    method.baumgarte_rate = 6; // 0.1 of the depth in a step of 1/60 s
    method.contact_distance = 0;
    method.resting_speed = 0;
    return method;
}

} // namespace rigor::literature
