#include "contact_dynamics/contact_couples.h"

#include <algorithm>
#include <cmath>

namespace rigor::contact_dynamics {
namespace {

constexpr double kMinSpin = 1e-10; // rad/s: a faster rotation has a direction of its own

/// Unit tangents. Those of the frame may be scaled, for anisotropic friction.
struct CoupleAxes {
    Vec3d t, s, n;

    explicit CoupleAxes(const ContactFrame& frame)
        : t(perpendicular(frame.normal)), s(cross(frame.normal, t)), n(frame.normal) {}
};

Vec3d relative_rotation(const Contact& c, std::span<const BodyKinematics> bodies) {
    return bodies[c.b].w - bodies[c.a].w;
}

double mass_along(const ConstraintRow& row, std::span<const BodyKinematics> bodies) {
    return coupling(row, velocity_response(row, bodies));
}

} // namespace

bool has_couples(std::span<const Contact> contacts) {
    return std::any_of(contacts.begin(), contacts.end(),
                       [](const Contact& c) { return has_couple(c.material); });
}

/// With w the relative angular velocity, t·w of a rolling that is held changes by t·dw/dt -
/// (t·dn/dt) (n·w) as the surface turns; n·w of a torsion that is held by n·dw/dt + dn/dt·w.
std::array<ConstraintRow, 3> couple_rows(const Contact& c, const ContactFrame& frame,
                                         std::span<const BodyKinematics> bodies) {
    const CoupleAxes axes(frame);
    const Vec3d w = relative_rotation(c, bodies);
    const Vec3d turning = normal_rate(c.geometry, bodies[c.a], bodies[c.b], c.image);
    const double roll = c.material.rolling_resistance, twist = c.material.torsional_friction;
    const auto row = [&](const Vec3d& d, double length, double bias_acceleration) {
        const Vec3d scaled = d * length;
        return ConstraintRow{
            {{{c.a, {}, -scaled}, {c.b, {}, scaled}}}, length * bias_acceleration, 0};
    };
    return {row(axes.t, roll, -dot(axes.t, turning) * dot(axes.n, w)),
            row(axes.s, roll, -dot(axes.s, turning) * dot(axes.n, w)),
            row(axes.n, twist, dot(turning, w))};
}

Vec3d couple_slip(const Contact& c, CoupleKind kind, const ContactFrame& frame,
                  std::span<const BodyKinematics> bodies) {
    const Vec3d w = relative_rotation(c, bodies);
    const Vec3d twist = frame.normal * dot(frame.normal, w);
    return kind == CoupleKind::torsion ? twist : w - twist;
}

Vec3d couple_direction(const Contact& c, CoupleKind kind, const ContactFrame& frame,
                       std::span<const BodyKinematics> bodies) {
    const CoupleAxes axes(frame);
    const Vec3d now = couple_slip(c, kind, frame, bodies), before = couple_of(c, kind).slip;
    if (kind == CoupleKind::torsion) {
        const Vec3d& slip = before == Vec3d{} && length(now) > kMinSpin ? now : before;
        const double along = dot(axes.n, slip);
        return {0, 0, along > 0 ? 1.0 : along < 0 ? -1.0 : 0.0};
    }
    const bool has_own = before == Vec3d{} ? length(now) > kMinSpin : dot(now, before) > kMinSpin;
    const Vec3d& slip = has_own ? now : before;
    return normalize(Vec3d{dot(axes.t, slip), dot(axes.s, slip), 0});
}

Vec3d couple_in_world(const Vec3d& along_rows, CoupleKind kind, const ContactFrame& frame) {
    const CoupleAxes axes(frame);
    if (kind == CoupleKind::torsion) return axes.n * along_rows.z;
    return axes.t * along_rows.x + axes.s * along_rows.y;
}

std::vector<ConstraintRow> held_couple_rows(const Island& island,
                                            std::span<const BodyKinematics> bodies,
                                            std::span<const ContactFrame> frames) {
    std::vector<ConstraintRow> held;
    for (std::size_t i = 0; i < island.contacts.size(); ++i) {
        const Contact& c = island.contacts[i];
        if (!has_couple(c.material) || c.mode == ContactMode::open) continue;
        const std::array<ConstraintRow, 3> rows = couple_rows(c, frames[i], bodies);
        for (const CoupleKind kind : kCoupleKinds) {
            if (!couple_of(c, kind).holds) continue;
            for (std::size_t k = rows_of(kind).first; k < rows_of(kind).last; ++k)
                held.push_back(rows[k]);
        }
    }
    return held;
}

void add_slipping_couples(const Island& island, std::span<const BodyKinematics> bodies,
                          std::span<const ContactFrame> frames, std::span<SpatialVector> forces) {
    for (std::size_t i = 0; i < island.contacts.size(); ++i) {
        const Contact& c = island.contacts[i];
        if (!has_couple(c.material) || c.mode == ContactMode::open || !(c.force.z > 0)) continue;
        const std::array<ConstraintRow, 3> rows = couple_rows(c, frames[i], bodies);
        for (const CoupleKind kind : kCoupleKinds) {
            if (couple_of(c, kind).holds) continue;
            const Vec3d direction = couple_direction(c, kind, frames[i], bodies);
            for (std::size_t k = rows_of(kind).first; k < rows_of(kind).last; ++k)
                add_impulse(rows[k], -c.force.z * direction[static_cast<int>(k)], forces);
        }
    }
}

CoupleImpulses::CoupleImpulses(std::span<const Contact> contacts,
                               std::span<const ContactFrame> frames,
                               std::span<const BodyKinematics> bodies)
    : impulses_(contacts.size()) {
    for (std::size_t i = 0; i < contacts.size(); ++i) {
        rows_.push_back(couple_rows(contacts[i], frames[i], bodies));
        const std::array<ConstraintRow, 3>& rows = rows_.back();
        // Rolling has one for both directions, so that its impulse is along the rotation.
        const double rolling = std::max(mass_along(rows[0], bodies), mass_along(rows[1], bodies));
        inverse_mass_.push_back({rolling, rolling, mass_along(rows[2], bodies)});
    }
}

std::vector<RowImpulse> CoupleImpulses::row_impulses(double WorkLedger::*entry) const {
    std::vector<RowImpulse> impulses;
    for (std::size_t i = 0; i < rows_.size(); ++i)
        for (std::size_t k = 0; k < 3; ++k)
            impulses.push_back({rows_[i][k], impulses_[i][static_cast<int>(k)], entry});
    return impulses;
}

double CoupleImpulses::work(std::span<const BodyKinematics> before,
                            std::span<const BodyKinematics> after) const {
    double sum = 0;
    for (std::size_t i = 0; i < rows_.size(); ++i)
        for (std::size_t k = 0; k < 3; ++k)
            sum += 0.5 * impulses_[i][static_cast<int>(k)] *
                   (rate(rows_[i][k], before) + rate(rows_[i][k], after));
    return sum;
}

double CoupleImpulses::update(std::span<const BodyKinematics> after,
                              std::span<const Vec3d> contact_impulses) {
    // Couples of all contacts of a body act at once: each does its share.
    const double share = 1.0 / static_cast<double>(rows_.size());
    double change = 0;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
        const Vec3d old = impulses_[i];
        Vec3d wanted = old;
        for (int k = 0; k < 3; ++k)
            if (inverse_mass_[i][k] > 0)
                wanted[k] -= share * rate(rows_[i][static_cast<std::size_t>(k)], after) /
                             inverse_mass_[i][k];
        const double bound = std::max(contact_impulses[i].z, 0.0);
        const double rolling = std::sqrt(wanted.x * wanted.x + wanted.y * wanted.y);
        const double scale = rolling > bound ? bound / rolling : 1;
        impulses_[i] = {wanted.x * scale, wanted.y * scale, std::clamp(wanted.z, -bound, bound)};
        change = std::max(change, length(impulses_[i] - old));
    }
    return change;
}

} // namespace rigor::contact_dynamics
