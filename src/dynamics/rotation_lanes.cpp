#include "dynamics/rotation_lanes.h"

#include "dynamics/symplectic_rotation.h"
#include "simd/clones.h"
#include "simd/lanes.h"

namespace rigor {

bool RotationLanes::add(std::uint32_t body, const BodyMotion& m, const BodyInertia& inertia,
                        double dt) {
    const MiddleLast order(inertia.middle);
    const Vec3d inv_moments = order.enter(inertia.inv_moments);
    const Vec3d l = order.enter(m.l), v = order.enter(m.q.vec());
    if (!is_small_step(inv_moments, l, dt)) return false;

    const std::size_t k = size_++;
    lanes_.q[0][k] = m.q.w, lanes_.q[1][k] = v.x, lanes_.q[2][k] = v.y, lanes_.q[3][k] = v.z;
    lanes_.l[0][k] = l.x, lanes_.l[1][k] = l.y, lanes_.l[2][k] = l.z;
    lanes_.inv_moments[0][k] = inv_moments.x;
    lanes_.inv_moments[1][k] = inv_moments.y;
    lanes_.inv_moments[2][k] = inv_moments.z;
    bodies_[k] = body;
    middle_[k] = inertia.middle;
    return true;
}

RIGOR_AVX2_CLONES void RotationLanes::turn_lanes(double dt) {
    const auto load = [](const Row& row) { return Lanes4d::load(row.data()); };
    const auto load3 = [&](const std::array<Row, 3>& rows) {
        return Vec3<Lanes4d>{load(rows[0]), load(rows[1]), load(rows[2])};
    };
    const Quat<Lanes4d> q{load(lanes_.q[0]), load(lanes_.q[1]), load(lanes_.q[2]),
                          load(lanes_.q[3])};
    const Quat<Lanes4d> turned = symplectic_rotation<SmallAngles>(load3(lanes_.inv_moments), q,
                                                                  load3(lanes_.l), Lanes4d(dt));
    turned.w.store(lanes_.q[0].data());
    turned.x.store(lanes_.q[1].data());
    turned.y.store(lanes_.q[2].data());
    turned.z.store(lanes_.q[3].data());
}

void RotationLanes::rotate_all(std::vector<BodyMotion>& motion, double dt) {
    turn_lanes(dt);
    for (std::size_t k = 0; k < size_; ++k) {
        const Vec3d v{lanes_.q[1][k], lanes_.q[2][k], lanes_.q[3][k]};
        motion[bodies_[k]].q = Quatd::from_parts(lanes_.q[0][k], MiddleLast(middle_[k]).leave(v));
    }
    size_ = 0;
}

} // namespace rigor
