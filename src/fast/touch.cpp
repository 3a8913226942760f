#include "fast/touch.h"

#include <algorithm>
#include <cmath>

namespace rigor::fast {
namespace {

// Of the smaller shape's size: a manifold is kept while the bodies have moved by less,
constexpr float kKept = 0.02f;
// and none has turned by more, as a squared cosine of half the angle.
constexpr float kKeptCosine = 0.998f;

/// Separations of the same points, now that the bodies have moved a little.
void follow(Touch& touch, const Places& places) {
    const Quatf moved_a = places.turn_a * conjugate(touch.turn_a);
    const Quatf moved_b = places.turn_b * conjugate(touch.turn_b);
    for (TouchPoint& point : touch.used()) {
        const Vec3f apart = places.center_b - places.center_a +
                            rotate(moved_b, touch.arm_b(point)) - rotate(moved_a, point.arm);
        point.separation = point.made + dot(touch.normal, apart);
    }
}

float squared_half_cosine(const Quatf& p, const Quatf& q) {
    const float c = dot(p, q);
    return c * c;
}

} // namespace

Places places_of(const NearShape& a, const NearShape& b) {
    const Vec3f apart = cast<float>(b.origin - a.origin);
    const Quatf inverse_a = conjugate(a.turn);
    return {{rotate(inverse_a, apart), inverse_a * b.turn},
            a.turn,
            b.turn,
            a.center,
            apart + b.center,
            a.round,
            b.round,
            0};
}

void freeze(const Manifold<float>& manifold, const Places& places, Touch& touch) {
    touch.normal = rotate(places.turn_a, manifold.normal);
    touch.count = manifold.count;
    touch.turn_a = places.turn_a;
    touch.turn_b = places.turn_b;
    touch.across = places.center_a - places.center_b;
    touch.round_a = places.round_a;
    touch.round_b = places.round_b;
    touch.part_a = manifold.part_a;
    touch.part_b = manifold.part_b;
    for (std::size_t i = 0; i < touch.used().size(); ++i) {
        const ContactPoint<float>& p = manifold.points[i];
        // Half-way between the two surfaces, so that neither body is preferred.
        const Vec3f at = rotate(places.turn_a, p.point_a) + touch.normal * (0.5f * p.separation);
        touch.points[i] = {
            at - places.center_a, p.separation, p.separation, p.feature_a, p.feature_b, 0, 0};
    }
}

Manifold<float> manifold_of(const Touch& touch, const Places& places) {
    const Vec3f center = rotate(conjugate(places.turn_a), places.center_a);
    const auto local = [&](const Vec3f& v) { return rotate(conjugate(touch.turn_a), v); };
    Manifold<float> m;
    m.normal = local(touch.normal);
    m.count = touch.count;
    m.part_a = touch.part_a;
    m.part_b = touch.part_b;
    for (std::size_t i = 0; i < touch.used().size(); ++i) {
        const TouchPoint& p = touch.points[i];
        const Vec3f on_a = p.arm - touch.normal * (0.5f * p.made);
        m.points[i] = {center + local(on_a), p.made, p.feature_a, p.feature_b};
    }
    return m;
}

void carry_over(const Touch& before, float reach, Touch& touch) {
    std::array<bool, 4> taken{}, found{};
    const auto match = [&](const auto& is_same) {
        for (std::size_t i = 0; i < touch.used().size(); ++i) {
            for (std::size_t j = 0; j < before.used().size() && !found[i]; ++j) {
                if (taken[j] || !is_same(touch.points[i], before.points[j])) continue;
                touch.points[i].impulse = before.points[j].impulse;
                found[i] = taken[j] = true;
            }
        }
    };
    match([](const TouchPoint& now, const TouchPoint& then) {
        return now.feature_a == then.feature_a && now.feature_b == then.feature_b;
    });
    const Quatf turned = touch.turn_a * conjugate(before.turn_a);
    match([&](const TouchPoint& now, const TouchPoint& then) {
        return length_squared(now.arm - rotate(turned, then.arm)) < reach * reach;
    });
    touch.friction = before.friction;
    touch.twist = before.twist;
    touch.rolling = before.rolling;
}

bool keep(PairStore& store, ContactPair& pair, const Places& places, float radius, float size) {
    if (!pair.frozen) return false;
    const Quatf turn = conjugate(pair.pose.q) * places.pose.q;
    const float moved =
        length(places.pose.p - pair.pose.p) + 2 * length(Vec3f{turn.x, turn.y, turn.z}) * radius;
    if (!(moved < kKept * size) || moved + places.way > pair.margin) return false;
    bool hardly_turned = true;
    for_touches(store, pair, [&](const Touch& touch) {
        hardly_turned &= squared_half_cosine(touch.turn_a, places.turn_a) > kKeptCosine &&
                         squared_half_cosine(touch.turn_b, places.turn_b) > kKeptCosine;
    });
    if (!hardly_turned) return false;
    for_touches(store, pair, [&](Touch& touch) { follow(touch, places); });
    return true;
}

bool still_apart(const ContactPair& pair, const Places& places, float radius_b, float margin) {
    if (pair.touch != kNone || !(pair.gap > margin) || radius_b == 0) return false;
    const Quatf turn = conjugate(pair.pose.q) * places.pose.q;
    // A point at a distance r goes by 2 r sin(angle/2).
    const float moved =
        length(places.pose.p - pair.pose.p) + 2 * length(Vec3f{turn.x, turn.y, turn.z}) * radius_b;
    return moved + margin < pair.gap;
}

void note_places(ContactPair& pair, const Places& places, float margin) {
    pair.pose = places.pose;
    pair.margin = margin;
    pair.frozen = pair.touch != kNone;
}

} // namespace rigor::fast
