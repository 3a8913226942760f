// Energy ledgers of a world and of its islands.

#include <algorithm>

#include "dynamics/energy.h"
#include "world/world_impl.h"

namespace rigor {
namespace {

IslandLedger closed(const IslandLedgers::Island& island, const BodyStore& bodies) {
    std::vector<std::uint32_t> slots = island.bodies;
    std::sort(slots.begin(), slots.end());
    IslandLedger out;
    double kinetic = 0;
    for (const std::uint32_t slot : slots) {
        out.bodies.push_back(bodies.ids.id_at(slot));
        kinetic += kinetic_energy(bodies, slot);
    }
    out.ledger = rigor::closed(island.ledger, kinetic);
    return out;
}

} // namespace

Ledger World::ledger() const {
    return closed(impl_->state.ledger, energy().kinetic);
}

void World::keep_island_ledgers(bool wanted) {
    WorldState& state = impl_->state;
    state.islands.stop();
    if (!wanted) return;
    state.islands.start();
    for (const BodyId id : bodies())
        if (is_dynamic(state.bodies, id.index))
            state.islands.add_body(id.index, kinetic_energy(state.bodies, id.index));
}

std::vector<IslandLedger> World::island_ledgers() const {
    std::vector<IslandLedger> all;
    for (const IslandLedgers::Island& island : impl_->state.islands.islands())
        if (!island.bodies.empty()) all.push_back(closed(island, impl_->state.bodies));
    std::sort(all.begin(), all.end(), [](const IslandLedger& a, const IslandLedger& b) {
        return a.bodies[0].index < b.bodies[0].index;
    });
    return all;
}

std::optional<IslandLedger> World::island_ledger(BodyId id) const {
    const std::uint32_t island = impl_->state.islands.island_of(impl_->slot(id));
    if (island == IslandLedgers::kNone) return std::nullopt;
    return closed(impl_->state.islands.islands()[island], impl_->state.bodies);
}

} // namespace rigor
