#include "fast/contact_recycling.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace rigor::fast {
namespace {

// A manifold is recycled while its bodies have moved by less than this part of the smaller size
constexpr float kMaxMotion = 0.02f;
// and, as curved shapes roll over their points, which are kept as if they were part of them, have
// turned by less than this part of that
constexpr float kMaxRolling = 0.05f;
// and neither has turned by more than this, as a squared cosine of half the angle.
constexpr float kMinSquaredCosine = 0.998f;

/// Whether both bodies have turned, and as if they were one: a box on a turntable. `least` is half
/// an angle.
bool turned_together(const Quatf& moved_a, const Quatf& moved_b, float least) {
    constexpr float kMaxDifference = 0.1f;
    const float turned = length_squared(moved_a.vec());
    return turned > least * least &&
           length_squared(moved_b.vec() - moved_a.vec()) < kMaxDifference * kMaxDifference * turned;
}

/// Describes a manifold by where its bodies are now; its points are at `anchors` from A.
void rebase(ContactManifold& manifold, const PairPlacement& placement,
            const std::array<Vec3f, 4>& anchors) {
    manifold.rotation_a = placement.rotation_a;
    manifold.rotation_b = placement.rotation_b;
    manifold.center_offset = placement.center_a - placement.center_b;
    for (std::size_t i = 0; i < manifold.used().size(); ++i) {
        manifold.points[i].anchor_a = anchors[i];
        manifold.points[i].initial_separation = manifold.points[i].separation;
    }
}

/// Turns a manifold with its bodies. With the axes of the time when it was built, the arms would
/// lag behind, and a box that rests on a turntable would see it move.
void carry(ContactManifold& manifold, const PairPlacement& placement, const Quatf& turn) {
    std::array<Vec3f, 4> anchors;
    for (std::size_t i = 0; i < manifold.used().size(); ++i)
        anchors[i] = rotate(turn, manifold.points[i].anchor_a);
    manifold.normal = rotate(turn, manifold.normal);
    rebase(manifold, placement, anchors);
}

/// The radius of the ball around a vertex, which turns with its body while the point of contact
/// stays on the same side of it.
float ball_radius(Feature feature, float convex_radius) {
    return carries_contact(feature, convex_radius) ? convex_radius : 0;
}

/// How both bodies of a manifold have moved since it was described.
struct PairMotion {
    Quatf turn_a, turn_b;
    Vec3f apart; ///< center of mass of B from that of A, now
};

/// The points stay where they are on both bodies.
void update_separations(ContactManifold& manifold, const PairMotion& motion) {
    for (ManifoldPoint& point : manifold.used()) {
        const Vec3f gap = motion.apart + rotate(motion.turn_b, manifold.anchor_b(point)) -
                          rotate(motion.turn_a, point.anchor_a);
        point.separation = point.initial_separation + dot(manifold.normal, gap);
    }
}

/// The points move with the balls that touch. Where these have moved within their bodies' axes, as
/// not those of plain balls, the anchors follow.
void move_points(ContactManifold& manifold, const PairMotion& motion,
                 const PairPlacement& placement) {
    const Vec3f n = manifold.normal;
    constexpr float kMaxShift = 1e-5f; // of the radius
    std::array<Vec3f, 4> anchors;
    bool shifts = false;
    for (std::size_t i = 0; i < manifold.used().size(); ++i) {
        ManifoldPoint& point = manifold.points[i];
        const Vec3f ball_a = n * ball_radius(point.feature_a, manifold.convex_radius_a),
                    ball_b = n * ball_radius(point.feature_b, manifold.convex_radius_b);
        const Vec3f on_a = rotate(motion.turn_a, point.anchor_a - ball_a) + ball_a,
                    on_b = rotate(motion.turn_b, manifold.anchor_b(point) + ball_b) - ball_b;
        const Vec3f gap = motion.apart + on_b - on_a;
        const float along = dot(n, gap);
        point.separation = point.initial_separation + along;
        anchors[i] = on_a + (gap - n * along) * share_of_b(manifold, point).value_or(0.5f) +
                     n * (0.5f * along);
        const auto has_moved = [&](const Vec3f& from, const Vec3f& to, const Vec3f& ball) {
            return length_squared(to - from) > kMaxShift * kMaxShift * length_squared(ball);
        };
        shifts |= ball_a != Vec3f{} && has_moved(point.anchor_a, on_a, ball_a);
        shifts |= ball_b != Vec3f{} && has_moved(manifold.anchor_b(point), on_b, ball_b);
    }
    if (shifts) rebase(manifold, placement, anchors);
}

PairMotion motion_since(const ContactManifold& manifold, const PairPlacement& placement) {
    return {placement.rotation_a * conjugate(manifold.rotation_a),
            placement.rotation_b * conjugate(manifold.rotation_b),
            placement.center_b - placement.center_a};
}

/// Only points of balls move: the anchors of polyhedra follow the trembling of a stack otherwise,
/// and it falls.
void update_manifold(ContactManifold& manifold, const PairPlacement& placement) {
    const PairMotion motion = motion_since(manifold, placement);
    if (turned_together(motion.turn_a, motion.turn_b, placement.least_turn)) {
        update_separations(manifold, motion);
        carry(manifold, placement, motion.turn_a);
    } else if (manifold.convex_radius_a > 0 || manifold.convex_radius_b > 0) {
        move_points(manifold, motion, placement);
    } else {
        update_separations(manifold, motion);
    }
}

/// How far any point that the two shapes of a pair have in common moved on them, at most: such a
/// point is within the radius of each about its origin. As seen from a floor the origin of a body
/// moves as far as the body; seen from a body that turns, that of the floor moves much farther.
struct PairTravel {
    float moved, turned;
    /// Without its turn, of a shape on an unbounded one.
    float shifted;

