#include "worlds.h"

#include <algorithm>
#include <cmath>

namespace rigor::validation {

World world_of(Method method, const Vec3d& gravity) {
    WorldSettings settings;
    settings.method = method;
    settings.gravity = gravity;
    settings.may_sleep = false;
    settings.laws.fixed_steps = false; // what is certified goes from event to event
    return World(settings);
}

BodyDef body(const ShapeGeometry& geometry, double friction, double restitution) {
    BodyDef def;
    def.can_sleep = false;
    def.shapes.push_back({.geometry = geometry});
    Material& material = def.shapes[0].material;
    material.static_friction = material.kinetic_friction = friction;
    material.restitution = restitution;
    return def;
}

BodyDef fixed(BodyDef def) {
    def.type = BodyType::static_body;
    return def;
}

BodyDef mass_at(const Vec3d& position, double mass, const Vec3d& moments) {
    BodyDef def;
    def.can_sleep = false;
    def.position = position;
    def.mass_properties = MassProperties{mass, {}, Sym3d::diagonal(moments)};
    return def;
}

BodyDef point_mass(const Vec3d& position, double mass) {
    return mass_at(position, mass, Vec3d{1, 1, 1} * (1e-4 * mass));
}

BodyId add_ground(World& world, double friction, double restitution) {
    return world.add_body(fixed(body(PlaneDef{}, friction, restitution))).value();
}

JointId join(World& world, const JointKind& kind, BodyId a, BodyId b, const Vec3d& anchor) {
    return world.add_joint({.a = a, .b = b, .anchor = anchor, .kind = kind}).value();
}

void run(World& world, double seconds, double dt) {
    const long long steps = std::llround(seconds / dt);
    for (long long i = 0; i < steps; ++i) world.step(dt);
}

namespace {

/// Moves on from `before`, where f() is below the level, to where it reaches it, at most dt later.
/// By halving: each try is one step from `before`.
void step_to_passage(World& world, const Snapshot& before, const std::function<double()>& f,
                     double level, double dt) {
    const auto is_past = [&](double h) {
        world.restore(before);
        world.step(h);
        return f() >= level;
    };
    double lo = 0, hi = dt;
    for (int i = 0; i < 44; ++i) {
        const double middle = 0.5 * (lo + hi);
        (is_past(middle) ? hi : lo) = middle;
    }
    is_past(hi);
}

} // namespace

Passage first_passage(World& world, const std::function<double()>& f, double level, double seconds,
                      double dt) {
    double last = f();
    for (int i = 0; i < std::lround(seconds / dt); ++i) {
        const Snapshot before = world.snapshot();
        world.step(dt);
        const double now = f();
        if (last < level && now >= level) {
            if (world.settings().method == Method::faithful) {
                step_to_passage(world, before, f, level, dt);
                return {world.time(), 0};
            }
            const double ago = dt * (now - level) / (now - last);
            return {world.time() - ago, ago};
        }
        last = now;
    }
    return {};
}

double load_on(const World& world, BodyId id) {
    double impulse = 0;
    for (const ContactView& contact : world.contacts(id)) {
        for (std::size_t k = 0; k < static_cast<std::size_t>(contact.count); ++k)
            impulse += contact.points[k].impulse * std::abs(contact.normal.z);
    }
    return impulse / kStep;
}

double relative(double got, double expected) {
    return std::abs(got / expected - 1);
}

double median(std::vector<double> values) {
    if (values.empty()) return kNone;
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

std::vector<double> numbers(const Vec3d& v) {
    return {v.x, v.y, v.z};
}

std::vector<double> numbers(const Quatd& q) {
    return {q.w, q.x, q.y, q.z};
}

double Random::next() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

} // namespace rigor::validation
