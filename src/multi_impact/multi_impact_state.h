// State shared by all multi-impact rules: contact velocities and accumulated impulses.
#pragma once

#include "multi_impact/impact_problem.h"

namespace rigor::contact_dynamics {

class MultiImpactState {
  public:
    MultiImpactState(const ImpactProblem& problem, const MultiImpactSettings& settings);

    const ImpactProblem& problem() const { return problem_; }
    const MultiImpactSettings& settings() const { return settings_; }
    std::size_t size() const { return outcome_.u.size(); }
    const Vec3d& velocity(std::size_t i) const { return outcome_.u[i]; }
    bool approaches(std::size_t i) const { return velocity(i).z < -negligible_speed_; }
    /// A slower approach is ignored: the threshold, or rounding of the velocities.
    double negligible_speed() const { return negligible_speed_; }
    /// The restitution of a contact at its velocity now.
    double restitution(std::size_t i) const { return restitution_at(i, velocity(i)); }
    double restitution_at_start(std::size_t i) const { return restitution_at(i, problem_.u[i]); }
    /// The fastest approaching contact, of equal ones the first; size() when none approaches.
    std::size_t fastest() const;
    std::size_t first_approaching() const;
    bool any_approaches() const { return first_approaching() < size(); }

    /// Applies an impulse at one contact. Blocks (i, j) and (j, i) of W are each other's transpose.
    void apply(std::size_t i, const Vec3d& impulse);
    /// The impulse by the law of one contact.
    Vec3d impact_of(std::size_t i) const;
    /// Whether that impulse makes no other contact approach.
    bool leaves_none_approaching(std::size_t i, const Vec3d& impulse) const;

    void add_counts(int impulses, int rounds) {
        outcome_.impulses += impulses;
        outcome_.rounds += rounds;
    }
    void mark_unconverged() { outcome_.converged = false; }
    int rounds_left() const { return settings_.max_rounds - outcome_.rounds; }

    /// Sets convergence, ambiguity and energy of the outcome.
    ImpactsOutcome finish();

  private:
    bool is_ambiguous() const;
    double restitution_at(std::size_t i, const Vec3d& u) const;

    const ImpactProblem& problem_;
    const MultiImpactSettings& settings_;
    ImpactsOutcome outcome_;
    double negligible_speed_;
};

// Each iterates until nothing approaches, or gives up.
void propagate(MultiImpactState& state);
void solve_simultaneously(MultiImpactState& state);
void reflect(MultiImpactState& state);

/// The friction that dissipates most energy, with at most mu times the normal impulse at each
/// contact: the minimum of a convex function over a product of discs. It never adds energy.
void apply_friction(MultiImpactState& state, const std::vector<double>& normal_impulses);

} // namespace rigor::contact_dynamics
