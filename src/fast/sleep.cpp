#include "fast/sleep.h"

#include <algorithm>

#include "dynamics/angular_velocity.h"
#include "dynamics/energy.h"
#include "fast/groups.h"

namespace rigor::fast {
namespace {

constexpr double kStillSpeed = 0.05; // m/s, of any point within a meter of the center
constexpr float kStillTime = 0.5f;   // s

void insert_sorted(std::vector<std::uint32_t>& list, std::uint32_t value) {
    list.insert(std::lower_bound(list.begin(), list.end(), value), value);
}
void erase_sorted(std::vector<std::uint32_t>& list, std::uint32_t value) {
    const auto at = std::lower_bound(list.begin(), list.end(), value);
    if (at != list.end() && *at == value) list.erase(at);
}

bool is_still(const BodyStore& bodies, std::uint32_t body) {
    const double v = length_squared(velocity(bodies, body)),
                 w = length_squared(angular_velocity(bodies, body));
    return v + w < kStillSpeed * kStillSpeed;
}

/// Kinematic, and on its way.
bool is_driven(const BodyStore& bodies, std::uint32_t body) {
    return bodies.traits[body].type == BodyType::kinematic_body &&
           (bodies.motion[body].p != Vec3d{} || bodies.motion[body].l != Vec3d{});
}

bool is_touching(const PairStore& store, const ContactPair& pair) {
    bool touching = false;
    if (!pair.sensor) for_touches(store, pair, [&](const Touch&) { touching = true; });
    return touching;
}

/// One fall into sleep: who goes together, and what goes with them.
class Bedtime {
  public:
    Bedtime(WorldState& state, Sleep& sleep, PairStore& store)
        : state_(state), bodies_(state.bodies), sleep_(sleep), store_(store) {
        groups_.start(state.bodies.slot_count());
    }

    std::vector<std::uint32_t> run() {
        group();
        make_islands();
        if (!asleep_.empty()) {
            put_pairs_away();
            put_joints_away();
            for (const std::uint32_t body : asleep_) stop(body);
        }
        return std::move(asleep_);
    }

  private:
    bool can_group(std::uint32_t body) const {
        return answers(bodies_, body) && !sleep_.is_asleep(body);
    }

    void group() {
        for (const PairStore::Entry& entry : store_.order) {
            if (!entry.busy) continue;
            const ContactPair& pair = store_.pairs[entry.slot];
            if (is_touching(store_, pair)) group(pair.body_a, pair.body_b);
        }
        for (const std::uint32_t slot : sleep_.awake_joints) group_joint(state_.joints[slot]);
    }
    void group_joint(const JointRecord& joint) {
        if (joint.type == JointType::gear) {
            const JointRecord &a = state_.joints[joint.gear_a], &b = state_.joints[joint.gear_b];
            for (const BodyId x : {a.a.body, a.b.body})
                for (const BodyId y : {b.a.body, b.b.body})
                    if (!x.is_null() && !y.is_null()) group(x.index, y.index);
        } else if (!joint.a.body.is_null() && !joint.b.body.is_null()) {
            group(joint.a.body.index, joint.b.body.index);
        }
    }
    void group(std::uint32_t a, std::uint32_t b) {
        const bool a_counts = can_group(a), b_counts = can_group(b);
        if (a_counts && b_counts) groups_.join(a, b);
        // What lies on something that is driven does not sleep.
        if (a_counts && is_driven(bodies_, b)) sleep_.still_for[a] = 0;
        if (b_counts && is_driven(bodies_, a)) sleep_.still_for[b] = 0;
    }

