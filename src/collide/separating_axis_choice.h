// Common to the searches for a separating axis: keeps the best one.
#pragma once

#include "collide/separating_axis.h"

namespace rigor {

/// The squared sine below which two edges count as parallel: their cross product would be rounding.
/// The adjacent faces then separate nearly as well.
template <class S>
inline constexpr S kParallel = sizeof(S) == sizeof(double) ? S(1e-16) : S(1e-6);

template <class S>
S score(const SeparatingAxis<S>& axis, S tolerance, bool remembered) {
    const S as_face = axis.kind == AxisKind::edges ? S(0) : tolerance;
    return axis.separation + as_face + (remembered ? tolerance : S(0));
}

/// Keeps the best axis so far.
template <class S>
class Choice {
  public:
    Choice(const SeparatingAxis<S>& guess, const ContactSettings<S>& wanted)
        : best_(guess), tolerance_(wanted.tolerance), margin_(wanted.margin) {
        score_ = score(guess, tolerance_, true);
    }

    const SeparatingAxis<S>& best() const { return best_; }
    bool is_apart() const { return best_.separation > margin_; }

    /// Whether a face that separates by at most `separation` can still win.
    bool may_win_as_face(S separation) const { return separation + tolerance_ > score_; }
    bool may_win_as_edges(S separation) const { return separation > score_; }
    /// The same, to rounding, for a separation along a vector of this squared length: without a
    /// root.
    bool may_win_as_edges(S along, S squared) const {
        constexpr S kSlack = S(1.0001);
        if (along >= S(0)) return true;
        return score_ < S(0) && along * along <= kSlack * score_ * score_ * squared;
    }
    /// Faces and edges that separate by less cannot win.
    S least_for_faces() const { return score_ - tolerance_; }
    S least_for_edges() const { return score_; }

    void consider(const SeparatingAxis<S>& axis) {
        const S s = score(axis, tolerance_, false);
        // An axis that separates by more than the margin ends the search, regardless of the cache.
        if (!(s > score_) && !(axis.separation > margin_)) return;
        best_ = axis;
        score_ = s;
    }

  private:
    SeparatingAxis<S> best_;
    S tolerance_, margin_, score_;
};

} // namespace rigor
