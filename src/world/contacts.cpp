// What touches, and what happened: for those who listen.

#include <utility>

#include "fast/contact_events.h"
#include "world/world_impl.h"

namespace rigor {
namespace {

/// Calls visit(pair) for all pairs in the order of their keys, those of sleepers after the others.
template <class Visit>
void visit_pairs(const fast::Memory& memory, const Visit& visit) {
    for (const fast::PairStore::Entry& entry : memory.pairs.order)
        visit(memory.pairs.pairs[entry.slot]);
    for (const fast::SleepingIsland& island : memory.sleep.islands)
        for (const fast::PairStore::Entry& entry : island.pairs)
            visit(memory.pairs.pairs[entry.slot]);
}

} // namespace

const Events& World::events() const {
    return impl_->events;
}

std::vector<ContactView> World::contacts() const {
    if (impl_->settings.method != Method::fast) return impl_->touching;
    std::vector<ContactView> all;
    visit_pairs(impl_->fast, [&](const fast::ContactPair& pair) {
        if (pair.sensor) return;
        fast::for_manifolds(impl_->fast.pairs, pair, [&](const fast::ContactManifold& manifold) {
            all.push_back(fast::view_of(impl_->state, pair, manifold));
        });
    });
    return all;
}

std::vector<ContactView> World::contacts(BodyId id) const {
    impl_->slot(id);
    std::vector<ContactView> of_body = contacts();
    std::erase_if(of_body, [&](const ContactView& contact) {
        return contact.a.body != id && contact.b.body != id;
    });
    return of_body;
}

void World::set_contact_hooks(ContactHooks hooks) {
    if (impl_->recorder && (hooks.filter || hooks.modify))
        throw UsageError("a world with contact hooks cannot be recorded");
    impl_->hooks = std::move(hooks);
}

} // namespace rigor
