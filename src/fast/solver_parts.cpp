#include "fast/solver_parts.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "fast/step_data.h"
#include "fast/substep_division.h"

namespace rigor::fast {
namespace {

// A group with more joints is not in a part of its own.
constexpr std::uint32_t kMaxJoints = 128;
// Nor one with more gears: how they respond to each other is a full matrix (gear_rows.h).
constexpr std::uint32_t kMaxGears = 128;
// Joints of a part, with their bodies some 100 KiB; if need be more, until the lanes are full of
// groups alike.
constexpr std::uint32_t kWantedJoints = 128, kMostJoints = 512, kLanes = 8;
// Of an island that is a part. Larger ones are left to all workers, with one linear step for
// joints.
constexpr std::uint32_t kMaxIslandJoints = 256, kMaxIslandContacts = 512;

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
        find_divisions(step_, found_.of_group, found_.divisions);
        find_islands();
        divide();
        add_islands();
        number_joints_and_contacts();
        sort_tracks();
        sort_gears();
        copy_kinematic_bodies();
        list_bodies();
    }

  private:
    std::uint32_t group_of(SolverBodyIndex a, SolverBodyIndex b) {
        return scratch_.joint_groups.find((a.responds_to_impulses() ? a : b).index());
    }
    std::uint32_t group_of(const JointConstraint& joint) {
        return group_of(joint.body_a, joint.body_b);
    }
    std::uint32_t group_of(const GearedJoints& gear) {
        return scratch_.joint_groups.find(gear.responding_body().index());
    }

    /// Into of_group, for now.
    void count_joints() {
        for_all_joints([&](const JointConstraint& joint) { ++found_.of_group[group_of(joint)]; });
    }
    /// Tracks last.
    template <class Visit>
    void for_all_joints(const Visit& visit) {
        for (const JointConstraint& joint : scratch_.joints) visit(joint);
        for (const JointConstraint& joint : scratch_.track_joints) visit(joint);
    }

    /// Groups with soft gears, or many. Their count is made too large.
    void leave_out_common() {
        if (scratch_.gear_joints.empty()) return;
        std::vector<std::uint32_t>& gears = found_.divisions; // free at this time
        gears.assign(scratch_.bodies.size(), 0);
        for (const GearedJoints& gear : scratch_.gear_joints) {
            const std::uint32_t group = group_of(gear);
            if (gear.is_soft || ++gears[group] > kMaxGears) found_.of_group[group] = kLeftOut;
        }
    }

    /// More joints than a tree on the ground would have.
    bool has_loop(std::uint32_t group) const {
        return found_.of_group[group] > found_.body_count[group];
    }
    void count_bodies() {
        found_.body_count.assign(scratch_.bodies.size(), 0);
        for (std::uint32_t i = 1; i < scratch_.bodies.size(); ++i)
            ++found_.body_count[scratch_.joint_groups.find(i)];
    }

    /// Bodies that joints and contacts connect, how many of each, and which of them are parts.
    void find_islands() {
        const std::vector<ContactConstraint>& contacts = scratch_.contacts;
        const std::size_t size = scratch_.bodies.size();
        found_.island_contacts.clear();
        if (contacts.empty() || (scratch_.joints.empty() && scratch_.track_joints.empty())) return;
        DisjointSets& islands = found_.islands;
        islands.reset(size);
        for (std::uint32_t i = 1; i < size; ++i) islands.unite(i, scratch_.joint_groups.find(i));
        for (const ContactConstraint& contact : contacts)
            if (contact.body_a.responds_to_impulses() && contact.body_b.responds_to_impulses())
                islands.unite(contact.body_a.index(), contact.body_b.index());
        found_.island_joints.assign(size, 0);
        found_.island_contacts.assign(size, 0);
        found_.of_island.assign(size, 0);
        for (const ContactConstraint& contact : contacts)
            ++found_.island_contacts[island_of(contact)];
        for (std::uint32_t i = 1; i < size; ++i) {
            std::uint32_t& count = found_.island_joints[islands.find(i)];
            const std::uint32_t joints = found_.of_group[i]; // 0 but for roots
            // Loops that contacts press on are swept over.
            const bool is_common = joints == kLeftOut || (joints > 0 && has_loop(i));
            count = is_common || count == kLeftOut ? kLeftOut : count + joints;
        }
    }
    std::uint32_t island_of(const ContactConstraint& contact) {
        const SolverBodyIndex a = contact.body_a, b = contact.body_b;
        return found_.islands.find((a.responds_to_impulses() ? a : b).index());
    }
    bool has_contacts(std::uint32_t group) {
        return !found_.island_contacts.empty() &&
               found_.island_contacts[found_.islands.find(group)] > 0;
    }

