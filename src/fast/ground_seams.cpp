#include "fast/ground_seams.h"

#include <algorithm>
#include <span>

#include "collide/pieces.h"
#include "collide/seams.h"
#include "fast/touch.h"

namespace rigor::fast {
namespace {

/// A moving shape on something that does not answer to it.
struct Lying {
    std::uint32_t mover = 0, ground = 0; ///< slots of shapes
    ContactPair* pair = nullptr;
    Touch* touch = nullptr;

    bool mover_is_a() const { return mover == pair->shape_a; }
    Places places(const NearShapes& shapes) const {
        return places_of(shapes[pair->shape_a], shapes[pair->shape_b]);
    }
    Vec3f up() const { return mover_is_a() ? -touch->normal : touch->normal; }
};

/// All of them, in the order of the pairs.
std::vector<Lying>& find_lying(const WorldState& state, PairStore& store) {
    thread_local std::vector<Lying> lying; // for its room
    lying.clear();
    for (const PairStore::Entry& entry : store.order) {
        if (!entry.busy) continue;
        ContactPair& pair = store.pairs[entry.slot];
        if (pair.composite || pair.sensor || pair.touch == kNone || !pair.grounded) continue;
        if (store.touches[pair.touch].count == 0) continue;
        const bool a_moves = answers(state.bodies, pair.body_a);
        if (a_moves == answers(state.bodies, pair.body_b)) continue;
        lying.push_back({a_moves ? pair.shape_a : pair.shape_b,
                         a_moves ? pair.shape_b : pair.shape_a, &pair, &store.touches[pair.touch]});
    }
    return lying;
}

/// Whether the grounds of one mover disagree, and one of them has just been found.
bool needs_mending(std::span<const Lying> group) {
    bool fresh = false, disagree = false;
    for (const Lying& l : group) {
        fresh |= l.pair->fresh;
        disagree |= dot(l.up(), group[0].up()) < 0.9999f;
    }
    return fresh && disagree;
}

void mend_group(const NearShapes& shapes, std::span<const Lying> group) {
    const Piece<float> mover = Children<float>::piece_of_shape(shapes.shapes[group[0].mover]);
    const auto* core = std::get_if<Core<float>>(&mover);
    if (core == nullptr) return;
    thread_local std::vector<Piece<float>> grounds; // for their room
    thread_local std::vector<Manifold<float>> manifolds;
    thread_local std::vector<Neighbor<float>> neighbors;
    grounds.clear();
    manifolds.clear();
    neighbors.clear();
    grounds.reserve(group.size());
    manifolds.reserve(group.size());
    for (const Lying& l : group) {
        grounds.push_back(Children<float>::piece_of_shape(shapes.shapes[l.ground]));
        manifolds.push_back(manifold_of(*l.touch, l.places(shapes)));
        const Posef pose = places_of(shapes[l.mover], shapes[l.ground]).pose;
        if (!l.mover_is_a()) mirror(manifolds.back(), pose);
        if (const auto* ground = std::get_if<Core<float>>(&grounds.back()))
            neighbors.push_back({ground, pose, &manifolds.back()});
    }
    const ContactPair& first = *group[0].pair;
    const float size = std::min(shapes[first.shape_a].size, shapes[first.shape_b].size);
    mend_seams<float>(*core, neighbors, {first.margin, kTolerance * size});
    for (std::size_t i = 0; i < group.size(); ++i) {
        const Lying& l = group[i];
        Manifold<float>& m = manifolds[i];
        const Places places = l.places(shapes);
        if (!l.mover_is_a()) mirror(m, places.pose);
        Touch now;
        freeze(m, places, now);
        if (now.count == l.touch->count && dot(now.normal, l.touch->normal) > 0.9999f) continue;
        carry_over(*l.touch, l.pair->margin, now);
        now.surface = l.touch->surface;
        *l.touch = now;
        note_places(*l.pair, places, l.pair->margin);
    }
}

} // namespace

void mend_ground_seams(const WorldState& state, const NearShapes& shapes, PairStore& store) {
    std::vector<Lying>& lying = find_lying(state, store);
    // Nothing new, nothing to mend: so it is for a pile at rest.
    if (std::none_of(lying.begin(), lying.end(), [](const Lying& l) { return l.pair->fresh; }))
        return;
    std::sort(lying.begin(), lying.end(), [](const Lying& x, const Lying& y) {
        return std::pair(x.mover, x.ground) < std::pair(y.mover, y.ground);
    });
    for (std::size_t first = 0; first < lying.size();) {
        std::size_t last = first;
        while (last < lying.size() && lying[last].mover == lying[first].mover) ++last;
        const std::span<const Lying> group(lying.data() + first, last - first);
        if (group.size() > 1 && needs_mending(group)) mend_group(shapes, group);
        first = last;
    }
}

} // namespace rigor::fast
