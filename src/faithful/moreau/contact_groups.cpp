#include "faithful/moreau/contact_groups.h"

#include <algorithm>

#include "base/disjoint_sets.h"

namespace rigor::faithful {
namespace {

constexpr std::uint32_t kUnassigned = UINT32_MAX;

class GroupBuilder {
  public:
    GroupBuilder(const WorldState& state, const Island& world)
        : state_(state),
          world_(world),
          sets_(world.bodies.size()),
          group_of_(world.bodies.size(), kUnassigned),
          place_(world.bodies.size(), kUnassigned) {}

    std::vector<ContactGroup> build() {
        for (const Contact& c : world_.contacts) unite(c.a, c.b);
        for (const IslandJoint& joint : world_.joints)
            for (const std::uint32_t i : {joint.b, joint.c, joint.d})
                unite(responsive_body(joint), i);
        for (const Contact& c : world_.contacts) add(c, &Island::contacts);
        for (const IslandJoint& joint : world_.joints) add_joint(joint);
        return std::move(groups_);
    }

  private:
    bool is_responsive(std::uint32_t i) const {
        return responds_to_impulses(state_, world_.bodies[i]);
    }

    /// The first body of a joint that responds to impulses, if one does.
    std::uint32_t responsive_body(const IslandJoint& joint) const {
        for (const std::uint32_t i : {joint.a, joint.b, joint.c, joint.d})
            if (is_responsive(i)) return i;
        return joint.a;
    }

    /// A body that does not respond to impulses couples nothing.
    void unite(std::uint32_t a, std::uint32_t b) {
        if (is_responsive(a) && is_responsive(b)) sets_.unite(a, b);
    }

    ContactGroup& group_with(std::uint32_t a, std::uint32_t b) {
        std::uint32_t& group = group_of_[sets_.find(is_responsive(a) ? a : b)];
        if (group == kUnassigned) {
            group = static_cast<std::uint32_t>(groups_.size());
            groups_.emplace_back();
        }
        return groups_[group];
    }

    /// Adds a contact or joint to the group of its bodies, with their indices in the group.
    template <class Item>
    void add(Item item, std::vector<Item> Island::*list) {
        ContactGroup& group = group_with(item.a, item.b);
        item.a = place_in(group, item.a);
        item.b = place_in(group, item.b);
        (group.island.*list).push_back(item);
    }

    void add_joint(IslandJoint joint) {
        ContactGroup& group = group_with(responsive_body(joint), joint.b);
        for (std::uint32_t* i : {&joint.a, &joint.b, &joint.c, &joint.d}) *i = place_in(group, *i);
        group.island.joints.push_back(joint);
    }

    /// Index of a body in a group, which is added if it is new. A body that responds to impulses is
    /// in one group only; others are in every group that touches them.
    std::uint32_t place_in(ContactGroup& group, std::uint32_t i) {
        std::uint32_t index = is_responsive(i) ? place_[i] : kUnassigned;
        if (!is_responsive(i)) {
            const auto found = std::find(group.world_index.begin(), group.world_index.end(), i);
            if (found != group.world_index.end())
                index = static_cast<std::uint32_t>(found - group.world_index.begin());
        }
        if (index != kUnassigned) return index;
        place_[i] = static_cast<std::uint32_t>(group.world_index.size());
        group.world_index.push_back(i);
        group.island.bodies.push_back(world_.bodies[i]);
        group.island.motion.push_back(world_.motion[i]);
        return place_[i];
    }

    const WorldState& state_;
    const Island& world_;
    DisjointSets sets_;                   // by index in the world, as the following
    std::vector<std::uint32_t> group_of_; // by root of the set
    std::vector<std::uint32_t> place_;    // in the group
    std::vector<ContactGroup> groups_;
};

} // namespace

std::vector<ContactGroup> contact_groups(const WorldState& state, const Island& world) {
    return GroupBuilder(state, world).build();
}

void apply_impulses(const WorldState& state, std::span<const RowImpulse> impulses,
                    ContactGroup& group) {
    apply(group.island, state, impulses);
    group.applied.insert(group.applied.end(), impulses.begin(), impulses.end());
}

void store_motion(const WorldState& state, const ContactGroup& group, Island& world) {
    for (std::size_t k = 0; k < group.world_index.size(); ++k) {
        const std::uint32_t i = group.world_index[k];
        if (responds_to_impulses(state, world.bodies[i])) world.motion[i] = group.island.motion[k];
    }
}

} // namespace rigor::faithful
