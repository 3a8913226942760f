// Which bodies are awake, and what is stored of sleeping islands.
//
// Only what is awake is visited in a step, so bodies at rest cost nothing. An island, bodies that
// contacts or joints connect, falls asleep as a whole when all its bodies have been at rest for a
// while. Its pairs and joints are stored with it and come back as they were.
#pragma once

#include "fast/contact_pair.h"
#include "model/world_state.h"

namespace rigor::fast {

struct SleepingIsland {
    std::vector<std::uint32_t> bodies;   ///< ascending slots; none: a free place
    std::vector<std::uint32_t> joints;   ///< ascending slots
    std::vector<PairStore::Entry> pairs; ///< with each other and with static bodies
};

/// Values: part of snapshots and of the hash.
struct Sleep {
    static constexpr std::uint32_t kAwake = UINT32_MAX;

    std::vector<std::uint32_t> awake;        ///< slots of bodies that may move, ascending
    std::vector<std::uint32_t> awake_joints; ///< slots, ascending
    std::vector<std::uint32_t> island_of;    ///< by body slot; kAwake also for static bodies
    std::vector<float> rest_time;            ///< by body slot, s
    std::vector<SleepingIsland> islands;
    std::vector<std::uint32_t> free; ///< places of islands

    bool is_asleep(std::uint32_t body) const { return island_of[body] != kAwake; }

    // A body or joint must be awake when it is removed.
    void add_body(std::uint32_t body, BodyType type);
    void remove_body(std::uint32_t body);
    void add_joint(std::uint32_t joint);
    void remove_joint(std::uint32_t joint);

    std::size_t memory_bytes() const;
};

void add_to_hash(Hasher& hasher, const Sleep& sleep, const PairStore& store);

/// Wakes an island. Returns its bodies, as their pairs with others must be found again.
std::vector<std::uint32_t> wake_island(std::uint32_t island, Sleep& sleep, PairStore& store);

/// Whether a body is kinematic and moves.
bool is_driven(const BodyStore& bodies, std::uint32_t body);

} // namespace rigor::fast
