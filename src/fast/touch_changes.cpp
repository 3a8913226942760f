#include "fast/touch_changes.h"

#include <algorithm>

namespace rigor::fast {
namespace {

constexpr float kParted = 0.25f; // of the margin

Vec3d place_of(const WorldState& state, const ContactPair& pair, const Touch& touch,
               std::size_t point) {
    return state.bodies.motion[pair.body_a].x + cast<double>(touch.points[point].arm);
}

SensorEvent sensor_change(const WorldState& state, const ContactPair& pair) {
    const ContactPairEvent sides = sides_of(state, pair);
    const bool a_senses = state.shapes.find(sides.a.shape)->sensor;
    return a_senses ? SensorEvent{sides.a, sides.b} : SensorEvent{sides.b, sides.a};
}

} // namespace

void find_touch_changes(const WorldState& state, const PairStore& store,
                        std::span<const PairRows> pairs, std::span<const ContactRow> rows,
                        std::span<const ContactResult> results, double hit_speed, Events& events) {
    for (const PairRows& it : pairs) {
        std::uint32_t fastest = it.first;
        float impulse = 0;
        for (std::uint32_t i = it.first; i < it.first + it.count; ++i) {
            impulse += results[i].impulse;
            if (results[i].approach > results[fastest].approach) fastest = i;
        }
        ContactPair& pair = *it.pair;
        const bool was = pair.touching;
        pair.touching =
            impulse > 0 || (was && least_separation(store, pair) < kParted * pair.margin);
        if (pair.touching && !was) events.begun.push_back(sides_of(state, pair));
        if (was && !pair.touching) events.ended.push_back(sides_of(state, pair));
        if (it.count == 0 || static_cast<double>(results[fastest].approach) < hit_speed) continue;
        const Touch& touch = *rows[fastest].touch;
        const ContactPairEvent sides = sides_of(state, pair);
        events.hits.push_back(
            {sides.a, sides.b, place_of(state, pair, touch, results[fastest].point),
             cast<double>(touch.normal), static_cast<double>(results[fastest].approach),
             static_cast<double>(impulse)});
    }
}

void find_sensor_change(const WorldState& state, const PairStore& store, ContactPair& pair,
                        Events& events) {
    const bool inside = least_separation(store, pair) <= 0;
    if (inside == pair.touching) return;
    pair.touching = inside;
    (inside ? events.entered : events.left).push_back(sensor_change(state, pair));
}

void report_ended(std::vector<EndedTouch>& ended, Events& events) {
    for (const EndedTouch& touch : ended) {
        if (touch.sensor) {
            events.left.push_back({touch.who.a, touch.who.b});
        } else {
            events.ended.push_back(touch.who);
        }
    }
    ended.clear();
}

ContactView view_of(const WorldState& state, const ContactPair& pair, const Touch& touch) {
    const ContactPairEvent sides = sides_of(state, pair);
    ContactView view{
        sides.a, sides.b,    cast<double>(touch.normal), cast<double>(touch.total_friction),
        {},      touch.count};
    for (std::size_t i = 0; i < touch.used().size(); ++i)
        view.points[i] = {place_of(state, pair, touch, i),
                          static_cast<double>(touch.points[i].separation),
                          static_cast<double>(touch.points[i].total)};
    return view;
}

} // namespace rigor::fast
