// The kernels of contacts and joints give the same bits for 1, 4 and 8 lanes.

#include <cstddef>
#include <cstring>

#include "fast/contact_constraints.h"
#include "fast/contact_kernels.h"
#include "fast/joint_kernels.h"
#include "rigor/rotation.h"
#include "test_support.h"

namespace rigor::fast {
namespace {

class Random {
  public:
    float operator()(float lo, float hi) {
        return std::uniform_real_distribution<float>(lo, hi)(engine_);
    }
    Vec3f vector(float size) {
        return {(*this)(-size, size), (*this)(-size, size), (*this)(-size, size)};
    }
    Quatf rotation(float angle) { return from_rotation_vector(vector(angle)); }
    Sym3f inverse_inertia() {
        return {(*this)(1, 2),        (*this)(1, 2),        (*this)(1, 2),
                (*this)(-0.2f, 0.2f), (*this)(-0.2f, 0.2f), (*this)(-0.2f, 0.2f)};
    }
    std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(engine_() % n); }

  private:
    std::mt19937 engine_{11};
};

/// Index 0 is static. Every fifth body is kinematic.
SolverBodies random_bodies(Random& random, std::uint32_t count) {
    SolverBodies bodies;
    bodies.reset(0);
    for (std::uint32_t i = 1; i <= count; ++i) {
        const Vec3f v = random.vector(3), w = random.vector(2), x = random.vector(0.01f);
        const Quatf q = random.rotation(0.02f);
        SolverBody body;
        body.velocity = {v.x, v.y, v.z, w.x, w.y, w.z, 0, 0};
        body.displacement = {x.x, x.y, x.z, q.x, q.y, q.z, q.w, 0};
        bodies.bodies.push_back(body);
        SolverMass mass;
        mass.is_slow = i % 3 == 0;
        if (i % 5 != 0) {
            mass.inv_mass = random(0.5f, 2);
            mass.inv_inertia = random.inverse_inertia();
            mass.gravity_acceleration = {0, 0, -9.81f};
        }
        bodies.mass.push_back(mass);
    }
    return bodies;
}

SolverBodyIndex index_of(std::uint32_t i) {
    return i % 5 == 0 ? SolverBodyIndex::immovable(i) : SolverBodyIndex::responding(i);
}

void expect_same_bodies(const std::vector<SolverBody>& a, const std::vector<SolverBody>& b) {
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
        EXPECT_EQ(a[i].velocity, b[i].velocity) << "body " << i;
        for (const float x : a[i].velocity) EXPECT_TRUE(std::isfinite(x));
    }
}

double kinetic_energy(const SolverBodies& bodies, const std::vector<SolverBody>& now) {
    double sum = 0;
    for (std::size_t i = 1; i < now.size(); ++i) {
        const SolverMass& mass = bodies.mass[i];
        if (mass.inv_mass == 0) continue;
        const Vec3d v = cast<double>(linear_velocity(now[i])),
                    w = cast<double>(angular_velocity(now[i]));
        const Sym3f& m = mass.inv_inertia;
        const Sym3d inertia = inverse(Sym3d{m.xx, m.yy, m.zz, m.xy, m.xz, m.yz});
        sum += 0.5 * (dot(v, v) / static_cast<double>(mass.inv_mass) + dot(w, inertia * w));
    }
    return sum;
}

/// Kinetic energy that constraints between bodies 2i + 1 and 2i + 2 gave beyond `work`. The work on
/// kinematic bodies is left out: that on the other body alone changes its energy.
double unexplained(const SolverBodies& bodies, const std::vector<SolverBody>& now, double work) {
    return kinetic_energy(bodies, now) - kinetic_energy(bodies, bodies.bodies) - work;
}

/// Every body moving, and at rest what impulses of infinite masses would drive.
void stop_kinematic(SolverBodies& bodies) {
    for (std::size_t i = 5; i < bodies.bodies.size(); i += 5) bodies.bodies[i].velocity = {};
}

/// What a solver would do that gives bodies 1 % more than its impulses.
std::vector<SolverBody> one_percent_more(const std::vector<SolverBody>& before,
                                         std::vector<SolverBody> after) {
    for (std::size_t i = 0; i < after.size(); ++i)
        for (std::size_t k = 0; k < 6; ++k)
            after[i].velocity[k] += 0.01f * (after[i].velocity[k] - before[i].velocity[k]);
    return after;
}

