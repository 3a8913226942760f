// Impacts of a step, by the impact law and multi-impact rule of the method, or in a single pass.
#pragma once

#include "literature/method_state.h"

namespace rigor::literature {

/// Applies impulses to approaching contacts. Under a method whose resting contacts get no impulse,
/// an approach slower than its resting speed is ignored. True when there were some.
///
/// Reads    the contacts of the step and the velocities of their bodies.
/// Writes   the momenta of the island; the entry `impact` of the ledgers; the statistics and hits;
///          the impulses of the contacts.
/// Order    one contact problem of all contacts, in their order; the multi-impact rule
///          decides which contact gets its impulse first.
bool resolve_impacts(const WorldState& state, const MethodParts& method, MethodState& step);

/// Whether bodies at a gap are in contact; else they hover, and only take part in impacts.
bool touches(const MethodParts& method, double gap);

/// Marks all contacts that are coupled to marked ones through bodies and joints.
std::vector<bool> coupled_contacts(const BlockMatrix& w, const std::vector<bool>& marked);

/// Marks the contacts that approach at `speed` or faster, and all that are coupled to them through
/// bodies and joints: an impact travels through a stack, so its contacts collide as well.
std::vector<bool> colliding_contacts(const ImpactProblem& problem, double speed);

/// The restitution of a contact in an impact. A resting contact does not bounce, except that
///   - a single pass makes no difference between colliding and resting contacts, unless a resting
///     speed is given;
///   - a micro-collision bounces the more, the closer the bodies are (micro_collisions.h).
double impact_restitution(const MethodParts& method, double restitution, bool is_colliding,
                          double gap);

} // namespace rigor::literature
