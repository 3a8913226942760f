#include "literature/pair_gaps.h"

#include "contact_dynamics/contact_detection.h"

namespace rigor::literature {

PairGaps::PairGaps(const WorldState& state, const Island& island)
    : state_(state), index_(state.bodies.slot_count()) {
    for (std::size_t i = 0; i < island.bodies.size(); ++i)
        if (island.bodies[i] != kWorldBody) index_[island.bodies[i]] = i;
}

std::size_t PairGaps::body_of(std::uint32_t shape) const {
    return index_[contact_dynamics::body_of(state_, shape)];
}

double PairGaps::at(const ShapePair& pair, const Island& island) const {
    return separation(state_, pair, island.motion[body_of(pair.a)], island.motion[body_of(pair.b)])
        .gap;
}

std::vector<double> PairGaps::of(const Island& island) const {
    std::vector<double> gaps;
    for (const ShapePair& pair : island.pairs) gaps.push_back(at(pair, island));
    return gaps;
}

} // namespace rigor::literature