    PairTravel(const Posef& before, const Posef& now, float radius_a, float radius_b) {
        const Quatf turn = conjugate(before.q) * now.q;
        // A point at a distance r from the axis moves by 2 r sin(angle/2).
        const float sine = 2 * length(turn.vec());
        constexpr float kUnknown = std::numeric_limits<float>::infinity();
        const float turned_a = radius_a > 0 ? sine * radius_a : kUnknown,
                    turned_b = radius_b > 0 ? sine * radius_b : kUnknown;
        const float shifted_b = length(now.p - before.p),
                    shifted_a =
                        length(inverse_rotate(now.q, now.p) - inverse_rotate(before.q, before.p));
        moved = std::min(shifted_a + turned_a, shifted_b + turned_b);
        turned = std::min(turned_a, turned_b);
        shifted = radius_a > 0 ? shifted_a : shifted_b;
    }
};

float squared_half_cosine(const Quatf& p, const Quatf& q) {
    const float c = dot(p, q);
    return c * c;
}

} // namespace

PairPlacement placement_of(const CollisionShape& a, const CollisionShape& b) {
    const Vec3f apart = cast<float>(b.origin - a.origin);
    const Quatf inverse_a = conjugate(a.rotation);
    return {{rotate(inverse_a, apart), inverse_a * b.rotation},
            a.rotation,
            b.rotation,
            a.center,
            apart + b.center,
            a.convex_radius,
            b.convex_radius,
            0};
}

void build_manifold(const Manifold<float>& local, const PairPlacement& placement,
                    ContactManifold& manifold) {
    manifold.normal = rotate(placement.rotation_a, local.normal);
    manifold.count = static_cast<std::int16_t>(local.count);
    manifold.rotation_a = placement.rotation_a;
    manifold.rotation_b = placement.rotation_b;
    manifold.center_offset = placement.center_a - placement.center_b;
    manifold.convex_radius_a = placement.convex_radius_a;
    manifold.convex_radius_b = placement.convex_radius_b;
    manifold.part_a = local.part_a;
    manifold.part_b = local.part_b;
    for (std::size_t i = 0; i < manifold.used().size(); ++i) {
        const ContactPoint<float>& p = local.points[i];
        // Half-way between the two surfaces, so that neither body is preferred.
        const Vec3f at =
            rotate(placement.rotation_a, p.point_a) + manifold.normal * (0.5f * p.separation);
        manifold.points[i] = {
            at - placement.center_a, p.separation, p.separation, p.feature_a, p.feature_b, 0, 0};
    }
}