    void make_islands() {
        std::vector<float> least(bodies_.slot_count(), kStillTime);
        for (const std::uint32_t body : sleep_.awake) {
            if (!can_group(body)) continue;
            float& l = least[groups_.root(body)];
            l = std::min(l, bodies_.traits[body].can_sleep != 0 ? sleep_.still_for[body] : 0.0f);
        }
        std::vector<std::uint32_t> still_awake;
        for (const std::uint32_t body : sleep_.awake) {
            const std::uint32_t root = groups_.root(body);
            if (!can_group(body) || least[root] < kStillTime) {
                still_awake.push_back(body);
                continue;
            }
            // The root is the first of its group to come by.
            const std::uint32_t island = root == body ? new_island() : sleep_.island_of[root];
            sleep_.island_of[body] = island;
            sleep_.islands[island].bodies.push_back(body);
            asleep_.push_back(body);
        }
        sleep_.awake = std::move(still_awake);
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

    /// Pairs of a sleeper with something awake stay, so that it is woken. Pairs of two islands
    /// are found again when one of them wakes.
    void put_pairs_away() {
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
    bool moves(std::uint32_t body) const { return can_group(body) || is_driven(bodies_, body); }

    void put_joints_away() {
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
    Groups groups_;
    std::vector<std::uint32_t> asleep_;
};

/// The least separation at the end of a step in which nothing resists.
double least_separation(const BodyStore& bodies, const PairStore& store, const ContactPair& pair,
                        double dt) {
    const Vec3d v_a = velocity(bodies, pair.body_a), v_b = velocity(bodies, pair.body_b);
    const Vec3d w_a = angular_velocity(bodies, pair.body_a),
                w_b = angular_velocity(bodies, pair.body_b);
    double least = 1e30;
    for_touches(store, pair, [&](const Touch& touch) {
        for (const TouchPoint& point : touch.used()) {
            const Vec3d v = v_b + cross(w_b, cast<double>(touch.arm_b(point))) - v_a -
                            cross(w_a, cast<double>(point.arm));
            least = std::min(least, static_cast<double>(point.separation) +
                                        dt * dot(cast<double>(touch.normal), v));
        }
    });
    return least;
}

} // namespace

void Sleep::add_body(std::uint32_t body, BodyType type) {
    if (body >= island_of.size()) {
        island_of.resize(body + 1, kAwake);
        still_for.resize(body + 1, 0);
    }
    island_of[body] = kAwake;
    still_for[body] = 0;
    if (type != BodyType::static_body) insert_sorted(awake, body);
}

std::size_t Sleep::memory_bytes() const {
    std::size_t bytes = islands.capacity() * sizeof(SleepingIsland);
    for (const auto* list : {&awake, &awake_joints, &island_of, &free})
        bytes += list->capacity() * sizeof(std::uint32_t);
    bytes += still_for.capacity() * sizeof(float);
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
    hasher.add_bytes(sleep.still_for.data(), sleep.still_for.size() * sizeof(float));
    for (const SleepingIsland& island : sleep.islands)
        for (const PairStore::Entry& entry : island.pairs) add_to_hash(hasher, store, entry);
}

std::vector<std::uint32_t> wake_island(std::uint32_t island, Sleep& sleep, PairStore& store) {
    SleepingIsland woken = std::move(sleep.islands[island]);
    sleep.islands[island] = {};
    sleep.free.push_back(island);
    for (const std::uint32_t body : woken.bodies) {
        sleep.island_of[body] = Sleep::kAwake;
        sleep.still_for[body] = 0;
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

std::vector<std::uint32_t> put_to_sleep(WorldState& state, double dt, Sleep& sleep,
                                        PairStore& store) {
    bool anyone = false;
    for (const std::uint32_t body : sleep.awake) {
        if (!answers(state.bodies, body) || state.bodies.traits[body].can_sleep == 0) continue;
        float& still = sleep.still_for[body];
        still = is_still(state.bodies, body) ? still + static_cast<float>(dt) : 0;
        anyone = anyone || still >= kStillTime;
    }
    // A body that rests on others which do not keeps asking: not in every step.
    constexpr std::uint64_t kEvery = 8;
    if (!anyone || state.step % kEvery != 0) return {};
    return Bedtime(state, sleep, store).run();
}

std::vector<std::uint32_t> touched_islands(const WorldState& state, const Sleep& sleep,
                                           const PairStore& store, double dt) {
    constexpr double kNear = 1e-3; // m
    std::vector<std::uint32_t> islands;
    for (const PairStore::Entry& entry : store.order) {
        if (!entry.busy) continue;
        const ContactPair& pair = store.pairs[entry.slot];
        const std::uint32_t a = sleep.island_of[pair.body_a], b = sleep.island_of[pair.body_b];
        if (a == b || pair.sensor) continue;
        const std::uint32_t other = a == Sleep::kAwake ? pair.body_a : pair.body_b;
        const bool moves = (a == Sleep::kAwake || b == Sleep::kAwake) &&
                           (answers(state.bodies, other) || is_driven(state.bodies, other));
        // What would come into touch just after this step may bounce in it already.
        if (moves && least_separation(state.bodies, store, pair, 2 * dt) < kNear)
            islands.push_back(std::min(a, b));
    }
    std::sort(islands.begin(), islands.end());
    islands.erase(std::unique(islands.begin(), islands.end()), islands.end());
    return islands;
}

} // namespace rigor::fast
