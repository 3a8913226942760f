// Mass, center of mass and inertia.
#pragma once

#include "rigor/export.h"
#include "rigor/mat.h"
#include "rigor/vec.h"

namespace rigor {

/// Mass properties: mass, center of mass and inertia, all that determines free motion.
struct MassProperties {
    double mass = 0;
    Vec3d center;  ///< center of mass
    Sym3d inertia; ///< about the center of mass, in the axes `center` is given in
};

/// An inertia tensor in the axes where it is diagonal.
struct PrincipalInertia {
    Vec3d moments; ///< ascending
    Mat3d axes;    ///< the columns are the axes, right-handed; exact when the tensor is diagonal
};

RIGOR_API PrincipalInertia principal_inertia(const Sym3d& inertia);

} // namespace rigor