constexpr std::uint32_t kCount = 19; // full blocks and a partial one, of every width

struct ContactOutcome {
    std::vector<SolverBody> bodies;
    std::vector<ContactManifold> manifolds;
    std::vector<ContactConstraint> constraints;
};

/// Contacts between bodies that have no other: all of one color.
class ContactKernels : public testing::Test {
  protected:
    ContactKernels() : bodies(random_bodies(random, 2 * kCount)) {
        for (std::uint32_t i = 0; i < kCount; ++i) manifolds.push_back(random_manifold(i));
    }

    ContactManifold random_manifold(std::uint32_t i) {
        ContactManifold m;
        m.normal = normalize(random.vector(1));
        m.count = 1 + static_cast<int>(i % 4);
        m.center_offset = random.vector(1);
        m.friction = random.vector(0.1f);
        m.twist = random(-0.1f, 0.1f);
        m.surface.torsion = 0.01f;
        if (i % 3 == 0) m.surface.rolling = 0.02f;
        m.rolling = random.vector(0.01f);
        for (ManifoldPoint& point : m.used()) {
            point.anchor_a = random.vector(0.5f);
            point.separation = random(-0.02f, 0.01f);
            point.feature_a = Feature(FeatureKind::vertex, random.below(8));
            point.impulse = random(0, 1);
        }
        return m;
    }

    template <int W>
    ContactOutcome solve_all() {
        ContactOutcome out{bodies.bodies, manifolds, {}};
        const ContactSoftness softness{make_soft(30, 10, kH), make_soft(60, 10, kH), 2 * kH};
        for (std::uint32_t i = 0; i < kCount; ++i) {
            ContactConstraint c;
            c.manifold = &out.manifolds[i];
            c.body_a = index_of(2 * i + 1);
            c.body_b = index_of(2 * i + 2);
            c.count = c.manifold->count;
            c.friction = 0.5f;
            c.restitution = i % 2 == 0 ? 0.4f : 0.0f;
            c.surface_velocity = {0.1f, 0, 0};
            if (i % 5 == 0) { // some with a grain, beside others without
                c.tangent = perpendicular(c.manifold->normal);
                c.tangent_scale = i % 10 == 0 ? 0.3f : 2.5f;
            }
            out.constraints.push_back(c);
        }
        std::vector<ContactBlock<W>> blocks((kCount + W - 1) / W);
        std::vector<PointBlock<W>> points(4 * blocks.size());
        std::vector<SurfaceBlock<W>> surfaces(blocks.size());
        for (std::uint32_t i = 0; i < kCount; ++i) {
            ContactBlock<W>& block = blocks[i / W];
            if (i % W == 0) reset_block<W>(block, points.data(), 4 * (i / W), 4, &surfaces[i / W]);
            fill_lane<W>(block, points.data(), i % W, out.constraints[i], bodies, softness);
        }
        run<W>(blocks, points, out.bodies.data());
        for (std::uint32_t i = 0; i < kCount; ++i)
            store_impulses<W>(blocks[i / W], points.data(), i % W, out.constraints[i]);
        return out;
    }

    /// All kernels, as a step calls them.
    template <int W>
    void run(std::vector<ContactBlock<W>>& blocks, std::vector<PointBlock<W>>& points,
             SolverBody* all) {
        const std::size_t n = blocks.size();
        ContactSolveSettings settings;
        settings.h = kH;
        settings.inv_h = 1 / kH;
        settings.restitution_threshold = 0.2f;
        prepare_blocks<W>(blocks.data(), n, points.data(), all, 0.2f);
        for (const bool backward : {false, true}) {
            warm_start<W>(blocks.data(), n, points.data(), all);
            settings.backward = backward;
            settings.use_bias = true;
            solve<W>(blocks.data(), n, points.data(), all, settings);
            settings.use_bias = false;
            solve<W>(blocks.data(), n, points.data(), all, settings);
            accumulate_work<W>(blocks.data(), n, points.data(), all, kH);
        }
        apply_restitution<W>(blocks.data(), n, points.data(), all, settings);
    }

