// Continuous collision: bodies that went far in a step are followed along their way.
#pragma once

#include "base/bit_set.h"
#include "fast/body_rows.h"
#include "fast/contact_pair.h"
#include "fast/narrowphase.h"
#include "fast/sleep.h"

namespace rigor::fast {

struct SweepContext {
    const ShapeProxies& proxies; ///< as they were at the beginning of the step
    NearShapes& shapes;
    const PairStore& pairs;
    const ContactHooks& hooks;
    ThreadTeam& team;
    const BitSet& near_ground; ///< bodies that have a pair with something that does not answer
};

/// The stage "sweep": after bodies have moved.
///
/// Reads    where bodies were and are. Concerned are those that moved or turned by more than half
///          the thickness of one of their shapes: what is slower cannot pass anything unseen. And
///          of these, those that had something to pass within their boxes, or left them.
/// Writes   the poses of those that went through something that does not answer to them, or, if
///          they are `continuous`, through anything: back to where they met it. They keep their
///          momentum; the next step finds them touching.
/// Order    each for itself, against where the others went before any is put back.
///
/// What touched already at the beginning is the business of its contacts; of such a pair only the
/// innermost quarter is followed, which no contact lets come through.
///
/// Returns how many were put back.
int sweep_fast_bodies(WorldState& state, const SweepContext& context, const BodyRows& rows,
                      const std::vector<std::uint32_t>& awake, double dt);

} // namespace rigor::fast
