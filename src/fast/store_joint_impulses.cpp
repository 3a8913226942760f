#include "fast/store_joint_impulses.h"

#include <algorithm>

#include "fast/lane_columns.h"

namespace rigor::fast {

template <int W>
void store_impulses(const JointBlock<W>& block, std::size_t lane, JointMemory& memory, float h) {
    Vec3f force, torque;
    const auto add = [&](const typename JointBlock<W>::Row& row, float impulse) {
        force += vector_at<W>(row.linear, lane) * impulse;
        torque += vector_at<W>(row.angular_b, lane) * impulse;
    };
    const auto next_impulse = [&](const typename JointBlock<W>::Row& row) {
        // Of a tree twice the second half, with which the next substep begins.
        const bool is_half = block.is_of_tree && block.first_half_share[lane] < 0.75f;
        add(row, row.impulse[lane]);
        return is_half ? 2 * (row.impulse[lane] - row.second_half[lane]) : row.impulse[lane];
    };
    for (std::size_t i = 0; i < block.layout.equality_rows; ++i)
        memory.impulses[i] = next_impulse(block.rows[i]);
    for (std::size_t i = 0; i < block.layout.dofs; ++i) {
        if (block.layout.has_limit_rows) {
            const auto& row = block.rows[block.layout.equality_rows + i];
            const float latest = next_impulse(row);
            const float impulse = latest * row.impulse[lane] > 0 ? latest : 0; // as WarmHalves
            memory.dofs[i] = {0, 0, std::max(impulse, 0.0f), std::max(-impulse, 0.0f)};
            continue;
        }
        const auto& f = block.dofs[i];
        memory.dofs[i] = {f.drive_impulse[lane], f.friction_impulse[lane], f.lower_impulse[lane],
                          f.upper_impulse[lane]};
        add(block.rows[block.layout.equality_rows + i],
            f.drive_impulse[lane] + f.friction_impulse[lane] + f.lower_impulse[lane] -
                f.upper_impulse[lane]);
    }
    memory.substep = h;
    memory.force = force * (1 / h);
    memory.torque = {};
    if (block.layout.type == JointType::ball && block.layout.dofs == 0) return;
    // About the anchor, and not about the center.
    memory.torque = (torque - cross(vector_at<W>(block.current_anchor_b, lane), force)) * (1 / h);
}

template void store_impulses(const JointBlock<1>&, std::size_t, JointMemory&, float);
template void store_impulses(const JointBlock<4>&, std::size_t, JointMemory&, float);
template void store_impulses(const JointBlock<8>&, std::size_t, JointMemory&, float);

} // namespace rigor::fast
