// Waking bodies and islands when the caller changes something.

#include "world/world_impl.h"

namespace rigor {

void World::Impl::report_woken() {
    for (const std::uint32_t body : woken)
        next_events.woken.push_back(state.bodies.ids.id_at(body));
    woken.clear();
}

void World::Impl::wake(std::uint32_t body) {
    pipeline->wake(state, body, woken);
    report_woken();
}

void World::Impl::wake_all() {
    pipeline->wake_all(state, woken);
    report_woken();
}

void World::Impl::wake_around(std::uint32_t body) {
    pipeline->wake_around(state, body, woken);
    report_woken();
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
    return impl_->pipeline->is_awake(impl_->slot(id));
}

void World::wake(BodyId id) {
    impl_->wake(impl_->slot(id));
    impl_->record<&World::wake>(id);
}

std::size_t World::awake_count() const {
    return impl_->pipeline->awake_bodies().size();
}

} // namespace rigor
