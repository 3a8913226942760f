#include "fast/facet_contacts.h"

#include <algorithm>
#include <optional>

namespace rigor::fast {
namespace {

constexpr float kMaxAngle = 0.2f; // rad, between normals that are nearly parallel

/// The vertex that a point of a surface contact moves with; none where it is one of the surface.
std::optional<std::uint64_t> vertex_of(const ContactManifold& manifold,
                                       const ManifoldPoint& point) {
    const bool by_a = carries_contact(point.feature_a, manifold.convex_radius_a),
               by_b = carries_contact(point.feature_b, manifold.convex_radius_b);
    const auto vertex = [](std::uint64_t side, const ShapePart& part, Feature feature) {
        return side << 63 | static_cast<std::uint64_t>(part.child) << 32 | feature.value();
    };
    // Facets have no radius.
    if (by_b && (!by_a || manifold.convex_radius_b > 0))
        return vertex(1, manifold.part_b, point.feature_b);
    if (by_a && (!by_b || manifold.convex_radius_a > 0))
        return vertex(0, manifold.part_a, point.feature_a);
    return std::nullopt;
}

/// The points of a pair, those of one vertex together.
void add_points(const PairConstraints& pair, std::span<const ContactConstraint> contacts,
                std::vector<FacetContacts::Point>& points) {
    const std::size_t first = points.size();
    for (std::uint32_t i = pair.first; i < pair.first + pair.count; ++i) {
        const ContactManifold& manifold = *contacts[i].manifold;
        for (std::uint32_t k = 0; k < manifold.used().size(); ++k) {
            const ManifoldPoint& point = manifold.points[k];
            if (const auto vertex = vertex_of(manifold, point))
                points.push_back({i, k, *vertex, 0, 0, point.separation});
        }
    }
    std::stable_sort(points.begin() + static_cast<std::ptrdiff_t>(first), points.end(),
                     [](const auto& p, const auto& q) { return p.vertex < q.vertex; });
}

/// Keeps vertices that touch several facets.
void add_groups(std::size_t first, FacetContacts& facets) {
    std::vector<FacetContacts::Point>& points = facets.points;
    std::size_t kept = first;
    for (std::size_t begin = first, end = first; begin < points.size(); begin = end) {
        while (end < points.size() && points[end].vertex == points[begin].vertex) ++end;
        if (end - begin < 2) continue;
        facets.groups.push_back(
            {static_cast<std::uint32_t>(kept), static_cast<std::uint32_t>(kept + (end - begin))});
        for (std::size_t i = begin; i < end; ++i) points[kept++] = points[i];
    }
    points.resize(kept);
}

void find_places(const BlockPlan& plan, std::size_t contact_count, FacetContacts& facets) {
    thread_local std::vector<FacetContacts::Point> places; // reused to avoid allocation
    places.resize(contact_count);
    for (std::uint32_t i = 0; i < plan.blocks.size(); ++i) {
        const BlockPlan::Block& block = plan.blocks[i];
        for (std::uint32_t lane = 0; lane < block.count; ++lane) {
            FacetContacts::Point& place = places[plan.order[block.first + lane]];
            place.block = i;
            place.lane = lane;
        }
    }
    for (FacetContacts::Point& point : facets.points) {
        point.block = places[point.contact].block;
        point.lane = places[point.contact].lane;
    }
}

/// One group in one substep.
template <int W>
class FacetUpdate {
  public:
    FacetUpdate(std::span<const FacetContacts::Point> group, const SolverBodies& bodies, float h,
                ContactBlock<W>* blocks, PointBlock<W>* points)
        : group_(group), bodies_(bodies), h_(h), blocks_(blocks), points_(points) {}

    void run() const {
        const FacetContacts::Point& deepest = find_deepest();
        const Vec3f n = normal_of(deepest);
        const float depth = separation_of(deepest);
        for (const FacetContacts::Point& facet : group_) {
            float& separation = point_of(facet).separation[facet.lane];
            separation = facet.separation;
            if (&facet == &deepest) continue;
            const float apart = length_squared(normal_of(facet) - n);
            if (!(apart < kMaxAngle * kMaxAngle)) continue;
            separation -= std::min(depth, 0.0f);
            if (point_of(facet).impulse[facet.lane] > 0)
                transfer(facet, deepest, apart, separation_of(facet) - depth);
        }
    }

  private:
    PointBlock<W>& point_of(const FacetContacts::Point& facet) const {
        return points_[blocks_[facet.block].first_point + facet.point];
    }
    Vec3f normal_of(const FacetContacts::Point& facet) const {
        return vector_at<W>(blocks_[facet.block].normal, facet.lane);
    }
    const SolverBody& body_a(const FacetContacts::Point& facet) const {
        return bodies_[blocks_[facet.block].body_a[facet.lane]];
    }
    const SolverBody& body_b(const FacetContacts::Point& facet) const {
        return bodies_[blocks_[facet.block].body_b[facet.lane]];
    }

