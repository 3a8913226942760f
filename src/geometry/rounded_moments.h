// The moments of rounded solids.
//
// The points within r of a convex core make a solid whose volume, and whose moments alike, are
// polynomials in r: the core itself, a slab of height r over each face, a wedge around each
// edge, a sector of a ball at each vertex (Steiner's formula, [Schneider 2014]). All that the
// core contributes is in the coefficients, so
//
//     the solid of rounding r    is the polynomial at r,
//     the uniform shell of it    is its derivative at r: a layer of thickness dr,
//
// and at r = 0 the derivative is the shell of the sharp core. No shape needs a formula of its
// own for being hollow.
#pragma once

#include <array>
#include <span>

#include "geometry/hull.h"
#include "geometry/moments.h"

namespace rigor {

struct RoundedMoments {
    std::array<Moments, 6> power; ///< coefficients of r^0 .. r^5
};

Moments solid_at(const RoundedMoments& moments, double r);
Moments shell_at(const RoundedMoments& moments, double r);

/// One straight piece of the profile of a convex solid of revolution about z, in (r, z). Pieces
/// run from the top of the axis to its bottom, each starting where the last one ended; their
/// outward unit normals turn from up to down. Pieces may have no length and lie on the axis.
struct ProfilePiece {
    double r0 = 0, z0 = 0, r1 = 0, z1 = 0;
    double normal_r = 0, normal_z = 0;
};

/// About the origin.
RoundedMoments revolve(std::span<const ProfilePiece> pieces);

/// About the hull's center.
RoundedMoments rounded_moments(const Hull<double>& hull);

} // namespace rigor
