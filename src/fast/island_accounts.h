// What a step did, booked on the accounts of islands.
#pragma once

#include <span>

#include "fast/body_rows.h"
#include "fast/contact_rows.h"
#include "fast/joint_rows.h"

namespace rigor::fast {

/// Joins what pushed each other or is joined. Contacts are measured one by one; what joints did is
/// what else happened to the islands that have some.
void book_islands(const RowTally& tally, std::span<const ContactRow> contacts,
                  std::span<const ContactResult> results, std::span<const std::uint32_t> joints,
                  WorldState& state);

} // namespace rigor::fast