Manifold<float> local_manifold(const ContactManifold& manifold, const PairPlacement& placement) {
    const Vec3f center = rotate(conjugate(placement.rotation_a), placement.center_a);
    const auto local = [&](const Vec3f& v) { return rotate(conjugate(manifold.rotation_a), v); };
    Manifold<float> m;
    m.normal = local(manifold.normal);
    m.count = manifold.count;
    m.part_a = manifold.part_a;
    m.part_b = manifold.part_b;
    for (std::size_t i = 0; i < manifold.used().size(); ++i) {
        const ManifoldPoint& p = manifold.points[i];
        const Vec3f on_a = p.anchor_a - manifold.normal * (0.5f * p.initial_separation);
        m.points[i] = {center + local(on_a), p.initial_separation, p.feature_a, p.feature_b};
    }
    return m;
}

void match_impulses(const ContactManifold& before, float max_distance, ContactManifold& manifold) {
    std::array<bool, 4> taken{}, found{};
    const auto match = [&](const auto& is_same) {
        for (std::size_t i = 0; i < manifold.used().size(); ++i) {
            for (std::size_t j = 0; j < before.used().size() && !found[i]; ++j) {
                if (taken[j] || !is_same(manifold.points[i], before.points[j])) continue;
                manifold.points[i].impulse = before.points[j].impulse;
                found[i] = taken[j] = true;
            }
        }
    };
    match([](const ManifoldPoint& now, const ManifoldPoint& then) {
        return now.feature_a == then.feature_a && now.feature_b == then.feature_b;
    });
    const Quatf turned = manifold.rotation_a * conjugate(before.rotation_a);
    match([&](const ManifoldPoint& now, const ManifoldPoint& then) {
        return length_squared(now.anchor_a - rotate(turned, then.anchor_a)) <
               max_distance * max_distance;
    });
    manifold.slides = before.slides;
    manifold.friction = before.friction;
    manifold.twist = before.twist;
    manifold.rolling = before.rolling;
}

void set_separations(ContactManifold& manifold, const PairPlacement& placement) {
    update_separations(manifold, motion_since(manifold, placement));
}

bool recycle(PairStore& store, ContactPair& pair, const PairPlacement& placement, float radius_a,
             float radius_b, float size) {
    if (!pair.recyclable) return false;
    const PairTravel travel(pair.pose, placement.pose, radius_a, radius_b);
    // On a plane a turn changes separations, which are updated, and no features: a block that rocks
    // keeps its manifold, and with it its impact (check `rocking_block`).
    const bool on_plane = !(radius_a > 0 && radius_b > 0);
    const float turned = on_plane ? 0 : travel.turned,
                moved = on_plane ? travel.shifted : travel.moved;
    const bool is_curved =
        placement.convex_radius_a == kCurved || placement.convex_radius_b == kCurved;
    if (is_curved && !(turned < kMaxRolling * kMaxMotion * size)) return false;
    if (!(moved < kMaxMotion * size) || moved + placement.max_approach > pair.margin) return false;
    bool hardly_turned = true;
    for_manifolds(store, pair, [&](const ContactManifold& manifold) {
        hardly_turned &=
            squared_half_cosine(manifold.rotation_a, placement.rotation_a) > kMinSquaredCosine &&
            squared_half_cosine(manifold.rotation_b, placement.rotation_b) > kMinSquaredCosine;
    });
    if (!hardly_turned) return false;
    for_manifolds(store, pair,
                  [&](ContactManifold& manifold) { update_manifold(manifold, placement); });
    return true;
}

bool still_separated(const ContactPair& pair, const PairPlacement& placement, float radius_a,
                     float radius_b, float margin) {
    if (!pair.contacts.is_none() || !(pair.gap > margin)) return false;
    const PairTravel travel(pair.pose, placement.pose, radius_a, radius_b);
    return travel.moved + margin < pair.gap;
}

void store_placement(ContactPair& pair, const PairPlacement& placement, float margin) {
    pair.pose = placement.pose;
    pair.margin = margin;
    pair.recyclable = !pair.contacts.is_none();
}

} // namespace rigor::fast
