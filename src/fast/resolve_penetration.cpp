#include "fast/resolve_penetration.h"

#include <algorithm>

#include "dynamics/angular_velocity.h"

namespace rigor::fast {
namespace {

// Depths, as parts of the smaller size: of shapes that did not touch before, of those that a load
// has pressed into each other, and the one below which a soft contact does the rest.
constexpr float kPlaced = 0.02f, kPressed = 0.25f, kParted = 0.005f;
// In a second: sizes, and depths, as what a thin body sinks into may be far thicker.
constexpr float kSizeRate = 2, kDepthRate = 5;
constexpr int kSweeps = 8; // the next step goes on where they end

bool has_joints(const WorldState& state, std::uint32_t body) {
    return body < state.joints.of_body.size() && !state.joints.of_body[body].empty();
}

float size_of(const StepData& step, const ContactPair& pair) {
    return std::min(step.scratch.shapes[pair.shape_a].size, step.scratch.shapes[pair.shape_b].size);
}

float min_separation(const ContactManifold& manifold) {
    float least = manifold.points[0].separation;
    for (const ManifoldPoint& point : manifold.used()) least = std::min(least, point.separation);
    return least;
}

/// A unit vector, another one for each key.
Vec3f arbitrary_direction(std::uint64_t key) {
    Vec3f direction;
    for (int axis = 0; axis < 3; ++axis) {
        key = (key ^ (key >> 31)) * 0x9e3779b97f4a7c15u + 1;
        direction[axis] = static_cast<float>(key >> 40) * 0x1p-23f - 1; // in [-1, 1)
    }
    const float size = length(direction);
    return size > 0.1f ? direction / size : Vec3f{1, 0, 0};
}

/// The goal of one manifold: n (d_b - d_a) is at least `missing`.
struct Row {
    Vec3f normal;
    std::uint32_t a = 0, b = 0; ///< solver bodies
    float missing = 0, impulse = 0;
};

class Parting {
  public:
    explicit Parting(StepData& step)
        : step_(step), bodies_(step.scratch.bodies), moved_(bodies_.size()) {}

    void run() {
        find_rows();
        for (int i = 0; i < kSweeps; ++i) sweep(i % 2 == 1);
        for (std::uint32_t i = 1; i < bodies_.size(); ++i)
            if (moved_[i] != Vec3f{}) move(i);
        for (const ContactConstraint& contact : step_.scratch.contacts) follow(contact);
    }

  private:
    /// Contacts that part, and the others of their bodies, which are not to become deeper.
    void find_rows() {
        std::vector<std::uint8_t> parts(bodies_.size(), 0);
        for (const ContactConstraint& contact : step_.scratch.contacts) {
            if (!contact.pair->parting) continue;
            parts[contact.body_a.index()] = parts[contact.body_b.index()] = 1;
            forget_impulses(*contact.manifold);
        }
        parts[0] = 0;
        for (const ContactConstraint& contact : step_.scratch.contacts) {
            const std::uint32_t a = contact.body_a.index(), b = contact.body_b.index();
            if (parts[a] == 0 && parts[b] == 0) continue;
            const float separation = min_separation(*contact.manifold);
            float goal = std::min(separation, 0.0f);
            if (contact.pair->parting) {
                const float rate =
                    kSizeRate * size_of(step_, *contact.pair) - kDepthRate * separation;
                goal = std::min(separation + rate * static_cast<float>(step_.dt), 0.0f);
            }
            rows_.push_back({direction_of(contact), a, b, goal - separation, 0});
        }
    }

    /// In which B is moved from A. The normal of bodies at one position is the same for all of
    /// them, and they would separate along a line, of which only the ends are free to move.
    Vec3f direction_of(const ContactConstraint& contact) const {
        constexpr double kOnePosition = 1e-4; // of the size
        const ContactPair& pair = *contact.pair;
        const std::vector<BodyMotion>& motion = step_.state.bodies.motion;
        const double apart = length(motion[pair.body_b].x - motion[pair.body_a].x);
        if (!pair.parting || pair.against_immovable ||
            apart > kOnePosition * static_cast<double>(size_of(step_, pair)))
            return contact.manifold->normal;
        return arbitrary_direction(pair_key(pair.shape_a, pair.shape_b));
    }

    /// The geometry of bodies that are moved is another one in every step.
    static void forget_impulses(ContactManifold& manifold) {
        for (ManifoldPoint& point : manifold.used()) point.impulse = 0;
        manifold.friction = manifold.rolling = {};
        manifold.twist = 0;
    }

