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
    /// A slower approach is none: the threshold, or rounding of the velocities there are.
    double negligible_speed() const { return negligible_speed_; }
    /// The one that approaches fastest, of equal ones the first; size() when none does.
    std::size_t fastest() const;
    std::size_t first_approaching() const;
    bool any_approaches() const { return first_approaching() < size(); }

    /// An impulse at one contact. Of W, blocks (i, j) and (j, i) are each other's transpose.
    void apply(std::size_t i, const Vec3d& impulse);
    /// What the law of one contact wants.
    Vec3d impact_of(std::size_t i) const;
    /// Whether that impulse leaves no other contact approaching that does not yet.
    bool leaves_none_approaching(std::size_t i, const Vec3d& impulse) const;

    void add_counts(int impulses, int rounds) {
        outcome_.impulses += impulses;
        outcome_.rounds += rounds;
    }
    void mark_unconverged() { outcome_.converged = false; }
    int rounds_left() const { return settings_.max_rounds - outcome_.rounds; }

    /// Judges what came out.
    ImpactsOutcome finish();

  private:
    bool is_ambiguous() const;

    const ImpactProblem& problem_;
    const MultiImpactSettings& settings_;
    ImpactsOutcome outcome_;
    double negligible_speed_;
};

// Each goes on until nothing approaches, or gives up.
void propagate(MultiImpactState& state);
void solve_simultaneously(MultiImpactState& state);
void reflect(MultiImpactState& state);

/// The friction that takes most energy, with at most mu times the normal impulse at each contact:
/// the point of a product of discs where a convex function is least. Can only take energy.
void apply_friction(MultiImpactState& state, const std::vector<double>& normal_impulses);

} // namespace rigor::contact_dynamics
