// One step of free rotation by splitting: symplectic, cheap, and exact for symmetric bodies.
#pragma once

#include "math/trig.h"
#include "math/turn.h"
#include "model/body_store.h"

namespace rigor {

/// The energy of a free body, with the moments written apart from the middle one I_m,
///
///     H = |L|²/(2 I_m) + ½ (1/I_i - 1/I_m) L_i² + ½ (1/I_j - 1/I_m) L_j² ,
///
/// is a sum of three parts each of which alone is a steady rotation: about L in the world,
/// about the body's axis i, and about its axis j. Turning by them one after the other, in the
/// order i/2, j, i/2, is a second-order symplectic step [Touma and Wisdom 1994]: L keeps its
/// bits, and the energy swings about its true value and never drifts. The first part commutes
/// with the rest, as |L| is all it knows. For a ball the last two vanish, for a symmetric body
/// one of them does: then the step is exact.
///
/// M is the middle axis, q takes principal axes to world.
template <int M>
[[gnu::always_inline]] inline Quatd split_rotation_about(const Vec3d& inv_moments, const Quatd& q,
                                                         const Vec3d& l, double dt) {
    constexpr int i = (M + 1) % 3, j = (M + 2) % 3; // i, j, M is right-handed
    const double rate_i = 0.5 * dt * (inv_moments[i] - inv_moments[M]);
    const double rate_j = dt * (inv_moments[j] - inv_moments[M]);
    const Vec3d local = inverse_rotate(q, l);

    // Half angles s, c; the body sees L turn back by the whole angle: sin = 2sc, cos = 1 - 2s².
    const SinCos<double> h1 = sin_cos(0.5 * rate_i * local[i]);
    const double sin1 = 2 * h1.sin * h1.cos, cos1 = 1 - 2 * h1.sin * h1.sin;
    const double lj = cos1 * local[j] + sin1 * local[M];
    const double lm = cos1 * local[M] - sin1 * local[j];

    const SinCos<double> h2 = sin_cos(0.5 * rate_j * lj);
    const double sin2 = 2 * h2.sin * h2.cos, cos2 = 1 - 2 * h2.sin * h2.sin;
    const double li = cos2 * local[i] - sin2 * lm;

    const SinCos<double> h3 = sin_cos(0.5 * rate_i * li);

    // (c1 + s1 i)(c2 + s2 j)(c3 + s3 i), with i j = m.
    Vec3d v;
    v[i] = h2.cos * (h1.cos * h3.sin + h1.sin * h3.cos);
    v[j] = h2.sin * (h1.cos * h3.cos + h1.sin * h3.sin);
    v[M] = h2.sin * (h1.sin * h3.cos - h1.cos * h3.sin);
    const double w = h2.cos * (h1.cos * h3.cos - h1.sin * h3.sin);
    return correct_drift(turn_by(l * (dt * inv_moments[M])) * (q * Quatd::from_parts(w, v)));
}

[[gnu::always_inline]] inline Quatd split_rotation(const BodyInertia& inertia, const Quatd& q,
                                                   const Vec3d& l, double dt) {
    switch (inertia.middle) {
        case 0:
            return split_rotation_about<0>(inertia.inv_moments, q, l, dt);
        case 1:
            return split_rotation_about<1>(inertia.inv_moments, q, l, dt);
        default:
            return split_rotation_about<2>(inertia.inv_moments, q, l, dt);
    }
}

} // namespace rigor
