// Distances of solids by separating directions: the separation along any direction is a lower bound
// of the distance of two convex solids, which their support points prove.
#pragma once

#include "certificate.h"

namespace check {

struct Pose {
    Vec x;
    Quat q;
};

/// Across the axis of a piece; mostly a point.
struct Disc {
    Vec center;
    double radius = 0;
};

/// In the axes of its body: the convex hull of discs, grown by `radius`; or, without discs, what is
/// below a plane across the axis.
struct Piece {
    std::vector<Disc> discs;
    Vec axis = {};
    double radius = 0, offset = 0; ///< offset of a plane
    Vec middle = {};               ///< of a ball of radius `extent` around it
    double extent = 0;

    bool is_plane() const { return discs.empty(); }
};
/// One piece; of a mesh one for each triangle.
std::vector<Piece> pieces_of(const Shape& shape);

/// The farthest a piece reaches along a unit vector of the world.
double reach(const Piece& piece, const Pose& body, Vec direction);
/// How far a direction parts a from b.
double separation(const Piece& a, const Pose& at_a, const Piece& b, const Pose& at_b, Vec n);
/// The direction that parts a from b the most, by the algorithm of Gilbert, Johnson and Keerthi; a
/// good one where they overlap; none for one inside the other.
std::optional<Vec> separating_direction(const Piece& a, const Pose& at_a, const Piece& b,
                                        const Pose& at_b);
/// Distance of a point to a shape, minus infinity well inside of it.
double distance(const Shape& shape, const Pose& body, Vec point);

} // namespace check
