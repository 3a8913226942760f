// Reports of the work, hits and contacts of the groups of a substep.
//
// Reads    the solution of each group.
// Writes   the outcome of the step.
// Order    groups as formed, contacts in the order of the group.
#pragma once

#include <span>

#include "faithful/moreau/contact_groups.h"
#include "faithful/moreau/moreau_data.h"

namespace rigor::faithful {

/// Of a substep of length h.
void report_groups(MoreauData& data, double h, std::span<ContactGroup> groups);

/// After the last substep: the contacts of the step with the impulses of all its substeps.
void report_impulses(MoreauData& data);

} // namespace rigor::faithful
