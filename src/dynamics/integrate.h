// The stage "integrate": free motion of all bodies over a time step, in parallel; quarantines
// bodies that become non-finite.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/body_store.h"
#include "rigor/report.h"
#include "rigor/settings.h"

namespace rigor {

/// Work and counts of a block of bodies, for the ledger and the report.
struct IntegrationTally {
    double gravity = 0; ///< work, joules
    double forces = 0;
    double damping = 0;
    double lost = 0; ///< kinetic energy of bodies that were quarantined
    int moved = 0;
    std::vector<std::uint32_t> quarantined;
};

/// Adds the work of a block to a ledger. In the order of the blocks, so that the ledger has the
/// same bits for any number of threads.
void add_work(Ledger& ledger, const IntegrationTally& tally);
/// The tallies of blocks of so many bodies from the tallies of single bodies: the same bits.
std::vector<IntegrationTally> sum_blocks(std::span<const IntegrationTally> bodies,
                                         std::size_t block);

/// Moves the bodies of the slots [begin, end).
///
/// Reads    inertia, traits, wrenches, mobility.
/// Writes   motion, and mobility of quarantined bodies, within the block only.
/// Order    bodies are independent, so blocks may run in any order on any worker.
///
/// A body whose new state would not be finite is quarantined: it keeps its pose, is stopped, and
/// becomes immobile. The others are not affected.
void integrate_bodies(BodyStore& bodies, const Vec3d& gravity, Integrator integrator, double dt,
                      std::size_t begin, std::size_t end, IntegrationTally& tally);

} // namespace rigor
