// The substeps of one solver part: forces, joints, contacts, motion, and all that is done once in
// each.
#pragma once

#include <algorithm>
#include <span>

#include "base/deadline.h"
#include "fast/constraint_blocks.h"
#include "fast/contact_kernels.h"
#include "fast/displacement_work.h"
#include "fast/gyroscopic_bodies.h"
#include "fast/integrate_bodies.h"
#include "fast/joint_kernels.h"
#include "fast/solve_islands.h"
#include "fast/solve_systems.h"
#include "fast/substep_division.h"

namespace rigor::fast {

inline constexpr float kMaxBiasVelocity = 3; // m/s
// Of joints that are solved in turn with contacts, and with tracks, in parts that have both.
inline constexpr int kContactIterations = 3, kTrackIterations = 8;
// Part of an error of joints that are solved directly that is removed in a substep. They have none
// but what contacts left, or whoever placed the bodies.
inline constexpr float kCorrection = 0.2f;

template <int W>
class Substeps {
  public:
    Substeps(StepData& step, const SolverPart& part)
        : step_(step),
          part_(part),
          h_(part.substep(step.h)),
          scratch_(step.scratch),
          bodies_(step.scratch.bodies.bodies.data()),
          points_(step.scratch.contact_points.of<W>().data()),
          gears_(part.gears_of(step.scratch.gears)),
          tracks_(part.tracks_of(step.scratch.tracks)),
          has_contacts_(part.has_contacts()),
          has_joints_(part.blocks_begin < part.blocks_end || !tracks_.empty()),
          has_forces_(!step.state.bodies.wrenches.empty()),
          falls_alone_(!part.is_common() && falls_alone(step.state, part, step.scratch.bodies)),
          systems_(step, part, h_) {
        contact_settings_.inv_h = joint_settings_.inv_h = 1 / h_;
        contact_settings_.h = h_;
        joint_settings_.correction = kCorrection / static_cast<float>(part.divisions);
        contact_settings_.max_bias_velocity = kMaxBiasVelocity;
        contact_settings_.restitution_threshold = step.restitution_threshold();
    }

    /// Substeps from `first` to `end`, or to a deadline. Returns where it stopped.
    int run(int first, int end) {
        if (first == 0) update_joints(0);
        int i = first;
        for (; i < end && !(has_failed() && first == 0) &&
               (i == 0 || !part_.is_common() || !deadline_has_passed());
             ++i) {
            store_end_of_substep();
            finish_contacts(i == 0);
            integrate_velocities(step_.state, part_, h(), falls_alone_, scratch_.bodies);
            predict_joint_drift(true);
            warm_start_all(i == 0);
            move_friction_to_middle();
            predict_rotation(step_.state, part_, h(), scratch_.bodies);
            predict_joint_drift(false);
            solve_with_bias(i % 2 == 1);
            integrate_positions(step_.state, part_, h_, falls_alone_, scratch_.bodies);
            turn_bodies(step_.state, part_, h(), scratch_.bodies);
            add_joint_displacement_work(SubstepPlace::before_motion);
            update_joints(h_);
            update_contact_inertia();
            relax();
            accumulate_joint_work();
            if (has_forces_)
                add_force_work(step_.state, part_, h(), scratch_.end_of_substep.data(),
                               scratch_.bodies);
        }
        return i;
    }

    /// Whether some joints could not be made to fit: a substep is too long for their motion.
    bool has_failed() const { return systems_.has_failed() || tracks_fail_; }
    bool may_care() const { return systems_.may_care(); }

    void bounce() {
        if (!has_contacts_) return;
        store_end_of_substep();
        const auto kernel = [&](ContactBlock<W>* b, std::size_t n) {
            accumulate_contact_work(b, n);
            apply_restitution<W>(b, n, points_, bodies_, contact_settings_);
        };
        for_colors(contact_blocks(), contact_colors(), kernel, false);
    }

  private:
    double h() const { return static_cast<double>(h_); }

    void warm_start_all(bool is_first) {
        for_joint_colors([&](JointBlock<W>* b, std::size_t n) { warm_start<W>(b, n, bodies_); });
        for (GearConstraint& gear : gears_) warm_start(gear, scratch_.bodies);
        for (TrackConstraint& track : tracks_) warm_start<1>(&track.block, 1, bodies_);
        second_half_of_forces(false);
        const auto begin_substep = [&](ContactBlock<W>* b, std::size_t n) {
            const SolverBody* ended = scratch_.end_of_substep.data();
            if (!is_first && !finishes_early()) accumulate_contact_work(b, n);
            move_friction_anchors<W>(b, n, ended, is_first ? 0 : 0.5f * h_, h_);
        };
        for_contact_colors([&](ContactBlock<W>* b, std::size_t n) {
            begin_substep(b, n);
            warm_start<W>(b, n, points_, bodies_);
        });
        for_demanding_colors(begin_substep);
    }

