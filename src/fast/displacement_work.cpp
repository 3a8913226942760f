#include "fast/displacement_work.h"

#include "fast/kernel_widths.h"
#include "fast/lane_gather.h"

namespace rigor::fast {
namespace {

struct BodyImpulse {
    SolverBodyIndex body;
    Vec3f linear, angular; ///< about the center of mass
};

float turning_share(SubstepPlace place) {
    return place == SubstepPlace::before_motion ? -1 : 0.5f;
}

/// P₁ or P of one body, times what the displacement did.
float work_of_lift(const BodyImpulse& given, const SolverBodies& bodies, float h,
                   SubstepPlace place) {
    if (!given.body.responds_to_impulses()) return 0;
    const std::uint32_t i = given.body.index();
    const bool is_half = bodies.only_smooth_joints[i] != 0;
    const float share = place == SubstepPlace::before_motion ? -1 : is_half ? 0.5f : 1;
    return share * h * dot(bodies.mass[i].gravity_acceleration, given.linear);
}

float work_of_turning(const BodyImpulse& given, const SolverBodies& bodies, SubstepPlace place) {
    if (!given.body.responds_to_impulses() || !bodies.mass[given.body.index()].turns) return 0;
    return turning_share(place) *
           dot(bodies.mass[given.body.index()].change_of_rate, given.angular);
}

/// The same for the bodies of W joints, whose masses are all zero where they do not respond.
template <int W>
RIGOR_INLINE void add_displacement_work_block(JointBlock<W>& block, const SolverMass* masses,
                                              float h, SubstepPlace place) {
    using F = Lanes<W>;
    const LaneAcceleration<W> a = gather_acceleration<W>(masses, block.body_a),
                              b = gather_acceleration<W>(masses, block.body_b);
    // Half of the forces act after the motion where half of the impulses do.
    const F share =
        place == SubstepPlace::before_motion ? F(-1.0f) : read<W>(block.first_half_share);
    const F lift = dot(b.gravity - a.gravity, read_vector<W>(block.given));
    const F turn = dot(b.change_of_rate, read_vector<W>(block.given_angular_b)) -
                   dot(a.change_of_rate, read_vector<W>(block.given_angular_a));
    write<W>(block.work,
             read<W>(block.work) + (share * F(h) * lift + F(turning_share(place)) * turn));
}

#define RIGOR_KERNELS(W, ATTRIBUTES)                                                    \
    ATTRIBUTES void add_displacement_work_##W(JointBlock<W>* blocks, std::size_t count, \
                                              const SolverMass* masses, float h,        \
                                              SubstepPlace place) {                     \
        for (std::size_t i = 0; i < count; ++i)                                         \
            add_displacement_work_block<W>(blocks[i], masses, h, place);                \
    }
RIGOR_FOR_EACH_WIDTH(RIGOR_KERNELS)

} // namespace

template <int W>
void add_displacement_work(ContactBlock<W>& block, const PointBlock<W>* points,
                           const SolverBodies& bodies, SubstepPlace place) {
    for (std::size_t lane = 0; lane < W; ++lane) {
        const Vec3f n = vector_at<W>(block.normal, lane), t = vector_at<W>(block.tangent, lane);
        const float scale = block.is_anisotropic ? block.surface->inv_tangent_scale[lane] : 1;
        const Vec3f friction =
            t * block.friction_1[lane] + cross(n, t) * (scale * block.friction_2[lane]);
        const auto add = [&](SolverBodyIndex body, const auto& anchor_of,
                             const Vec3f& friction_anchor, float sign) {
            Vec3f pushed;
            for (int k = 0; k < block.point_count; ++k)
                pushed += cross(anchor_of(points[k]), n * points[k].impulse[lane]);
            const Vec3f rubbed = cross(friction_anchor, friction) + n * block.twist[lane];
            block.normal_work[lane] += work_of_turning({body, {}, pushed * sign}, bodies, place);
            block.friction_work[lane] += work_of_turning({body, {}, rubbed * sign}, bodies, place);
        };
        add(
            block.body_a[lane],
            [&](const PointBlock<W>& p) { return vector_at<W>(p.anchor_a, lane); },
            vector_at<W>(block.friction_anchor_a, lane), -1);
        add(
            block.body_b[lane],
            [&](const PointBlock<W>& p) { return vector_at<W>(p.anchor_b, lane); },
            vector_at<W>(block.friction_anchor_b, lane), 1);
    }
}

void add_displacement_work(GearConstraint& gear, const SolverBodies& bodies, float h,
                           SubstepPlace place) {
    for (const GearConstraint::BodyRow& row : gear.given) {
        const BodyImpulse given{row.body, row.linear, row.angular};
        gear.work += work_of_lift(given, bodies, h, place) + work_of_turning(given, bodies, place);
    }
}

#define RIGOR_INSTANTIATE(W)                                                              \
    template void add_displacement_work(ContactBlock<W>&, const PointBlock<W>*,           \
                                        const SolverBodies&, SubstepPlace);               \
    template <>                                                                           \
    void add_displacement_work(JointBlock<W>* blocks, std::size_t count,                  \
                               const SolverBodies& bodies, float h, SubstepPlace place) { \
        add_displacement_work_##W(blocks, count, bodies.mass.data(), h, place);           \
    }
RIGOR_INSTANTIATE(1)
RIGOR_INSTANTIATE(4)
RIGOR_INSTANTIATE(8)
#undef RIGOR_INSTANTIATE

} // namespace rigor::fast
