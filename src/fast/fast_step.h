// The fast pipeline: one step of many bodies.
#pragma once

#include "base/profile.h"
#include "fast/coloring.h"
#include "fast/contact_kernels.h"
#include "fast/contact_rows.h"
#include "fast/narrowphase.h"
#include "rigor/settings.h"

namespace rigor::fast {

/// What outlives a step beside the state: part of snapshots and of the hash.
struct Memory {
    PairStore pairs;
};

/// What is made anew in every step, kept only for its room; and what follows from the state.
struct Scratch {
    FloatShapes shapes;
    std::vector<ProxyPair> found;
    BodyRows bodies;
    std::vector<ContactRow> contacts;
    std::vector<std::uint32_t> colors;   ///< of each contact
    std::vector<std::uint32_t> order;    ///< contacts by color and number of points
    std::vector<std::size_t> color_ends; ///< in `order`
    std::vector<ContactBlock<1>> blocks_1;
    std::vector<ContactBlock<4>> blocks_4;
    std::vector<ContactBlock<8>> blocks_8;
    Coloring coloring;
};

struct StepContext {
    WorldState& state;
    ShapeProxies& proxies; ///< refreshed
    ThreadTeam& team;
    Profile& profile;
    int substeps = 4;
    int lanes = 0; ///< 1, 4 or 8; 0: the widest this machine has
    Integrator integrator = Integrator::exact;
};

struct StepOutcome {
    int moved = 0;
    int contacts = 0;                       ///< points
    double deepest = 0;                     ///< penetration at the beginning of the step, m
    std::vector<std::uint32_t> quarantined; ///< slots
};

/// Moves the world on by dt.
///
///     pairs       which shapes have come near each other
///     contacts    where they touch
///     prepare     bodies and manifolds to rows, sorted into colors
///     solve       substeps: forces, warm start, solve, move, relax; then bounce
///     finish      impulses and bodies back into the state
///     free        bodies that touch nothing move freely, in double, as if there were no contacts
StepOutcome step(const StepContext& context, Memory& memory, Scratch& scratch, double dt);

} // namespace rigor::fast
