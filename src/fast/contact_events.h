// Contact and sensor events: contacts that began, ended or hit in a step, and contact views.
#pragma once

#include <span>

#include "fast/contact_constraints.h"
#include "rigor/events.h"

namespace rigor::fast {

/// The constraints of a pair in this step: constraints[first, first + count).
struct PairConstraints {
    ContactPair* pair = nullptr;
    std::uint32_t first = 0, count = 0;
};

/// After the solve.
///
/// Reads    the impulses of this step, and which pairs touched before.
/// Writes   whether each pair touches; events.
/// Order    serial, in the order of the pairs.
///
/// A contact begins with the first impulse, and ends when the shapes have separated by a quarter of
/// the margin: a box that trembles on a table begins to touch it once.
void report_contact_changes(const WorldState& state, const PairStore& store,
                            std::span<const PairConstraints> pairs,
                            std::span<const ContactConstraint> constraints, double hit_speed,
                            Events& events);

/// The same for a sensor, which reports overlap.
void report_sensor_change(const WorldState& state, const PairStore& store, ContactPair& pair,
                          Events& events);

/// Contacts whose pairs are gone. Empties the list.
void report_ended(std::vector<EndedContact>& ended, Events& events);

/// The manifold as the user sees it.
ContactView view_of(const WorldState& state, const ContactPair& pair,
                    const ContactManifold& manifold);

} // namespace rigor::fast