    void expect_same(const ContactOutcome& a, const ContactOutcome& b) {
        expect_same_bodies(a.bodies, b.bodies);
        for (std::uint32_t i = 0; i < kCount; ++i) {
            SCOPED_TRACE(i);
            const ContactManifold &m = a.manifolds[i], &n = b.manifolds[i];
            for (std::size_t k = 0; k < m.used().size(); ++k) {
                EXPECT_EQ(m.points[k].impulse, n.points[k].impulse);
                EXPECT_EQ(m.points[k].total_impulse, n.points[k].total_impulse);
            }
            EXPECT_EQ(m.friction, n.friction);
            EXPECT_EQ(m.twist, n.twist);
            EXPECT_EQ(m.rolling, n.rolling);
            EXPECT_EQ(m.total_friction, n.total_friction);
            EXPECT_EQ(a.constraints[i].total_impulse, b.constraints[i].total_impulse);
            EXPECT_EQ(a.constraints[i].approach_speed, b.constraints[i].approach_speed);
            EXPECT_EQ(a.constraints[i].normal_work, b.constraints[i].normal_work);
            EXPECT_EQ(a.constraints[i].friction_work, b.constraints[i].friction_work);
            EXPECT_EQ(a.constraints[i].impact_work, b.constraints[i].impact_work);
        }
    }

    static constexpr float kH = 1.0f / 240;
    Random random;
    SolverBodies bodies;
    std::vector<ContactManifold> manifolds;
};

TEST_F(ContactKernels, GiveTheSameBitsForAnyNumberOfLanes) {
    const ContactOutcome one = solve_all<1>();
    expect_same(one, solve_all<4>());
    if (widest_lanes() >= 8) expect_same(one, solve_all<8>());
}

// Bodies of infinite mass are read, never written; impulses never pull.
TEST_F(ContactKernels, LeaveImmovableBodiesAloneAndOnlyPush) {
    const ContactOutcome out = solve_all<4>();
    int changed = 0;
    for (std::uint32_t i = 0; i < out.bodies.size(); ++i) {
        if (i % 5 == 0) {
            EXPECT_EQ(out.bodies[i].velocity, bodies.bodies[i].velocity);
        }
        changed += out.bodies[i].velocity != bodies.bodies[i].velocity ? 1 : 0;
    }
    EXPECT_GT(changed, 20);
    for (const ContactManifold& m : out.manifolds)
        for (const ManifoldPoint& point : m.used()) EXPECT_GE(point.impulse, 0);
}

// The ledger: work from impulses and velocities at the contacts, against the change of energy. It
// disagrees with a solver that gives more than it says, or moves bodies without impulses.
TEST_F(ContactKernels, WorkIsTheChangeOfEnergyAndNotTakenFromIt) {
    stop_kinematic(bodies);
    // Bodies that turn slowly: friction that follows the load is measured at its last place alone.
    for (SolverBody& body : bodies.bodies)
        for (std::size_t k = 3; k < 6; ++k) body.velocity[k] *= 0.05f;
    for (SolverMass& mass : bodies.mass) mass.gravity_acceleration = {};
    const ContactOutcome out = solve_all<4>();
    double work = 0, scale = 0;
    for (const ContactConstraint& c : out.constraints)
        for (const float w : {c.normal_work, c.friction_work, c.impact_work}) {
            work += static_cast<double>(w);
            scale += std::abs(static_cast<double>(w));
        }
    EXPECT_GT(scale, 1);
    EXPECT_NEAR(unexplained(bodies, out.bodies, work), 0, 1e-5 * scale);
    const auto planted = one_percent_more(bodies.bodies, out.bodies);
    EXPECT_GT(std::abs(unexplained(bodies, planted, work)), 1e-3 * scale);
}

