// The axis that separates two polyhedra best: a face of either, or an edge of each.
//
// Of all directions, those of the faces of the difference A - B matter [Gottschalk 1996]: the
// separation is the most that any of them leaves, and for solids that overlap it is minus the
// depth, exactly. Two edges make a face of the difference when their arcs on the sphere of normals
// cross [Gregorius 2013]. For solids apart it is a lower bound of the distance.
#pragma once

#include "base/inline_vector.h"
#include "collide/contact_types.h"
#include "collide/core.h"
#include "collide/placement.h"

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

/// A point that two polyhedra have in common, and how far below each of their faces it lies.
///
/// It tells which features matter. A face leaves no more between the solids than the point is
/// above it; and two edges leave no more than the point is above the nearest of the faces beside
/// either of them, since the normal they span lies between those of these faces. So, when
/// something leaves -s, only faces and edges within s of the point are left to look at: a handful,
/// where solids overlap by little.
template <class S>
struct CommonPoint {
    CommonPoint(const Core<S>& core_a, const Core<S>& core_b, const Placement<S>& b_in_a,
                const Vec3<S>& point, S error_of_point);

    CommonPoint(const CommonPoint&) = delete;
    CommonPoint& operator=(const CommonPoint&) = delete;

    /// Whether the point is below all faces of both.
    bool is_inside() const { return a.lowest >= S(0) && b.lowest >= S(0); }

    /// How far the point is below the planes of one of the two.
    struct Depths {
        const S* below = nullptr;  ///< by face
        std::uint32_t nearest = 0; ///< the face it is least below
        S lowest{};                ///< of all planes
        InlineVector<S, 128> storage;
    };
    Depths a, b;
    S error{}; ///< by which the point may be outside
};

/// The best axis; faces are preferred to edges that separate by less than `tolerance` more. Ends
/// early, with any axis that separates by more than `margin`. `guess` is an axis to begin with:
/// the better it is, the less has to be looked at. Radii do not count.
///
/// For two that overlap:
template <class S>
SeparatingAxis<S> find_separating_axis(const Core<S>& a, const Core<S>& b,
                                       const Placement<S>& b_in_a, const ContactSettings<S>& wanted,
                                       const CommonPoint<S>& common,
                                       const SeparatingAxis<S>& guess = {});
/// For two boxes, by the 15 axes they have:
template <class S>
SeparatingAxis<S> find_box_axis(const Core<S>& a, const Core<S>& b, const Placement<S>& b_in_a,
                                const ContactSettings<S>& wanted,
                                const SeparatingAxis<S>& guess = {});
/// For a triangle and a box, by their 13:
template <class S>
SeparatingAxis<S> find_triangle_box_axis(const Core<S>& a, const Core<S>& b,
                                         const Placement<S>& b_in_a,
                                         const ContactSettings<S>& wanted,
                                         const SeparatingAxis<S>& guess = {});

/// How far two boxes are apart across a face of either that separated them before.
template <class S>
SeparatingAxis<S> same_box_face(const Core<S>& a, const Core<S>& b, const Placement<S>& b_in_a,
                                const ContactMemory<S>& memory);
/// How far the two are apart along the axis between the same faces or edges as before. Nothing, as
/// minus infinity, when the edges have become parallel or no longer separate.
template <class S>
SeparatingAxis<S> same_axis(const Core<S>& a, const Core<S>& b, const Placement<S>& b_in_a,
                            const ContactMemory<S>& memory);

} // namespace rigor
