#include "bench/peers/quality.h"

#include <algorithm>
#include <cmath>

#include "bench/peers/scene_support.h"

namespace rigor::bench {
namespace {

bool is_dynamic(const SceneBody& body) {
    return body.def.type == BodyType::dynamic_body;
}

bool is_finite(const Motion& m) {
    return rigor::is_finite(m.pose) && rigor::is_finite(m.velocity) &&
           rigor::is_finite(m.angular_velocity);
}

double kinetic_energy(const MassProperties& mass, const Motion& m) {
    const Vec3d w = inverse_rotate(m.pose.q, m.angular_velocity);
    return 0.5 * (mass.mass * length_squared(m.velocity) + dot(w, mass.inertia * w));
}

double level_distance(const Vec3d& a, const Vec3d& b) {
    return std::hypot(a.x - b.x, a.y - b.y);
}

double largest_gap(const Scene& scene, const std::vector<Posed>& poses) {
    const auto place = [&](std::int32_t body, const Vec3d& anchor) {
        const Vec3d local = local_anchor(scene, body, anchor);
        if (body == SceneJoint::kWorld) return local;
        return transform(poses[static_cast<std::size_t>(body)], local);
    };
    double gap = 0;
    for (const SceneJoint& joint : scene.joints) {
        const Vec3d a = place(joint.a, joint.def.anchor), b = place(joint.b, joint.def.anchor);
        gap = std::max(gap, length(a - b));
    }
    return gap;
}

} // namespace

double percentile(const std::vector<double>& sorted, double share) {
    if (sorted.empty()) return 0;
    const double rank = std::ceil(share * static_cast<double>(sorted.size()));
    return sorted[static_cast<std::size_t>(std::max(rank, 1.0)) - 1];
}

Inspector::Inspector(Simulation simulation) : simulation_(std::move(simulation)) {
    const Scene& scene = simulation_.scene();
    for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
        masses_.push_back(is_dynamic(scene.bodies[i])
                              ? simulation_.world().mass_properties(simulation_.body(i))
                              : MassProperties{});
    }
}

Result<Inspector> Inspector::make(const Scene& scene) {
    Result<Simulation> simulation = Simulation::make(scene);
    if (!simulation) return simulation.error();
    return Inspector(std::move(*simulation));
}

std::size_t Inspector::dynamic_bodies() const {
    const auto& bodies = simulation_.scene().bodies;
    return static_cast<std::size_t>(std::count_if(bodies.begin(), bodies.end(), is_dynamic));
}

Quality Inspector::inspect(const Peer& peer, bool stands) {
    const Scene& scene = simulation_.scene();
    World& world = simulation_.world();
    Quality quality;
    double drift = 0;
    std::vector<Posed> poses;
    for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
        const BodyDef& def = scene.bodies[i].def;
        poses.push_back({def.position, def.orientation});
        if (!is_dynamic(scene.bodies[i])) continue;
        const Motion motion = peer.motion(i);
        if (!is_finite(motion)) {
            ++quality.lost;
            continue;
        }
        poses.back() = motion.pose;
        world.set_pose(simulation_.body(i), motion.pose);
        drift = std::max(drift, level_distance(motion.pose.p, def.position));
        quality.kinetic_energy += kinetic_energy(masses_[i], motion);
    }
    const std::vector<double> depths = world.penetrations();
    quality.penetration_max = percentile(depths, 1);
    quality.penetration_p99 = percentile(depths, 0.99);
    if (stands) quality.drift = drift;
    if (!scene.joints.empty()) quality.joint_error = largest_gap(scene, poses);
    return quality;
}

} // namespace rigor::bench
