// Contact geometry: a contact as two features fixed in their bodies, so that gap, normal and
// contact point are smooth functions of the poses.
//
// A manifold says where bodies touch now. Until the next detection the same vertex stays on the
// same face and the same edges cross, so gap, normal and point can be differentiated exactly
// (Dual). Rounded solids are features with a radius: a ball is a point, a capsule a line, and a
// rolling ball is a point over a plane. A rim is the circle of a disk.
#pragma once

#include "collide/contacts.h"
#include "contact_dynamics/body_kinematics.h"
#include "math/dual.h"

namespace rigor::contact_dynamics {

enum class FeatureForm : std::uint8_t { point, line, plane, rim };

/// In the frame of the body: origin at the center of mass, principal axes.
struct BodyFeature {
    FeatureForm form = FeatureForm::point;
    Vec3d p;               ///< the point, one of the line or plane, the center of the rim
    Vec3d d;               ///< along the line, out of the plane, along the axis of the rim
    double radius = 0;     ///< of the ball around point or line
    double rim_radius = 0; ///< radius of the rim
};

struct ContactGeometry {
    BodyFeature a, b;
    Vec3d
        side; ///< unless one is a plane: the normal at creation in a's frame, which picks the side
};

/// Closest points of two features.
template <class F>
struct ClosestPoints {
    Vec3<F> normal; ///< from a to b
    Vec3<F> point;  ///< midpoint
    F gap{};
};

template <class F>
ClosestPoints<F> closest_points(const ContactGeometry& geometry, const Pose<F>& a,
                                const Pose<F>& b);

/// The same from poses in the world, without the rounding that coordinates far from its origin
/// have.
ClosestPoints<double> closest_points_in_world(const ContactGeometry& geometry, const Posed& a,
                                              const Posed& b);

/// The shape of a body at a contact, input of make_geometry().
struct ContactShape {
    const Shape<double>* shape = nullptr;
    Posed in_body; ///< the shape, seen from the center of mass in principal axes
};

/// Geometry of point i of a manifold, which is given in the frame of a's shape.
ContactGeometry make_geometry(const ContactShape& a, const ContactShape& b, const Posed& b_in_a,
                              const Manifold<double>& manifold, int i);

/// Contact frame: tangents and normal, with the bias acceleration, which is the rate of change of
/// the relative velocity (b relative to a) while both bodies keep their velocities.
struct ContactFrame {
    Vec3d normal, tangent_1, tangent_2;
    Vec3d point;
    /// From the centers of mass of a and b to the point. Found without the position in the world,
    /// whose rounding would be seen far from its origin.
    Vec3d arm_a, arm_b;
    double gap = 0;
    Vec3d bias_acceleration; ///< by tangent_1, tangent_2, normal, m/s²
    /// Of the surface of b relative to that of a, along the surface: it adds to the slip.
    Vec3d surface_velocity;
    bool has_surface_velocity = false;
    /// The tangents are scaled by the factors of anisotropic friction, so that velocities and
    /// forces along them obey the isotropic law (model/friction_ellipse.h).
    bool is_anisotropic = false;
};

/// Velocity of b relative to a at a contact.
inline Vec3d relative_velocity(const ContactFrame& frame, const BodyKinematics& a,
                               const BodyKinematics& b) {
    return b.v + cross(b.w, frame.arm_b) - (a.v + cross(a.w, frame.arm_a));
}

/// Rate of change of the normal.
Vec3d normal_rate(const ContactGeometry& geometry, const BodyKinematics& a, const BodyKinematics& b,
                  const Vec3d& image);

/// The frame with the periodic image of b that is displaced by `image`.
ContactFrame frame_of(const ContactGeometry& geometry, const BodyKinematics& a,
                      const BodyKinematics& b, const Vec3d& image = {});

} // namespace rigor::contact_dynamics
