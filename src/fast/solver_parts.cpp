#include "fast/solver_parts.h"

#include <algorithm>

#include "fast/step_data.h"
#include "fast/substep_division.h"

namespace rigor::fast {
namespace {

// A group with more joints is not in a part of its own.
constexpr std::uint32_t kMaxJoints = 128;
// Joints of a part, with their bodies some 100 KiB; if need be more, until the lanes are full of
// groups alike.
constexpr std::uint32_t kWantedJoints = 128, kMostJoints = 512, kLanes = 8;

class PartFinder {
  public:
    explicit PartFinder(const StepData& step)
        : step_(step), scratch_(step.scratch), found_(scratch_.parts) {
        found_.parts.assign(1, {});
        found_.parts[0].team = &step.context.team;
        found_.parts[0].may_divide = false;
        found_.of_group.assign(scratch_.bodies.size(), 0);
    }

    void find() {
        count_joints();
        count_bodies();
        leave_out_common();
        find_divisions(step_, found_.divisions);
        divide();
        list_bodies();
    }

  private:
    std::uint32_t group_of(SolverBodyIndex a, SolverBodyIndex b) {
        return scratch_.joint_groups.find((a.responds_to_impulses() ? a : b).index());
    }
    std::uint32_t group_of(const JointConstraint& joint) {
        return group_of(joint.body_a, joint.body_b);
    }

    /// Into of_group, for now.
    void count_joints() {
        for (const JointConstraint& joint : scratch_.joints) ++found_.of_group[group_of(joint)];
    }

    /// Groups with contacts, gears or tracks, or on a body that moves and others use too. Their
    /// count is made too large.
    void leave_out_common() {
        const auto leave_out = [&](SolverBodyIndex a, SolverBodyIndex b) {
            found_.of_group[group_of(a, b)] = UINT32_MAX;
        };
        const SolverBodies& bodies = scratch_.bodies;
        const auto has_contacts = [&](SolverBodyIndex i) {
            return bodies.has_contacts[i.index()] != 0;
        };
        for (const JointConstraint& joint : scratch_.joints)
            for (const SolverBodyIndex i : {joint.body_a, joint.body_b})
                if (is_kinematic(i) || (i.responds_to_impulses() && has_contacts(i)))
                    leave_out(joint.body_a, joint.body_b);
        for (const JointConstraint& joint : scratch_.track_joints)
            leave_out(joint.body_a, joint.body_b);
        for (const GearConstraint& gear : scratch_.gears) {
            leave_out(gear.driving.body_a[0], gear.driving.body_b[0]);
            leave_out(gear.driven.body_a[0], gear.driven.body_b[0]);
        }
    }

    // Loops are not solved until they fit, so shorter substeps would only repeat what is wrong.
    bool has_loop(std::uint32_t group) const {
        return found_.of_group[group] > found_.body_count[group];
    }
    void count_bodies() {
        found_.body_count.assign(scratch_.bodies.size(), 0);
        for (std::uint32_t i = 1; i < scratch_.bodies.size(); ++i)
            ++found_.body_count[scratch_.joint_groups.find(i)];
    }

    /// Groups by how finely they divide substeps, then in the order of their first joints, as many
    /// to a part as there is room for. Counts become parts.
    void divide() {
        std::vector<std::uint8_t>& is_divided = scratch_.group_joints;
        is_divided.assign(scratch_.bodies.size(), 0);
        found_.unsorted.clear();
        for (const JointConstraint& joint : scratch_.joints) {
            const std::uint32_t group = group_of(joint);
            if (is_divided[group] != 0) continue;
            is_divided[group] = 1;
            found_.unsorted.push_back(group);
            // A body alone turns about its pivot, which holds.
            if (found_.of_group[group] == 1) found_.divisions[group] = 1;
            if (has_loop(group)) found_.divisions[group] = 0;
        }
        sort_by_divisions();
        Filling filling;
        for (const std::uint32_t group : found_.groups) {
            std::uint32_t& part = found_.of_group[group];
            part = part_for(part, found_.divisions[group], filling);
        }
        std::erase_if(found_.groups, [&](std::uint32_t i) { return found_.of_group[i] == 0; });
        found_.of_joint.clear();
        for (const JointConstraint& joint : scratch_.joints)
            found_.of_joint.push_back(found_.of_group[group_of(joint)]);
        for (std::uint32_t i = 0; i < is_divided.size(); ++i)
            if (is_divided[i] == 0) found_.of_group[i] = 0;
    }
    void sort_by_divisions() {
        found_.groups.clear();
        for (std::uint32_t d = 0; d <= kMaxDivisions; d = std::max(1u, 2 * d))
            for (const std::uint32_t group : found_.unsorted)
                if (found_.divisions[group] == d) found_.groups.push_back(group);
    }

    /// What the last part has.
    struct Filling {
        std::uint32_t joints = kMostJoints, groups = 0;
    };
    std::uint32_t part_for(std::uint32_t joints, std::uint32_t divisions, Filling& filling) {
        if (joints > kMaxJoints) return 0;
        const bool is_full = filling.joints >= kWantedJoints && filling.groups % kLanes == 0;
        const SolverPart& last = found_.parts.back();
        const bool is_alike = divisions == (last.may_divide ? last.divisions : 0);
        if (is_full || filling.joints + joints > kMostJoints || !is_alike) {
            SolverPart& part = found_.parts.emplace_back();
            part.divisions = std::max(divisions, 1u);
            part.may_divide = divisions > 0;
            filling = {0, 0};
        }
        filling.joints += joints;
        ++filling.groups;
        return static_cast<std::uint32_t>(found_.parts.size() - 1);
    }

    void list_bodies() {
        const auto part_of = [&](std::uint32_t body) {
            return found_.of_group[scratch_.joint_groups.find(body)];
        };
        const auto count = static_cast<std::uint32_t>(scratch_.bodies.size());
        std::vector<std::uint32_t>& ends = scratch_.colors; // free at this time
        ends.assign(found_.parts.size() + 1, 0);
        for (std::uint32_t i = 1; i < count; ++i) ++ends[part_of(i) + 1];
        for (std::size_t p = 1; p < ends.size(); ++p) ends[p] += ends[p - 1];
        found_.bodies.resize(count - 1);
        for (std::uint32_t i = 1; i < count; ++i) found_.bodies[ends[part_of(i)]++] = i;
        std::uint32_t begin = 0;
        for (std::size_t p = 0; p < found_.parts.size(); begin = ends[p++])
            found_.parts[p].bodies = std::span(found_.bodies).subspan(begin, ends[p] - begin);
    }

    const StepData& step_;
    Scratch& scratch_;
    SolverParts& found_;
};

} // namespace

void find_parts(const StepData& step) {
    PartFinder(step).find();
}

} // namespace rigor::fast
