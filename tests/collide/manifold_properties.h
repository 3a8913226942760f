// What must be true of every manifold, whatever the shapes.
#pragma once

#include "collide/certificate.h"
#include "collide/contacts.h"

namespace rigor::test {

template <class S>
S least_separation(const Manifold<S>& m) {
    S least = std::numeric_limits<S>::infinity();
    for (int i = 0; i < m.count; ++i)
        least = std::min(least, m.points[static_cast<std::size_t>(i)].separation);
    return least;
}

/// The manifold seen from B.
template <class S>
Manifold<S> mirrored(const Manifold<S>& m, const Pose<S>& a_in_b) {
    Manifold<S> out = m;
    out.normal = -rotate(a_in_b.q, m.normal);
    out.part_a = m.part_b;
    out.part_b = m.part_a;
    for (int i = 0; i < m.count; ++i) {
        ContactPoint<S>& p = out.points[static_cast<std::size_t>(i)];
        p.point_a = transform(a_in_b, point_b(m, i));
        std::swap(p.feature_a, p.feature_b);
    }
    return out;
}

/// How far the points of the first that are nearer than `margin` are from any point of the second;
/// and how far the normals differ.
template <class S>
S change(const Manifold<S>& from, const Manifold<S>& to, S margin) {
    S most = S(0);
    bool any = false;
    for (int i = 0; i < from.count; ++i) {
        const ContactPoint<S>& p = from.points[static_cast<std::size_t>(i)];
        if (p.separation > margin) continue;
        any = true;
        S nearest = std::numeric_limits<S>::infinity();
        for (int j = 0; j < to.count; ++j) {
            const ContactPoint<S>& q = to.points[static_cast<std::size_t>(j)];
            nearest = std::min(nearest, std::max(length(p.point_a - q.point_a),
                                                 std::abs(p.separation - q.separation)));
        }
        most = std::max(most, nearest);
    }
    return any ? std::max(most, length(from.normal - to.normal)) : S(0);
}

template <class S>
S change_both_ways(const Manifold<S>& a, const Manifold<S>& b, S margin) {
    return std::max(change(a, b, margin), change(b, a, margin));
}

/// Points on both surfaces, and a unit normal. Where a face of a rounded solid is tilted against
/// the other, only the nearest point is exact: the surface is not quite below its core, and the
/// others lie in the solid by a part of the radius.
template <class S>
void expect_on_surfaces(const Shape<S>& a, const Shape<S>& b, const Pose<S>& b_in_a,
                        const Manifold<S>& m, S tolerance) {
    ASSERT_TRUE(m.count >= 0 && m.count <= 4);
    if (m.count == 0) return;
    EXPECT_NEAR(length(m.normal), S(1), S(32) * std::numeric_limits<S>::epsilon());
    const S least = least_separation(m);
    const auto expect_on = [&](const Shape<S>& shape, const Vec3<S>& point, bool nearest) {
        ASSERT_TRUE(is_finite(point));
        const S off = closest_point(shape, point).distance;
        EXPECT_LE(off, tolerance);
        EXPECT_GE(off, -tolerance - (nearest ? S(0) : S(0.25) * radius_of(shape)));
    };
    for (int i = 0; i < m.count; ++i) {
        const ContactPoint<S>& p = m.points[static_cast<std::size_t>(i)];
        expect_on(a, p.point_a, p.separation == least);
        expect_on(b, inverse_transform(b_in_a, point_b(m, i)), p.separation == least);
    }
}

} // namespace rigor::test
