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
void follow(Touch& touch, const Places& places, const Quatf& moved_a, const Quatf& moved_b) {
    for (std::size_t i = 0; i < static_cast<std::size_t>(touch.manifold.count); ++i) {
        const Vec3f apart = places.center_b - places.center_a + rotate(moved_b, touch.arm_b[i]) -
                            rotate(moved_a, touch.arm_a[i]);
        touch.separation[i] = touch.base[i] + dot(touch.normal, apart);
    }
}

float squared_half_cosine(const Quatf& p, const Quatf& q) {
    const float c = dot(p, q);
    return c * c;
}

} // namespace

Places places_of(const ContactPair& pair, const BodyStore& bodies, const ShapeProxies& proxies) {
    const ShapeProxies::Placed &a = proxies[pair.shape_a], &b = proxies[pair.shape_b];
    return {relative_pose<float>(a.pose, b.pose),
            cast<float>(a.pose.q),
            cast<float>(b.pose.q),
            cast<float>(bodies.motion[pair.body_a].x - a.pose.p),
            cast<float>(bodies.motion[pair.body_b].x - a.pose.p),
            0};
}

Impulses carry_over(const Touch& before, const Manifold<float>& now, float reach) {
    Impulses out;
    if (before.manifold.count == 0 || now.count == 0) return out;
    std::array<bool, 4> taken{};
    const auto copy = [&](std::size_t from, std::size_t to) {
        out.normal[to] = before.impulses.normal[from];
        taken[from] = true;
    };
    std::array<bool, 4> named{};
    const auto old_count = static_cast<std::size_t>(before.manifold.count);
    for (std::size_t i = 0; i < static_cast<std::size_t>(now.count); ++i) {
        for (std::size_t j = 0; j < old_count && !named[i]; ++j) {
            if (taken[j] || !(now.points[i].feature_a == before.manifold.points[j].feature_a) ||
                !(now.points[i].feature_b == before.manifold.points[j].feature_b))
                continue;
            copy(j, i);
            named[i] = true;
        }
    }
    for (std::size_t i = 0; i < static_cast<std::size_t>(now.count); ++i) {
        for (std::size_t j = 0; j < old_count && !named[i]; ++j) {
            const Vec3f apart = now.points[i].point_a - before.manifold.points[j].point_a;
            if (taken[j] || !(length_squared(apart) < reach * reach)) continue;
            copy(j, i);
            named[i] = true;
        }
    }
    out.friction = before.impulses.friction;
    out.twist = before.impulses.twist;
    out.rolling = before.impulses.rolling;
    return out;
}

void freeze(Touch& touch, const Places& places) {
    const Manifold<float>& m = touch.manifold;
    touch.normal = rotate(places.turn_a, m.normal);
    for (std::size_t i = 0; i < static_cast<std::size_t>(m.count); ++i) {
        const ContactPoint<float>& p = m.points[i];
        // Half-way between the two surfaces, so that neither body is preferred.
        const Vec3f at = rotate(places.turn_a, p.point_a) + touch.normal * (0.5f * p.separation);
        touch.arm_a[i] = at - places.center_a;
        touch.arm_b[i] = at - places.center_b;
        touch.separation[i] = p.separation;
        touch.base[i] = p.separation - dot(touch.normal, touch.arm_b[i] - touch.arm_a[i] +
                                                             places.center_b - places.center_a);
    }
}

bool keep(PairStore& store, ContactPair& pair, const Places& places, float radius, float size) {
    if (!pair.frozen) return false;
    const Quatf turn = conjugate(pair.pose.q) * places.pose.q;
    const float moved =
        length(places.pose.p - pair.pose.p) + 2 * length(Vec3f{turn.x, turn.y, turn.z}) * radius;
    if (!(moved < kKept * size) || moved + places.way > pair.frozen_margin) return false;
    const float cosine = std::min(squared_half_cosine(pair.turn_a, places.turn_a),
                                  squared_half_cosine(pair.turn_b, places.turn_b));
    if (!(cosine > kKeptCosine)) return false;
    const Quatf moved_a = places.turn_a * conjugate(pair.turn_a);
    const Quatf moved_b = places.turn_b * conjugate(pair.turn_b);
    for_touches(store, pair, [&](Touch& touch) { follow(touch, places, moved_a, moved_b); });
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

void note_places(ContactPair& pair, const Places& places) {
    pair.pose = places.pose;
    pair.turn_a = places.turn_a;
    pair.turn_b = places.turn_b;
    pair.frozen_margin = pair.settings.margin;
    pair.frozen = pair.touch != kNone;
}

} // namespace rigor::fast
