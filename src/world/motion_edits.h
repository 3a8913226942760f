// Motion edits: changes of velocity and pose by the caller, with their energy in the ledger.
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
