// What began, ended and hit in a step.
#pragma once

#include <span>

#include "fast/contact_rows.h"
#include "rigor/events.h"

namespace rigor::fast {

/// The rows that a pair has in this step; none: nothing of it is near any more.
struct PairRows {
    ContactPair* pair = nullptr;
    std::uint32_t first = 0, count = 0;
};

/// After the solve.
///
/// Reads    what pushed in this step, and what touched before.
/// Writes   whether each pair touches; events, in the order of the pairs.
///
/// A touch begins when the shapes push each other, and ends when they have parted by a quarter of
/// the margin: a box that trembles on a table begins to touch it once.
void find_touch_changes(const WorldState& state, const PairStore& store,
                        std::span<const PairRows> pairs, std::span<const ContactRow> rows,
                        std::span<const ContactResult> results, double hit_speed, Events& events);

/// The same of a sensor, which a shape is in when they overlap.
void find_sensor_change(const WorldState& state, const PairStore& store, ContactPair& pair,
                        Events& events);

/// Touches whose pairs are gone.
void report_ended(std::vector<EndedTouch>& ended, Events& events);

/// A manifold for those who ask.
ContactView view_of(const WorldState& state, const ContactPair& pair, const Touch& touch);

} // namespace rigor::fast
