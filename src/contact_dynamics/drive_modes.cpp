#include "contact_dynamics/drive_modes.h"

#include <cmath>

#include "contact_dynamics/contact_couples.h"
#include "contact_dynamics/contact_forces.h"
#include "contact_dynamics/joint_actions.h"

namespace rigor::contact_dynamics {
namespace {

/// Corrects a couple that holds with too large a torque, or that was let go and does not begin to
/// slip. False when it is right.
bool correct_couple(const Laws& laws, std::span<const BodyKinematics> bodies, Contact& c,
                    std::size_t i, const IslandForces& forces, CoupleKind kind) {
    constexpr double kRounding = 1e-11;
    ContactCouple& couple = couple_of(c, kind);
    const ContactFrame frame = frame_of(c, bodies);
    const bool is_rolling = kind == CoupleKind::rolling;
    const Vec3d& all = forces.couples[i];
    const Vec3d force = is_rolling ? Vec3d{all.x, all.y, 0} : Vec3d{0, 0, all.z};
    if (couple.holds) {
        if (length(force) <= forces.contacts[i].z * (1 + kRounding)) return false;
        couple = {false, couple_in_world(-normalize(force), kind, frame)};
        return true;
    }
    if (length(couple_slip(c, kind, frame, bodies)) > laws.tolerances.slip_speed) return false;
    const std::array<ConstraintRow, 3> rows = couple_rows(c, frame, bodies);
    const Vec3d direction = couple_direction(c, kind, frame, bodies);
    double slip_acceleration = 0, scale = 1e-300;
    for (std::size_t k = rows_of(kind).first; k < rows_of(kind).last; ++k) {
        const double a = rate(rows[k], forces.accelerations) + rows[k].bias_acceleration;
        slip_acceleration += a * direction[static_cast<int>(k)];
        scale += std::abs(a);
    }
    couple.holds = slip_acceleration < -kRounding * scale || couple.slip == Vec3d{};
    return couple.holds;
}

} // namespace

void start_drives(const WorldState& state, const Laws& laws, Island& island) {
    if (island.drives.empty()) return;
    const std::vector<BodyKinematics> bodies = kinematics_of(state, island);
    const IslandDofs dofs = island_dofs(state, island, bodies);
    for (JointDrive& drive : island.drives) {
        const Vec3d slip = drive_slip(island, dofs, drive, bodies);
        const double bound = max_force(state, island, dofs, drive);
        drive.holds =
            std::isinf(bound) || (bound > 0 && length(slip) <= laws.tolerances.slip_speed);
        drive.slip = length(slip) > laws.tolerances.slip_speed ? normalize(slip) : Vec3d{};
    }
}

bool correct_drive(const WorldState& state, const Laws& laws, Island& island) {
    constexpr double kRounding = 1e-11;
    const IslandForces forces = forces_in_modes(state, island);
    const std::vector<BodyKinematics> bodies = kinematics_of(state, island);
    const IslandDofs dofs = island_dofs(state, island, bodies);
    for (std::size_t i = 0; i < island.drives.size(); ++i) {
        JointDrive& drive = island.drives[i];
        drive.force = forces.drives[i];
        const double bound = max_force(state, island, dofs, drive);
        if (drive.holds && length(drive.force) > bound * (1 + kRounding)) {
            drive.holds = false;
            drive.slip = -normalize(drive.force);
            return true;
        }
        if (drive.holds || !(bound > 0)) continue;
        if (length(drive_slip(island, dofs, drive, bodies)) > laws.tolerances.slip_speed) continue;
        double slip_acceleration = 0, scale = 1e-300;
        int axis = 0;
        for (const ConstraintRow& row : drive_rows(island, dofs, drive)) {
            const double a = rate(row, forces.accelerations) + row.bias_acceleration;
            slip_acceleration += a * drive.slip[axis++];
            scale += std::abs(a);
        }
        if (slip_acceleration < -kRounding * scale || drive.slip == Vec3d{}) {
            drive.holds = true;
            return true;
        }
    }
    return false;
}

void start_couples(const WorldState& state, const Laws& laws, Island& island) {
    const std::vector<BodyKinematics> bodies = kinematics_of(state, island);
    for (Contact& c : island.contacts) {
        if (!has_couple(c.material)) continue;
        const ContactFrame frame = frame_of(c, bodies);
        for (const CoupleKind kind : kCoupleKinds) {
            const Vec3d slip = couple_slip(c, kind, frame, bodies);
            const bool slips = length(slip) > laws.tolerances.slip_speed;
            const bool holds = couple_length(c.material, kind) > 0 && !slips;
            couple_of(c, kind) = {holds, slips ? normalize(slip) : Vec3d{}};
        }
    }
}

bool correct_couples(const WorldState& state, const Laws& laws, Island& island) {
    const IslandForces forces = forces_in_modes(state, island);
    const std::vector<BodyKinematics> bodies = kinematics_of(state, island);
    for (std::size_t i = 0; i < island.contacts.size(); ++i) {
        Contact& c = island.contacts[i];
        if (c.mode == ContactMode::open) continue;
        for (const CoupleKind kind : kCoupleKinds)
            if (couple_length(c.material, kind) > 0 &&
                correct_couple(laws, bodies, c, i, forces, kind))
                return true;
    }
    return false;
}

} // namespace rigor::contact_dynamics
