#include "features/vehicle/statics.h"

#include <algorithm>

namespace rigor::vehicle {

// Load i is a + b x_i + c y_i with sum 1 and its center under the weight. A little is added to the
// diagonal, so that wheels in one line carry what they can.
std::vector<double> share_weight(const std::vector<Vec3d>& places, const Vec3d& center) {
    const auto n = static_cast<double>(places.size());
    Vec3d middle;
    for (const Vec3d& p : places) middle += p / n;
    double xx = 1e-9, xy = 0, yy = 1e-9;
    for (const Vec3d& p : places) {
        const Vec3d d = p - middle;
        xx += d.x * d.x, xy += d.x * d.y, yy += d.y * d.y;
    }
    const Vec3d to = center - middle;
    const double det = xx * yy - xy * xy;
    const double b = (yy * to.x - xy * to.y) / det, c = (xx * to.y - xy * to.x) / det;
    std::vector<double> loads;
    double sum = 0;
    for (const Vec3d& p : places) {
        const Vec3d d = p - middle;
        loads.push_back(std::max(1 / n + b * d.x + c * d.y, 0.05 / n));
        sum += loads.back();
    }
    for (double& load : loads) load /= sum;
    return loads;
}

double inverse_mass_at(const World& world, BodyId id, const Vec3d& point, const Vec3d& direction) {
    if (!world.is_valid(id) || world.type(id) != BodyType::dynamic_body) return 0;
    const BodyState state = world.state(id);
    const MassProperties mass = world.mass_properties(id);
    const Vec3d lever = inverse_rotate(state.orientation, cross(point - state.position, direction));
    return 1 / mass.mass + dot(lever, inverse(mass.inertia) * lever);
}

double inertia_about(const World& world, BodyId id, const Vec3d& axis) {
    const Vec3d local = inverse_rotate(world.state(id).orientation, axis);
    return dot(local, world.mass_properties(id).inertia * local);
}

} // namespace rigor::vehicle
