#include "fast/joint_systems.h"

#include <algorithm>

#include "fast/collect_joints.h"
#include "fast/step_data.h"

namespace rigor::fast {
namespace {

constexpr std::size_t kMaxPlans = 256;    // more are not kept from step to step
constexpr std::uint32_t kMany = 1u << 30; // joints, more than a group of bodies has

class SystemFinder {
  public:
    SystemFinder(StepData& step, std::uint32_t width)
        : state_(step.state),
          scratch_(step.scratch),
          systems_(step.scratch.systems),
          width_(width) {}

    void find() {
        systems_.bundles.clear();
        systems_.colors.assign(scratch_.joints.size(), JointSystems::kNone);
        if (systems_.plans.size() > kMaxPlans) {
            systems_.plans.clear();
            systems_.hashes.clear();
        }
        systems_.open_.assign(systems_.plans.size(), JointSystems::kNone);
        leave_common_limits();
        sort_by_group();
        std::vector<SolverPart>& parts = scratch_.parts.parts;
        std::size_t part = 0;
        const std::vector<std::uint32_t>& begins = systems_.group_begins_;
        for (std::size_t g = 0; g + 1 < begins.size(); ++g) {
            const std::uint32_t of_group = scratch_.parts.of_joint[systems_.sequence[begins[g]]];
            for (; part != of_group; ++part) close(parts[part], parts[part + 1]);
            add_group(parts[part], begins[g], begins[g + 1]);
        }
        for (; part + 1 < parts.size(); ++part) close(parts[part], parts[part + 1]);
        parts[part].bundles_end = static_cast<std::uint32_t>(systems_.bundles.size());
        if (has_left_) collect_layouts(scratch_);
        if (!scratch_.gear_joints.empty()) leave_gears();
    }

  private:
    void close(SolverPart& part, SolverPart& next) {
        part.bundles_end = next.bundles_begin = static_cast<std::uint32_t>(systems_.bundles.size());
        std::fill(systems_.open_.begin(), systems_.open_.end(), JointSystems::kNone);
    }

    std::uint32_t root_of(const JointConstraint& joint) {
        const SolverBodyIndex i = joint.body_a.responds_to_impulses() ? joint.body_a : joint.body_b;
        return scratch_.joint_groups.find(i.index());
    }
    std::uint32_t root_of(const GearedJoints& gear) {
        return scratch_.joint_groups.find(gear.responding_body().index());
    }

    /// Trees of two and more joints in the common part, in the order of their first joints: those
    /// with contacts. With sweeps alone a heavy end threw them about. Not those on bodies that are
    /// moved: one linear step makes some energy there, where sweeps lose it.
    void find_common_trees() {
        const std::vector<std::uint32_t>& parts = scratch_.parts.of_joint;
        std::vector<std::uint32_t>& counts = systems_.number_of_;
        counts.assign(scratch_.bodies.size(), 0);
        for (const GearedJoints& gear : scratch_.gear_joints) counts[root_of(gear)] = kMany;
        systems_.common_.clear();
        for (std::size_t i = 0; i < parts.size(); ++i) {
            if (parts[i] != 0) continue;
            const JointConstraint& joint = scratch_.joints[i];
            const std::uint32_t root = root_of(joint);
            if (is_kinematic(joint.body_a) || is_kinematic(joint.body_b)) counts[root] = kMany;
            if (++counts[root] == 2) systems_.common_.push_back(root);
        }
        std::erase_if(systems_.common_, [&](std::uint32_t root) {
            return counts[root] > scratch_.parts.body_count[root]; // a loop
        });
    }

