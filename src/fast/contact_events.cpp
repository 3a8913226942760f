#include "fast/contact_events.h"

#include <algorithm>

namespace rigor::fast {
namespace {

constexpr float kEnded = 0.25f; // separation at which a contact ends, of the margin

Vec3d position_of(const WorldState& state, const ContactPair& pair, const ContactManifold& manifold,
                  std::size_t point) {
    return state.bodies.motion[pair.body_a].x + cast<double>(manifold.points[point].anchor_a);
}

SensorEvent sensor_change(const WorldState& state, const ContactPair& pair) {
    const ContactPairEvent sides = sides_of(state, pair);
    const bool a_senses = state.shapes.find(sides.a.shape)->sensor;
    return a_senses ? SensorEvent{sides.a, sides.b} : SensorEvent{sides.b, sides.a};
}

} // namespace

void report_contact_changes(const WorldState& state, const PairStore& store,
                            std::span<const PairConstraints> pairs,
                            std::span<const ContactConstraint> constraints, double hit_speed,
                            Events& events) {
    for (const PairConstraints& it : pairs) {
        std::uint32_t fastest = it.first;
        float impulse = 0;
        for (std::uint32_t i = it.first; i < it.first + it.count; ++i) {
            impulse += constraints[i].total_impulse;
            if (constraints[i].approach_speed > constraints[fastest].approach_speed) fastest = i;
        }
        ContactPair& pair = *it.pair;
        const bool was = pair.touching;
        pair.touching = impulse > 0 || (was && min_separation(store, pair) < kEnded * pair.margin);
        if (pair.touching && !was) events.begun.push_back(sides_of(state, pair));
        if (was && !pair.touching) events.ended.push_back(sides_of(state, pair));
        if (it.count == 0) continue;
        const ContactConstraint& hit = constraints[fastest];
        const auto approach = static_cast<double>(hit.approach_speed);
        if (approach < hit_speed) continue;
        const ContactPairEvent sides = sides_of(state, pair);
        events.hits.push_back(
            {sides.a, sides.b, position_of(state, pair, *hit.manifold, hit.fastest_point),
             cast<double>(hit.manifold->normal), approach, static_cast<double>(impulse)});
    }
}

void report_sensor_change(const WorldState& state, const PairStore& store, ContactPair& pair,
                          Events& events) {
    const bool inside = min_separation(store, pair) <= 0;
    if (inside == pair.touching) return;
    pair.touching = inside;
    (inside ? events.entered : events.left).push_back(sensor_change(state, pair));
}

void report_ended(std::vector<EndedContact>& ended, Events& events) {
    for (const EndedContact& contact : ended) {
        if (contact.sensor) {
            events.left.push_back({contact.who.a, contact.who.b});
        } else {
            events.ended.push_back(contact.who);
        }
    }
    ended.clear();
}

ContactView view_of(const WorldState& state, const ContactPair& pair,
                    const ContactManifold& manifold) {
    const ContactPairEvent sides = sides_of(state, pair);
    ContactView view{sides.a,
                     sides.b,
                     cast<double>(manifold.normal),
                     cast<double>(manifold.total_friction),
                     {},
                     manifold.count};
    for (std::size_t i = 0; i < manifold.used().size(); ++i)
        view.points[i] = {position_of(state, pair, manifold, i),
                          static_cast<double>(manifold.points[i].separation),
                          static_cast<double>(manifold.points[i].total_impulse)};
    return view;
}

} // namespace rigor::fast
