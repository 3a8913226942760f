// Snapshot, restore and state hash of a world.

#include "world/world_impl.h"

namespace rigor {

Snapshot World::snapshot() const {
    impl_->require_outside_step("copied");
    return Snapshot(std::make_shared<const Snapshot::Content>(
        Snapshot::Content{impl_->state, impl_->settings, impl_->pipeline}));
}

void World::restore(const Snapshot& snapshot) {
    if (impl_->recorder) throw UsageError("a world that is recorded cannot be restored");
    WorldSettings settings = snapshot.content().settings;
    settings.threads = impl_->settings.threads; // a property of this machine, not of the state
    impl_->apply(settings);
    impl_->state = snapshot.content().state;
    impl_->pipeline = snapshot.content().pipeline;
    impl_->query_broadphase.change().reset(impl_->state);
}

std::uint64_t World::state_hash() const {
    Hasher hasher;
    hasher.add(hash(impl_->state));
    impl_->pipeline->add_to_hash(hasher);
    return hasher.value();
}

} // namespace rigor
