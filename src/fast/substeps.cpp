#include "fast/substeps.h"

#include "base/deadline.h"
#include "fast/constraint_blocks.h"
#include "fast/contact_kernels.h"
#include "fast/integrate_bodies.h"
#include "fast/joint_kernels.h"
#include "fast/turning_bodies.h"

namespace rigor::fast {
namespace {

constexpr float kMaxBiasVelocity = 3; // m/s

template <int W>
class Substeps {
  public:
    explicit Substeps(StepData& step)
        : step_(step),
          scratch_(step.scratch),
          bodies_(step.scratch.bodies.bodies.data()),
          points_(step.scratch.contact_points.of<W>().data()),
          has_joints_(!step.scratch.joints.empty() || !step.scratch.tracks.empty()) {
        contact_settings_.inv_h = joint_settings_.inv_h = 1 / step.h;
        contact_settings_.max_bias_velocity = kMaxBiasVelocity;
        contact_settings_.restitution_threshold = step.restitution_threshold();
    }

    void run() {
        update_joints(0);
        int& i = step_.outcome.substeps;
        for (i = 0; i < step_.context.substeps && (i == 0 || !deadline_has_passed()); ++i) {
            store_end_of_substep();
            finish_contacts(i == 0);
            integrate_velocities(step_.state, step_.context.team, h(), scratch_.bodies);
            predict_joint_drift(true);
            warm_start_all(i == 0);
            move_friction_to_middle();
            predict_rotation(step_.state, step_.context.team, h(), scratch_.bodies);
            predict_joint_drift(false);
            solve_with_bias(i % 2 == 1);
            integrate_positions(step_.state, step_.context.team, step_.h, scratch_.bodies);
            turn_bodies(step_.state, step_.context.team, h(), scratch_.bodies);
            update_joints(step_.h);
            update_contact_inertia();
            relax();
        }
        store_end_of_substep();
        for_contact_colors([&](ContactBlock<W>* b, std::size_t n) {
            accumulate_work<W>(b, n, points_, scratch_.end_of_substep.data());
            apply_restitution<W>(b, n, points_, bodies_, contact_settings_);
        });
    }

  private:
    double h() const { return static_cast<double>(step_.h); }

    void warm_start_all(bool is_first) {
        for_joint_colors([&](JointBlock<W>* b, std::size_t n) { warm_start<W>(b, n, bodies_); });
        for (GearConstraint& gear : scratch_.gears) warm_start(gear, scratch_.bodies);
        for (TrackConstraint& track : scratch_.tracks) warm_start<1>(&track.block, 1, bodies_);
        second_half_of_forces(false);
        for_contact_colors([&](ContactBlock<W>* b, std::size_t n) {
            const SolverBody* ended = scratch_.end_of_substep.data();
            if (!is_first && !finishes_early()) accumulate_work<W>(b, n, points_, ended);
            move_friction_anchors<W>(b, n, ended, is_first ? 0 : 0.5f * step_.h, step_.h);
            warm_start<W>(b, n, points_, bodies_);
        });
    }

    /// Whether contacts change between two substeps.
    bool finishes_early() const {
        return !scratch_.facets.groups.empty() || !scratch_.fresh.contacts.empty();
    }
    /// They do when the work of the last substep is known, which warm_start_all() adds up where
    /// none changes.
    void finish_contacts(bool is_first) {
        if (!finishes_early()) return;
        if (!is_first)
            for_contact_blocks([&](ContactBlock<W>* b, std::size_t n) {
                accumulate_work<W>(b, n, points_, scratch_.end_of_substep.data());
            });
        ContactBlock<W>* blocks = scratch_.contact_blocks.template of<W>().data();
        update_facet_contacts<W>(scratch_.facets, scratch_.bodies, step_.h, blocks, points_);
        update_fresh_contacts<W>(scratch_.fresh, scratch_.shapes, scratch_.contacts,
                                 scratch_.bodies, step_.h, blocks, points_);
    }

    /// From the beginning of the substep to its middle. With the way from the last one to here this
    /// is of second order: a box goes round with a turntable and does not gain on it.
    void move_friction_to_middle() {
        for_contact_blocks([&](ContactBlock<W>* b, std::size_t n) {
            move_friction_anchors<W>(b, n, bodies_, 0.5f * step_.h, 0);
        });
    }

    /// With the velocities after the warm start, which are nearly those of the substep. Those of
    /// point masses and of bodies in contact are not: small errors of large impulses turn them
    /// fast, and drift is quadratic in that. So it is done before.
    void predict_joint_drift(bool early) {
        for_joint_blocks([&](JointBlock<W>* b, std::size_t n) {
            for (std::size_t i = 0; i < n; ++i)
                if (b[i].layout.drifts_early == early)
                    predict_drift<W>(b + i, 1, bodies_, scratch_.end_of_substep.data(), step_.h);
        });
        for (TrackConstraint& track : scratch_.tracks)
            if (track.block.layout.drifts_early == early)
                predict_drift(track, scratch_.bodies, step_.h);
    }

    void solve_with_bias(bool points_backward) {
        contact_settings_.use_bias = joint_settings_.use_bias = true;
        contact_settings_.backward = points_backward;
        solve_joints(false);
        for (GearConstraint& gear : scratch_.gears) solve(gear, scratch_.bodies, true);
        solve_tracks();
        solve_contacts(false);
    }

