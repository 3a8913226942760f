// Gears: one row over the freedoms of two joints, and so over up to four bodies. They are few, and
// solved one by one, after the joints in the sweep out and before them on the way back.
#pragma once

#include "fast/joint_rows.h"

namespace rigor::fast {

struct GearRow {
    /// What the row does to one body: rate = sum of linear·v + angular·w.
    struct Side {
        std::uint32_t row = 0;
        Vec3f linear, angular;
    };

    std::uint32_t joint = 0;       ///< slot of the gear
    JointBlock<1> driving, driven; ///< the joints it couples, for the sake of their freedoms
    std::vector<Side> sides;       ///< as they are now; each body once
    float ratio = 1, offset = 0;   ///< driven = ratio * driving + offset
    float mass = 0, impulse = 0;
    float bias_rate = 0, mass_scale = 1, impulse_scale = 0;
};

/// A gear over the two joints that it couples.
GearRow make_gear(std::uint32_t slot, const JointTask& driving, const JointTask& driven,
                  const WorldState& state, const BodyRows& bodies, std::vector<JointMemory>& memory,
                  float h);

/// After every move.
void refresh(GearRow& gear, const BodyRows& bodies, float moved_for);
void warm_start(const GearRow& gear, BodyRows& bodies);
void solve(GearRow& gear, BodyRows& bodies, bool use_bias);

} // namespace rigor::fast
