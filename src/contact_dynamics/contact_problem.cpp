#include "contact_dynamics/contact_problem.h"

#include <algorithm>
#include <optional>

#include "base/deadline.h"
#include "contact_dynamics/contact_couples.h"
#include "contact_dynamics/surface_directions.h"

namespace rigor::contact_dynamics {
namespace {

constexpr std::uint32_t kRowsBetweenLooks = 64; // at the deadline

Mat3d block_of(const std::array<ConstraintRow, 3>& rows,
               const std::array<ConstraintRow, 3>& response_of_bodies) {
    Mat3d block;
    for (std::size_t p = 0; p < 3; ++p)
        for (std::size_t q = 0; q < 3; ++q)
            block(static_cast<int>(p), static_cast<int>(q)) =
                coupling(rows[p], response_of_bodies[q]);
    return block;
}

} // namespace

ContactProblem::ContactProblem(const WorldState& state, const Island& island,
                               std::span<const Contact> contacts, HeldDrives drives)
    : bodies_(kinematics_of(state, island)), frames_(frames_of(contacts, bodies_)) {
    for (std::size_t i = 0; i < contacts.size(); ++i)
        rows_.push_back(contact_rows(frames_[i], contacts[i].a, contacts[i].b));
    if (!island.joints.empty()) {
        const IslandDofs dofs = island_dofs(state, island, bodies_);
        for (const JointLimit& limit : island.limits) rows_.push_back(limit_rows(dofs, limit));
        for (const HeldRow& held : held_rows(state, island, bodies_, dofs, drives)) {
            joints_.push_back(held.row);
            joint_of_row_.push_back(held.joint);
        }
    }
    if (drives == HeldDrives::all && has_couples(contacts))
        for (const ConstraintRow& row : held_couple_rows(island, bodies_, frames_))
            joints_.push_back(row);
    if (!joints_.empty())
        joint_solver_ =
            std::make_unique<LeastNormSolver>(couplings(joints_, joints_, bodies_), true);
}

std::vector<double> ContactProblem::joint_impulses(std::span<const double> target) const {
    std::vector<double> lambda(joints_.size());
    joint_solver_->solve(target, lambda);
    return lambda;
}

void ContactProblem::add_joints(std::span<const double> impulses,
                                std::span<SpatialVector> on_bodies) const {
    for (std::size_t i = 0; i < joints_.size(); ++i)
        add_impulse(joints_[i], impulses[i], on_bodies);
}

std::vector<double> ContactProblem::reactions(std::span<const SpatialVector> impulses) const {
    if (joints_.empty()) return {};
    std::vector<SpatialVector> response_of_bodies(bodies_.size());
    for (std::size_t i = 0; i < response_of_bodies.size(); ++i)
        response_of_bodies[i] = response(bodies_[i], impulses[i]);
    std::vector<double> target;
    for (const ConstraintRow& row : joints_) target.push_back(-rate(row, response_of_bodies));
    return joint_impulses(target);
}

std::vector<SpatialVector> ContactProblem::sum_of_contacts(
    std::span<const Vec3d> contact_impulses) const {
    std::vector<SpatialVector> result(bodies_.size());
    for (std::size_t i = 0; i < rows_.size(); ++i)
        for (std::size_t k = 0; k < 3; ++k)
            add_impulse(rows_[i][k], contact_impulses[i][static_cast<int>(k)], result);
    return result;
}

std::vector<SpatialVector> ContactProblem::body_impulses(
    std::span<const Vec3d> contact_impulses) const {
    std::vector<SpatialVector> result = sum_of_contacts(contact_impulses);
    if (!joints_.empty()) add_joints(reactions(result), result);
    return result;
}

std::vector<double> ContactProblem::joint_reactions(std::span<const Vec3d> contact_impulses) const {
    return reactions(sum_of_contacts(contact_impulses));
}

std::vector<RowImpulse> ContactProblem::row_impulses(
    std::span<const Vec3d> contact_impulses,
    FunctionRef<double WorkLedger::*(std::size_t)> normal) const {
    std::vector<RowImpulse> result;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
        double WorkLedger::*const entry = normal(i);
        for (std::size_t k = 0; k < 3; ++k)
            if (const double impulse = contact_impulses[i][static_cast<int>(k)]; impulse != 0)
                result.push_back({rows_[i][k], impulse, k == 2 ? entry : friction_entry(entry)});
    }
    const std::vector<double> joints = joint_reactions(contact_impulses);
    for (std::size_t i = 0; i < joints.size(); ++i)
        result.push_back({joints_[i], joints[i], &WorkLedger::joints});
    return result;
}

