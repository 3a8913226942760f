#include "fast/ghost_contacts.h"

#include <algorithm>
#include <span>

#include "collide/internal_edges.h"
#include "collide/pieces.h"
#include "fast/contact_recycling.h"
#include "fast/narrowphase.h"

namespace rigor::fast {
namespace {

constexpr float kSameNormal = 0.9999f; // cosine

/// A contact of a moving shape with an immovable one.
struct GroundContact {
    std::uint32_t mover = 0, ground = 0; ///< slots of shapes
    ContactPair* pair = nullptr;
    ContactManifold* manifold = nullptr;

    bool mover_is_a() const { return mover == pair->shape_a; }
    PairPlacement placement(const CollisionShapeCache& shapes) const {
        return placement_of(shapes[pair->shape_a], shapes[pair->shape_b]);
    }
    /// Out of the ground.
    Vec3f normal() const { return mover_is_a() ? -manifold->normal : manifold->normal; }
};

/// All of them, in the order of the pairs.
std::vector<GroundContact>& find_ground_contacts(const WorldState& state, PairStore& store) {
    thread_local std::vector<GroundContact> contacts; // reused to avoid allocation
    contacts.clear();
    for (const PairStore::Entry& entry : store.order) {
        if (!entry.active) continue;
        ContactPair& pair = store.pairs[entry.slot];
        if (pair.composite || pair.sensor || pair.contacts.is_none() || !pair.against_immovable)
            continue;
        ContactManifold& manifold = store.manifolds[pair.contacts.manifold()];
        if (manifold.count == 0) continue;
        const bool a_moves = responds_to_impulses(state.bodies, pair.body_a);
        if (a_moves == responds_to_impulses(state.bodies, pair.body_b)) continue;
        contacts.push_back({a_moves ? pair.shape_a : pair.shape_b,
                            a_moves ? pair.shape_b : pair.shape_a, &pair, &manifold});
    }
    return contacts;
}

/// Whether the normals of one mover's contacts differ, and one of them is new.
bool needs_update(std::span<const GroundContact> group) {
    bool rebuilt = false, differ = false;
    for (const GroundContact& contact : group) {
        rebuilt |= contact.pair->rebuilt;
        differ |= dot(contact.normal(), group[0].normal()) < kSameNormal;
    }
    return rebuilt && differ;
}

/// Replaces the manifold of a contact, with its impulses, if it has changed.
void replace_manifold(const CollisionShapeCache& shapes, const GroundContact& contact,
                      Manifold<float>& local) {
    const PairPlacement placement = contact.placement(shapes);
    if (!contact.mover_is_a()) mirror(local, placement.pose);
    ContactManifold now;
    build_manifold(local, placement, now);
    if (now.count == contact.manifold->count &&
        dot(now.normal, contact.manifold->normal) > kSameNormal)
        return;
    match_impulses(*contact.manifold, contact.pair->margin, now);
    now.surface = contact.manifold->surface;
    *contact.manifold = now;
    store_placement(*contact.pair, placement, contact.pair->margin);
}

/// `group` are the contacts of one mover.
void update_group(const CollisionShapeCache& shapes, std::span<const GroundContact> group) {
    const Piece<float> mover = Children<float>::piece_of_shape(shapes.shapes[group[0].mover]);
    const auto* core = std::get_if<Core<float>>(&mover);
    if (core == nullptr) return;
    thread_local std::vector<Piece<float>> grounds; // all reused to avoid allocation
    thread_local std::vector<Manifold<float>> manifolds;
    thread_local std::vector<Neighbor<float>> neighbors;
    grounds.clear();
    manifolds.clear();
    neighbors.clear();
    grounds.reserve(group.size());
    manifolds.reserve(group.size());
    for (const GroundContact& contact : group) {
        grounds.push_back(Children<float>::piece_of_shape(shapes.shapes[contact.ground]));
        manifolds.push_back(local_manifold(*contact.manifold, contact.placement(shapes)));
        const Posef pose = placement_of(shapes[contact.mover], shapes[contact.ground]).pose;
        if (!contact.mover_is_a()) mirror(manifolds.back(), pose);
        if (const auto* ground = std::get_if<Core<float>>(&grounds.back()))
            neighbors.push_back({ground, pose, &manifolds.back()});
    }
    const ContactPair& first = *group[0].pair;
    const float size = std::min(shapes[first.shape_a].size, shapes[first.shape_b].size);
    correct_internal_edges<float>(*core, neighbors, {first.margin, kDepthTolerance * size});
    for (std::size_t i = 0; i < group.size(); ++i) replace_manifold(shapes, group[i], manifolds[i]);
}

} // namespace

void remove_ghost_contacts(const WorldState& state, const CollisionShapeCache& shapes,
                           PairStore& store) {
    std::vector<GroundContact>& contacts = find_ground_contacts(state, store);
    // A pile at rest has nothing new.
    if (std::none_of(contacts.begin(), contacts.end(),
                     [](const GroundContact& contact) { return contact.pair->rebuilt; }))
        return;
    std::sort(contacts.begin(), contacts.end(), [](const GroundContact& x, const GroundContact& y) {
        return std::pair(x.mover, x.ground) < std::pair(y.mover, y.ground);
    });
    for (std::size_t first = 0; first < contacts.size();) {
        std::size_t last = first;
        while (last < contacts.size() && contacts[last].mover == contacts[first].mover) ++last;
        const std::span<const GroundContact> group(contacts.data() + first, last - first);
        if (group.size() > 1 && needs_update(group)) update_group(shapes, group);
        first = last;
    }
}

} // namespace rigor::fast
