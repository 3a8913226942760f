// Contact-space inverse mass matrix K of two bodies, and contact impulses back to the bodies.

#include "rigor/impact.h"

namespace rigor {
namespace {

Vec3d contact_velocity(const ImpactBody& body) {
    return body.velocity + cross(body.angular_velocity, body.r);
}

/// 1/m - [r] I⁻¹ [r].
Mat3d mobility(const ImpactBody& body) {
    const Mat3d r = skew(body.r);
    return Mat3d::identity() * body.inverse_mass - r * body.inverse_inertia.matrix() * r;
}

} // namespace

ContactFrameImpact in_contact_frame(const BodyImpact& impact) {
    const Vec3d t = perpendicular(impact.normal);
    const Mat3d axes{t, cross(impact.normal, t), impact.normal};
    const Mat3d k = transpose(axes) * (mobility(impact.a) + mobility(impact.b)) * axes;
    const Vec3d u = contact_velocity(impact.a) - contact_velocity(impact.b);
    return {axes,
            {Sym3d::from(k).matrix(), transpose_multiply(axes, u), impact.friction,
             impact.restitution}};
}

void apply_impulse(ImpactBody& body, const Vec3d& impulse) {
    body.velocity += impulse * body.inverse_mass;
    body.angular_velocity += body.inverse_inertia * cross(body.r, impulse);
}

} // namespace rigor
