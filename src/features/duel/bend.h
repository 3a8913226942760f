// Bending of a fencer's body: where its vertices are, as a function of where the weapon is.
//
// The mesh hangs on two bones, the hips and the chest. The chest turns about the waist: it leans
// toward the weapon, and twists after it. Between waist and neck a vertex turns by a share w of the
// angles that rises smoothly from 0 to 1, which bends the axis like a spine. Blending angles keeps
// the cross sections; blending the positions of the two bones linearly would make them smaller.
#pragma once

#include <span>

#include "rigor/duel.h"

namespace rigor {

/// The turn of the chest against the hips.
struct Bend {
    Vec3d lean;       ///< rotation vector, at right angles to the axis
    double twist = 0; ///< rad, about the axis
};

/// The bend when the weapon has moved from `rest` to `hand`, all in the frame of the body. The neck
/// follows the part of the way at right angles to the axis, and the chest turns by the angle that
/// the way across the weapon's direction subtends; both as a share and up to the largest angle.
Bend bend_toward(const BendDef& def, const Vec3d& rest, const Vec3d& hand);

/// Where a point is when the body is bent. Points below the waist stay to the last bit.
Vec3d bent(const BendDef& def, const Bend& bend, const Vec3d& point);

/// Fails when the bend could fold a mesh with these vertices. A point at the distance r from the
/// axis is squeezed by r dw/ds angle / length, and dw/ds is 3/2 at most: less than 1 is no fold.
Result<void> check_folds(const BendDef& def, std::span<const Vec3d> vertices);

} // namespace rigor
