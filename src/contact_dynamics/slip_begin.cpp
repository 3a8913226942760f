#include "contact_dynamics/slip_begin.h"

#include <algorithm>
#include <cmath>

#include "contact_dynamics/contact_forces.h"
#include "math/trig.h"
#include "numeric/linear_solver.h"

namespace rigor::contact_dynamics {
namespace {

/// A slip that begins, in the frame of its contact.
struct NewSlip {
    std::size_t contact = 0;
    ContactFrame frame;
    std::array<ConstraintRow, 3> rows;
    double speed = 0;

    Vec3d turned(const Vec3d& direction, double angle) const {
        const SinCos<double> turn = sin_cos(angle);
        return direction * turn.cos + cross(frame.normal, direction) * turn.sin;
    }
};

std::vector<NewSlip> new_slips(const WorldState& state, Island& island) {
    std::vector<NewSlip> slips;
    const auto is_new = [](const Contact& c) {
        return c.mode == ContactMode::slide && c.slip_is_new && c.material.kinetic_friction > 0;
    };
    if (std::none_of(island.contacts.begin(), island.contacts.end(), is_new)) return slips;
    const std::vector<BodyKinematics> bodies = kinematics_of(state, island);
    for (std::size_t i = 0; i < island.contacts.size(); ++i) {
        Contact& c = island.contacts[i];
        if (!is_new(c)) continue;
        const ContactFrame frame = frame_of(c, bodies);
        const double speed = length(slip_velocity(frame, bodies[c.a], bodies[c.b]));
        if (frame.is_anisotropic || speed > 2 * kNewSlip) continue;
        c.slip = normalize(c.slip - frame.normal * dot(c.slip, frame.normal));
        slips.push_back({i, frame, contact_rows(frame, c.a, c.b), speed});
    }
    return slips;
}

/// The acceleration of each slip across its direction, beyond that which turns its velocity as its
/// direction turns.
class TurningAccelerations {
  public:
    TurningAccelerations(const WorldState& state, std::span<const NewSlip> slips)
        : state_(state), slips_(slips) {}

    /// Also finds how large accelerations are.
    std::vector<double> operator()(const Island& island) {
        const IslandForces forces = forces_near_known(state_, island);
        std::vector<double> across;
        for (const NewSlip& slip : slips_) {
            const auto along = [&](int axis) {
                const ConstraintRow& row = slip.rows[static_cast<std::size_t>(axis)];
                return rate(row, forces.accelerations) + row.bias_acceleration;
            };
            const Vec3d a = slip.frame.tangent_1 * along(0) + slip.frame.tangent_2 * along(1);
            const Vec3d& direction = island.contacts[slip.contact].slip;
            const double turning = slip.speed * island.contacts[slip.contact].slip_rotation;
            across.push_back(dot(a, cross(slip.frame.normal, direction)) - turning);
        }
        for (const SpatialVector& a : forces.accelerations)
            largest_ = std::max(largest_, length(a.linear));
        return across;
    }

    double largest() const { return largest_; }

  private:
    const WorldState& state_;
    std::span<const NewSlip> slips_;
    double largest_ = 1e-300;
};

void turn(std::span<const NewSlip> slips, std::span<const double> angles, Island& island) {
    for (std::size_t i = 0; i < slips.size(); ++i) {
        Vec3d& direction = island.contacts[slips[i].contact].slip;
        direction = slips[i].turned(direction, angles[i]);
    }
}

/// The angles that Newton's method turns the slips by. False if no angles change what turns them.
bool newton_angles(std::span<const NewSlip> slips, std::span<const double> across,
                   const Island& island, TurningAccelerations& accelerations,
                   std::vector<double>& angles) {
    constexpr double kStep = 1e-6;
    const int n = static_cast<int>(slips.size());
    std::vector<MatrixEntry> jacobian;
    for (int j = 0; j < n; ++j) {
        Island turned = island;
        std::vector<double> step(slips.size());
        step[static_cast<std::size_t>(j)] = kStep;
        turn(slips, step, turned);
        const std::vector<double> changed = accelerations(turned);
        for (int i = 0; i < n; ++i) {
            const auto k = static_cast<std::size_t>(i);
            jacobian.push_back({i, j, (changed[k] - across[k]) / kStep});
        }
    }
    LinearSolver solver(n, jacobian, Symmetry::none);
    if (!solver.factor()) return false;
    angles.assign(across.begin(), across.end());
    solver.solve(angles);
    for (double& angle : angles) angle = std::clamp(-angle, -0.3, 0.3);
    return true;
}

double largest(std::span<const double> values) {
    double found = 0;
    for (const double value : values) found = std::max(found, std::abs(value));
    return found;
}

} // namespace

void direct_new_slips(const WorldState& state, Island& island) {
    const std::vector<NewSlip> slips = new_slips(state, island);
    if (slips.empty()) return;
    constexpr int kMaxIterations = 8;
    constexpr double kRounding = 1e-12;
    TurningAccelerations accelerations(state, slips);
    Island directed = island;
    directed.directs_slips = true;
    std::vector<double> angles;
    for (int k = 0; k < kMaxIterations; ++k) {
        const std::vector<double> across = accelerations(directed);
        if (largest(across) <= kRounding * accelerations.largest()) {
            for (const NewSlip& slip : slips)
                island.contacts[slip.contact].slip = directed.contacts[slip.contact].slip;
            return;
        }
        if (!newton_angles(slips, across, directed, accelerations, angles)) return;
        turn(slips, angles, directed);
    }
}

} // namespace rigor::contact_dynamics
