// Position correction by the shortest displacement that removes penetration and the drift of
// joints.
//
// Reads    the contacts of the world.
// Writes   positions, contacts, and the work of the correction.
// Order    groups as formed. They share no body that responds to impulses.
#pragma once

#include "faithful/moreau/contact_groups.h"
#include "faithful/moreau/moreau_data.h"

namespace rigor::faithful {

/// Removes the penetration of the detected contacts. Contacts that are as close as the penetration
/// is deep take part, so the correction causes no new penetration. Contacts of earlier rounds are
/// remembered: of an edge across a face, detection returns one crossing at a time.
void remove_penetration(MoreauData& data);

/// Projects positions and velocities onto the joints, without regard to contacts.
void project_joints(const WorldState& state, ContactGroup& group);

} // namespace rigor::faithful
