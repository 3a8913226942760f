#include "contact_dynamics/mode_system.h"

#include <algorithm>

#include "contact_dynamics/contact_couples.h"
#include "contact_dynamics/contact_forces.h"
#include "contact_dynamics/surface_directions.h"

namespace rigor::contact_dynamics {
namespace {

/// From 0 to 1 with two continuous derivatives, as the integrator needs them.
double smooth_step(double x) {
    x = std::clamp(x, 0.0, 1.0);
    return x * x * x * (10 + x * (6 * x - 15));
}

/// Where it slips. Beyond the point where it stops, which a step of the integrator may try,
/// friction stays as it was: so the stop is a smooth place to pass, and can be found. A slow new
/// slip has the direction that direct_new_slips() finds.
Vec3d slip_direction(const Island& island, const Contact& contact, const ContactFrame& frame,
                     const BodyKinematics& a, const BodyKinematics& b) {
    const Vec3d slip = slip_velocity(frame, a, b);
    const Vec3d last = normalize(contact.slip - frame.normal * dot(contact.slip, frame.normal));
    if (!(dot(slip, last) > 0) || (contact.slip_is_new && island.directs_slips)) return last;
    const double own = smooth_step(length(slip) / slow_slip(contact) - 1);
    return own == 1 ? normalize(slip) : normalize(last * (1 - own) + normalize(slip) * own);
}

/// Adds the couples of a contact: the rows of those that hold, and to the column of its normal the
/// torques of those that do not.
void add_couples(const Instant& now, std::size_t i, ConstraintRow& column, ModeSystem& system) {
    const Contact& c = now.island.contacts[i];
    if (!has_couple(c.material)) return;
    const std::array<ConstraintRow, 3> rows = couple_rows(c, now.frames[i], now.bodies);
    for (const CoupleKind kind : kCoupleKinds) {
        if (!(couple_length(c.material, kind) > 0)) continue;
        const bool holds = couple_of(c, kind).holds;
        const Vec3d direction =
            holds ? Vec3d{} : couple_direction(c, kind, now.frames[i], now.bodies);
        for (std::size_t k = rows_of(kind).first; k < rows_of(kind).last; ++k) {
            const int axis = static_cast<int>(k);
            if (holds)
                system.add(rows[k], rows[k], {Source::contact, i, kFirstCoupleAxis + axis});
            else
                column = combine(column, 1, rows[k], -direction[axis]);
        }
        system.symmetric = system.symmetric && direction == Vec3d{};
    }
}

void add_contact(const Instant& now, std::size_t i, ModeSystem& system) {
    const Contact& c = now.island.contacts[i];
    const std::array<ConstraintRow, 3> rows = contact_rows(now.frames[i], c.a, c.b);
    ConstraintRow column = rows[2];
    add_couples(now, i, column, system);
    if (c.mode == ContactMode::stick) {
        for (int k = 0; k < 2; ++k) {
            const ConstraintRow& row = rows[static_cast<std::size_t>(k)];
            system.add(row, row, {Source::contact, i, k});
        }
        system.add(rows[2], column, {Source::contact, i, 2});
        return;
    }
    const double mu = c.material.kinetic_friction;
    Vec3d slip;
    if (mu > 0) {
        slip = slip_along_tangents(
            slip_direction(now.island, c, now.frames[i], now.bodies[c.a], now.bodies[c.b]),
            now.frames[i]);
        column = combine(column, 1, combine(rows[0], slip.x, rows[1], slip.y), -mu);
        system.symmetric = false;
    }
    system.add(rows[2], column, {Source::contact, i, 3, slip});
}

} // namespace

ModeSystem system_of(const Instant& now) {
    ModeSystem system;
    for (std::size_t i = 0; i < now.island.contacts.size(); ++i)
        if (now.island.contacts[i].mode != ContactMode::open) add_contact(now, i, system);
    for (std::size_t i = 0; i < now.island.limits.size(); ++i) {
        if (now.island.limits[i].mode == ContactMode::open) continue;
        const ConstraintRow normal = limit_rows(now.dofs, now.island.limits[i])[2];
        system.add(normal, normal, {Source::limit, i, 2});
    }
    system.held = held_rows(now.state, now.island, now.bodies, now.dofs, HeldDrives::all);
    for (std::size_t i = 0; i < system.held.size(); ++i)
        system.add(system.held[i].row, system.held[i].row, {Source::joint, i});
    return system;
}

std::vector<ConeBlock> cones_of(const Instant& now, const ModeSystem& system) {
    std::vector<ConeBlock> cones;
    for (std::size_t i = 0; i < system.owners.size(); ++i) {
        const ModeSystem::Owner& owner = system.owners[i];
        if (owner.source == Source::limit || (owner.source == Source::contact && owner.axis == 3)) {
            cones.push_back({ConeBlock::Kind::nonnegative, i});
        } else if (owner.source == Source::contact && owner.axis == 0) { // t1, t2 and normal
            const double mu = now.island.contacts[owner.index].material.static_friction;
            cones.push_back({ConeBlock::Kind::friction, i, mu});
            i += 2;
        } else {
            cones.push_back({ConeBlock::Kind::free, i});
        }
    }
    return cones;
}

void start_from(const Instant& now, const ModeSystem& system, std::span<const Vec3d> guess,
                std::vector<double>& lambda) {
    for (std::size_t i = 0; i < lambda.size(); ++i) {
        const ModeSystem::Owner& owner = system.owners[i];
        if (owner.source == Source::limit)
            lambda[i] = guess[now.island.contacts.size() + owner.index].z;
        if (owner.source == Source::contact && owner.axis <= 3)
            lambda[i] = guess[owner.index][std::min(owner.axis, 2)];
    }
}

} // namespace rigor::contact_dynamics