    /// Whether contacts change between two substeps.
    bool finishes_early() const {
        return !scratch_.facets.groups.empty() ||
               (part_.is_common() && !scratch_.fresh.contacts.empty());
    }
    /// They do when the work of the last substep is known, which warm_start_all() adds up where
    /// none changes.
    void finish_contacts(bool is_first) {
        if (!has_contacts_ || !finishes_early()) return;
        if (!is_first)
            for_contact_blocks(
                [&](ContactBlock<W>* b, std::size_t n) { accumulate_contact_work(b, n); });
        ContactBlock<W>* blocks = contact_blocks().data();
        update_facet_contacts<W>(scratch_.facets, part_, scratch_.bodies, h_, blocks, points_);
        // Bodies of these have one contact and nothing else.
        if (part_.is_common())
            update_fresh_contacts<W>(scratch_.fresh, scratch_.shapes, scratch_.contacts,
                                     scratch_.bodies, h_, blocks, points_);
    }

    /// From the beginning of the substep to its middle. With the way from the last one to here this
    /// is of second order: a box goes round with a turntable and does not gain on it.
    void move_friction_to_middle() {
        for_contact_blocks([&](ContactBlock<W>* b, std::size_t n) {
            move_friction_anchors<W>(b, n, bodies_, 0.5f * h_, 0);
        });
    }

    /// With the velocities after the warm start, which are nearly those of the substep. Those of
    /// point masses and of bodies in contact are not: small errors of large impulses turn them
    /// fast, and drift is quadratic in that. So it is done before.
    void predict_joint_drift(bool early) {
        for_joint_blocks([&](JointBlock<W>* b, std::size_t n) {
            for (std::size_t i = 0; i < n; ++i)
                if (b[i].layout.drifts_early == early && !fits_without_drift(b[i]))
                    predict_drift<W>(b + i, 1, bodies_, scratch_.end_of_substep.data(), h_);
        });
        for (TrackConstraint& track : tracks_)
            if (track.block.layout.drifts_early == early) predict_drift(track, scratch_.bodies, h_);
    }

    /// Not where springs are iterated with the joints of a tree: they must know where it moves.
    bool fits_without_drift(const JointBlock<W>& block) const {
        return block.is_of_tree && (block.layout.dofs == 0 || block.layout.has_limit_rows) &&
               systems_.iterates() && !systems_.has_springs();
    }

    void solve_with_bias(bool points_backward) {
        contact_settings_.use_bias = joint_settings_.use_bias = true;
        contact_settings_.backward = points_backward;
        solve_joints(false);
        repeat_springs();
        for (GearConstraint& gear : gears_) solve(gear, scratch_.bodies, true);
        solve_tracks();
        systems_.solve_all(false, joint_settings_);
        solve_contacts(false);
        if (has_contacts_ && part_.is_common()) solve_islands<W>(step_);
        fit_joints_to_contacts(points_backward);
        fit_tracks();
    }

    /// Until tracks, and joints with them, fit where the velocities lead.
    void fit_tracks() {
        if (tracks_.empty() || part_.is_common()) return;
        constexpr double kFits = 1e-7, kFails = 1e-5; // rad
        double largest = 0;
        for (int k = 0; k < kTrackIterations; ++k) {
            largest = 0;
            for (TrackConstraint& track : tracks_) {
                systems_.predict();
                const double off = find_drift(track, scratch_.bodies, scratch_.ahead.data(), h_);
                largest = std::max(largest, off);
                if (!(off < kFits)) solve<1>(&track.block, 1, bodies_, joint_settings_);
            }
            if (largest < kFits) return;
            systems_.forgive();
            systems_.solve_all(false, joint_settings_);
        }
        tracks_fail_ = tracks_fail_ || !(largest < kFails);
    }

    /// Joints and contacts in turn, so that in the end joints fit with the impulses of contacts.
    void fit_joints_to_contacts(bool points_backward) {
        if (!has_contacts_ || !systems_.iterates()) return;
        for (int k = 1; k < kContactIterations; ++k) {
            systems_.solve_all(k % 2 == 1, joint_settings_);
            contact_settings_.backward = points_backward != (k % 2 == 1);
            contact_settings_.h = 0; // what the load lifts counts once
            solve_contacts(k % 2 == 1);
        }
        contact_settings_.h = h_;
        contact_settings_.backward = points_backward;
        systems_.forgive();
        systems_.solve_all(false, joint_settings_);
    }

