// The stage "integrate", free motion of all bodies over a time step, in parallel.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/body_store.h"
#include "rigor/report.h"
#include "rigor/settings.h"

namespace rigor {

/// What a block of bodies went through, for the ledger and the report.
struct IntegrationTally {
    double gravity = 0; ///< work, joules
    double forces = 0;
    double damping = 0;
    double lost = 0; ///< kinetic energy of bodies that were quarantined
    int moved = 0;
    std::vector<std::uint32_t> quarantined;
};

/// Books what a block did. In the order of the blocks, so that the ledger has the same bits for any
/// number of threads.
void book(Ledger& ledger, const IntegrationTally& tally);
/// What blocks of so many bodies did, of which each has a tally of its own: the same bits.
std::vector<IntegrationTally> sum_blocks(std::span<const IntegrationTally> bodies,
                                         std::size_t block);

/// Moves the bodies of the slots [begin, end).
///
/// Reads    inertia, traits, wrenches, mobility.
/// Writes   motion, and mobility of what is quarantined, within the block only.
/// Order    bodies do not see each other, so blocks may run in any order on any worker.
///
/// A body whose new state would not be finite stays where it was, is stopped, and becomes
/// still; the others never notice.
void integrate_bodies(BodyStore& bodies, const Vec3d& gravity, Integrator integrator, double dt,
                      std::size_t begin, std::size_t end, IntegrationTally& tally);

} // namespace rigor
