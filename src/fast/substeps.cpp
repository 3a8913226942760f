#include "fast/substeps.h"

#include <algorithm>
#include <span>

#include "base/deadline.h"
#include "fast/constraint_blocks.h"
#include "fast/part_substeps.h"

namespace rigor::fast {
namespace {

/// Those of a part of its own. If its joints do not fit in the end, it begins anew with substeps
/// half as long; then with limits that are chosen with care; in the shortest substeps there are,
/// joints may give way.
template <int W>
void run_part(StepData& step, SolverPart& part, int first, int end) {
    const bool may_repeat = part.may_divide && first == 0;
    Scratch& scratch = step.scratch;
    if (may_repeat) scratch.start.store(part, scratch.bodies);
    const std::uint32_t wanted = part.divisions;
    for (;;) {
        const auto divisions = static_cast<int>(part.divisions);
        Substeps<W> substeps(step, part);
        substeps.run(first * divisions, end * divisions);
        const bool may_care = substeps.may_care();
        if (!may_repeat || !substeps.has_failed() || (part.divisions >= kMaxDivisions && !may_care))
            return;
        scratch.start.restore(part, scratch.bodies);
        const bool cares = may_care && 2 * part.divisions >= kMaxDivisions;
        part.is_careful = part.is_careful || cares;
        part.divisions = cares ? wanted : 2 * part.divisions;
        fill_blocks_of<W>(step, part);
    }
}

} // namespace

template <int W>
void run_substeps(StepData& step) {
    constexpr int kAtAStretch = 8; // substeps, between which a deadline may pass
    const std::span<SolverPart> parts(step.scratch.parts.parts);
    for (std::vector<SolverBody>* list : {&step.scratch.end_of_substep, &step.scratch.ahead}) {
        list->reserve(step.scratch.bodies.bodies.capacity());
        list->resize(step.scratch.bodies.size());
        (*list)[0] = {};
    }
    step.scratch.start.resize(step.scratch.bodies);
    const auto for_own_parts = [&](const auto& visit) {
        const auto visit_all = [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) visit(parts[i + 1]);
        };
        step.context.team.parallel_for(parts.size() - 1, 1, visit_all);
    };
    Substeps<W> common(step, parts[0]);
    int& made = step.outcome.substeps;
    for (made = 0; made < step.context.substeps && (made == 0 || !deadline_has_passed());) {
        const int first = made;
        made = common.run(first, std::min(first + kAtAStretch, step.context.substeps));
        for_own_parts([&](SolverPart& part) { run_part<W>(step, part, first, made); });
    }
    common.bounce();
    for_own_parts([&](SolverPart& part) {
        if (part.has_contacts()) Substeps<W>(step, part).bounce();
    });
}

template void run_substeps<1>(StepData&);
template void run_substeps<4>(StepData&);
template void run_substeps<8>(StepData&);

} // namespace rigor::fast