void ContactProblem::add_limit_tangents(std::vector<BlockEntry>& entries, std::uint32_t row) const {
    if (row < frames_.size()) return;
    for (BlockEntry& entry : entries)
        if (entry.column == row) entry.block(0, 0) = entry.block(1, 1) = 1;
}

BlockMatrix ContactProblem::matrix() const {
    return joints_.empty() ? matrix_of_contacts() : matrix_through_joints();
}

BlockMatrix ContactProblem::matrix_of_contacts() const {
    BlockMatrix w;
    std::vector<std::array<ConstraintRow, 3>> loads;
    for (const std::array<ConstraintRow, 3>& row : rows_)
        loads.push_back({velocity_response(row[0], bodies_), velocity_response(row[1], bodies_),
                         velocity_response(row[2], bodies_)});
    if (rows_.size() == 1) { // most impacts: not worth a search
        std::vector<BlockEntry> entry{{0, block_of(rows_[0], loads[0])}};
        add_limit_tangents(entry, 0);
        w.add_row(entry);
        return w;
    }
    std::vector<std::vector<std::uint32_t>> at_body(bodies_.size()); // contacts, ascending
    for (std::uint32_t i = 0; i < rows_.size(); ++i)
        for (const ConstraintRow::Side& side : rows_[i][2].sides())
            if (responds_to_impulses(bodies_[side.body])) at_body[side.body].push_back(i);
    std::vector<BlockEntry> entries;
    std::vector<std::uint32_t> columns;
    bool is_late = false; // then rows are of themselves only: nothing is made of them any more
    for (std::uint32_t i = 0; i < rows_.size(); ++i) {
        columns.assign(1, i);
        is_late = is_late || (i % kRowsBetweenLooks == 0 && deadline_has_passed());
        for (const ConstraintRow::Side& side : rows_[i][2].sides())
            if (!is_late)
                columns.insert(columns.end(), at_body[side.body].begin(), at_body[side.body].end());
        std::sort(columns.begin(), columns.end());
        columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
        entries.clear();
        for (const std::uint32_t j : columns) entries.push_back({j, block_of(rows_[i], loads[j])});
        add_limit_tangents(entries, i);
        w.add_row(entries);
    }
    return w;
}

/// Bodies that joints connect, and which of them have joints. Bodies with infinite mass connect
/// nothing.
ContactProblem::JointedBodies ContactProblem::jointed_bodies() const {
    JointedBodies result{DisjointSets(bodies_.size()), std::vector<bool>(bodies_.size())};
    for (const ConstraintRow& row : joints_) {
        std::optional<std::uint32_t> first;
        for (const ConstraintRow::Side& side : row.sides()) {
            if (!responds_to_impulses(bodies_[side.body])) continue;
            result.has_joint[side.body] = true;
            if (first) result.sets.unite(*first, side.body);
            first = side.body;
        }
    }
    return result;
}

/// What one unit of impulse along axis q of contact j does to the bodies.
std::vector<SpatialVector> ContactProblem::unit_response(std::uint32_t j, int q) const {
    std::vector<Vec3d> unit(rows_.size());
    unit[j][q] = 1;
    std::vector<SpatialVector> result = body_impulses(unit);
    for (std::size_t k = 0; k < result.size(); ++k) result[k] = response(bodies_[k], result[k]);
    return result;
}