    void relax() {
        for_joint_colors(
            [&](JointBlock<W>* b, std::size_t n) { warm_start_second_half<W>(b, n, bodies_); });
        for (GearConstraint& gear : gears_) warm_start_second_half(gear, scratch_.bodies);
        for (TrackConstraint& track : tracks_) warm_start_second_half<1>(&track.block, 1, bodies_);
        second_half_of_forces(true);
        contact_settings_.use_bias = joint_settings_.use_bias = false;
        if (has_contacts_ && systems_.iterates()) {
            systems_.solve_all(true, joint_settings_);
            solve_contacts(false);
            systems_.solve_all(true, joint_settings_);
        }
        solve_contacts(true);
        for (GearConstraint& gear : gears_) solve(gear, scratch_.bodies, false);
        // Joints backward and forward again, so that impulses reach both ends of a chain.
        solve_tracks();
        solve_joints(true);
        solve_joints(false);
        // Once suffices for a track alone: whatever is solved is rounded.
        const bool is_one = tracks_.size() == 1 && part_.blocks_begin == part_.blocks_end;
        if (is_one && !part_.is_common()) return;
        const int times = tracks_.empty() || part_.is_common() ? 1 : 1 + kTrackIterations;
        for (int k = 0; k < times; ++k) {
            solve_tracks();
            systems_.solve_all(true, joint_settings_);
        }
    }

    void add_joint_displacement_work(SubstepPlace place) {
        for_joint_blocks([&](JointBlock<W>* b, std::size_t n) {
            add_displacement_work<W>(b, n, scratch_.bodies, h_, place);
        });
        for (GearConstraint& gear : gears_) add_displacement_work(gear, scratch_.bodies, h_, place);
        for (TrackConstraint& track : tracks_)
            add_displacement_work<1>(&track.block, 1, scratch_.bodies, h_, place);
    }

    void accumulate_joint_work() {
        const SolverBody* ended = scratch_.end_of_substep.data();
        add_joint_displacement_work(SubstepPlace::end_of_substep);
        for_joint_blocks(
            [&](JointBlock<W>* b, std::size_t n) { accumulate_work<W>(b, n, bodies_, ended); });
        for (GearConstraint& gear : gears_) accumulate_work(gear, scratch_.bodies, ended);
        for (TrackConstraint& track : tracks_) accumulate_work<1>(&track.block, 1, bodies_, ended);
    }

    void accumulate_contact_work(ContactBlock<W>* b, std::size_t n) {
        for (std::size_t i = 0; i < n; ++i)
            if (b[i].turns)
                add_displacement_work(b[i], points_ + b[i].first_point, scratch_.bodies,
                                      SubstepPlace::end_of_substep);
        accumulate_work<W>(b, n, points_, scratch_.end_of_substep.data(), h_);
    }

    void second_half_of_forces(bool only_smooth_joints) {
        if (has_joints_)
            integrate_velocities_second_half(step_.state, part_, h(), falls_alone_,
                                             only_smooth_joints, scratch_.bodies);
    }

    void solve_tracks() {
        for (TrackConstraint& track : tracks_) solve<1>(&track.block, 1, bodies_, joint_settings_);
    }

    void solve_contacts(bool backward) {
        for_contact_colors(
            [&](ContactBlock<W>* b, std::size_t n) {
                solve<W>(b, n, points_, bodies_, contact_settings_);
            },
            backward);
    }
    /// Those that are not of a system.
    void solve_joints(bool backward) {
        for_joint_colors(
            [&](JointBlock<W>* b, std::size_t n) { solve<W>(b, n, bodies_, joint_settings_); },
            backward, part_.system_colors);
    }

    void repeat_springs() {
        for (int k = 0; k < kSpringIterations; ++k)
            for_joint_colors(
                [&](JointBlock<W>* b, std::size_t n) {
                    for (std::size_t i = 0; i < n; ++i)
                        if (b[i].layout.repeats) solve<W>(b + i, 1, bodies_, joint_settings_);
                },
                k % 2 == 0, part_.system_colors);
    }

