#include "run_warnings.h"

#include <algorithm>
#include <cmath>

namespace rigor::app {
namespace {

constexpr double kLargestTimeStep = 0.1; // s: three times what fast is designed for

/// Whether contacts may do work: the scene has kinematic bodies, conveyors or fracture.
bool has_driven_contacts(const Scene& scene) {
    return std::any_of(scene.bodies.begin(), scene.bodies.end(), [](const SceneBody& body) {
        const auto& shapes = body.def.shapes;
        return body.def.type == BodyType::kinematic_body || body.fracture || body.driver ||
               std::any_of(shapes.begin(), shapes.end(), [](const ShapeDef& shape) {
                   return shape.material.surface_velocity != Vec3d{};
               });
    });
}

bool has_motor(const JointDef& joint) {
    return std::visit(
        [](const auto& kind) {
            if constexpr (requires { kind.motor.has_value(); }) return kind.motor.has_value();
            return false;
        },
        joint.kind);
}
/// Whether joints may do work. A spring may have been stretched from the start.
bool has_driven_joints(const Scene& scene) {
    return !scene.vehicles.empty() || has_driven_contacts(scene) ||
           std::any_of(scene.joints.begin(), scene.joints.end(), [](const SceneJoint& joint) {
               return joint.def.spring || has_motor(joint.def);
           });
}

/// Energy that the bodies started with and received from gravity, forces and edits, J.
double given_energy(const RunSummary& s) {
    const Ledger& l = s.ledger;
    double given = s.energy_start.kinetic;
    for (const double work : {l.gravity, l.forces, l.edits}) given += std::max(work, 0.0);
    return given;
}

std::string energy_warning(const std::string& what, const Simulation& simulation, double gain,
                           double given) {
    return what + " under " + simulation.method() + " added " + short_text(gain) +
           " J of energy, while the bodies started with or received " + short_text(given) + " J";
}

/// Warns when a body is smaller than its free fall in one step: it may pass through a contact
/// before the contact acts.
void warn_of_fall(const Simulation& simulation, RunSummary& s) {
    const World& world = simulation.world();
    const double fall = 0.5 * length(world.settings().gravity) * s.dt * s.dt;
    double least = HUGE_VAL;
    std::string name;
    for (std::size_t i = 0; i < simulation.scene().bodies.size(); ++i) {
        const SceneBody& body = simulation.scene().bodies[i];
        if (body.def.type != BodyType::dynamic_body || body.def.shapes.empty()) continue;
        if (body.def.gravity_scale == 0 || !world.is_valid(simulation.body(i))) continue;
        const Bounds bounds = world.bounds(simulation.body(i));
        const double size = max_component(bounds.hi - bounds.lo);
        if (size < least) least = size, name = body.def.name;
    }
    if (!(fall > least)) return;
    s.warnings.push_back("the time step of " + short_text(s.dt) + " s is long: bodies fall by " +
                         short_text(fall) + " m in one step, and \"" + name + "\" has a size of " +
                         short_text(least) + " m");
}

/// Whether an overlap exceeds the inaccuracy of a body placed by hand: 2 % of the thickness of the
/// thinner dynamic body.
bool is_deep(const World& world, const ShapePenetration& pair) {
    constexpr double kShare = 0.02;
    double thickness = HUGE_VAL;
    for (const BodyId id : {pair.body_a, pair.body_b}) {
        if (world.type(id) != BodyType::dynamic_body) continue;
        const Bounds bounds = world.bounds(id);
        const Vec3d size = bounds.hi - bounds.lo;
        thickness = std::min({thickness, size.x, size.y, size.z});
    }
    return pair.depth > kShare * thickness;
}

} // namespace

void warn_of_overlap(const World& world, const std::vector<ShapePenetration>& overlaps,
                     RunSummary& s) {
    const auto deep = std::count_if(overlaps.begin(), overlaps.end(),
                                    [&](const auto& pair) { return is_deep(world, pair); });
    if (deep == 0) return;
    const ShapePenetration& worst = *std::find_if(
        overlaps.begin(), overlaps.end(), [&](const auto& pair) { return is_deep(world, pair); });
    std::string warning = "\"" + std::string(world.name(worst.body_a)) + "\" and \"" +
                          std::string(world.name(worst.body_b)) + "\" overlap by " +
                          short_text(worst.depth) + " m at the start";
    if (deep == 2) warning += ", and so does 1 other pair";
    if (deep > 2) warning += ", and so do " + std::to_string(deep - 1) + " other pairs";
    s.warnings.push_back(warning);
    s.unhonored.push_back(warning);
}

void warn_of_time_step(const Simulation& simulation, RunSummary& s) {
    if (simulation.method() != "fast") return;
    if (!(s.dt > kLargestTimeStep)) return warn_of_fall(simulation, s);
    const std::string warning =
        "the time step of " + short_text(s.dt) + " s is far above the 1/30 s that fast is made for";
    s.warnings.push_back(warning);
    s.unhonored.push_back(warning);
}

void note_fractures(const Simulation& simulation, RunSummary& s) {
    constexpr std::size_t kMostTold = 20; // of one kind, so that a heap of them stays readable
    for (const FractureEvent& event : simulation.fractures()) {
        if (event.failure.empty() || s.whole_bodies > kMostTold) continue;
        const std::string when = "at t = " + short_text(simulation.world().time()) + " s ";
        s.warnings.push_back(++s.whole_bodies > kMostTold
                                 ? when + "further bodies that should break stay whole"
                                 : when + "\"" + event.name + "\" did not break: " + event.failure);
    }
}

void warn_of_energy_gain(const Simulation& simulation, RunSummary& s) {
    constexpr double kShare = 0.05, kShareOfJoints = 0.01, kRounding = 1e-6; // J
    const Ledger& l = s.ledger;
    const double of_contacts = l.contact_normal + l.contact_friction + l.impact;
    const double gain = of_contacts + l.remainder;
    const double given = given_energy(s), with_joints = given + std::max(l.joints, 0.0);
    if (gain > std::max(kShare * with_joints, kRounding) &&
        !has_driven_contacts(simulation.scene()))
        s.warnings.push_back(
            energy_warning(of_contacts > l.remainder ? "contacts" : "steps of this length",
                           simulation, gain, with_joints));
    if (l.joints > std::max(kShareOfJoints * given, kRounding) &&
        !has_driven_joints(simulation.scene()))
        s.warnings.push_back(energy_warning("joints", simulation, l.joints, given));
}

void warn_of_crowds(RunSummary& s) {
    if (s.crowded_steps == 0) return;
    const std::string warning =
        "in " + std::to_string(s.crowded_steps) + " of " + std::to_string(s.step_seconds.size()) +
        " steps up to " + std::to_string(s.max_crowded) +
        " shapes lay deep in more than 16 others each: of the pairs among them only the 16 deepest "
        "of each shape were handled in a step";
    s.warnings.push_back(warning);
    s.unhonored.push_back(warning);
}

} // namespace rigor::app