/// Through joints a contact moves every other one of the bodies that they connect.
BlockMatrix ContactProblem::matrix_through_joints() const {
    const std::size_t n = rows_.size();
    const JointedBodies jointed = jointed_bodies();
    std::vector<std::vector<std::uint32_t>> at(bodies_.size()); // contacts by connected bodies
    for (std::uint32_t i = 0; i < n; ++i)
        for (const ConstraintRow::Side& side : rows_[i][2].sides())
            if (responds_to_impulses(bodies_[side.body]))
                at[jointed.sets.find(side.body)].push_back(i);
    std::vector<std::vector<BlockEntry>> entries(n);
    for (std::uint32_t j = 0; j < n; ++j) {
        std::vector<std::uint32_t> moved{j};
        bool through_joints = false;
        for (const ConstraintRow::Side& side : rows_[j][2].sides()) {
            const auto& contacts = at[jointed.sets.find(side.body)];
            moved.insert(moved.end(), contacts.begin(), contacts.end());
            through_joints = through_joints || jointed.has_joint[side.body];
        }
        std::sort(moved.begin(), moved.end());
        moved.erase(std::unique(moved.begin(), moved.end()), moved.end());
        for (const std::uint32_t i : moved) entries[i].push_back({j, Mat3d::zero()});
        for (int q = 0; q < 3; ++q) {
            const auto axis = static_cast<std::size_t>(q);
            const ConstraintRow alone = velocity_response(rows_[j][axis], bodies_);
            const std::vector<SpatialVector> all =
                through_joints ? unit_response(j, q) : std::vector<SpatialVector>{};
            for (const std::uint32_t i : moved)
                for (std::size_t p = 0; p < 3; ++p)
                    entries[i].back().block(static_cast<int>(p), q) =
                        through_joints ? rate(rows_[i][p], all) : coupling(rows_[i][p], alone);
        }
    }
    BlockMatrix w;
    for (std::uint32_t i = 0; i < n; ++i) {
        add_limit_tangents(entries[i], i);
        w.add_row(entries[i]);
    }
    return w;
}

std::vector<Vec3d> ContactProblem::velocities() const {
    std::vector<Vec3d> u;
    for (const std::array<ConstraintRow, 3>& row : rows_)
        u.push_back({rate(row[0], bodies_), rate(row[1], bodies_), rate(row[2], bodies_)});
    for (std::size_t i = 0; i < frames_.size(); ++i)
        if (frames_[i].has_surface_velocity) u[i] += surface_velocity(frames_[i]);
    return u;
}

std::vector<Vec3d> ContactProblem::accelerations(std::span<const SpatialVector> forces) const {
    std::vector<SpatialVector> loads(forces.begin(), forces.end());
    for (std::size_t i = 0; i < loads.size(); ++i) loads[i].angular -= bodies_[i].gyroscopic_torque;
    std::vector<SpatialVector> response_of_bodies(loads.size());
    const auto respond = [&] {
        for (std::size_t i = 0; i < response_of_bodies.size(); ++i)
            response_of_bodies[i] = response(bodies_[i], loads[i]);
    };
    respond();
    if (!joints_.empty()) {
        std::vector<double> target;
        for (const ConstraintRow& row : joints_)
            target.push_back(-rate(row, response_of_bodies) - row.bias_acceleration);
        add_joints(joint_impulses(target), loads);
        respond();
    }
    std::vector<Vec3d> result;
    for (const std::array<ConstraintRow, 3>& row : rows_)
        result.push_back({rate(row[0], response_of_bodies) + row[0].bias_acceleration,
                          rate(row[1], response_of_bodies) + row[1].bias_acceleration,
                          rate(row[2], response_of_bodies) + row[2].bias_acceleration});
    return result;
}

} // namespace rigor::contact_dynamics
