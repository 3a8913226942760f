// Which bodies are awake, and what is put away with those that sleep.
//
// Only what is awake is ever gone through in a step, so bodies at rest cost nothing. An island,
// bodies that touch each other or are joined, falls asleep as a whole when all of it has been still
// for a while. Its pairs and joints are put away with it and come back as they were.
#pragma once

#include "fast/contact_pair.h"
#include "model/world_state.h"

namespace rigor::fast {

struct SleepingIsland {
    std::vector<std::uint32_t> bodies; ///< ascending slots; none: a free place
    std::vector<std::uint32_t> joints;
    std::vector<PairStore::Entry> pairs; ///< with each other and with what does not move
};

/// Values: part of snapshots and of the hash.
struct Sleep {
    static constexpr std::uint32_t kAwake = UINT32_MAX;

    std::vector<std::uint32_t> awake;        ///< slots of bodies that may move, ascending
    std::vector<std::uint32_t> awake_joints; ///< slots, ascending
    std::vector<std::uint32_t> island_of;    ///< by body slot; kAwake also for what never sleeps
    std::vector<float> still_for;            ///< by body slot, s
    std::vector<SleepingIsland> islands;
    std::vector<std::uint32_t> free; ///< places of islands

    bool is_asleep(std::uint32_t body) const { return island_of[body] != kAwake; }

    // What comes and goes. A body or joint must be awake when it goes.
    void add_body(std::uint32_t body, BodyType type);
    void remove_body(std::uint32_t body);
    void add_joint(std::uint32_t joint);
    void remove_joint(std::uint32_t joint);

    std::size_t memory_bytes() const;
};

void add_to_hash(Hasher& hasher, const Sleep& sleep, const PairStore& store);

/// Brings an island back: its bodies are returned, as their pairs with others must be found again.
std::vector<std::uint32_t> wake_island(std::uint32_t island, Sleep& sleep, PairStore& store);

/// The last stage of a step.
///
/// Reads    how bodies move, what touches, what is joined.
/// Writes   how long each has been still; puts islands to sleep whose bodies all have been for half
///          a second. What is left of their motion is taken away.
/// Order    serial, by slot.
///
/// Returns the bodies that fell asleep.
std::vector<std::uint32_t> put_to_sleep(WorldState& state, double dt, Sleep& sleep,
                                        PairStore& store);

/// The islands that something awake touches, or will within dt, ascending: they must be awake when
/// it hits them, or they would stop it like walls.
std::vector<std::uint32_t> touched_islands(const WorldState& state, const Sleep& sleep,
                                           const PairStore& store, double dt);

} // namespace rigor::fast
