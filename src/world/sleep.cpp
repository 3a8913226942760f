// Waking: whatever changes a body, or what it lies on, wakes it and its island.

#include "world/world_impl.h"

namespace rigor {

void World::Impl::wake(std::uint32_t body) {
    if (body >= fast.sleep.island_of.size() || !fast.sleep.is_asleep(body)) return;
    for (const std::uint32_t woken :
         fast::wake_island(fast.sleep.island_of[body], fast.sleep, fast.pairs)) {
        boxes.find_pairs_again(state, woken);
        next_events.woken.push_back(state.bodies.ids.id_at(woken));
    }
}

void World::Impl::wake_all() {
    for (std::uint32_t island = 0; island < fast.sleep.islands.size(); ++island)
        if (!fast.sleep.islands[island].bodies.empty()) wake(fast.sleep.islands[island].bodies[0]);
}

void World::Impl::wake_around(std::uint32_t body) {
    if (fast.sleep.islands.size() == fast.sleep.free.size()) return;
    std::vector<std::uint32_t> near;
    for (std::uint32_t s = state.bodies.traits[body].first_shape; s != UINT32_MAX;) {
        // All that it has pairs with, near or touching, is in its box.
        if (const auto box = boxes.stored_box(s)) {
            boxes.overlap(*box, ~0u, [&](const ShapeProxies::Placed& placed) {
                near.push_back(placed.body.index);
                return true;
            });
        }
        s = state.shapes.find(state.shapes.pool().id_at(s))->next;
    }
    for (const std::uint32_t other : near) wake(other);
}

void World::Impl::wake_joined(const JointRecord& joint) {
    if (joint.type == JointType::gear) {
        for (const std::uint32_t coupled : {joint.gear_a, joint.gear_b})
            if (state.joints.is_alive(coupled)) wake_joined(state.joints[coupled]);
        return;
    }
    for (const BodyId body : {joint.a.body, joint.b.body})
        if (!body.is_null()) wake(body.index);
}

bool World::is_awake(BodyId id) const {
    return !impl_->fast.sleep.is_asleep(impl_->slot(id));
}

void World::wake(BodyId id) {
    impl_->wake(impl_->slot(id));
    impl_->record<&World::wake>(id);
}

std::size_t World::awake_count() const {
    return impl_->fast.sleep.awake.size();
}

} // namespace rigor
