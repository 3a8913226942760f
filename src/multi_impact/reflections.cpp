// Generalized reflections [Smith 2012]: while contacts approach, the impulses r that would just
// stop them, as a complementarity problem, are doubled, which reflects the velocity at the cone
// they span. This is proved to end after finitely many rounds [Vouga 2017].
//
// With e < 1 the result is e times the reflected plus 1 - e times the inelastic one: both leave
// nothing approaching, and energy is convex, so the combination has both properties. Where contacts
// differ in e, each threshold tau in [0, 1] makes those with e > tau elastic and the others
// inelastic; the result is the mean over all tau.

#include <algorithm>
#include <numeric>

#include "base/deadline.h"
#include "multi_impact/normal_contacts.h"

namespace rigor::contact_dynamics {
namespace {

/// One sequence of reflections for a threshold tau, with its own normal velocities.
class Reflection {
  public:
    Reflection(MultiImpactState& state, double tau)
        : state_(state), u_(state.size()), r_(state.size()), tau_(tau) {
        for (std::size_t i = 0; i < u_.size(); ++i) u_[i] = state.velocity(i).z;
    }

    /// False when it did not converge.
    bool run() {
        for (int rounds = 0; choose_contacts(); ++rounds) {
            if (state_.rounds_left() <= 0 || deadline_has_passed()) return false;
            if (rounds == kRoundsBeforeCheck && !can_separate()) {
                tau_ = 1;
                choose_contacts();
            }
            const auto impulses = solve_normal(state_.problem(), chosen_, q_);
            if (!impulses || !apply_reflection(*impulses)) return false;
            state_.add_counts(0, 1);
        }
        return true;
    }

    const std::vector<double>& impulses() const { return r_; }
    int hits() const { return hits_; }

  private:
    /// Rounds before can_separate() is tested.
    static constexpr int kRoundsBeforeCheck = 64;

    /// Whether some velocity has u_n > 0 everywhere. The shortest with u_n >= 1 is reached by
    /// compressive impulses, so it solves a complementarity problem; when that is proved to have no
    /// solution, there is no such velocity.
    bool can_separate() const {
        std::vector<std::size_t> all(u_.size());
        std::iota(all.begin(), all.end(), 0);
        return solve_normal(state_.problem(), all, std::vector<double>(u_.size(), -1),
                            NormalEffort::proof)
            .has_value();
    }

    bool is_elastic(std::size_t i) const { return state_.restitution_at_start(i) > tau_; }

    /// Chooses the approaching contacts, and with them all inelastic ones: none of these may be
    /// made to approach, or stopping them one by one would never end.
    bool choose_contacts() {
        chosen_.clear();
        q_.clear();
        bool any = false;
        for (std::size_t i = 0; i < u_.size(); ++i) {
            const bool approaches = u_[i] < -state_.negligible_speed();
            any = any || approaches;
            if (!approaches && is_elastic(i)) continue;
            chosen_.push_back(i);
            q_.push_back(u_[i]);
        }
        return any;
    }

    /// Doubles the impulse of elastic contacts. The inelastic ones are solved again, so that they
    /// bear the doubled impulses: a body that rests on a floor acts as an anvil. Energy does not
    /// grow. The velocity with all impulses doubled, v', has the energy of the old one, and the new
    /// velocity is the projection of v' - 2 M⁻¹ Jᵀ r of the inelastic contacts on the cone J v >= 0
    /// of these. Its length is its greatest product with a unit vector c of the cone, and v'·c - 2
    /// r·Jc <= |v'|.
    bool apply_reflection(std::vector<double> impulses) {
        for (std::size_t k = 0; k < chosen_.size(); ++k)
            if (is_elastic(chosen_[k])) impulses[k] *= 2;
        if (!solve_inelastic_again(impulses)) return false;
        bool any = false;
        for (std::size_t k = 0; k < chosen_.size(); ++k) {
            if (!(impulses[k] > 0)) continue;
            any = true;
            ++hits_;
            r_[chosen_[k]] += impulses[k];
            for (const BlockEntry& entry : state_.problem().w.row(chosen_[k]))
                u_[entry.column] += entry.block.cz.z * impulses[k];
        }
        return any;
    }

    /// Replaces the impulses of the inelastic contacts by those that stop them under the others.
    bool solve_inelastic_again(std::vector<double>& impulses) const {
        std::vector<double> u = u_;
        std::vector<std::size_t> inelastic, place;
        for (std::size_t k = 0; k < chosen_.size(); ++k) {
            if (!is_elastic(chosen_[k])) {
                inelastic.push_back(chosen_[k]);
                place.push_back(k);
                continue;
            }
            for (const BlockEntry& entry : state_.problem().w.row(chosen_[k]))
                u[entry.column] += entry.block.cz.z * impulses[k];
        }
        if (inelastic.empty() || inelastic.size() == chosen_.size()) return true;
        std::vector<double> q;
        q.reserve(inelastic.size());
        for (const std::size_t i : inelastic) q.push_back(u[i]);
        const auto again = solve_normal(state_.problem(), inelastic, q);
        if (!again) return false;
        for (std::size_t k = 0; k < place.size(); ++k) impulses[place[k]] = (*again)[k];
        return true;
    }

    MultiImpactState& state_;
    std::vector<double> u_, r_;
    double tau_;
    std::vector<std::size_t> chosen_;
    std::vector<double> q_; ///< velocities of the chosen contacts
    int hits_ = 0;
};

/// 0, the values of e between 0 and 1 in ascending order, and 1.
std::vector<double> thresholds(const MultiImpactState& state) {
    std::vector<double> e;
    for (std::size_t i = 0; i < state.size(); ++i) e.push_back(state.restitution_at_start(i));
    e.push_back(0);
    e.push_back(1);
    std::sort(e.begin(), e.end());
    e.erase(std::unique(e.begin(), e.end()), e.end());
    return e;
}

} // namespace

void reflect(MultiImpactState& state) {
    const std::vector<double> tau = thresholds(state);
    while (state.any_approaches()) {
        std::vector<double> normal(state.size());
        int hits = 0;
        for (std::size_t i = 0; i + 1 < tau.size(); ++i) {
            Reflection reflection(state, tau[i]);
            if (!reflection.run()) return state.mark_unconverged();
            const double weight = tau[i + 1] - tau[i];
            for (std::size_t k = 0; k < normal.size(); ++k)
                normal[k] += weight * reflection.impulses()[k];
            hits = std::max(hits, reflection.hits());
        }
        for (std::size_t k = 0; k < normal.size(); ++k)
            if (normal[k] > 0) state.apply(k, {0, 0, normal[k]});
        if (hits == 0) return state.mark_unconverged();
        apply_friction(state, normal);
        state.add_counts(hits, 0);
    }
}

} // namespace rigor::contact_dynamics
