#include "features/driver/contact_impulse.h"

#include <algorithm>

namespace rigor {
namespace {

void add(BodyImpulse& sum, const Vec3d& impulse, const Vec3d& arm) {
    sum.linear += impulse;
    sum.angular += cross(arm, impulse);
}

/// Whether the impulse of a hit is in that of a contact which lasted to the end of the step.
bool is_in_contact(const World& world, BodyId body, const ContactHit& hit) {
    if (world.settings().method != Method::faithful) return false;
    const auto contacts = world.contacts(body);
    return std::any_of(contacts.begin(), contacts.end(), [&](const ContactView& contact) {
        return contact.a.shape == hit.a.shape && contact.b.shape == hit.b.shape;
    });
}

} // namespace

bool could_be_hit(const World& world, BodyId body) {
    const auto is_of_body = [&](const auto& event) {
        return event.a.body == body || event.b.body == body;
    };
    const Events& events = world.events();
    return std::any_of(events.hits.begin(), events.hits.end(), is_of_body) ||
           std::any_of(events.begun.begin(), events.begun.end(), is_of_body) ||
           std::any_of(events.ended.begin(), events.ended.end(), is_of_body) ||
           !world.joints(body).empty() || !world.contacts(body).empty();
}

BodyImpulse contact_impulse(const World& world, BodyId body) {
    BodyImpulse sum;
    const Vec3d center = world.state(body).position;
    for (const ContactView& contact : world.contacts(body)) {
        const double sign = contact.b.body == body ? 1 : -1;
        Vec3d middle;
        for (int i = 0; i < contact.count; ++i) {
            const ContactPointView& p = contact.points[static_cast<std::size_t>(i)];
            add(sum, contact.normal * (p.impulse * sign), p.point - center);
            middle += p.point / contact.count;
        }
        if (contact.count > 0) add(sum, contact.friction * sign, middle - center);
    }
    if (world.settings().method == Method::fast) return sum;
    for (const ContactHit& hit : world.events().hits) {
        if (hit.a.body != body && hit.b.body != body) continue;
        if (is_in_contact(world, body, hit)) continue;
        const double sign = hit.b.body == body ? 1 : -1;
        add(sum, hit.normal * (hit.impulse * sign), hit.point - center);
    }
    return sum;
}

} // namespace rigor
