#include "literature/resting_wrenches.h"

#include "base/deadline.h"
#include "contact_dynamics/contact_forces.h"
#include "contact_dynamics/contact_modes.h"
#include "contact_dynamics/contact_problem.h"
#include "resting/resting_forces.h"

namespace rigor::literature {
namespace {

/// Frictionless forces [Baber 2006, equation 18]: the normal accelerations of separation are
/// M f + b.
std::vector<Vec3d> forces_by_rule(const WorldState& state, const MethodParts& method,
                                  const Island& island) {
    const std::size_t n = island.contacts.size();
    constexpr double kSecondsOfPivots = 1e-10; // times the cube of the contacts
    const auto contact_count = static_cast<double>(n);
    if (!deadline_allows(kSecondsOfPivots * contact_count * contact_count * contact_count))
        return std::vector<Vec3d>(n);
    const ContactProblem contacts(state, island, island.contacts);
    const BlockMatrix w = contacts.matrix();
    DenseMatrix m(n, n);
    for (std::size_t i = 0; i < n; ++i)
        for (const BlockEntry& entry : w.row(i)) m(i, entry.column) = entry.block(2, 2);
    std::vector<double> b;
    for (const Vec3d& a : contacts.accelerations(external_forces(state, island, island.motion)))
        b.push_back(a.z);
    const RestingForces found = resting_forces(method.resting, m, b);
    std::vector<Vec3d> forces;
    for (const double f : found.f) forces.push_back({0, 0, f});
    return forces;
}

/// Distributes contact forces, along tangents and normals, to the bodies.
ContactWrenches wrenches_of(const WorldState& state, const Island& island,
                            const std::vector<Vec3d>& forces) {
    const ContactProblem contacts(state, island, island.contacts);
    std::vector<Vec3d> normal, friction, world;
    for (std::size_t i = 0; i < forces.size(); ++i) {
        const Vec3d& f = forces[i];
        const ContactFrame& frame = contacts.frames()[i];
        normal.push_back({0, 0, f.z});
        friction.push_back({f.x, f.y, 0});
        world.push_back(frame.tangent_1 * f.x + frame.tangent_2 * f.y + frame.normal * f.z);
    }
    return {contacts.body_impulses(normal), contacts.body_impulses(friction), std::move(world)};
}

} // namespace

ContactWrenches resting_wrenches(const WorldState& state, const MethodParts& method,
                                 const Island& island, std::span<const ContactSpring> springs,
                                 std::span<const FrictionSpring> stretches) {
    const std::vector<SpatialVector> none(island.bodies.size());
    const std::vector<Vec3d> no_forces(island.contacts.size());
    if (island.contacts.empty()) return {none, none, no_forces};
    switch (method.resting) {
        case RestingRule::lp:
        case RestingRule::lcp:
            return wrenches_of(state, island, forces_by_rule(state, method, island));
        case RestingRule::cone:
            return wrenches_of(state, island, friction_cone_forces(state, Laws{}, island));
        case RestingRule::penalty:
            return spring_wrenches(state, method, island, springs, stretches);
        default:
            return {none, none, no_forces};
    }
}

} // namespace rigor::literature