    /// For the work of contacts and the drift of joints: a copy of the solver bodies.
    void store_end_of_substep() {
        if (!has_contacts_ && !has_joints_ && !has_forces_) return;
        SolverBody* ended = scratch_.end_of_substep.data();
        for (const std::uint32_t i : part_.bodies) ended[i] = bodies_[i];
    }

    void update_joints(float moved_for) {
        for_joint_blocks([&](JointBlock<W>* b, std::size_t n) {
            update_inertia<W>(b, n, scratch_.bodies.mass.data());
            update_rows<W>(b, n, bodies_, moved_for);
        });
        for (GearConstraint& gear : gears_) update_rows(gear, scratch_.bodies, moved_for);
        systems_.factor();
        for (TrackConstraint& track : tracks_) update_rows(track, scratch_.bodies, moved_for);
    }

    /// Of contacts with turning bodies, and masses where friction anchors have moved. A lane alone
    /// in its block must do as one among others, so the masses of both kinds are renewed.
    void update_contact_inertia() {
        for_contact_blocks([&](ContactBlock<W>* b, std::size_t n) {
            for (std::size_t i = 0; i < n; ++i) {
                if (!b[i].turns) continue;
                add_displacement_work(b[i], points_ + b[i].first_point, scratch_.bodies,
                                      SubstepPlace::before_motion);
                update_inertia<W>(b[i], scratch_.bodies);
            }
            update_masses<W>(b, n, points_);
        });
    }

    /// Color by color; the blocks of one color in any order.
    template <class Block, class Kernel>
    void for_colors(std::vector<Block>& blocks, std::span<const BlockPlan::Color> colors,
                    const Kernel& kernel, bool backward) {
        for (std::size_t c = 0; c < colors.size(); ++c) {
            const BlockPlan::Color& range = colors[backward ? colors.size() - 1 - c : c];
            for_range(blocks.data() + range.begin, range.end - range.begin, kernel);
        }
    }
    template <class Kernel>
    void for_contact_colors(const Kernel& kernel, bool backward = false) {
        if (has_contacts_)
            for_colors(contact_blocks(), contact_colors().first(swept_colors()), kernel, backward);
    }
    /// Of demanding islands.
    template <class Kernel>
    void for_demanding_colors(const Kernel& kernel) {
        if (has_contacts_)
            for_colors(contact_blocks(), contact_colors().subspan(swept_colors()), kernel, false);
    }
    std::vector<ContactBlock<W>>& contact_blocks() {
        return scratch_.contact_blocks.template of<W>();
    }
    std::span<const BlockPlan::Color> contact_colors() const {
        return std::span(scratch_.contact_plan.colors)
            .subspan(part_.contact_colors_begin,
                     part_.contact_colors_end - part_.contact_colors_begin);
    }
    std::size_t swept_colors() const {
        return part_.is_common() ? scratch_.swept_colors : contact_colors().size();
    }
    template <class Kernel>
    void for_joint_colors(const Kernel& kernel, bool backward = false, std::size_t skipped = 0) {
        const std::span colors(scratch_.joint_plan.colors);
        const std::size_t first = part_.colors_begin + skipped;
        for_colors(scratch_.joint_blocks.template of<W>(),
                   colors.subspan(first, part_.colors_end - first), kernel, backward);
    }

    /// Blocks in any order: for what changes no body, or no body twice.
    template <class Block, class Kernel>
    void for_range(Block* blocks, std::size_t count, const Kernel& kernel) {
        part_.parallel_for(count, kBlockGrain, [&](std::size_t begin, std::size_t end) {
            kernel(blocks + begin, end - begin);
        });
    }
    template <class Kernel>
    void for_contact_blocks(const Kernel& kernel) {
        for_range(contact_blocks().data() + part_.contacts_begin,
                  part_.contacts_end - part_.contacts_begin, kernel);
    }
    template <class Kernel>
    void for_joint_blocks(const Kernel& kernel) {
        for_range(scratch_.joint_blocks.template of<W>().data() + part_.blocks_begin,
                  part_.blocks_end - part_.blocks_begin, kernel);
    }

    StepData& step_;
    const SolverPart& part_;
    float h_; ///< of a substep
    Scratch& scratch_;
    SolverBody* bodies_;
    PointBlock<W>* points_;
    std::span<GearConstraint> gears_;
    std::span<TrackConstraint> tracks_;
    bool has_contacts_, has_joints_, has_forces_, tracks_fail_ = false;
    bool falls_alone_; ///< see integrate_bodies.h
    SystemSolver<W> systems_;
    ContactSolveSettings contact_settings_;
    JointSolveSettings joint_settings_;
};

} // namespace rigor::fast