    void relax() {
        for_joint_colors(
            [&](JointBlock<W>* b, std::size_t n) { warm_start_second_half<W>(b, n, bodies_); });
        for (TrackConstraint& track : scratch_.tracks)
            warm_start_second_half<1>(&track.block, 1, bodies_);
        second_half_of_forces(true);
        contact_settings_.use_bias = joint_settings_.use_bias = false;
        solve_contacts(true);
        for (GearConstraint& gear : scratch_.gears) solve(gear, scratch_.bodies, false);
        // Joints backward and forward again, so that impulses reach both ends of a chain.
        solve_tracks();
        solve_joints(true);
        solve_joints(false);
        solve_tracks();
    }

    void second_half_of_forces(bool only_rigid_joints) {
        if (has_joints_)
            integrate_velocities_second_half(step_.state, step_.context.team, h(),
                                             only_rigid_joints, scratch_.bodies);
    }

    void solve_tracks() {
        for (TrackConstraint& track : scratch_.tracks)
            solve<1>(&track.block, 1, bodies_, joint_settings_);
    }

    void solve_contacts(bool backward) {
        for_contact_colors(
            [&](ContactBlock<W>* b, std::size_t n) {
                solve<W>(b, n, points_, bodies_, contact_settings_);
            },
            backward);
    }
    void solve_joints(bool backward) {
        for_joint_colors(
            [&](JointBlock<W>* b, std::size_t n) { solve<W>(b, n, bodies_, joint_settings_); },
            backward);
    }

    /// For the work of contacts and the drift of joints: a copy of the solver bodies.
    void store_end_of_substep() {
        if (scratch_.contacts.empty() && scratch_.joints.empty()) return;
        const std::vector<SolverBody>& bodies = scratch_.bodies.bodies;
        scratch_.end_of_substep.reserve(
            bodies.capacity()); // a copy would reserve no more than it has
        scratch_.end_of_substep.assign(bodies.begin(), bodies.end());
    }

    void update_joints(float moved_for) {
        for_joint_blocks([&](JointBlock<W>* b, std::size_t n) {
            for (std::size_t i = 0; i < n; ++i)
                if (b[i].turns) update_inertia<W>(b[i], scratch_.bodies);
            update_rows<W>(b, n, bodies_, moved_for);
        });
        for (GearConstraint& gear : scratch_.gears) update_rows(gear, scratch_.bodies, moved_for);
        for (TrackConstraint& track : scratch_.tracks) update_rows(track, scratch_.bodies);
    }

    /// Of contacts with turning bodies, and masses where friction anchors have moved. A lane alone
    /// in its block must do as one among others, so the masses of both kinds are renewed.
    void update_contact_inertia() {
        for_contact_blocks([&](ContactBlock<W>* b, std::size_t n) {
            for (std::size_t i = 0; i < n; ++i)
                if (b[i].turns) update_inertia<W>(b[i], scratch_.bodies);
            update_masses<W>(b, n, points_);
        });
    }

    /// Color by color; the blocks of one color in any order.
    template <class Block, class Kernel>
    void for_colors(std::vector<Block>& blocks, const BlockPlan& plan, const Kernel& kernel,
                    bool backward) {
        for (std::size_t c = 0; c < plan.colors.size(); ++c) {
            const BlockPlan::Color& range = plan.colors[backward ? plan.colors.size() - 1 - c : c];
            step_.context.team.parallel_for(
                range.end - range.begin, kBlockGrain, [&](std::size_t begin, std::size_t end) {
                    kernel(blocks.data() + range.begin + begin, end - begin);
                });
        }
    }
    template <class Kernel>
    void for_contact_colors(const Kernel& kernel, bool backward = false) {
        for_colors(scratch_.contact_blocks.template of<W>(), scratch_.contact_plan, kernel,
                   backward);
    }
    template <class Kernel>
    void for_joint_colors(const Kernel& kernel, bool backward = false) {
        for_colors(scratch_.joint_blocks.template of<W>(), scratch_.joint_plan, kernel, backward);
    }

    /// All blocks in any order: for what changes no body.
    template <class Block, class Kernel>
    void for_blocks(std::vector<Block>& blocks, const Kernel& kernel) {
        step_.context.team.parallel_for(blocks.size(), kBlockGrain,
                                        [&](std::size_t begin, std::size_t end) {
                                            kernel(blocks.data() + begin, end - begin);
                                        });
    }
    template <class Kernel>
    void for_contact_blocks(const Kernel& kernel) {
        for_blocks(scratch_.contact_blocks.template of<W>(), kernel);
    }
    template <class Kernel>
    void for_joint_blocks(const Kernel& kernel) {
        for_blocks(scratch_.joint_blocks.template of<W>(), kernel);
    }

    StepData& step_;
    Scratch& scratch_;
    SolverBody* bodies_;
    PointBlock<W>* points_;
    bool has_joints_;
    ContactSolveSettings contact_settings_;
    JointSolveSettings joint_settings_;
};

} // namespace

template <int W>
void run_substeps(StepData& step) {
    Substeps<W>(step).run();
}

template void run_substeps<1>(StepData&);
template void run_substeps<4>(StepData&);
template void run_substeps<8>(StepData&);

} // namespace rigor::fast
