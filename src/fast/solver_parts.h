// Solver parts: independent groups of constraints, each solved through all substeps by one worker.
//
// Bodies that joints alone connect need nothing from the rest of the world within a step. So they
// make all their substeps while they are in the cache, by one worker and without waiting for
// others. The same holds for islands: bodies that joints and contacts connect. Each island with
// joints is a part, so that its joints can be made to fit with the contacts they have, in substeps
// as short as they need. Everything else is one part that all workers share.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/disjoint_sets.h"
#include "base/thread_team.h"

namespace rigor::fast {

struct SolverPart {
    std::span<const std::uint32_t> bodies;                          ///< solver bodies, ascending
    std::uint32_t turning_begin = 0, turning_end = 0;               ///< groups
    std::uint32_t colors_begin = 0, colors_end = 0;                 ///< of joints, in the plan
    std::uint32_t blocks_begin = 0, blocks_end = 0;                 ///< of joints
    std::uint32_t bundles_begin = 0, bundles_end = 0;               ///< of systems
    std::uint32_t contact_colors_begin = 0, contact_colors_end = 0; ///< in the plan of contacts
    std::uint32_t contacts_begin = 0, contacts_end = 0;             ///< blocks of contacts
    std::uint32_t tracks_begin = 0, tracks_end = 0;
    std::uint32_t gears_begin = 0, gears_end = 0;
    std::uint32_t system_colors = 0; ///< colors of systems, which come first
    std::uint32_t divisions = 1;     ///< of each substep: see substep_division.h
    bool may_divide = true;          ///< further, where joints do not fit
    bool is_careful = false;         ///< with limits: see limit_problem.h
    ThreadTeam* team = nullptr;      ///< null: the worker that does this part

    /// The length of its substeps, of h.
    float substep(float h) const { return h / static_cast<float>(divisions); }
    bool is_common() const { return team != nullptr; }
    bool has_contacts() const { return contacts_begin < contacts_end; }
    template <class Track>
    std::span<Track> tracks_of(std::vector<Track>& all) const {
        return std::span(all).subspan(tracks_begin, tracks_end - tracks_begin);
    }
    template <class Gear>
    std::span<Gear> gears_of(std::vector<Gear>& all) const {
        return std::span(all).subspan(gears_begin, gears_end - gears_begin);
    }

    /// As ThreadTeam::parallel_for_shares.
    template <class Task>
    void parallel_for(std::size_t count, std::size_t grain, const Task& task) const {
        if (team != nullptr)
            team->parallel_for_shares(count, grain, task);
        else if (count > 0)
            task(std::size_t{0}, count);
    }
};

struct SolverParts {
    std::vector<SolverPart> parts;         ///< the common one is the first
    std::vector<std::uint32_t> of_joint;   ///< by joint constraint
    std::vector<std::uint32_t> of_contact; ///< by contact constraint; empty: all are common
    std::vector<std::uint32_t> divisions;  ///< by the same roots; 0: substeps stay whole
    std::vector<std::uint32_t> unsorted;   ///< roots in the order of their first joints
    std::vector<std::uint32_t> body_count; ///< by the same roots
    std::vector<std::uint32_t> groups;     ///< roots of those in parts of their own, part by part
    std::vector<std::uint32_t> of_group;   ///< by the root of a group of bodies that joints connect
    std::vector<std::uint32_t> bodies;     ///< of all parts, one after the other
    DisjointSets islands;                  ///< bodies that joints or contacts connect
    std::vector<std::uint32_t> island_joints, island_contacts; ///< how many, by the root
    std::vector<std::uint32_t> of_island;                      ///< by the root: its part
    std::vector<std::uint32_t> touching;                       ///< roots of groups in islands

    /// The part of a joint constraint.
    const SolverPart& of(std::uint32_t joint) const { return parts[of_joint[joint]]; }
    std::uint32_t number_of_contact(std::size_t contact) const {
        return of_contact.empty() ? 0 : of_contact[contact];
    }
};

struct StepData;

/// Part of the stage "prepare constraints", after joints are collected.
///
/// Reads    joints, gears, tracks, contacts.
/// Writes   the parts and their bodies. A kinematic body gets a copy in every part that uses it,
///          since each moves it in substeps of its own.
/// Order    serial, by joint and contact.
void find_parts(const StepData& step);

} // namespace rigor::fast