/// Copies a joint in one lane to or from a lane of a wider block: all columns lie one after
/// another.
template <int W>
void copy_lane(const JointBlock<1>& from, JointBlock<W>& to, std::size_t lane) {
    constexpr std::size_t kColumns = offsetof(JointBlock<1>, body_a) / sizeof(float);
    static_assert(kColumns * W * sizeof(float) == offsetof(JointBlock<W>, body_a));
    float in[kColumns];
    std::memcpy(in, &from, sizeof in);
    std::vector<float> out(kColumns * W);
    std::memcpy(out.data(), static_cast<const void*>(&to), out.size() * sizeof(float));
    for (std::size_t k = 0; k < kColumns; ++k) out[k * W + lane] = in[k];
    std::memcpy(static_cast<void*>(&to), out.data(), out.size() * sizeof(float));
    to.body_a[lane] = from.body_a[0];
    to.body_b[lane] = from.body_b[0];
    to.layout = from.layout;
}

JointLayout layout(JointType type, std::uint8_t equality_rows, std::uint8_t dofs) {
    JointLayout l;
    l.type = type;
    l.equality_rows = equality_rows;
    l.dofs = dofs;
    if (type == JointType::six_dof) {
        l.six_dof.locked = 0b000101;
        l.six_dof.bounded = 0b010010;
    }
    return l;
}

JointBlock<1> random_joint(Random& random, std::uint32_t i, const JointLayout& layout,
                           const SolverBodies& bodies) {
    JointBlock<1> b{};
    b.layout = layout;
    b.body_a[0] = index_of(2 * i + 1);
    b.body_b[0] = index_of(2 * i + 2);
    set<1>(b.anchor_a, 0, random.vector(0.5f));
    set<1>(b.anchor_b, 0, random.vector(0.5f));
    set<1>(b.gap, 0, random.vector(0.1f) + Vec3f{0.3f, 0, 0});
    const Quatf frame = random.rotation(1);
    set<1>(b.frame_a, 0, frame);
    set<1>(b.frame_b, 0, random.rotation(0.1f) * frame);
    b.length[0] = 0.3f;
    b.steer_sine[0] = std::sin(0.2f);
    b.steer_cosine[0] = std::cos(0.2f);
    b.bias_rate[0] = 40;
    b.mass_scale[0] = 0.9f;
    b.impulse_scale[0] = 0.1f;
    b.max_bias_velocity[0] = 10;
    b.relax_scale[0] = i % 4 == 0 ? 0.0f : 1.0f;
    b.first_half_share[0] = i % 3 == 0 ? 0.5f : 1.0f;
    const SolverMass &a = bodies.mass_of(b.body_a[0]), &c = bodies.mass_of(b.body_b[0]);
    b.inv_mass_a[0] = a.inv_mass;
    b.inv_mass_b[0] = c.inv_mass;
    set<1>(b.inv_inertia_a, 0, a.inv_inertia);
    set<1>(b.inv_inertia_b, 0, c.inv_inertia);
    for (std::size_t k = 0; k < layout.equality_rows; ++k) b.rows[k].impulse[0] = random(-1, 1);
    for (std::size_t k = 0; k < layout.dofs; ++k) {
        auto& dof = b.dofs[k];
        dof.coordinate[0] = random(-0.5f, 0.5f);
        dof.lower_limit[0] = -0.4f;
        dof.upper_limit[0] = 0.4f;
        dof.target[0] = random(-1, 1);
        dof.speed[0] = random(-1, 1);
        dof.drive_bias_rate[0] = i % 2 == 0 ? 20.0f : 0.0f;
        dof.drive_mass_scale[0] = 0.8f;
        dof.drive_impulse_scale[0] = 0.2f;
        dof.max_drive_impulse[0] = 2;
        dof.max_friction_impulse[0] = 0.1f;
        dof.drive_impulse[0] = random(-1, 1);
        dof.lower_impulse[0] = random(0, 1);
    }
    return b;
}

