// The sweeps over blocks of joints. The blocks of one call share no body that answers to impulses.
#pragma once

#include <cstddef>

#include "fast/body_rows.h"
#include "fast/joint_block.h"

namespace rigor::fast {

struct JointSweep {
    float inv_h = 0;
    bool use_bias = false;
};

/// Rows for the bodies as they are now: after every move.
template <int W>
void refresh(JointBlock<W>* blocks, std::size_t count, const BodyRow* rows, float moved_for);

/// How the arms will bend the paths of the anchors in the substep: at its beginning, when
/// velocities are still those that the joints allowed.
template <int W>
void bend_arms(JointBlock<W>* blocks, std::size_t count, const BodyRow* rows, float h);

/// Impulses of the last substep, or the first half of them; and the second half.
template <int W>
void warm_start(JointBlock<W>* blocks, std::size_t count, BodyRow* rows);
template <int W>
void warm_start_rest(JointBlock<W>* blocks, std::size_t count, BodyRow* rows);

/// One sweep. With bias it also takes back errors.
template <int W>
void solve(JointBlock<W>* blocks, std::size_t count, BodyRow* rows, const JointSweep& sweep);

} // namespace rigor::fast