    /// Joints of the common part that are swept over first, then those of its trees, then those of
    /// the other groups, part by part.
    void sort_by_group() {
        find_common_trees();
        std::vector<std::uint32_t>&numbers = systems_.number_of_, &begins = systems_.group_begins_;
        const std::vector<std::uint32_t>& parts = scratch_.parts.of_joint;
        numbers.assign(scratch_.bodies.size(), 0);
        std::uint32_t count = 0;
        for (const std::uint32_t root : systems_.common_) numbers[root] = ++count;
        for (const std::uint32_t root : scratch_.parts.groups) numbers[root] = ++count;
        begins.assign(count + 1, 0);
        const auto number_of = [&](std::size_t i) { return numbers[root_of(scratch_.joints[i])]; };
        for (std::size_t i = 0; i < parts.size(); ++i) ++begins[number_of(i)];
        std::uint32_t at = 0;
        for (std::uint32_t& begin : begins) at += begin, begin = at - begin;
        systems_.sequence.resize(parts.size());
        for (std::uint32_t i = 0; i < parts.size(); ++i)
            systems_.sequence[begins[number_of(i)]++] = i;
        // Now each is where its group ends, and so the next begins.
    }

    void add_group(SolverPart& part, std::uint32_t begin, std::uint32_t end) {
        read_group(begin, end);
        const std::uint32_t plan = find_plan();
        const EliminationPlan& made = systems_.plans[plan];
        if (!made.pays && !(made.is_single() && part.may_divide)) return leave_limits(begin, end);
        std::uint32_t& open = systems_.open_[plan];
        const Gears gears = find_gears(part, root_of(scratch_.joints[systems_.sequence[begin]]));
        const bool has_gears = gears.begin < gears.end;
        const bool is_full = open == JointSystems::kNone || systems_.bundles[open].groups == width_;
        if (is_full || has_gears) {
            open = static_cast<std::uint32_t>(systems_.bundles.size());
            systems_.bundles.push_back({plan, 0, part.system_colors});
            part.system_colors += end - begin;
        }
        JointSystems::Bundle& bundle = systems_.bundles[open];
        ++bundle.groups;
        if (has_gears) {
            bundle.gears_begin = gears.begin;
            bundle.gears_end = gears.end;
            for (std::uint32_t i = gears.begin; i < gears.end; ++i)
                scratch_.gear_joints[i].is_direct = true;
            open = JointSystems::kNone; // it has no room for others
        }
        for (std::uint32_t i = begin; i < end; ++i) {
            systems_.colors[systems_.sequence[i]] = bundle.first_color + (i - begin);
            scratch_.joints[systems_.sequence[i]].company = JointCompany::alone;
        }
    }

    struct Gears {
        std::uint32_t begin = 0, end = 0;
    };
    /// Of a group in a part.
    Gears find_gears(const SolverPart& part, std::uint32_t root) {
        Gears found{part.gears_begin, part.gears_begin};
        const auto is_of = [&](std::uint32_t i) {
            return root_of(scratch_.gear_joints[i]) == root;
        };
        while (found.begin < part.gears_end && !is_of(found.begin)) ++found.begin;
        found.end = found.begin;
        while (found.end < part.gears_end && is_of(found.end)) ++found.end;
        return found;
    }
    /// Gears that are solved one by one act before the bodies move; so all forces on their groups
    /// must.
    void leave_gears() {
        std::vector<std::uint32_t>& marked = systems_.number_of_;
        marked.assign(scratch_.bodies.size(), 0);
        bool any = false;
        for (const GearedJoints& gear : scratch_.gear_joints) {
            if (gear.is_direct) continue;
            marked[root_of(gear)] = 1;
            any = true;
        }
        if (!any) return;
        const auto count = static_cast<std::uint32_t>(scratch_.joint_groups.size());
        for (std::uint32_t i = 1; i < count; ++i)
            if (marked[scratch_.joint_groups.find(i)] != 0)
                scratch_.bodies.only_smooth_joints[i] = 0;
    }

