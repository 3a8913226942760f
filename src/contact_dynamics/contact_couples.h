// Contact couples: rolling resistance and torsional friction, torques between two bodies that touch
// of at most a length times their normal force.
//
// A couple holds the relative rotation, or acts with its largest torque against it, as friction
// does along the surface. Its rows are angular velocities times that length, so that their
// multipliers are forces, bounded by the normal force itself.
#pragma once

#include "contact_dynamics/impulse_work.h"

namespace rigor::contact_dynamics {

inline bool has_couple(const ContactMaterial& m) {
    return m.rolling_resistance > 0 || m.torsional_friction > 0;
}
bool has_couples(std::span<const Contact> contacts);

/// Rolling about the surface, torsion about the normal.
enum class CoupleKind : std::uint8_t { rolling, torsion };
inline constexpr std::array kCoupleKinds{CoupleKind::rolling, CoupleKind::torsion};

inline ContactCouple& couple_of(Contact& c, CoupleKind kind) {
    return kind == CoupleKind::rolling ? c.rolling : c.torsion;
}
inline const ContactCouple& couple_of(const Contact& c, CoupleKind kind) {
    return kind == CoupleKind::rolling ? c.rolling : c.torsion;
}
inline double couple_length(const ContactMaterial& m, CoupleKind kind) {
    return kind == CoupleKind::rolling ? m.rolling_resistance : m.torsional_friction;
}

/// Rows of all couples of a contact: two of rolling and one of torsion.
std::array<ConstraintRow, 3> couple_rows(const Contact& contact, const ContactFrame& frame,
                                         std::span<const BodyKinematics> bodies);
/// Those of one couple, as indices into couple_rows(): [first, last).
struct RowRange {
    std::size_t first = 0, last = 0;
};
constexpr RowRange rows_of(CoupleKind kind) {
    return kind == CoupleKind::rolling ? RowRange{0, 2} : RowRange{2, 3};
}

/// Relative angular velocity against which a couple acts, b relative to a, world axes, rad/s.
Vec3d couple_slip(const Contact& contact, CoupleKind kind, const ContactFrame& frame,
                  std::span<const BodyKinematics> bodies);
/// Its direction along couple_rows(), for a couple that does not hold; zero without one. Beyond
/// the point where the rotation ends, which a step of the integrator may try, it stays.
Vec3d couple_direction(const Contact& contact, CoupleKind kind, const ContactFrame& frame,
                       std::span<const BodyKinematics> bodies);
/// A direction along couple_rows() in world axes.
Vec3d couple_in_world(const Vec3d& along_rows, CoupleKind kind, const ContactFrame& frame);

/// Rows of the couples that hold.
std::vector<ConstraintRow> held_couple_rows(const Island& island,
                                            std::span<const BodyKinematics> bodies,
                                            std::span<const ContactFrame> frames);
/// Adds the torques of couples that do not hold, by the normal forces of the contacts as stored.
void add_slipping_couples(const Island& island, std::span<const BodyKinematics> bodies,
                          std::span<const ContactFrame> frames, std::span<SpatialVector> forces);

/// Impulses of couples that go with normal impulses, found with them by fixed-point iteration.
class CoupleImpulses {
  public:
    CoupleImpulses(std::span<const Contact> contacts, std::span<const ContactFrame> frames,
                   std::span<const BodyKinematics> bodies);

    std::vector<RowImpulse> row_impulses(double WorkLedger::*entry) const;
    /// Brings each relative rotation closer to none, within the bounds of these contact impulses.
    /// `after` has the velocities after all impulses. Returns the largest change, in units of
    /// normal impulses.
    double update(std::span<const BodyKinematics> after, std::span<const Vec3d> contact_impulses);
    /// Work of the impulses: their product with the mean of the rates before and after.
    double work(std::span<const BodyKinematics> before,
                std::span<const BodyKinematics> after) const;

  private:
    std::vector<std::array<ConstraintRow, 3>> rows_;
    std::vector<Vec3d> inverse_mass_; ///< of each row alone
    std::vector<Vec3d> impulses_;
};

} // namespace rigor::contact_dynamics
