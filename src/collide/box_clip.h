// Face clipping against a face of a box.
//
// The box's own axes are x, y and height: no projection is needed, and the sides are bounds of a
// coordinate. A face of another box is a center and two half edges. Piles mostly consist of box
// pairs, so this has its own path; the result is that of clip_to_face.
#pragma once

#include "collide/box_features.h"
#include "collide/core_faces.h"
#include "collide/polygon_clip.h"
#include "collide/transform.h"

namespace rigor {

/// A box whose faces all have an area.
template <class S>
bool is_full_box(const Core<S>& core) {
    return core.kind == CoreKind::box && core.size.x > S(0) && core.size.y > S(0) &&
           core.size.z > S(0);
}

/// The directions of a face's x and y, and its normal. Products with zeros and ones, rather than
/// components by index, which would go through memory.
template <class S>
struct BoxAxes {
    Vec3<S> x, y, normal;
};
template <class S>
inline constexpr std::array<BoxAxes<S>, 6> kBoxAxes{
    {{{S(0), S(1), S(0)}, {S(0), S(0), S(1)}, {S(1), S(0), S(0)}},
     {{S(0), S(0), S(1)}, {S(0), S(1), S(0)}, {S(-1), S(0), S(0)}},
     {{S(0), S(0), S(1)}, {S(1), S(0), S(0)}, {S(0), S(1), S(0)}},
     {{S(1), S(0), S(0)}, {S(0), S(0), S(1)}, {S(0), S(-1), S(0)}},
     {{S(1), S(0), S(0)}, {S(0), S(1), S(0)}, {S(0), S(0), S(1)}},
     {{S(0), S(1), S(0)}, {S(1), S(0), S(0)}, {S(0), S(0), S(-1)}}}};

/// A face of a full box, in the frame of the box.
template <class S>
struct BoxFace {
    BoxFace(const Vec3<S>& half, std::uint32_t number) : face(number), axes(kBoxAxes<S>[number]) {
        const bool positive = number % 2 == 0;
        axis = static_cast<int>(number / 2);
        const int u = axis == 2 ? 0 : axis + 1, v = axis == 0 ? 2 : axis - 1;
        x = positive ? u : v;
        y = positive ? v : u;
        sign = positive ? S(1) : S(-1);
        half_x = half[x];
        half_y = half[y];
        top = half[axis];
    }

    Vec3<S> at(S px, S py, S height) const {
        return axes.x * px + axes.y * py + axes.normal * (top + height);
    }

    std::uint32_t face;
    const BoxAxes<S>& axes;
    int axis, x, y; ///< indices of the box's axes
    S sign;         ///< of the normal
    S half_x, half_y, top;
};

/// Clips an incident polygon, edge or vertex, in the frame of the box. Margin and slack are those
/// of clip_to_face.
template <class S>
void clip_to_box(const BoxFace<S>& reference, const FacePolygon<S>& incident, S margin, S slack,
                 ClipPoints<S>& out);

/// The same for a face of another full box, which is placed in the frame of the reference.
template <class S>
void clip_to_box(const BoxFace<S>& reference, const Vec3<S>& incident_half,
                 const Transform<S>& incident, std::uint32_t incident_face, S margin, S slack,
                 ClipPoints<S>& out);

} // namespace rigor
