#include "fast/solve_islands.h"

#include <cmath>
#include <numbers>

namespace rigor::fast {
namespace {

constexpr double kHertz = 240;    // of the mass of the whole island on one contact point
constexpr double kDamping = 10;   // far beyond critical
constexpr double kMaxSpeed = 0.1; // m/s, at which overlap is pushed out: it is not taken back
constexpr int kIterationsAfterFailure = 20;
constexpr double kSticking = 1e-4; // compliance of friction, in velocity per velocity

Vec6d velocity_of(const SolverBody& body) {
    Vec6d v{};
    for (std::size_t k = 0; k < 6; ++k) v[k] = static_cast<double>(body.velocity[k]);
    return v;
}

template <int W>
Vec3d vector_in(const std::array<Column<W>, 3>& columns, std::size_t lane) {
    return cast<double>(vector_at<W>(columns, lane));
}

/// How contacts give way: as a damped spring that is very stiff, and equal for all points.
struct Spring {
    double rate;                        ///< of the recovery of overlap, 1/s
    ContactNewton::Compliance softness; ///< of a mass of one

    explicit Spring(double h) {
        const double omega = 2 * std::numbers::pi * kHertz, a = 2 * kDamping + h * omega;
        rate = omega / a;
        softness = {1 / (h * omega * a), kSticking};
    }
};

template <int W>
class IslandBlocks {
  public:
    IslandBlocks(StepData& step, DemandingIsland& island)
        : step_(step),
          scratch_(step.scratch),
          island_(island),
          blocks_(step.scratch.contact_blocks.of<W>()),
          points_(step.scratch.contact_points.of<W>()) {}

    void prepare() {
        ContactNewton& newton = island_.newton;
        newton.reset(island_.bodies.size());
        island_.unsolved = 0;
        double mass = 0;
        for (std::size_t i = 0; i < island_.bodies.size(); ++i) {
            const SolverMass& body = scratch_.bodies.mass[island_.bodies[i]];
            mass += 1 / static_cast<double>(body.inv_mass);
            newton.set_mass(i, 1 / static_cast<double>(body.inv_mass),
                            inverse(to_double(body.inv_inertia)));
        }
        const Spring spring(static_cast<double>(step_.h));
        newton.set_compliance({spring.softness.normal / mass, spring.softness.tangential / mass});
        for (const BlockLane& at : island_.lanes) {
            const ContactBlock<W>& block = blocks_[at.block];
            NewtonPoint point;
            point.a = number_of(block.body_a[at.lane]);
            point.b = number_of(block.body_b[at.lane]);
            for_points(at, [&](const PointBlock<W>&) { newton.points.push_back(point); });
        }
        newton.find_envelope();
    }

    void solve(bool is_first) {
        ContactNewton& newton = island_.newton;
        for (std::size_t i = 0; i < island_.bodies.size(); ++i) {
            const std::uint32_t body = island_.bodies[i];
            newton.set_velocity(i, velocity_of(scratch_.bodies.bodies[body]),
                                velocity_of(scratch_.end_of_substep[body]));
        }
        read_points(is_first);
        // Not converged, the velocities are between the guess and the solution, as each step of the
        // search lowers the merit. But stiff contacts make wild impulses of small errors of them,
        // which must not start the next step.
        // What does not converge once in a step hardly does in the next substep, and a hundred
        // iterations in each would make the step five times as long.
        if (!newton.solve(island_.unsolved == 0 ? newton.kMaxIterations
                                                : kIterationsAfterFailure)) {
            ++island_.unsolved;
            for (NewtonPoint& point : newton.points) point.impulse = {};
        }
        for (std::size_t i = 0; i < island_.bodies.size(); ++i) {
            std::array<float, 8>& v = scratch_.bodies.bodies[island_.bodies[i]].velocity;
            for (std::size_t k = 0; k < 6; ++k) v[k] = static_cast<float>(newton.velocity(i)[k]);
        }
        write_impulses();
    }