    const FacetContacts::Point& find_deepest() const {
        const FacetContacts::Point* deepest = group_.data();
        float least = separation_of(*deepest);
        for (const FacetContacts::Point& facet : group_) {
            const float separation = separation_of(facet);
            if (separation < least) {
                least = separation;
                deepest = &facet;
            }
        }
        return *deepest;
    }

    /// Now, as the kernels compute it.
    float separation_of(const FacetContacts::Point& facet) const {
        const PointBlock<W>& point = point_of(facet);
        const SolverBody &a = body_a(facet), &b = body_b(facet);
        const Vec3f turned =
            cross(rotation_vector_part(b), vector_at<W>(point.anchor_b, facet.lane)) -
            cross(rotation_vector_part(a), vector_at<W>(point.anchor_a, facet.lane));
        return facet.separation +
               dot(normal_of(facet), translation(b) - translation(a) + turned * 2.0f);
    }

    float normal_velocity(const FacetContacts::Point& facet) const {
        const PointBlock<W>& point = point_of(facet);
        return dot(normal_of(facet),
                   velocity_at(body_b(facet), vector_at<W>(point.anchor_b, facet.lane)) -
                       velocity_at(body_a(facet), vector_at<W>(point.anchor_a, facet.lane)));
    }

    /// Two contacts with normals n and m, alike in all else, as they would be after many sweeps:
    /// with an impulse transferred from one to the other their velocities along the normals
    /// approach each other by |n - m|² of it, per unit of mass.
    void transfer(const FacetContacts::Point& from, const FacetContacts::Point& to, float apart,
                  float higher) const {
        const float leaves = normal_velocity(from) - normal_velocity(to) + higher / h_;
        if (!(leaves > 0)) return;
        PointBlock<W>& point = point_of(from);
        float& impulse = point.impulse[from.lane];
        const float wanted = leaves * point.mass[from.lane];
        const float moved = wanted < apart * impulse ? wanted / apart : impulse;
        transfer_friction(from, to, moved / load_on(from));
        impulse -= moved;
        point_of(to).impulse[to.lane] += moved;
    }

    float load_on(const FacetContacts::Point& facet) const {
        const ContactBlock<W>& block = blocks_[facet.block];
        float load = 0;
        for (int k = 0; k < block.point_count; ++k)
            load += points_[block.first_point + static_cast<std::uint32_t>(k)].impulse[facet.lane];
        return load;
    }

    void transfer_friction(const FacetContacts::Point& from, const FacetContacts::Point& to,
                           float part) const {
        ContactBlock<W>&source = blocks_[from.block], &target = blocks_[to.block];
        if (&source == &target && from.lane == to.lane) return;
        if (source.is_anisotropic || target.is_anisotropic) return;
        const Vec3f n = normal_of(to), t = vector_at<W>(target.tangent, to.lane);
        const Vec3f u = vector_at<W>(source.tangent, from.lane), v = cross(normal_of(from), u);
        const Vec3f moved =
            (u * source.friction_1[from.lane] + v * source.friction_2[from.lane]) * part;
        target.friction_1[to.lane] += dot(moved, t);
        target.friction_2[to.lane] += dot(moved, cross(n, t));
        target.twist[to.lane] += source.twist[from.lane] * part;
        source.friction_1[from.lane] *= 1 - part;
        source.friction_2[from.lane] *= 1 - part;
        source.twist[from.lane] *= 1 - part;
    }

    std::span<const FacetContacts::Point> group_;
    const SolverBodies& bodies_;
    float h_;
    ContactBlock<W>* blocks_;
    PointBlock<W>* points_;
};

} // namespace

void find_facet_contacts(std::span<const PairConstraints> pairs,
                         std::span<const ContactConstraint> contacts, const BlockPlan& plan,
                         FacetContacts& facets) {
    facets.points.clear();
    facets.groups.clear();
    for (const PairConstraints& pair : pairs) {
        if (!pair.pair->composite || pair.count < 2) continue;
        const std::size_t first = facets.points.size();
        add_points(pair, contacts, facets.points);
        add_groups(first, facets);
    }
    if (!facets.groups.empty()) find_places(plan, contacts.size(), facets);
}

template <int W>
void update_facet_contacts(const FacetContacts& facets, const SolverPart& part,
                           const SolverBodies& bodies, float h, ContactBlock<W>* blocks,
                           PointBlock<W>* points) {
    const std::span<const FacetContacts::Point> all = facets.points;
    for (const FacetContacts::Group& group : facets.groups) {
        const std::uint32_t block = all[group.begin].block;
        if (block < part.contacts_begin || block >= part.contacts_end) continue;
        FacetUpdate<W>(all.subspan(group.begin, group.end - group.begin), bodies, h, blocks, points)
            .run();
    }
}

#define RIGOR_INSTANTIATE(W)                                                          \
    template void update_facet_contacts(const FacetContacts&, const SolverPart&,      \
                                        const SolverBodies&, float, ContactBlock<W>*, \
                                        PointBlock<W>*);
RIGOR_INSTANTIATE(1)
RIGOR_INSTANTIATE(4)
RIGOR_INSTANTIATE(8)
#undef RIGOR_INSTANTIATE

} // namespace rigor::fast