    /// Limits of a group that is swept over act by themselves, before the bodies move; so all
    /// forces on it must.
    void leave_limits(std::uint32_t begin, std::uint32_t end) {
        bool any = false;
        for (std::uint32_t i = begin; i < end; ++i) {
            bool& has_limits = scratch_.joints[systems_.sequence[i]].layout.has_limit_rows;
            any = any || has_limits;
            has_limits = false;
        }
        if (!any) return;
        has_left_ = true;
        for (std::uint32_t i = begin; i < end; ++i) {
            const JointConstraint& joint = scratch_.joints[systems_.sequence[i]];
            for (const SolverBodyIndex body : {joint.body_a, joint.body_b})
                scratch_.bodies.only_smooth_joints[body.index()] = 0;
        }
    }
    /// The same for the common part, whose joints are in several groups.
    void leave_common_limits() {
        std::vector<std::uint32_t>& marked = systems_.number_of_;
        marked.assign(scratch_.bodies.size(), 0);
        const auto for_common = [&](const auto& visit) {
            for (std::size_t i = 0; i < scratch_.joints.size(); ++i)
                if (scratch_.parts.of_joint[i] == 0) visit(scratch_.joints[i]);
        };
        bool any = false;
        for_common([&](JointConstraint& joint) {
            if (!joint.layout.has_limit_rows) return;
            joint.layout.has_limit_rows = false;
            marked[root_of(joint)] = 1;
            any = true;
        });
        if (!any) return;
        has_left_ = true;
        for_common([&](JointConstraint& joint) {
            if (marked[root_of(joint)] == 0) return;
            for (const SolverBodyIndex body : {joint.body_a, joint.body_b})
                scratch_.bodies.only_smooth_joints[body.index()] = 0;
        });
    }

    /// Into joints_. Bodies are numbered as they come.
    void read_group(std::uint32_t begin, std::uint32_t end) {
        systems_.joints_.clear();
        std::vector<std::uint32_t>& numbers = systems_.number_of_;
        const auto each_body = [&](const auto& visit) {
            for (std::uint32_t i = begin; i < end; ++i) {
                const JointConstraint& joint = scratch_.joints[systems_.sequence[i]];
                for (const SolverBodyIndex body : {joint.body_a, joint.body_b})
                    if (body.responds_to_impulses()) visit(numbers[body.index()]);
            }
        };
        each_body([](std::uint32_t& number) { number = UINT32_MAX; });
        std::uint32_t count = 0;
        each_body([&](std::uint32_t& number) { number = std::min(number, count++); });
        const auto number_of = [&](SolverBodyIndex body) {
            return body.responds_to_impulses() ? static_cast<std::uint16_t>(numbers[body.index()])
                                               : LinkedJoint::kNoBody;
        };
        for (std::uint32_t i = begin; i < end; ++i) {
            const JointConstraint& joint = scratch_.joints[systems_.sequence[i]];
            systems_.joints_.push_back({joint.layout.key(), number_of(joint.body_a),
                                        number_of(joint.body_b),
                                        static_cast<std::uint8_t>(joint.layout.system_rows()),
                                        spring_softens(state_.joints[joint.joint], joint.layout),
                                        joint.layout.repeats, joint.layout.has_limit_rows});
        }
    }

    /// The plan of joints_, made if it is not known.
    std::uint32_t find_plan() {
        Hasher hasher;
        for (const LinkedJoint& joint : systems_.joints_) {
            hasher.add(joint.layout);
            hasher.add(std::uint64_t{joint.a} << 32 | std::uint64_t{joint.b} << 8 |
                       std::uint64_t{joint.is_soft});
        }
        const std::uint64_t hash = hasher.value();
        for (std::size_t i = 0; i < systems_.plans.size(); ++i)
            if (systems_.hashes[i] == hash && systems_.plans[i].joints == systems_.joints_)
                return static_cast<std::uint32_t>(i);
        systems_.hashes.push_back(hash);
        systems_.open_.resize(systems_.hashes.size(), JointSystems::kNone);
        systems_.plans.emplace_back();
        systems_.plans.back().joints = systems_.joints_;
        make_plan(systems_.plans.back());
        return static_cast<std::uint32_t>(systems_.plans.size() - 1);
    }

    const WorldState& state_;
    Scratch& scratch_;
    JointSystems& systems_;
    std::uint32_t width_;
    bool has_left_ = false; // limits that are no rows
};

} // namespace

void find_systems(StepData& step, std::uint32_t width) {
    SystemFinder(step, width).find();
}

} // namespace rigor::fast