  private:
    static Sym3d to_double(const Sym3f& m) {
        return {static_cast<double>(m.xx), static_cast<double>(m.yy), static_cast<double>(m.zz),
                static_cast<double>(m.xy), static_cast<double>(m.xz), static_cast<double>(m.yz)};
    }
    std::uint32_t number_of(SolverBodyIndex body) const {
        return body.responds_to_impulses() ? scratch_.demanding.number_of[body.index()]
                                           : NewtonPoint::kImmovable;
    }

    template <class Visit>
    void for_points(const BlockLane& at, const Visit& visit) {
        const ContactBlock<W>& block = blocks_[at.block];
        for (int k = 0; k < block.point_count; ++k) {
            PointBlock<W>& point = points_[block.first_point + static_cast<std::size_t>(k)];
            if (point.mass[at.lane] > 0) visit(point);
        }
    }

    void read_points(bool is_first) {
        std::size_t next = 0;
        for (const BlockLane& at : island_.lanes) {
            const ContactBlock<W>& block = blocks_[at.block];
            NewtonPoint common;
            common.normal = vector_in<W>(block.normal, at.lane);
            common.tangent_1 = vector_in<W>(block.tangent, at.lane);
            common.tangent_2 = cross(common.normal, common.tangent_1);
            common.friction = static_cast<double>(acting_friction(block, at.lane));
            const SolverBody &a = scratch_.bodies[block.body_a[at.lane]],
                             &b = scratch_.bodies[block.body_b[at.lane]];
            for_points(at, [&](const PointBlock<W>& from) {
                NewtonPoint& point = island_.newton.points[next++];
                common.a = point.a;
                common.b = point.b;
                common.parting = point.parting;
                point = common;
                point.arm_a = vector_in<W>(from.anchor_a, at.lane);
                point.arm_b = vector_in<W>(from.anchor_b, at.lane);
                point.drive = drive_of(block, at.lane, point, a, b);
                point.wanted = wanted_speed(static_cast<double>(from.separation[at.lane]) +
                                            approach(point, a, b));
                if (is_first) point.parting = point.friction * slip_of(block, at.lane, point);
            });
        }
    }

    static float acting_friction(const ContactBlock<W>& block, std::size_t lane) {
        return block.sticks_and_slides && block.surface->slides[lane] > 0.5f
                   ? block.surface->kinetic_friction[lane]
                   : block.friction[lane];
    }

    /// The velocity of immovable bodies at a point, and of conveyors: normal, tangents.
    static Vec3d drive_of(const ContactBlock<W>& block, std::size_t lane, const NewtonPoint& point,
                          const SolverBody& a, const SolverBody& b) {
        Vec3d drive;
        if (point.a == NewtonPoint::kImmovable) drive -= velocity_at_point(a, point.arm_a);
        if (point.b == NewtonPoint::kImmovable) drive += velocity_at_point(b, point.arm_b);
        return {dot(drive, point.normal),
                dot(drive, point.tangent_1) - static_cast<double>(block.surface_velocity_1[lane]),
                dot(drive, point.tangent_2) - static_cast<double>(block.surface_velocity_2[lane])};
    }
    static Vec3d velocity_at_point(const SolverBody& body, const Vec3d& arm) {
        return cast<double>(linear_velocity(body)) +
               cross(cast<double>(angular_velocity(body)), arm);
    }

    /// By which two points have come apart since the beginning of the step.
    static double approach(const NewtonPoint& point, const SolverBody& a, const SolverBody& b) {
        const auto moved = [](const SolverBody& body, const Vec3d& arm) {
            return cast<double>(translation(body)) +
                   cross(cast<double>(rotation_vector_part(body)) * 2.0, arm);
        };
        return dot(point.normal, moved(b, point.arm_b) - moved(a, point.arm_a));
    }

    double wanted_speed(double separation) const {
        const auto h = static_cast<double>(step_.h);
        if (separation > 0) return -separation / h;
        return std::min(-separation * Spring(h).rate, kMaxSpeed);
    }

