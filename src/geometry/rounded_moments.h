// Moments of rounded solids, as polynomials in the rounding radius.
//
// The points within r of a convex core form a solid whose volume and moments are polynomials in r:
// the core itself, a slab of height r over each face, a wedge around each edge, a sector of a ball
// at each vertex (Steiner's formula, [Schneider 2014]). The coefficients depend on the core alone,
// so
//
//     the solid of rounding r    is the polynomial at r,
//     the uniform shell of it    is its derivative at r: a layer of thickness dr,
//
// and at r = 0 the derivative is the shell of the sharp core. Hollow shapes need no formulas of
// their own.
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

/// One straight segment of the profile of a convex solid of revolution about z, in (r, z). Segments
/// run from the top of the axis to its bottom, each starting where the last one ended; their
/// outward unit normals rotate from up to down. Segments may have zero length and lie on the axis.
struct ProfilePiece {
    double r0 = 0, z0 = 0, r1 = 0, z1 = 0;
    double normal_r = 0, normal_z = 0;
};

/// About the origin.
RoundedMoments revolve(std::span<const ProfilePiece> pieces);

/// About the hull's center.
RoundedMoments rounded_moments(const Hull<double>& hull);

} // namespace rigor
