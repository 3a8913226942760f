// Joints that are solved directly, in the substeps of a part.
#pragma once

#include <algorithm>
#include <span>

#include "fast/gyroscopic_bodies.h"
#include "fast/integrate_bodies.h"
#include "fast/joint_kernels.h"
#include "fast/joint_system_rows.h"
#include "fast/step_data.h"
#include "fast/substep_division.h"
#include "fast/system_kernels.h"

namespace rigor::fast {

// More iterations of springs that act on each other. With one, each knows the others as they were a
// substep ago, which feeds them: two of 15 Hz on a body had four times their energy after 20 s.
inline constexpr int kSpringIterations = 3;

template <int W>
class SystemSolver {
  public:
    SystemSolver(StepData& step, const SolverPart& part, float h)
        : step_(step),
          part_(part),
          scratch_(step.scratch),
          bodies_(step.scratch.bodies.bodies.data()),
          h_(h) {}

    /// Whether systems without loops are solved until they fit.
    bool iterates() const { return part_.may_divide && part_.divisions < kMaxDivisions; }
    /// Whether springs of any system act on each other.
    bool has_springs() const {
        const JointSystems& systems = scratch_.systems;
        return std::any_of(systems.bundles.begin() + part_.bundles_begin,
                           systems.bundles.begin() + part_.bundles_end,
                           [&](const auto& bundle) { return systems.plans[bundle.plan].repeats; });
    }
    /// Whether some joints could not be made to fit: a substep is too long for their motion.
    bool has_failed() const { return has_failed_; }

    void factor() {
        for_bundles([](const EliminationPlan& plan, double* values, const JointBlock<W>* blocks,
                       Column<W>*) { factor_system<W>(plan, blocks, values); });
    }

    /// Motors, limits, friction and springs of the joints of systems, one by one, then the equality
    /// rows of whole groups at once.
    void solve_all(bool backward, const JointSolveSettings& settings) {
        for_bundles([&](const EliminationPlan& plan, double* values, JointBlock<W>* blocks,
                        Column<W>* rows) {
            const std::size_t count = plan.joints.size();
            const bool repeats = plan.repeats && settings.use_bias;
            for (int k = 0; k <= (repeats ? kSpringIterations : 0); ++k) {
                for (std::size_t i = 0; i < count; ++i) {
                    JointBlock<W>& block = blocks[backward == (k % 2 == 0) ? count - 1 - i : i];
                    const JointLayout& layout = block.layout;
                    if (k > 0 ? layout.repeats
                              : plan.has_loop || layout.dofs > 0 || layout.is_sprung)
                        solve<W>(&block, 1, bodies_, settings);
                }
                if (settings.use_bias && !plan.has_loop && iterates() && !repeats) return;
                find_residuals<W>(blocks, count, bodies_, settings, rows);
                solve_system<W>(plan, values, rows);
                subtract_impulses<W>(blocks, count, bodies_, rows, all_lanes<W>());
            }
        });
        if (!settings.use_bias) return;
        solve_positions(settings);
    }

  private:
    template <class Visit>
    void for_bundles(const Visit& visit) {
        for (std::uint32_t b = part_.bundles_begin; b < part_.bundles_end; ++b) {
            const JointSystems::Bundle& bundle = scratch_.systems.bundles[b];
            visit(scratch_.systems.plans[bundle.plan],
                  scratch_.systems.values.data() + bundle.values,
                  scratch_.joint_blocks.template of<W>().data() + bundle.first_block,
                  scratch_.system_rows.template of<W>().data() + bundle.rows);
        }
    }
    /// RATTLE: impulses along the rows at the beginning of the substep, by which all joints fit at
    /// its end. Newton's method with the matrix of the beginning; lanes go on by themselves until
    /// they fit, or come no closer.
    void solve_positions(const JointSolveSettings& settings) {
        const std::span<Column<W>> last =
            std::span(scratch_.system_errors.of<W>())
                .subspan(part_.bundles_begin, part_.bundles_end - part_.bundles_begin);
        for (Column<W>& of_bundle : last) of_bundle.fill(kUnlimited);
        bool goes_on = iterates() && part_.bundles_begin < part_.bundles_end;
        for (int k = 0; goes_on; ++k) {
            goes_on = false;
            predict_displacements(step_.state, part_, static_cast<double>(h_), scratch_.bodies,
                                  scratch_.ahead.data());
            predict_positions(part_, h_, scratch_.bodies, scratch_.ahead.data());
            std::size_t at = 0;
            for_bundles([&](const EliminationPlan& plan, double* values, JointBlock<W>* blocks,
                            Column<W>* rows) {
                Column<W>& errors = last[at++];
                if (plan.has_loop) return;
                Column<W> chosen{};
                find_errors_ahead<W>(blocks, plan.joints.size(), scratch_.ahead.data(), settings,
                                     rows, chosen);
                if (!choose_lanes<W>(k, chosen, errors, has_failed_)) return;
                solve_system<W>(plan, values, rows);
                subtract_impulses<W>(blocks, plan.joints.size(), bodies_, rows, chosen);
                goes_on = true;
            });
        }
    }

    StepData& step_;
    const SolverPart& part_;
    Scratch& scratch_;
    SolverBody* bodies_;
    float h_;
    bool has_failed_ = false;
};

} // namespace rigor::fast
