#include "features/driver/contact_impulse.h"

#include <algorithm>

namespace rigor {
namespace {

void add(BodyImpulse& sum, const Vec3d& impulse, const Vec3d& arm) {
    sum.linear += impulse;
    sum.angular += cross(arm, impulse);
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
    return sum;
}

} // namespace rigor
