#include "collide/internal_edges.h"

namespace rigor {
namespace {

/// Tolerance of equal normals.
template <class S>
constexpr S kSameNormal = S(0.9999);

template <class S>
Vec3<S> point_on_neighbor(const Manifold<S>& m, int i, Mover mover) {
    return mover == Mover::a ? point_b(m, i) : m.points[static_cast<std::size_t>(i)].point_a;
}

template <class S>
Vec3<S> normal_of_neighbor(const Manifold<S>& m, Mover mover) {
    return mover == Mover::a ? -m.normal : m.normal;
}

} // namespace

template <class S>
std::optional<Ground<S>> ground_of(const Manifold<S>& m, Mover mover) {
    Ground<S> ground{normal_of_neighbor(m, mover), -std::numeric_limits<S>::infinity(), S(0)};
    bool on_face = false;
    for (int i = 0; i < m.count; ++i) {
        const ContactPoint<S>& point = m.points[static_cast<std::size_t>(i)];
        const Feature feature = mover == Mover::a ? point.feature_b : point.feature_a;
        on_face |= feature.kind() == FeatureKind::face;
        ground.level = std::max(ground.level, dot(ground.up, point_on_neighbor(m, i, mover)));
        ground.depth = std::max(ground.depth, -point.separation);
    }
    return on_face ? std::optional(ground) : std::nullopt;
}

template <class S>
bool is_internal_edge(const Manifold<S>& m, Mover mover, const Core<S>& neighbor,
                      const Pose<S>& neighbor_in_a, const Ground<S>& ground, S tolerance) {
    if (m.count == 0 || dot(normal_of_neighbor(m, mover), ground.up) > kSameNormal<S>) return false;
    for (int i = 0; i < m.count; ++i) {
        const S below = ground.level - dot(ground.up, point_on_neighbor(m, i, mover));
        if (below > ground.depth + tolerance) return false;
    }
    std::uint32_t hint = 0;
    const Vec3<S> local = inverse_rotate(neighbor_in_a.q, ground.up);
    const Vec3<S> top = transform(neighbor_in_a, support(neighbor, local, hint));
    return std::abs(dot(ground.up, top) + neighbor.radius - ground.level) <= tolerance;
}

template <class S>
void correct_internal_edges(const Core<S>& a, std::span<const Neighbor<S>> neighbors,
                            const ContactSettings<S>& wanted) {
    for (const Neighbor<S>& supporter : neighbors) {
        const auto ground = ground_of(*supporter.manifold, Mover::a);
        if (!ground) continue;
        for (const Neighbor<S>& other : neighbors) {
            Manifold<S>& m = *other.manifold;
            if (is_internal_edge(m, Mover::a, *other.core, other.pose, *ground, wanted.tolerance))
                contacts_along(a, *other.core, other.pose, -ground->up, wanted, m);
        }
    }
}

#define RIGOR_INSTANTIATE(S)                                                                  \
    template std::optional<Ground<S>> ground_of(const Manifold<S>&, Mover);                   \
    template bool is_internal_edge(const Manifold<S>&, Mover, const Core<S>&, const Pose<S>&, \
                                   const Ground<S>&, S);                                      \
    template void correct_internal_edges(const Core<S>&, std::span<const Neighbor<S>>,        \
                                         const ContactSettings<S>&);
RIGOR_INSTANTIATE(float)
RIGOR_INSTANTIATE(double)
#undef RIGOR_INSTANTIATE

} // namespace rigor
