#include "dynamics/periodic_wrap.h"

#include <vector>

#include "base/disjoint_sets.h"

namespace rigor {
namespace {

/// Groups of jointed bodies, each identified by its first body.
class JoinedBodies {
  public:
    explicit JoinedBodies(const WorldState& state)
        : groups_(state.bodies.slot_count()), is_held_(state.bodies.slot_count()) {
        for (std::uint32_t slot = 0; slot < state.joints.slot_count(); ++slot) {
            if (!state.joints.is_alive(slot)) continue;
            const JointRecord& joint = state.joints[slot];
            if (joint.type != JointType::gear) join(state, joint.a.body, joint.b.body);
        }
    }
    std::uint32_t first_of(std::uint32_t body) const { return groups_.find(body); }
    /// Whether a body of the group has a joint to the world, or to a static body.
    bool is_held(std::uint32_t body) const { return is_held_[groups_.find(body)]; }

  private:
    void join(const WorldState& state, BodyId a, BodyId b) {
        const auto moves = [&](BodyId id) {
            return !id.is_null() && state.bodies.traits[id.index].type != BodyType::static_body;
        };
        if (!moves(a) && !moves(b)) return;
        if (!moves(a) || !moves(b)) {
            is_held_[groups_.find(moves(a) ? a.index : b.index)] = true;
            return;
        }
        const bool held = is_held(a.index) || is_held(b.index);
        is_held_[groups_.unite(a.index, b.index)] = held;
    }

    DisjointSets groups_;
    std::vector<bool> is_held_; // by the first body of a group
};

} // namespace

void wrap_into_cell(WorldState& state) {
    if (!state.cell) return;
    const JoinedBodies joined(state);
    std::vector<Vec3d> away(state.bodies.slot_count());
    for (std::uint32_t body = 0; body < away.size(); ++body) {
        if (!is_movable(state.bodies, body) || joined.is_held(body)) continue;
        const std::uint32_t first = joined.first_of(body); // not after it
        if (first == body) away[body] = state.cell->outside(state.bodies.motion[body].x);
        if (is_finite(away[first])) state.bodies.motion[body].x -= away[first];
    }
}

} // namespace rigor
