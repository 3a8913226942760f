// The bodies of the joints of a block, for kernels in lanes.
#pragma once

#include "fast/joint_lanes.h"

namespace rigor::fast {

/// The velocities of the bodies of W joints, and how impulses change them.
template <int W>
struct JointBodies {
    using F = Lanes<W>;
    using Row = typename JointBlock<W>::Row;

    RIGOR_INLINE JointBodies(JointBlock<W>& block, const SolverBody* bodies)
        : block_(block),
          a(gather_velocity<W>(bodies, block.body_a)),
          b(gather_velocity<W>(bodies, block.body_b)) {}

    RIGOR_INLINE F rate(const Row& row) const { return rate_of<W>(row, a, b); }
    /// Impulses along several rows are accumulated first and applied at once.
    RIGOR_INLINE void accumulate(const Row& row, F impulse) {
        linear = linear + read_vector<W>(row.linear) * impulse;
        angular_a = angular_a + read_vector<W>(row.angular_a) * impulse;
        angular_b = angular_b + read_vector<W>(row.angular_b) * impulse;
    }
    /// The same for the three rows of a ball joint.
    RIGOR_INLINE void accumulate_ball(const LaneVec<W>& impulse) {
        linear = linear + impulse;
        angular_a = angular_a + cross(read_vector<W>(block_.current_anchor_a), impulse);
        angular_b = angular_b + cross(read_vector<W>(block_.current_anchor_b), impulse);
    }
    RIGOR_INLINE void apply() {
        a.v = a.v - linear * read<W>(block_.inv_mass_a);
        b.v = b.v + linear * read<W>(block_.inv_mass_b);
        a.w = a.w - read_tensor<W>(block_.inv_inertia_a) * angular_a;
        b.w = b.w + read_tensor<W>(block_.inv_inertia_b) * angular_b;
        given = given + linear;
        given_angular_a = given_angular_a + angular_a;
        given_angular_b = given_angular_b + angular_b;
        linear = angular_a = angular_b = {};
    }
    RIGOR_INLINE void write(SolverBody* bodies) {
        add(block_.given, given);
        add(block_.given_angular_a, given_angular_a);
        add(block_.given_angular_b, given_angular_b);
        scatter_velocity<W>(bodies, block_.body_a, a);
        scatter_velocity<W>(bodies, block_.body_b, b);
    }

    JointBlock<W>& block_;
    LaneVelocity<W> a, b;
    LaneVec<W> linear, angular_a, angular_b;
    LaneVec<W> given, given_angular_a, given_angular_b; ///< sums of what was applied

  private:
    RIGOR_INLINE static void add(typename JointBlock<W>::Vector& sum, const LaneVec<W>& v) {
        write_vector<W>(sum, read_vector<W>(sum) + v);
    }
};

} // namespace rigor::fast
