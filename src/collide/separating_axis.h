// The axis that separates two polyhedra best: a face of either, or an edge of each.
//
// Of all directions, those of the faces of the difference A - B matter [Gottschalk 1996]: the
// separation is the most that any of them leaves, and for solids that overlap it is minus the
// depth, exactly. Two edges make a face of the difference when their arcs on the sphere of normals
// cross [Gregorius 2013]. For solids apart it is a lower bound of the distance.
#pragma once

#include "collide/contact_types.h"
#include "collide/core.h"
#include "rigor/mat.h"

namespace rigor {

/// Where B is, with its rotation as a matrix.
template <class S>
struct Placement {
    Mat3<S> turn;
    Vec3<S> offset;

    Vec3<S> point(const Vec3<S>& local) const { return turn * local + offset; }
    Vec3<S> direction(const Vec3<S>& local) const { return turn * local; }
    Vec3<S> local_direction(const Vec3<S>& d) const { return transpose_multiply(turn, d); }
};

template <class S>
struct SeparatingAxis {
    AxisKind kind = AxisKind::none;
    Feature a, b; ///< face_a: a is the face; face_b: b is; edges: both are
    Vec3<S> normal;
    S separation = -std::numeric_limits<S>::infinity();
};

/// Boxes, hulls and triangles.
template <class S>
bool is_polyhedron(const Core<S>& core) {
    return core.kind == CoreKind::box || core.kind == CoreKind::hull ||
           core.kind == CoreKind::triangle;
}

/// The best axis; faces are preferred to edges that separate by less than `tolerance` more. Ends
/// early, with any axis that separates by more than `margin`. `guess` is an axis to begin with:
/// the better it is, the less has to be looked at. Radii do not count.
template <class S>
SeparatingAxis<S> find_separating_axis(const Core<S>& a, const Core<S>& b,
                                       const Placement<S>& b_in_a, const ContactSettings<S>& wanted,
                                       const SeparatingAxis<S>& guess = {});

/// How far the two are apart along the axis between the same faces or edges as before. Nothing, as
/// minus infinity, when the edges have become parallel or no longer separate.
template <class S>
SeparatingAxis<S> same_axis(const Core<S>& a, const Core<S>& b, const Placement<S>& b_in_a,
                            const ContactMemory<S>& memory);

} // namespace rigor
