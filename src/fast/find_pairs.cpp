#include "fast/find_pairs.h"

#include <algorithm>
#include <functional>

#include "fast/narrowphase.h"
#include "fast/pair_removal.h"
#include "model/contact_material.h"

namespace rigor::fast {
namespace {

bool by_key(const PairStore::Entry& a, const PairStore::Entry& b) {
    return a.key < b.key;
}

ContactPair make_pair(const WorldState& state, const CollisionShapeCache& shapes, std::uint32_t a,
                      std::uint32_t b) {
    const ShapeRecord& ra = state.shapes[a];
    const ShapeRecord& rb = state.shapes[b];
    ContactPair pair;
    pair.shape_a = a;
    pair.shape_b = b;
    pair.body_a = ra.body.index;
    pair.body_b = rb.body.index;
    pair.has_directions = has_directions(ra.material) || has_directions(rb.material);
    pair.sensor = ra.sensor || rb.sensor;
    pair.against_immovable = !responds_to_impulses(state.bodies, pair.body_a) ||
                             !responds_to_impulses(state.bodies, pair.body_b);
    pair.composite = is_composite(shapes.shapes[a], shapes.shapes[b]);
    pair.periodic = is_repeated(state, ra) && is_repeated(state, rb);
    return pair;
}

/// Whether a pair can have an effect: a body responds to impulses, or one shape is a sensor.
bool is_relevant(const WorldState& state, const ShapeProxy& a, const ShapeProxy& b) {
    if (responds_to_impulses(state.bodies, a.body.index) ||
        responds_to_impulses(state.bodies, b.body.index))
        return true;
    return a.sensor != b.sensor;
}

/// Members of a crowd are searched in every step, but not while they sleep.
void search_crowd_again(StepData& step, ProxyId id) {
    PairFinder& finder = step.context.proxies.finder();
    if (!finder.is_alive(id)) return;
    const ShapeProxy& placed = step.context.proxies[finder.payload(id)];
    if (!step.memory.sleep.is_asleep(placed.body.index)) finder.search_again(id);
}

void query_broadphase(StepData& step) {
    ShapeProxies& proxies = step.context.proxies;
    const PairFinder& finder = proxies.finder();
    step.scratch.found_pairs.clear();
    const auto is_wanted = [&](const ProxyPair& pair) {
        const ShapeProxy &a = proxies[finder.payload(pair.a)], &b = proxies[finder.payload(pair.b)];
        return a.body.index != b.body.index && is_relevant(step.state, a, b) &&
               !step.state.joints.keeps_apart(a.body.index, b.body.index);
    };
    for (const ProxyId id : proxies.finder().crowded()) search_crowd_again(step, id);
    const auto core = [&](ProxyId id) { return proxies.core(id); };
    proxies.finder().find_pairs(step.context.team, step.scratch.found_pairs, std::cref(is_wanted),
                                TreeCare::rebuild_moved, std::cref(core));
    step.outcome.crowded = static_cast<int>(finder.crowded().size());
}

/// After a restore pairs are known, also of sleeping bodies, but their shapes are not cached.
void restore_shapes(StepData& step) {
    CollisionShapeCache& shapes = step.scratch.shapes;
    if (!shapes.shapes.empty()) return;
    for (const ContactPair& pair : step.memory.pairs.pairs.items) {
        if (pair.shape_a == pair.shape_b) continue; // a free slot
        shapes.ensure(step.state, pair.shape_a);
        shapes.ensure(step.state, pair.shape_b);
    }
}

/// Ascending keys of the pairs that the broadphase found.
std::vector<PairStore::Entry>& sorted_entries(const StepData& step) {
    const PairFinder& finder = step.context.proxies.finder();
    thread_local std::vector<PairStore::Entry> entries; // reused to avoid allocation
    entries.clear();
    for (const ProxyPair& pair : step.scratch.found_pairs) {
        const std::uint32_t x = finder.payload(pair.a), y = finder.payload(pair.b);
        entries.push_back({pair_key(std::min(x, y), std::max(x, y)), {}});
    }
    std::sort(entries.begin(), entries.end(), by_key);
    if (step.state.cell) { // a pair may be found across several sides of a periodic boundary
        const auto same = [](const auto& a, const auto& b) { return a.key == b.key; };
        entries.erase(std::unique(entries.begin(), entries.end(), same), entries.end());
    }
    return entries;
}

/// Removes the pairs within a crowd that are no longer among the deepest.
void leave_crowd_pairs(StepData& step, const std::vector<PairStore::Entry>& found) {
    const std::vector<ProxyId>& crowded = step.context.proxies.finder().crowded();
    if (crowded.empty()) return;
    BitSet is_crowded; // by slot of the shape
    for (const ProxyId id : crowded) is_crowded.set(step.context.proxies.finder().payload(id));
    for (PairStore::Entry& entry : step.memory.pairs.order)
        if (is_crowded.test(entry.key >> 32) && is_crowded.test(entry.key & UINT32_MAX) &&
            !std::binary_search(found.begin(), found.end(), entry, by_key))
            entry.key = kRemovedPair;
    drop_removed_pairs(step.state, step.memory.pairs);
}

/// Adds a pair behind the sorted index, unless the filter hook refuses it.
void add_pair(StepData& step, PairStore::Entry& entry) {
    CollisionShapeCache& shapes = step.scratch.shapes;
    PairStore& store = step.memory.pairs;
    const auto a = static_cast<std::uint32_t>(entry.key >> 32);
    const auto b = static_cast<std::uint32_t>(entry.key);
    shapes.ensure(step.state, a);
    shapes.ensure(step.state, b);
    ContactPair pair = make_pair(step.state, shapes, a, b);
    const ContactHooks& hooks = *step.context.hooks;
    if (hooks.filter) {
        const ContactPairEvent sides = sides_of(step.state, pair);
        if (!hooks.filter(sides.a, sides.b)) return;
    }
    if (pair.composite)
        pair.contacts = store.composites.add({{}, {}, surface_of(step.state, pair)});
    entry.slot = store.pairs.add(pair);
    grow(store.order);
    store.order.push_back(entry);
}

} // namespace

void find_pairs(StepData& step) {
    query_broadphase(step);
    restore_shapes(step);
    std::vector<PairStore::Entry>& order = step.memory.pairs.order;
    std::vector<PairStore::Entry>& found = sorted_entries(step);
    leave_crowd_pairs(step, found);
    const std::size_t known = order.size();
    for (PairStore::Entry& entry : found) {
        const auto end = order.begin() + static_cast<std::ptrdiff_t>(known);
        const auto at = std::lower_bound(order.begin(), end, entry, by_key);
        if (at == end || at->key != entry.key) add_pair(step, entry);
    }
    if (order.size() == known) return;
    const auto middle = order.begin() + static_cast<std::ptrdiff_t>(known);
    thread_local std::vector<PairStore::Entry> merged; // reused to avoid allocation
    merged.resize(order.size());
    std::merge(order.begin(), middle, middle, order.end(), merged.begin(), by_key);
    order.assign(merged.begin(), merged.end());
}

} // namespace rigor::fast
