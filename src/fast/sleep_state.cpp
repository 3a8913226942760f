#include "fast/sleep_state.h"

#include <algorithm>

namespace rigor::fast {
namespace {

void insert_sorted(std::vector<std::uint32_t>& list, std::uint32_t value) {
    list.insert(std::lower_bound(list.begin(), list.end(), value), value);
}
void erase_sorted(std::vector<std::uint32_t>& list, std::uint32_t value) {
    const auto at = std::lower_bound(list.begin(), list.end(), value);
    if (at != list.end() && *at == value) list.erase(at);
}

} // namespace

bool is_driven(const BodyStore& bodies, std::uint32_t body) {
    return bodies.traits[body].type == BodyType::kinematic_body &&
           (bodies.motion[body].p != Vec3d{} || bodies.motion[body].l != Vec3d{});
}

void Sleep::add_body(std::uint32_t body, BodyType type) {
    if (body >= island_of.size()) {
        island_of.resize(body + 1, kAwake);
        rest_time.resize(body + 1, 0);
    }
    island_of[body] = kAwake;
    rest_time[body] = 0;
    if (type != BodyType::static_body) insert_sorted(awake, body);
}

std::size_t Sleep::memory_bytes() const {
    std::size_t bytes = islands.capacity() * sizeof(SleepingIsland);
    for (const auto* list : {&awake, &awake_joints, &island_of, &free})
        bytes += list->capacity() * sizeof(std::uint32_t);
    bytes += rest_time.capacity() * sizeof(float);
    for (const SleepingIsland& island : islands)
        bytes += (island.bodies.capacity() + island.joints.capacity()) * sizeof(std::uint32_t) +
                 island.pairs.capacity() * sizeof(PairStore::Entry);
    return bytes;
}

void Sleep::remove_body(std::uint32_t body) {
    erase_sorted(awake, body);
}

void Sleep::add_joint(std::uint32_t joint) {
    insert_sorted(awake_joints, joint);
}

void Sleep::remove_joint(std::uint32_t joint) {
    erase_sorted(awake_joints, joint);
}

void add_to_hash(Hasher& hasher, const Sleep& sleep, const PairStore& store) {
    for (const auto* list : {&sleep.awake, &sleep.awake_joints, &sleep.island_of, &sleep.free}) {
        hasher.add(list->size());
        hasher.add_bytes(list->data(), list->size() * sizeof(std::uint32_t));
    }
    hasher.add_bytes(sleep.rest_time.data(), sleep.rest_time.size() * sizeof(float));
    for (const SleepingIsland& island : sleep.islands)
        for (const PairStore::Entry& entry : island.pairs) add_to_hash(hasher, store, entry);
}

std::vector<std::uint32_t> wake_island(std::uint32_t island, Sleep& sleep, PairStore& store) {
    SleepingIsland woken = std::move(sleep.islands[island]);
    sleep.islands[island] = {};
    sleep.free.push_back(island);
    for (const std::uint32_t body : woken.bodies) {
        sleep.island_of[body] = Sleep::kAwake;
        sleep.rest_time[body] = 0;
    }
    const auto merge = [](std::vector<std::uint32_t>& into, std::vector<std::uint32_t>& from) {
        const auto middle = static_cast<std::ptrdiff_t>(into.size());
        into.insert(into.end(), from.begin(), from.end());
        std::inplace_merge(into.begin(), into.begin() + middle, into.end());
    };
    merge(sleep.awake, woken.bodies);
    merge(sleep.awake_joints, woken.joints);
    merge_pairs(woken.pairs, store);
    return std::move(woken.bodies);
}

} // namespace rigor::fast
