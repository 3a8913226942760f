// Separating axis test (SAT): least separation or penetration of two polyhedra.
//
// Only the face normals of the Minkowski difference A - B matter [Gottschalk 1996]: the separation
// is the maximum over them, and for solids that overlap it is exactly minus the depth. Two edges
// form a face of the difference when their arcs on the Gauss map cross [Gregorius 2013]. For
// separated solids it is a lower bound of the distance.
#pragma once

#include "base/inline_vector.h"
#include "collide/contact_types.h"
#include "collide/core.h"
#include "collide/transform.h"

namespace rigor {

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

/// A common point of two polyhedra, and its depth below each of their faces.
///
/// It culls features. The separation across a face is at most the height of the point above it;
/// that of two edges is at most its height above the nearest of the faces adjacent to either, since
/// the normal they span lies between the normals of these faces. So, when some axis has the
/// separation -s, only faces and edges within s of the point remain: a handful, where solids
/// overlap by little.
template <class S>
struct CommonPoint {
    CommonPoint(const Core<S>& core_a, const Core<S>& core_b, const Transform<S>& b_in_a,
                const Vec3<S>& point, S error_of_point);

    CommonPoint(const CommonPoint&) = delete;
    CommonPoint& operator=(const CommonPoint&) = delete;

    /// Whether the point is below all faces of both.
    bool is_inside() const { return a.lowest >= S(0) && b.lowest >= S(0); }

    /// The depths of the point below the planes of one of the two.
    struct Depths {
        const S* below = nullptr;  ///< by face
        std::uint32_t nearest = 0; ///< the face of least depth
        S lowest{};                ///< the least over all planes
        InlineVector<S, 128> storage;
    };
    Depths a, b;
    S error{}; ///< by which the point may be outside
};

/// The best axis; faces are preferred to edges that separate by less than `tolerance` more. Ends
/// early with any axis that separates by more than `margin`. `guess` is an initial axis: the better
/// it is, the more features are culled. Radii are ignored.
///
/// For two overlapping polyhedra:
template <class S>
SeparatingAxis<S> find_separating_axis(const Core<S>& a, const Core<S>& b,
                                       const Transform<S>& b_in_a, const ContactSettings<S>& wanted,
                                       const CommonPoint<S>& common,
                                       const SeparatingAxis<S>& guess = {});
/// For two boxes, by their 15 axes:
template <class S>
SeparatingAxis<S> find_box_axis(const Core<S>& a, const Core<S>& b, const Transform<S>& b_in_a,
                                const ContactSettings<S>& wanted,
                                const SeparatingAxis<S>& guess = {});
/// For a triangle and a box, by their 13 axes:
template <class S>
SeparatingAxis<S> find_triangle_box_axis(const Core<S>& a, const Core<S>& b,
                                         const Transform<S>& b_in_a,
                                         const ContactSettings<S>& wanted,
                                         const SeparatingAxis<S>& guess = {});

/// The separation of two boxes across a face of either that separated them before.
template <class S>
SeparatingAxis<S> same_box_face(const Core<S>& a, const Core<S>& b, const Transform<S>& b_in_a,
                                const ContactMemory<S>& memory);
/// The separation along the axis of the same faces or edges as before. Minus infinity when the
/// edges have become parallel or no longer form a face of the difference.
template <class S>
SeparatingAxis<S> same_axis(const Core<S>& a, const Core<S>& b, const Transform<S>& b_in_a,
                            const ContactMemory<S>& memory);

} // namespace rigor
