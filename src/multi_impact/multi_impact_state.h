// What all ways through several impacts share: the velocities as impulses change them.
#pragma once

#include "multi_impact/impact_problem.h"

namespace rigor::contact_dynamics {

class ImpactState {
  public:
    ImpactState(const ImpactProblem& problem, const MultiImpactSettings& settings);

    const ImpactProblem& problem() const { return problem_; }
    const MultiImpactSettings& settings() const { return settings_; }
    std::size_t size() const { return outcome_.u.size(); }
    const Vec3d& velocity(std::size_t i) const { return outcome_.u[i]; }
    bool approaches(std::size_t i) const { return velocity(i).z < -slow_; }
    /// A slower approach is none: the threshold, or rounding of the velocities there are.
    double slow() const { return slow_; }
    /// The one that approaches fastest, of equal ones the first; size() when none does.
    std::size_t fastest() const;
    std::size_t first_approaching() const;
    bool any_approaches() const { return first_approaching() < size(); }

    /// An impulse at one contact. Of W, blocks (i, j) and (j, i) are each other's transpose.
    void apply(std::size_t i, const Vec3d& impulse);
    /// What the law of one contact wants.
    Vec3d impact_of(std::size_t i) const;
    /// Whether that impulse leaves no other contact approaching that does not yet.
    bool is_last(std::size_t i, const Vec3d& impulse) const;

    void count(int impulses, int rounds) {
        outcome_.impulses += impulses;
        outcome_.rounds += rounds;
    }
    void give_up() { outcome_.converged = false; }
    int rounds_left() const { return settings_.max_rounds - outcome_.rounds; }

    /// Judges what came out.
    ImpactsOutcome finish();

  private:
    bool is_ambiguous() const;

    const ImpactProblem& problem_;
    const MultiImpactSettings& settings_;
    ImpactsOutcome outcome_;
    double slow_;
};

// Each goes on until nothing approaches, or gives up.
void propagate(ImpactState& state);
void solve_simultaneously(ImpactState& state);
void reflect(ImpactState& state);

/// The friction that takes most energy, with at most mu times the normal impulse at each contact:
/// the point of a product of discs where a convex function is least. Can only take energy.
void apply_friction(ImpactState& state, const std::vector<double>& normal_impulses);

} // namespace rigor::contact_dynamics
