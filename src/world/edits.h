// Changes of a body's motion by the caller; the energy they bring is recorded in the ledger.
#pragma once

#include "dynamics/energy.h"
#include "world/world_impl.h"

namespace rigor {

template <class Edit>
void World::Impl::edit(std::uint32_t body, const Edit& edit) {
    if (!is_movable(state.bodies, body)) return;
    wake(body);
    record_edit(state, body, -kinetic_energy(state.bodies, body));
    edit(state.bodies);
    record_edit(state, body, kinetic_energy(state.bodies, body));
}

} // namespace rigor
