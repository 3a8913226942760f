#include "dynamics/periodic_wrap.h"

#include <algorithm>
#include <numeric>

namespace rigor {
namespace {

/// Bodies that joints hold together, each known by the first; what a joint holds to the world, or
/// to a static body, stays where it is.
class JoinedBodies {
  public:
    explicit JoinedBodies(const WorldState& state)
        : first_(state.bodies.slot_count()), held_(state.bodies.slot_count()) {
        std::iota(first_.begin(), first_.end(), 0);
        for (std::uint32_t slot = 0; slot < state.joints.slot_count(); ++slot) {
            if (!state.joints.is_alive(slot)) continue;
            const JointRecord& joint = state.joints[slot];
            if (joint.type != JointType::gear) join(state, joint.a.body, joint.b.body);
        }
    }
    std::uint32_t first_of(std::uint32_t body) const {
        while (first_[body] != body) body = first_[body];
        return body;
    }
    bool is_held(std::uint32_t body) const { return held_[first_of(body)]; }

  private:
    void join(const WorldState& state, BodyId a, BodyId b) {
        const auto moves = [&](BodyId id) {
            return !id.is_null() && state.bodies.traits[id.index].type != BodyType::static_body;
        };
        if (!moves(a) && !moves(b)) return;
        if (!moves(a) || !moves(b)) {
            held_[first_of(moves(a) ? a.index : b.index)] = true;
            return;
        }
        const std::uint32_t x = first_of(a.index), y = first_of(b.index);
        first_[std::max(x, y)] = std::min(x, y);
        held_[std::min(x, y)] = held_[x] || held_[y];
    }

    std::vector<std::uint32_t> first_;
    std::vector<bool> held_;
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
