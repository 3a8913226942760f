// A contact as two features that are fixed in their bodies: how their gap, the normal and the point
// between them go on as the bodies move.
//
// Manifolds say where bodies touch now. Between two looks at them the same vertex stays on the same
// face and the same edges cross; so gap, normal and point are smooth functions of the poses, and
// their rates are exact (Dual). Rounded solids are features with a radius: a ball is a point, a
// capsule a line, and a ball that rolls is a point over a plane. A rim is the circle of a disk.
#pragma once

#include "collide/contacts.h"
#include "contact_dynamics/body_kinematics.h"
#include "math/dual.h"

namespace rigor::contact_dynamics {

enum class FeatureForm : std::uint8_t { point, line, plane, rim };

/// Seen from the body's center of mass, in its principal axes.
struct BodyFeature {
    FeatureForm form = FeatureForm::point;
    Vec3d p;           ///< the point, one of the line or plane, the center of the rim
    Vec3d d;           ///< along the line, out of the plane, along the axis of the rim
    double radius = 0; ///< of the ball around point or line
    double rim = 0;    ///< radius of the rim
};

struct ContactGeometry {
    BodyFeature a, b;
    Vec3d side; ///< unless one is a plane: the normal when it was made, in a: which way to look
};

/// Where two features are nearest.
template <class F>
struct Nearest {
    Vec3<F> normal; ///< from a to b
    Vec3<F> point;  ///< half-way between
    F gap{};
};

template <class F>
Nearest<F> nearest(const ContactGeometry& geometry, const Pose<F>& a, const Pose<F>& b);

/// What a body's shape is at a contact, for building geometries.
struct ContactPlace {
    const Shape<double>* shape = nullptr;
    Posed in_body; ///< the shape, seen from the center of mass in principal axes
};

/// Of point i of a manifold that is given in the frame of a's shape.
ContactGeometry make_geometry(const ContactPlace& a, const ContactPlace& b, const Posed& b_in_a,
                              const Manifold<double>& manifold, int i);

/// The relative velocity of the bodies at a contact, b's seen from a's, in tangents and normal, and
/// how the three would change if both bodies went on with their velocities.
struct ContactFrame {
    Vec3d normal, tangent_1, tangent_2;
    Vec3d point, point_b; ///< as a and as b are placed: they differ where b is met in another cell
    double gap = 0;
    Vec3d drift; ///< by tangent_1, tangent_2, normal, m/s²
};

/// Of a copy of b that is moved by `image`.
ContactFrame frame_of(const ContactGeometry& geometry, const BodyMoment& a, const BodyMoment& b,
                      const Vec3d& image = {});

} // namespace rigor::contact_dynamics
