// An island between two events, as the integrator of ordinary differential equations sees it.
#pragma once

#include <memory>

#include "contact_dynamics/contact_couples.h"
#include "contact_dynamics/contact_modes.h"
#include "contact_dynamics/step_budget.h"
#include "faithful/reference_rotation.h"

namespace rigor::faithful {

using namespace contact_dynamics;

/// Its state in a row: of each body the displacement of its center of mass, the rotation by which
/// it differs from a free one (reference_rotation.h), and the momenta; then the work done, and the
/// impulses of the contacts.
class IslandOde {
  public:
    IslandOde(const WorldState& state, const Laws& laws, const Island& island,
              BudgetMeter& budget_meter);

    const WorldState& state() const { return state_; }
    const std::shared_ptr<const ReferenceRotation>& reference() const { return reference_; }

    std::vector<double> packed_state() const;
    /// How many components at the end of the state are impulses.
    std::size_t impulse_components() const { return 3 * start_.contacts.size(); }
    const Island& at(double t, std::span<const double> y);

    /// Takes angles of joints, places on tracks and directions of slip along, when a step is
    /// accepted.
    void follow(double t, std::span<const double> y);
    void derivative_at(double t, std::span<const double> y, std::span<double> rate);

    // Functions whose falling through zero is an event.

    /// Positive while all modes are valid and the budget lasts.
    double slack(double t, std::span<const double> y);
    /// Gap of a near contact. If it starts at touch distance, its gap may be negative by rounding
    /// and is shifted, so that a contact that has just opened is no event.
    double gap(std::size_t near, double t, std::span<const double> y);
    /// Slip velocity along the slip direction at the start: it falls to zero where sliding stops.
    double slip(std::size_t contact, double t, std::span<const double> y);
    /// How far a limit of a joint is from being reached; shifted as the gap of a contact is.
    double limit_gap(std::size_t near, double t, std::span<const double> y);
    /// Slip of a drive along its direction at the start: zero where it begins to hold.
    double drive_slip(std::size_t drive, double t, std::span<const double> y);
    /// Rotation against which a couple acts, along its direction at the start: zero where it begins
    /// to hold.
    double couple_rotation(std::size_t contact, CoupleKind kind, double t,
                           std::span<const double> y);

  private:
    BodyKinematics body_kinematics(const Island& now, std::uint32_t index) const;
    BodyMotion motion_rate(const Island& now, std::size_t i, const Quatd& away,
                           const SpatialVector& force, WorkLedger& power) const;
    void update_reference(double t);
    /// Measures how fast the directions of new slips turn.
    void follow_new_slips(double t, std::span<const double> y);

    const WorldState& state_;
    const Laws& laws_;
    const Island& start_;
    Island trial_;
    BudgetMeter& budget_meter_;
    std::shared_ptr<const ReferenceRotation> reference_;
    std::vector<ReferenceRotation::Turn> turns_; ///< of the reference, at the time of the trial
    double turns_time_;
    KnownForces known_; ///< of the last tests of the modes
};

} // namespace rigor::faithful
