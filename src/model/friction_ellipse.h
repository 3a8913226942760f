// Anisotropic friction: the ellipse of the friction forces that two surfaces with a grain allow.
//
// In each direction of the contact plane the force f obeys |D⁻¹ f| <= mu N, and a contact that
// slides with velocity u has the force of that ellipse that takes most power from it,
//
//     f = -mu N D² u / |D u|,    D = diag(ratio, 1) along and across the grain.
//
// With tangents scaled by D, the velocity D u and the force D⁻¹ f obey the isotropic law: nothing
// else in a solver changes.
#pragma once

#include "rigor/vec.h"

namespace rigor {

/// The grain of a surface in world axes.
struct Grain {
    Vec3d direction;  ///< zero: none
    double ratio = 1; ///< of friction along it to friction across it
};

/// Principal axes of D in the contact plane. The second axis is normal x axis.
struct FrictionEllipse {
    Vec3d axis;
    double along = 1, across = 1; ///< factors of friction
};

/// The grain acts by its projection on the contact plane; without one, as at the end grain of a
/// bar, friction is isotropic. Of two grains, D is the geometric mean of the squares of both [Ando
/// 2004]: it is that of one where the other is isotropic, ratios multiply where grains are
/// parallel, and the order of the surfaces does not matter.
FrictionEllipse friction_ellipse(const Vec3d& normal, const Grain& a, const Grain& b);

} // namespace rigor
