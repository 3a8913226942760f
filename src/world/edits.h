// Changes of a body's motion by the caller, with the energy they bring booked.
#pragma once

#include "dynamics/energy.h"
#include "world/world_impl.h"

namespace rigor {

inline bool is_movable(const BodyStore& bodies, std::uint32_t i) {
    return bodies.mobility[i] >= Mobility::plain;
}

inline double kinetic_energy_of(const BodyStore& bodies, std::uint32_t i) {
    if (!is_dynamic(bodies, i)) return 0;
    return kinetic_energy(bodies.motion[i], bodies.inertia[i], bodies.traits[i]);
}

template <class Edit>
void World::Impl::edit(std::uint32_t i, const Edit& edit) {
    if (!is_movable(state.bodies, i)) return;
    wake(i);
    book_edit(i, -kinetic_energy_of(state.bodies, i));
    edit(state.bodies);
    book_edit(i, kinetic_energy_of(state.bodies, i));
}

inline void World::Impl::book_edit(std::uint32_t body, double energy) {
    state.ledger.edits += energy;
    if (Ledger* island = state.islands.of(body)) island->edits += energy;
}

} // namespace rigor