    void sweep(bool backward) {
        for (std::size_t k = 0; k < rows_.size(); ++k) {
            Row& row = rows_[backward ? rows_.size() - 1 - k : k];
            const float inv_a = bodies_.mass[row.a].inv_mass, inv_b = bodies_.mass[row.b].inv_mass;
            if (!(inv_a + inv_b > 0)) continue;
            const float made = dot(row.normal, moved_[row.b] - moved_[row.a]);
            const float wanted =
                std::max(row.impulse + (row.missing - made) / (inv_a + inv_b), 0.0f);
            const Vec3f change = row.normal * (wanted - row.impulse);
            row.impulse = wanted;
            moved_[row.a] -= change * inv_a;
            moved_[row.b] += change * inv_b;
        }
    }

    void move(std::uint32_t i) {
        WorldState& state = step_.state;
        const std::uint32_t slot = bodies_.body_slot[i];
        const Vec3d by =
            without_locked(cast<double>(moved_[i]), state.bodies.traits[slot].lock, lock_tx);
        moved_[i] = cast<float>(by);
        state.bodies.motion[slot].x += by;
        const double gravity = state.bodies.inertia[slot].weight * dot(state.gravity, by);
        add_work(gravity, state.ledger);
        if (Ledger* island = state.islands.of(slot)) add_work(gravity, *island);
        step_.memory.sleep.rest_time[slot] = 0;
    }

    static void add_work(double gravity, Ledger& ledger) {
        ledger.gravity += gravity;
        ledger.contact_normal -= gravity;
    }

    void follow(const ContactConstraint& contact) const {
        const float made = dot(contact.manifold->normal,
                               moved_[contact.body_b.index()] - moved_[contact.body_a.index()]);
        for (ManifoldPoint& point : contact.manifold->used()) point.separation += made;
    }

    StepData& step_;
    const SolverBodies& bodies_;
    std::vector<Vec3f> moved_; ///< by solver body
    std::vector<Row> rows_;
};

float depth_of(const StepData& step, const ContactPair& pair) {
    return -rigor::fast::min_separation(step.memory.pairs, pair);
}

/// What a body that is moved apart from many others is pushed into has not been pressed into it by
/// a load: these pairs part as well, or their soft contacts would turn the displacement into speed.
void part_neighbors(StepData& step) {
    constexpr std::uint8_t kHeap = 8; // parting pairs of a body that was created within a heap
    std::vector<std::uint8_t> parting(step.state.bodies.slot_count()); // pairs of each body
    for (const PairConstraints& item : step.scratch.pairs) {
        if (!item.pair->parting) continue;
        for (const std::uint32_t body : {item.pair->body_a, item.pair->body_b})
            if (parting[body] < kHeap && responds_to_impulses(step.state.bodies, body))
                ++parting[body];
    }
    for (const PairConstraints& item : step.scratch.pairs) {
        ContactPair& pair = *item.pair;
        if (item.count == 0 || pair.parting) continue;
        if (parting[pair.body_a] < kHeap && parting[pair.body_b] < kHeap) continue;
        pair.parting = depth_of(step, pair) > kPlaced * size_of(step, pair) &&
                       !has_joints(step.state, pair.body_a) && !has_joints(step.state, pair.body_b);
    }
}

/// Demanding islands push overlaps out by themselves, and no bodies away.
void leave_to_islands(StepData& step) {
    const std::vector<std::uint32_t>& of_contact = step.scratch.demanding.of_contact;
    if (of_contact.empty()) return;
    for (const PairConstraints& pair : step.scratch.pairs)
        if (pair.count > 0 && of_contact[pair.first] != DemandingIslands::kNone)
            pair.pair->parting = false;
}

} // namespace

void update_parting(StepData& step, ContactPair& pair) {
    const float depth = -min_separation(step.memory.pairs, pair);
    if (!(depth > 0)) {
        pair.parting = false;
        return;
    }
    const float least = pair.parting ? kParted : (pair.touching ? kPressed : kPlaced);
    pair.parting = depth > least * size_of(step, pair) && !has_joints(step.state, pair.body_a) &&
                   !has_joints(step.state, pair.body_b);
    step.scratch.has_overlaps |= pair.parting;
}

void resolve_penetration(StepData& step) {
    if (!step.scratch.has_overlaps) return;
    part_neighbors(step);
    leave_to_islands(step);
    Parting(step).run();
}

} // namespace rigor::fast