    /// Groups by how finely they divide substeps, then in the order of their first joints, as many
    /// to a part as there is room for. Counts become parts. Those with contacts are left.
    void divide() {
        std::vector<std::uint8_t>& is_divided = scratch_.group_joints;
        is_divided.assign(scratch_.bodies.size(), 0);
        found_.unsorted.clear();
        found_.touching.clear();
        for_all_joints([&](const JointConstraint& joint) {
            const std::uint32_t group = group_of(joint);
            if (is_divided[group] != 0) return;
            is_divided[group] = joint.layout.type == JointType::track ? kTracksAlone : 1;
            (has_contacts(group) ? found_.touching : found_.unsorted).push_back(group);
        });
        sort_by_divisions();
        Filling filling;
        for (const std::uint32_t group : found_.groups) {
            std::uint32_t& part = found_.of_group[group];
            part = part_for(part, found_.divisions[group], filling);
        }
        std::erase_if(found_.groups, [&](std::uint32_t i) { return !has_joints(i); });
        for (std::uint32_t i = 0; i < is_divided.size(); ++i)
            if (is_divided[i] == 0) found_.of_group[i] = 0;
    }
    void sort_by_divisions() {
        found_.groups.clear();
        for (std::uint32_t d = 1; d <= kMaxDivisions; d *= 2)
            for (const std::uint32_t group : found_.unsorted)
                if (found_.divisions[group] == d) found_.groups.push_back(group);
    }

    /// A part for each island of contacts and joints, with all its bodies.
    void add_islands() {
        for (const std::uint32_t group : found_.touching)
            found_.of_group[group] = part_of_island(group);
        std::sort(found_.touching.begin(), found_.touching.end(),
                  [&](std::uint32_t i, std::uint32_t j) {
                      return std::pair(found_.of_group[i], i) < std::pair(found_.of_group[j], j);
                  });
        for (const std::uint32_t group : found_.touching)
            if (has_joints(group)) found_.groups.push_back(group);
        if (found_.touching.empty()) return;
        for (std::uint32_t i = 1; i < scratch_.bodies.size(); ++i)
            if (const std::uint32_t part = found_.of_island[found_.islands.find(i)]; part != 0)
                found_.of_group[i] = part;
    }
    /// Other than tracks, in a part of its own.
    bool has_joints(std::uint32_t group) const {
        return found_.of_group[group] != 0 && scratch_.group_joints[group] != kTracksAlone;
    }
    std::uint32_t part_of_island(std::uint32_t group) {
        const std::uint32_t island = found_.islands.find(group);
        if (found_.island_joints[island] > kMaxIslandJoints ||
            found_.island_contacts[island] > kMaxIslandContacts)
            return 0;
        std::uint32_t& part = found_.of_island[island];
        if (part == 0) {
            part = static_cast<std::uint32_t>(found_.parts.size());
            found_.parts.emplace_back();
        }
        std::uint32_t& divisions = found_.parts[part].divisions;
        divisions = std::max(divisions, found_.divisions[group]);
        return part;
    }

    void number_joints_and_contacts() {
        found_.of_joint.clear();
        for (const JointConstraint& joint : scratch_.joints)
            found_.of_joint.push_back(found_.of_group[group_of(joint)]);
        found_.of_contact.clear();
        if (found_.touching.empty()) return;
        for (const ContactConstraint& contact : scratch_.contacts)
            found_.of_contact.push_back(found_.of_island[island_of(contact)]);
    }

