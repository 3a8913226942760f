#include "contact_dynamics/surface_directions.h"

#include "model/friction_ellipse.h"

namespace rigor::contact_dynamics {
namespace {

/// A surface velocity turns with its body, and its part along the surface changes with the normal:
///
///     s_T = s - n (n·s),   t·ds_T/dt = t·(w x s) - (t·dn/dt) (n·s)
void add_surface_velocity(const Contact& c, const BodyKinematics& a, const BodyKinematics& b,
                          ContactFrame& frame) {
    const Vec3d s_a = rotate(a.q, c.surface_a.velocity), s_b = rotate(b.q, c.surface_b.velocity);
    const Vec3d s = s_b - s_a, turning = cross(b.w, s_b) - cross(a.w, s_a);
    const double along_normal = dot(frame.normal, s);
    frame.has_surface_velocity = true;
    frame.surface_velocity = s - frame.normal * along_normal;
    const Vec3d change = turning - normal_rate(c.geometry, a, b, c.image) * along_normal;
    frame.bias_acceleration.x += dot(frame.tangent_1, change);
    frame.bias_acceleration.y += dot(frame.tangent_2, change);
}

void scale_tangents(const Contact& c, const BodyKinematics& a, const BodyKinematics& b,
                    ContactFrame& frame) {
    const FrictionEllipse ellipse =
        friction_ellipse(frame.normal, {rotate(a.q, c.surface_a.grain), c.surface_a.ratio},
                         {rotate(b.q, c.surface_b.grain), c.surface_b.ratio});
    if (ellipse.along == 1 && ellipse.across == 1) return;
    const Vec3d bias =
        frame.tangent_1 * frame.bias_acceleration.x + frame.tangent_2 * frame.bias_acceleration.y;
    frame.is_anisotropic = true;
    frame.tangent_1 = ellipse.axis * ellipse.along;
    frame.tangent_2 = cross(frame.normal, ellipse.axis) * ellipse.across;
    frame.bias_acceleration.x = dot(bias, frame.tangent_1);
    frame.bias_acceleration.y = dot(bias, frame.tangent_2);
}

} // namespace

void add_surface_directions(const Contact& c, const BodyKinematics& a, const BodyKinematics& b,
                            ContactFrame& frame) {
    if (c.surface_a.velocity != Vec3d{} || c.surface_b.velocity != Vec3d{})
        add_surface_velocity(c, a, b, frame);
    if (c.surface_a.has_grain() || c.surface_b.has_grain()) scale_tangents(c, a, b, frame);
}

Vec3d surface_velocity(const ContactFrame& frame) {
    if (!frame.has_surface_velocity) return {};
    return {dot(frame.surface_velocity, frame.tangent_1),
            dot(frame.surface_velocity, frame.tangent_2), 0};
}

Vec3d slip_along_tangents(const Vec3d& slip, const ContactFrame& frame) {
    const Vec3d along{dot(slip, frame.tangent_1), dot(slip, frame.tangent_2), 0};
    return frame.is_anisotropic ? normalize(along) : along;
}

Vec3d slip_in_world(const Vec3d& slip, const ContactFrame& frame) {
    if (!frame.is_anisotropic)
        return normalize(frame.tangent_1 * slip.x + frame.tangent_2 * slip.y);
    return normalize(frame.tangent_1 * (slip.x / length_squared(frame.tangent_1)) +
                     frame.tangent_2 * (slip.y / length_squared(frame.tangent_2)));
}

} // namespace rigor::contact_dynamics
