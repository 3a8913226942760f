// World: events, contacts and contact hooks, as the pipeline reported them.

#include <string>
#include <utility>

#include "world/world_impl.h"

namespace rigor {

void require_hooks_act(const ContactHooks& hooks, Method method) {
    if ((hooks.filter || hooks.modify) && method != Method::fast)
        throw UsageError("contact hooks act under \"fast\" alone, and the method is \"" +
                         std::string(name(method)) + "\"");
}

void World::keep_motion_records(bool wanted) {
    impl_->keeps_motion_records = wanted;
}

const std::vector<MotionRecord>& World::motion_records() const {
    return impl_->motion_records;
}

const Events& World::events() const {
    return impl_->events;
}

std::vector<ContactView> World::contacts() const {
    return impl_->pipeline->contacts(impl_->state);
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
    require_hooks_act(hooks, impl_->settings.method);
    impl_->hooks = std::move(hooks);
}

} // namespace rigor
