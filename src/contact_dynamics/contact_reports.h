// Reports of a step: impact hits, its contacts, and the joints at its end.
#pragma once

#include "contact_dynamics/step_context.h"
#include "rigor/events.h"

namespace rigor::contact_dynamics {

ContactSide contact_side(const WorldState& state, std::uint32_t shape);

/// Hits at this speed or more, sorted by pair; hits of a pair stay in order of time.
std::vector<ContactHit> report_hits(const WorldState& state, const StepStatistics& statistics,
                                    double speed);

/// Appends the contacts of an island.
void report_contacts(const WorldState& state, const Island& island,
                     std::vector<ContactView>& views);
/// Appends contacts that ended within a step, whose end the state is.
void report_past_contacts(const WorldState& state, std::span<const PastContact> contacts,
                          std::vector<ContactView>& views);

/// Appends the angles of the joints of an island, after a step of impulses alone.
void report_angles(const WorldState& state, Island& island, std::vector<JointOutcome>& joints);
/// Appends the angles and forces of the joints of an island.
void report_joints(const WorldState& state, Island& island, std::vector<JointOutcome>& joints);

} // namespace rigor::contact_dynamics
