// Direct solutions of joints against the rates that their impulses make.

#include "fast/system_kernels.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>
#include <vector>

#include "fast/elimination_plan.h"
#include "fast/joint_block.h"

namespace rigor {
namespace {

/// A tree of joints at points, between bodies of all inertias: the impulses must change the rates
/// of all joints at once by what was asked for. `type` decides by which kernel they are found.
class PointTree {
  public:
    static constexpr std::size_t kJoints = 5;
    using Rates = std::array<fast::Column<1>, 6 * kJoints>;

    explicit PointTree(JointType type) {
        std::mt19937 random(7);
        std::uniform_real_distribution<float> unit(-1, 1);
        const auto vector = [&] { return Vec3f{unit(random), unit(random), unit(random)}; };
        for (Body& body : bodies_) {
            body.inv_mass = std::pow(10.0f, 2 * unit(random));
            const Vec3f a = vector(), b = vector();
            body.inv_inertia = {1 + a.x * a.x + b.x * b.x, 1 + a.y * a.y + b.y * b.y,
                                1 + a.z * a.z + b.z * b.z, a.x * a.y + b.x * b.y,
                                a.x * a.z + b.x * b.z,     a.y * a.z + b.y * b.z};
        }
        for (std::size_t j = 0; j < kJoints; ++j) {
            blocks_[j] = fast::JointBlock<1>{};
            blocks_[j].layout.type = type;
            blocks_[j].layout.equality_rows = 3;
            if (kBodies[j].first >= 0)
                set_end(kBodies[j].first, vector(), blocks_[j].inv_mass_a, blocks_[j].inv_inertia_a,
                        blocks_[j].current_anchor_a);
            set_end(kBodies[j].second, vector(), blocks_[j].inv_mass_b, blocks_[j].inv_inertia_b,
                    blocks_[j].current_anchor_b);
            for (std::size_t i = 0; i < 3; ++i) {
                auto& row = blocks_[j].rows[i];
                const Vec3f e{i == 0 ? 1.0f : 0.0f, i == 1 ? 1.0f : 0.0f, i == 2 ? 1.0f : 0.0f};
                fast::set<1>(row.linear, 0, e);
                fast::set<1>(row.angular_a, 0, cross(arm_a(j), e));
                fast::set<1>(row.angular_b, 0, cross(arm_b(j), e));
            }
        }
    }

    Rates impulses_for(Rates rates) const {
        const fast::EliminationPlan plan = make_plan();
        std::vector<double> values(fast::values_needed<1>(plan));
        fast::factor_system<1>(plan, blocks_.data(), values.data());
        fast::solve_system<1>(plan, values.data(), rates.data());
        return rates;
    }

    Rates rates_after(const Rates& impulses) const {
        struct Velocity {
            Vec3f v, w;
        };
        std::array<Velocity, kJoints> velocities{};
        const auto push = [&](int i, const Vec3f& arm, const Vec3f& impulse) {
            if (i < 0) return;
            const Body& body = bodies_[static_cast<std::size_t>(i)];
            velocities[static_cast<std::size_t>(i)].v += impulse * body.inv_mass;
            velocities[static_cast<std::size_t>(i)].w += body.inv_inertia * cross(arm, impulse);
        };
        const auto speed = [&](int i, const Vec3f& arm) {
            if (i < 0) return Vec3f{};
            const Velocity& of = velocities[static_cast<std::size_t>(i)];
            return of.v + cross(of.w, arm);
        };
        for (std::size_t j = 0; j < kJoints; ++j) {
            const Vec3f p{impulses[6 * j][0], impulses[6 * j + 1][0], impulses[6 * j + 2][0]};
            push(kBodies[j].first, arm_a(j), -p);
            push(kBodies[j].second, arm_b(j), p);
        }
        Rates rates{};
        for (std::size_t j = 0; j < kJoints; ++j) {
            const Vec3f rate =
                speed(kBodies[j].second, arm_b(j)) - speed(kBodies[j].first, arm_a(j));
            rates[6 * j][0] = rate.x, rates[6 * j + 1][0] = rate.y, rates[6 * j + 2][0] = rate.z;
        }
        return rates;
    }

  private:
    static fast::EliminationPlan make_plan() {
        fast::EliminationPlan plan;
        for (const auto& [a, b] : kBodies)
            plan.joints.push_back({0, a < 0 ? fast::LinkedJoint::kNoBody : std::uint16_t(a),
                                   std::uint16_t(b), 3, false});
        fast::make_plan(plan);
        return plan;
    }

    struct Body {
        float inv_mass = 0;
        Sym3f inv_inertia;
    };
    static constexpr std::array<std::pair<int, int>, kJoints> kBodies{
        {{-1, 0}, {0, 1}, {0, 2}, {1, 3}, {1, 4}}};

    void set_end(int i, const Vec3f& arm, fast::Column<1>& inv_mass,
                 std::array<fast::Column<1>, 6>& inv_inertia,
                 std::array<fast::Column<1>, 3>& anchor) {
        inv_mass[0] = bodies_[static_cast<std::size_t>(i)].inv_mass;
        fast::set<1>(inv_inertia, 0, bodies_[static_cast<std::size_t>(i)].inv_inertia);
        fast::set<1>(anchor, 0, arm);
    }
    Vec3f arm_a(std::size_t j) const { return fast::vector_at<1>(blocks_[j].current_anchor_a, 0); }
    Vec3f arm_b(std::size_t j) const { return fast::vector_at<1>(blocks_[j].current_anchor_b, 0); }

    std::array<Body, kJoints> bodies_;
    std::array<fast::JointBlock<1>, kJoints> blocks_;
};

TEST(SystemKernels, BallsAndTheirRowsAreSolvedAlike) {
    for (const JointType type : {JointType::ball, JointType::cone_twist}) {
        const PointTree tree(type);
        PointTree::Rates wanted{};
        for (std::size_t i = 0; i < wanted.size(); ++i)
            if (i % 6 < 3) wanted[i][0] = 1 + 0.1f * static_cast<float>(i);
        const PointTree::Rates found = tree.rates_after(tree.impulses_for(wanted));
        for (std::size_t i = 0; i < wanted.size(); ++i) {
            if (i % 6 >= 3) continue;
            EXPECT_NEAR(found[i][0], wanted[i][0], 1e-4f) << i;
        }
    }
}

} // namespace
} // namespace rigor