template <int W>
std::vector<SolverBody> solve_joints(const std::vector<JointBlock<1>>& joints,
                                     std::vector<SolverBody> bodies, std::vector<float>& impulses,
                                     double* work = nullptr) {
    constexpr float kH = 1.0f / 240;
    std::vector<JointBlock<W>> blocks((joints.size() + W - 1) / W);
    for (JointBlock<W>& block : blocks) {
        block = {};
        block.body_a.fill(kStaticSolverBody);
        block.body_b.fill(kStaticSolverBody);
    }
    for (std::size_t i = 0; i < joints.size(); ++i) copy_lane<W>(joints[i], blocks[i / W], i % W);
    std::vector<SolverBody> ended(bodies.begin(), bodies.end());
    SolverBody* all = bodies.data();
    const std::size_t n = blocks.size();
    update_rows<W>(blocks.data(), n, all, 0);
    for (int substep = 0; substep < 2; ++substep) {
        predict_drift<W>(blocks.data(), n, all, ended.data(), kH);
        warm_start<W>(blocks.data(), n, all);
        solve<W>(blocks.data(), n, all, {1 / kH, true});
        update_rows<W>(blocks.data(), n, all, kH);
        warm_start_second_half<W>(blocks.data(), n, all);
        solve<W>(blocks.data(), n, all, {1 / kH, false});
        accumulate_work<W>(blocks.data(), n, all, ended.data());
        ended = bodies;
    }
    impulses.clear();
    for (std::size_t i = 0; i < joints.size(); ++i) {
        const JointBlock<W>& block = blocks[i / W];
        impulses.push_back(block.work[i % W]);
        if (work) *work += static_cast<double>(block.work[i % W]);
        for (std::size_t k = 0; k < block.layout.equality_rows; ++k)
            impulses.push_back(block.rows[k].impulse[i % W]);
        for (std::size_t k = 0; k < block.layout.dofs; ++k) {
            impulses.push_back(block.dofs[k].drive_impulse[i % W]);
            impulses.push_back(block.dofs[k].upper_impulse[i % W]);
        }
    }
    return bodies;
}

std::vector<JointLayout> all_layouts() {
    return {layout(JointType::ball, 3, 0),     layout(JointType::ball, 3, 3),
            layout(JointType::hinge, 5, 1),    layout(JointType::slider, 5, 1),
            layout(JointType::fixed, 6, 0),    layout(JointType::distance, 1, 0),
            layout(JointType::distance, 0, 1), layout(JointType::cone_twist, 3, 2),
            layout(JointType::wheel, 4, 2),    layout(JointType::six_dof, 2, 2)};
}

TEST(JointKernels, WorkIsTheChangeOfEnergyAndNotTakenFromIt) {
    Random random;
    for (const JointLayout& l : all_layouts()) {
        SCOPED_TRACE(test::message("type ", static_cast<int>(l.type), ", dofs ", int(l.dofs)));
        SolverBodies bodies = random_bodies(random, 2 * kCount);
        stop_kinematic(bodies);
        std::vector<JointBlock<1>> joints;
        for (std::uint32_t i = 0; i < kCount; ++i)
            joints.push_back(random_joint(random, i, l, bodies));
        std::vector<float> impulses;
        double work = 0;
        const auto out = solve_joints<4>(joints, bodies.bodies, impulses, &work);
        const double scale = kinetic_energy(bodies, bodies.bodies) + std::abs(work);
        EXPECT_NEAR(unexplained(bodies, out, work), 0, 1e-5 * scale);
        const auto planted = one_percent_more(bodies.bodies, out);
        EXPECT_GT(std::abs(unexplained(bodies, planted, work)), 1e-4 * scale);
    }
}

TEST(JointKernels, GiveTheSameBitsForAnyNumberOfLanes) {
    Random random;
    for (const JointLayout& l : all_layouts()) {
        SCOPED_TRACE(test::message("type ", static_cast<int>(l.type), ", dofs ", int(l.dofs)));
        const SolverBodies bodies = random_bodies(random, 2 * kCount);
        std::vector<JointBlock<1>> joints;
        for (std::uint32_t i = 0; i < kCount; ++i)
            joints.push_back(random_joint(random, i, l, bodies));
        std::vector<float> one, wide;
        const std::vector<SolverBody> expected = solve_joints<1>(joints, bodies.bodies, one);
        EXPECT_NE(expected[1].velocity, bodies.bodies[1].velocity);
        expect_same_bodies(solve_joints<4>(joints, bodies.bodies, wide), expected);
        EXPECT_EQ(wide, one);
        if (widest_lanes() < 8) continue;
        expect_same_bodies(solve_joints<8>(joints, bodies.bodies, wide), expected);
        EXPECT_EQ(wide, one);
    }
}

} // namespace
} // namespace rigor::fast