    /// By their parts.
    void sort_tracks() {
        std::vector<JointConstraint>& tracks = scratch_.track_joints;
        const auto part_of = [&](const JointConstraint& joint) {
            return found_.of_group[group_of(joint)];
        };
        std::sort(tracks.begin(), tracks.end(), [&](const auto& i, const auto& j) {
            return std::pair(part_of(i), i.joint) < std::pair(part_of(j), j.joint);
        });
        std::uint32_t at = 0;
        for (std::uint32_t p = 0; p < found_.parts.size(); ++p) {
            found_.parts[p].tracks_begin = at;
            while (at < tracks.size() && part_of(tracks[at]) == p) ++at;
            found_.parts[p].tracks_end = at;
        }
    }

    /// By their parts, and in these by their groups.
    void sort_gears() {
        std::vector<GearedJoints>& gears = scratch_.gear_joints;
        const auto key_of = [&](const GearedJoints& gear) {
            const std::uint32_t group = group_of(gear);
            return std::tuple(found_.of_group[group], group, gear.joint);
        };
        std::sort(gears.begin(), gears.end(),
                  [&](const auto& i, const auto& j) { return key_of(i) < key_of(j); });
        std::uint32_t at = 0;
        for (std::uint32_t p = 0; p < found_.parts.size(); ++p) {
            found_.parts[p].gears_begin = at;
            while (at < gears.size() && found_.of_group[group_of(gears[at])] == p) ++at;
            found_.parts[p].gears_end = at;
        }
    }

    /// In parts of their own.
    void copy_kinematic_bodies() {
        copies_.clear();
        const auto copy = [&](SolverBodyIndex& i, std::uint32_t part) {
            if (part != 0 && is_kinematic(i)) i = copy_of(i, part);
        };
        for (std::size_t k = 0; k < scratch_.joints.size(); ++k) {
            copy(scratch_.joints[k].body_a, found_.of_joint[k]);
            copy(scratch_.joints[k].body_b, found_.of_joint[k]);
        }
        for (JointConstraint& track : scratch_.track_joints) {
            const std::uint32_t part = found_.of_group[group_of(track)];
            copy(track.body_a, part);
            copy(track.body_b, part);
        }
        for (GearedJoints& gear : scratch_.gear_joints) {
            const std::uint32_t part = found_.of_group[group_of(gear)];
            for (JointConstraint* joint : {&gear.driving, &gear.driven}) {
                copy(joint->body_a, part);
                copy(joint->body_b, part);
            }
        }
        for (std::size_t k = 0; k < found_.of_contact.size(); ++k) {
            copy(scratch_.contacts[k].body_a, found_.of_contact[k]);
            copy(scratch_.contacts[k].body_b, found_.of_contact[k]);
        }
    }
    SolverBodyIndex copy_of(SolverBodyIndex i, std::uint32_t part) {
        for (const Copy& made : copies_)
            if (made.of == i && made.part == part) return made.copy;
        copies_.push_back({i, scratch_.bodies.add_copy(i), part});
        found_.of_group.push_back(part);
        return copies_.back().copy;
    }

    /// What the last part has.
    struct Filling {
        std::uint32_t joints = kMostJoints, groups = 0;
    };
    std::uint32_t part_for(std::uint32_t joints, std::uint32_t divisions, Filling& filling) {
        if (joints > kMaxJoints) return 0;
        const bool is_full = filling.joints >= kWantedJoints && filling.groups % kLanes == 0;
        const bool is_alike = divisions == found_.parts.back().divisions;
        if (is_full || filling.joints + joints > kMostJoints || !is_alike) {
            found_.parts.emplace_back().divisions = divisions;
            filling = {0, 0};
        }
        filling.joints += joints;
        ++filling.groups;
        return static_cast<std::uint32_t>(found_.parts.size() - 1);
    }

    void list_bodies() {
        const auto part_of = [&](std::uint32_t body) {
            const bool is_copy = body >= scratch_.joint_groups.size();
            return found_.of_group[is_copy ? body : scratch_.joint_groups.find(body)];
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

    static constexpr std::uint32_t kLeftOut = UINT32_MAX;
    static constexpr std::uint8_t kTracksAlone = 2; // beside 1 in group_joints
    struct Copy {
        SolverBodyIndex of, copy;
        std::uint32_t part = 0;
    };

    const StepData& step_;
    Scratch& scratch_;
    SolverParts& found_;
    std::vector<Copy> copies_;
};

} // namespace

void find_parts(const StepData& step) {
    PartFinder(step).find();
}

} // namespace rigor::fast
