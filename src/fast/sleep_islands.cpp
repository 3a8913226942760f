#include "fast/sleep_islands.h"

#include <algorithm>

#include "base/disjoint_sets.h"
#include "dynamics/angular_velocity.h"
#include "dynamics/energy.h"

namespace rigor::fast {
namespace {

constexpr double kSleepSpeed = 0.05; // m/s, of any point within a meter of the center
constexpr float kTimeToSleep = 0.5f; // s

bool is_slow(const BodyStore& bodies, std::uint32_t body) {
    const double v = length_squared(velocity(bodies, body)),
                 w = length_squared(angular_velocity(bodies, body));
    return v + w < kSleepSpeed * kSleepSpeed;
}

bool is_touching(const PairStore& store, const ContactPair& pair) {
    bool touching = false;
    if (!pair.sensor) for_manifolds(store, pair, [&](const ContactManifold&) { touching = true; });
    return touching;
}

/// Builds islands and puts those to sleep whose bodies have all been at rest.
class IslandSleeper {
  public:
    IslandSleeper(WorldState& state, Sleep& sleep, PairStore& store)
        : state_(state), bodies_(state.bodies), sleep_(sleep), store_(store) {
        islands_.reset(state.bodies.slot_count());
    }

    std::vector<std::uint32_t> run() {
        link_bodies();
        make_islands();
        if (!asleep_.empty()) {
            store_pairs();
            store_joints();
            for (const std::uint32_t body : asleep_) stop(body);
        }
        return std::move(asleep_);
    }

  private:
    bool may_sleep(std::uint32_t body) const {
        return responds_to_impulses(bodies_, body) && !sleep_.is_asleep(body);
    }

    void link_bodies() {
        for (const PairStore::Entry& entry : store_.order) {
            if (!entry.active) continue;
            const ContactPair& pair = store_.pairs[entry.slot];
            if (is_touching(store_, pair)) link(pair.body_a, pair.body_b);
        }
        for (const std::uint32_t slot : sleep_.awake_joints) link_joint(state_.joints[slot]);
    }
    void link_joint(const JointRecord& joint) {
        if (joint.type == JointType::gear) {
            const JointRecord &a = state_.joints[joint.gear_a], &b = state_.joints[joint.gear_b];
            for (const BodyId x : {a.a.body, a.b.body})
                for (const BodyId y : {b.a.body, b.b.body})
                    if (!x.is_null() && !y.is_null()) link(x.index, y.index);
        } else if (!joint.a.body.is_null() && !joint.b.body.is_null()) {
            link(joint.a.body.index, joint.b.body.index);
        }
    }
    void link(std::uint32_t a, std::uint32_t b) {
        const bool a_counts = may_sleep(a), b_counts = may_sleep(b);
        if (a_counts && b_counts) islands_.unite(a, b);
        // A body on a moving kinematic one does not sleep.
        if (a_counts && is_driven(bodies_, b)) sleep_.rest_time[a] = 0;
        if (b_counts && is_driven(bodies_, a)) sleep_.rest_time[b] = 0;
    }

    void make_islands() {
        std::vector<float> min_rest(bodies_.slot_count(), kTimeToSleep);
        for (const std::uint32_t body : sleep_.awake) {
            if (!may_sleep(body)) continue;
            float& rest = min_rest[islands_.find(body)];
            rest =
                std::min(rest, bodies_.traits[body].can_sleep != 0 ? sleep_.rest_time[body] : 0.0f);
        }
        std::vector<std::uint32_t> awake;
        for (const std::uint32_t body : sleep_.awake) {
            const std::uint32_t root = islands_.find(body);
            if (!may_sleep(body) || min_rest[root] < kTimeToSleep) {
                awake.push_back(body);
                continue;
            }
            // The root is the smallest member, so it comes first.
            const std::uint32_t island = root == body ? new_island() : sleep_.island_of[root];
            sleep_.island_of[body] = island;
            sleep_.islands[island].bodies.push_back(body);
            asleep_.push_back(body);
        }
        sleep_.awake = std::move(awake);
    }

    std::uint32_t new_island() {
        if (sleep_.free.empty()) {
            sleep_.islands.emplace_back();
            return static_cast<std::uint32_t>(sleep_.islands.size() - 1);
        }
        const std::uint32_t island = sleep_.free.back();
        sleep_.free.pop_back();
        return island;
    }

    /// Pairs of a sleeping body with an awake one stay, so that it is woken. Pairs of two islands
    /// are found again when one of them wakes.
    void store_pairs() {
        std::size_t kept = 0;
        for (const PairStore::Entry& entry : store_.order) {
            const ContactPair& pair = store_.pairs[entry.slot];
            const std::uint32_t a = sleep_.island_of[pair.body_a],
                                b = sleep_.island_of[pair.body_b];
            const bool a_moves = moves(pair.body_a), b_moves = moves(pair.body_b);
            if (a_moves || b_moves || (a == Sleep::kAwake && b == Sleep::kAwake)) {
                store_.order[kept++] = entry;
            } else if (a != b && a != Sleep::kAwake && b != Sleep::kAwake) {
                store_.remove(entry.slot);
            } else {
                sleep_.islands[std::min(a, b)].pairs.push_back(entry);
            }
        }
        store_.order.resize(kept);
    }
    bool moves(std::uint32_t body) const { return may_sleep(body) || is_driven(bodies_, body); }

    void store_joints() {
        std::size_t kept = 0;
        for (const std::uint32_t slot : sleep_.awake_joints) {
            const std::uint32_t island = island_of(state_.joints[slot]);
            if (island == Sleep::kAwake) {
                sleep_.awake_joints[kept++] = slot;
            } else {
                sleep_.islands[island].joints.push_back(slot);
            }
        }
        sleep_.awake_joints.resize(kept);
    }
    std::uint32_t island_of(const JointRecord& joint) const {
        if (joint.type == JointType::gear)
            return std::min(island_of(state_.joints[joint.gear_a]),
                            island_of(state_.joints[joint.gear_b]));
        std::uint32_t island = Sleep::kAwake;
        for (const BodyId body : {joint.a.body, joint.b.body})
            if (!body.is_null()) island = std::min(island, sleep_.island_of[body.index]);
        return island;
    }

    void stop(std::uint32_t body) {
        BodyMotion& motion = bodies_.motion[body];
        const double kinetic = kinetic_energy(motion, bodies_.inertia[body], bodies_.traits[body]);
        state_.ledger.damping -= kinetic;
        if (Ledger* island = state_.islands.of(body)) island->damping -= kinetic;
        motion.p = motion.l = {};
    }

    WorldState& state_;
    BodyStore& bodies_;
    Sleep& sleep_;
    PairStore& store_;
    DisjointSets islands_;
    std::vector<std::uint32_t> asleep_;
};

} // namespace

std::vector<std::uint32_t> sleep_islands(WorldState& state, double dt, Sleep& sleep,
                                         PairStore& store) {
    bool any_at_rest = false;
    for (const std::uint32_t body : sleep.awake) {
        if (!responds_to_impulses(state.bodies, body) || state.bodies.traits[body].can_sleep == 0)
            continue;
        float& rest = sleep.rest_time[body];
        rest = is_slow(state.bodies, body) ? rest + static_cast<float>(dt) : 0;
        any_at_rest = any_at_rest || rest >= kTimeToSleep;
    }
    // Islands are not built in every step: a body at rest on others that move would cause that.
    constexpr std::uint64_t kEvery = 8;
    if (!any_at_rest || state.step % kEvery != 0) return {};
    return IslandSleeper(state, sleep, store).run();
}

} // namespace rigor::fast
