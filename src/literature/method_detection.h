// Detection of the next impact: how long the bodies can move before shapes that do not touch yet
// come into contact.
#pragma once

#include "literature/method_state.h"

namespace rigor::literature {

/// The time to the first impact within `time_left`, or `time_left` if there is none. With detection
/// `static_only` there is never one: overlap is found after it happened.
///
/// Reads    the pairs, the contacts and the motion of the island, and where it would be after
///          `time_left` without contacts. Between the two every body is taken to move at constant
///          velocity and angular velocity.
/// Writes   nothing.
/// Order    the result is a minimum over pairs, in whatever order.
double time_to_contact(const WorldState& state, const MethodParts& method, const MethodState& step,
                       double time_left);

} // namespace rigor::literature
