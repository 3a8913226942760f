// The work that the solver did on bodies, and the energy ledgers it goes into.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "fast/step_data.h"

namespace rigor::fast {

/// Work on all dynamic bodies that have solver bodies, J.
struct SolverWork {
    double gravity = 0, forces = 0, damping = 0;
    std::vector<BodyWork> each; ///< when there is a ledger for every island

    void add(const BodyWork& body) {
        gravity += body.gravity;
        forces += body.forces;
        damping += body.damping;
    }
};

/// Adds the work of a step to the ledger of the world. That of contacts and joints is measured one
/// by one, by their impulses and the velocities at their points: what the energy did besides is the
/// remainder.
void update_ledger(const SolverWork& work, const Scratch& scratch, Ledger& ledger);

/// Joins the islands of bodies that contacts or joints connect, and adds the work to their ledgers.
void update_island_ledgers(const SolverWork& work, const Scratch& scratch,
                           std::span<const std::uint32_t> awake_joints, WorldState& state);

} // namespace rigor::fast