    double slip_of(const ContactBlock<W>& block, std::size_t lane, const NewtonPoint& point) const {
        const auto velocity = [&](SolverBodyIndex body, const Vec3d& arm) {
            return body.responds_to_impulses()
                       ? velocity_at_point(scratch_.end_of_substep[body.index()], arm)
                       : Vec3d{};
        };
        const Vec3d u =
            velocity(block.body_b[lane], point.arm_b) - velocity(block.body_a[lane], point.arm_a);
        const double slip_1 = point.drive.y + dot(u, point.tangent_1),
                     slip_2 = point.drive.z + dot(u, point.tangent_2);
        return std::sqrt(slip_1 * slip_1 + slip_2 * slip_2);
    }

    /// Friction of all points as the block has it: at the friction anchor, and a twist.
    void write_impulses() {
        std::size_t next = 0;
        for (const BlockLane& at : island_.lanes) {
            ContactBlock<W>& block = blocks_[at.block];
            const Vec3d middle = vector_in<W>(block.friction_anchor_a, at.lane);
            double friction_1 = 0, friction_2 = 0, twist = 0, load = 0;
            bool slides = false;
            for_points(at, [&](PointBlock<W>& to) {
                const NewtonPoint& point = island_.newton.points[next++];
                const Vec3d& impulse = point.impulse;
                to.impulse[at.lane] = static_cast<float>(impulse.x);
                to.max_impulse[at.lane] = std::max(to.max_impulse[at.lane], to.impulse[at.lane]);
                load += impulse.x;
                friction_1 += impulse.y;
                friction_2 += impulse.z;
                twist +=
                    dot(point.normal, cross(point.arm_a - middle, point.tangent_1 * impulse.y +
                                                                      point.tangent_2 * impulse.z));
                slides = slides || point.slides;
            });
            // All of it is there while the bodies move (displacement_work.h).
            block.normal_work[at.lane] -=
                step_.h * static_cast<float>(load) * block.relative_gravity[at.lane];
            block.friction_1[at.lane] = static_cast<float>(friction_1);
            block.friction_2[at.lane] = static_cast<float>(friction_2);
            block.twist[at.lane] = static_cast<float>(twist);
            if (block.sticks_and_slides) block.surface->slides[at.lane] = slides ? 1 : 0;
        }
    }

    StepData& step_;
    Scratch& scratch_;
    DemandingIsland& island_;
    std::vector<ContactBlock<W>>& blocks_;
    std::vector<PointBlock<W>>& points_;
};

template <class Visit>
void for_islands(StepData& step, const Visit& visit) {
    DemandingIslands& found = step.scratch.demanding;
    step.context.team.parallel_for(found.count, 1, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) visit(found.islands[i]);
    });
}

} // namespace

template <int W>
void prepare_islands(StepData& step) {
    Scratch& scratch = step.scratch;
    DemandingIslands& found = scratch.demanding;
    if (found.count == 0) return;
    for (std::size_t i = 0; i < found.count; ++i) found.islands[i].lanes.clear();
    const BlockPlan& plan = scratch.contact_plan;
    for (std::uint32_t b = 0; b < plan.blocks.size(); ++b)
        for (std::uint32_t lane = 0; lane < plan.blocks[b].count; ++lane) {
            const std::uint32_t island = found.of_contact[plan.order[plan.blocks[b].first + lane]];
            if (island != DemandingIslands::kNone) found.islands[island].lanes.push_back({b, lane});
        }
    for_islands(step, [&](DemandingIsland& island) { IslandBlocks<W>(step, island).prepare(); });
}

template <int W>
void solve_islands(StepData& step) {
    const bool is_first = step.outcome.substeps == 0;
    for_islands(step,
                [&](DemandingIsland& island) { IslandBlocks<W>(step, island).solve(is_first); });
}

#define RIGOR_INSTANTIATE(W)                     \
    template void prepare_islands<W>(StepData&); \
    template void solve_islands<W>(StepData&);
RIGOR_INSTANTIATE(1)
RIGOR_INSTANTIATE(4)
RIGOR_INSTANTIATE(8)
#undef RIGOR_INSTANTIATE

} // namespace rigor::fast
