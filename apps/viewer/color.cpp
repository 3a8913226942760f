#include "viewer/color.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace rigor::viewer {
namespace {

constexpr std::array<std::string_view, 8> kNames{"momentum", "speed", "body",   "material",
                                                 "island",   "sleep", "energy", "stress"};
static_assert(kNames.size() == kColorModes.size());

/// 1, 2 or 5 times a power of ten, not less than x.
double rounded_up(double x) {
    if (!(x > 1e-6) || !std::isfinite(x)) return 1e-6;
    const double power = std::pow(10, std::floor(std::log10(x)));
    for (const double digit : {1.0, 2.0, 5.0})
        if (digit * power >= x) return digit * power;
    return 10 * power;
}

bool is_dynamic(const SessionBody& body) {
    return !body.id.is_null() && body.definition->def.type == BodyType::dynamic_body;
}

/// Calls visit(slot, id) for all dynamic bodies.
template <class Visit>
void for_dynamic(const Session& session, const Visit& visit) {
    const std::vector<SessionBody>& bodies = *session.state().bodies;
    for (std::size_t slot = 0; slot < bodies.size(); ++slot)
        if (is_dynamic(bodies[slot])) visit(slot, bodies[slot].id);
}

double kinetic_energy(const MassProperties& mass, const BodyState& s) {
    const Vec3d w = inverse_rotate(s.orientation, s.angular_velocity);
    return 0.5 * (mass.mass * length_squared(s.velocity) + dot(w, mass.inertia * w));
}

/// The sum of the contact forces on each dynamic body. Static bodies bear all the weight of a
/// scene; their values would hide the differences between the others.
std::vector<double> contact_forces(const Session& session) {
    const std::vector<SessionBody>& bodies = *session.state().bodies;
    std::vector<double> all(bodies.size());
    const double dt = session.state().time_step;
    for (const ContactView& contact : session.world().contacts()) {
        double impulse = 0;
        for (int i = 0; i < contact.count; ++i)
            impulse += contact.points[static_cast<std::size_t>(i)].impulse;
        for (const std::uint32_t slot : {contact.a.body.index, contact.b.body.index})
            if (is_dynamic(bodies[slot])) all[slot] += impulse / dt;
    }
    return all;
}

std::vector<double> quantities(const Session& session, ColorMode color) {
    if (color == ColorMode::stress) return contact_forces(session);
    const World& world = session.world();
    std::vector<double> all(session.state().bodies->size());
    for_dynamic(session, [&](std::size_t slot, BodyId id) {
        const BodyState s = world.state(id);
        all[slot] = length(s.velocity);
        if (color == ColorMode::momentum) all[slot] *= world.mass_properties(id).mass;
        if (color == ColorMode::energy) all[slot] = kinetic_energy(world.mass_properties(id), s);
    });
    return all;
}

/// A peak, as in an impact, decays within some seconds of simulated time.
void update_scale(double largest, double time, ColorScale& scale) {
    constexpr double kDecayTime = 1.0; // s, to 1/e
    const double elapsed = time - scale.time;
    scale.peak =
        elapsed >= 0 ? std::max(largest, scale.peak * std::exp(-elapsed / kDecayTime)) : largest;
    scale.time = time;
    if (scale.peak > scale.max || scale.peak < scale.max / 3) scale.max = rounded_up(scale.peak);
}

std::vector<std::uint8_t> scaled(const std::vector<double>& amounts, double time,
                                 ColorScale& scale) {
    update_scale(amounts.empty() ? 0 : *std::max_element(amounts.begin(), amounts.end()), time,
                 scale);
    std::vector<std::uint8_t> values(amounts.size());
    for (std::size_t i = 0; i < amounts.size(); ++i) {
        const double share = amounts[i] / scale.max;
        if (share > 0) // false for NaN, which 0/0 and inf/inf give
            values[i] = static_cast<std::uint8_t>(std::min(std::nearbyint(255 * share), 255.0));
    }
    return values;
}

/// Islands are numbered from 1 to 255 in the order of slots: bodies connected by contacts or
/// joints.
std::vector<std::uint8_t> islands(const Session& session) {
    const World& world = session.world();
    const std::vector<SessionBody>& bodies = *session.state().bodies;
    std::vector<std::uint32_t> root(bodies.size());
    std::iota(root.begin(), root.end(), 0u);
    const auto find = [&](std::uint32_t i) {
        while (root[i] != i) i = root[i] = root[root[i]];
        return i;
    };
    const auto join = [&](BodyId a, BodyId b) {
        if (a.is_null() || b.is_null() || a.index >= bodies.size() || b.index >= bodies.size())
            return;
        if (!is_dynamic(bodies[a.index]) || !is_dynamic(bodies[b.index])) return;
        const std::uint32_t ra = find(a.index), rb = find(b.index);
        root[std::max(ra, rb)] = std::min(ra, rb);
    };
    for (const ContactView& contact : world.contacts()) join(contact.a.body, contact.b.body);
    for (std::size_t i = 0; i < session.scene().joints.size(); ++i) {
        const SceneJoint& joint = session.scene().joints[i];
        if (world.is_valid(session.joint(i)))
            join(session.joint_body(joint.a), session.joint_body(joint.b));
    }
    std::vector<std::uint8_t> values(bodies.size());
    std::vector<std::uint8_t> number(bodies.size());
    std::uint8_t next = 0;
    for_dynamic(session, [&](std::size_t slot, BodyId) {
        const std::uint32_t r = find(static_cast<std::uint32_t>(slot));
        if (r == slot) number[r] = next = static_cast<std::uint8_t>(next % 255 + 1);
        values[slot] = number[r];
    });
    return values;
}

std::vector<std::uint8_t> sleep_states(const Session& session) {
    std::vector<std::uint8_t> values(session.state().bodies->size());
    for_dynamic(session, [&](std::size_t slot, BodyId id) {
        values[slot] = session.world().is_awake(id) ? 1 : 2;
    });
    for (const std::uint32_t slot : session.state().frozen) values[slot] = 3;
    return values;
}

std::vector<std::uint8_t> categories(const Session& session, ColorMode color) {
    const std::vector<SessionBody>& bodies = *session.state().bodies;
    std::vector<std::uint8_t> values(bodies.size());
    for (std::size_t slot = 0; slot < bodies.size(); ++slot) {
        if (bodies[slot].id.is_null()) continue;
        if (color == ColorMode::body) values[slot] = static_cast<std::uint8_t>(slot % 256);
        const std::vector<ShapeDef>& shapes = bodies[slot].definition->def.shapes;
        if (color == ColorMode::material && !shapes.empty())
            values[slot] = static_cast<std::uint8_t>(shapes[0].material.id + 1);
    }
    return values;
}

const char* unit_of(ColorMode color) {
    switch (color) {
        case ColorMode::momentum:
            return "kg m/s";
        case ColorMode::speed:
            return "m/s";
        case ColorMode::energy:
            return "J";
        case ColorMode::stress:
            return "N";
        default:
            return "";
    }
}

} // namespace

std::string_view name(ColorMode color) {
    return kNames[static_cast<std::size_t>(color)];
}

std::optional<ColorMode> color_mode_named(std::string_view text) {
    for (const ColorMode color : kColorModes)
        if (name(color) == text) return color;
    return std::nullopt;
}

std::vector<std::uint8_t> color_values(const Session& session, ColorMode color, ColorScale& scale) {
    scale.unit = unit_of(color);
    switch (color) {
        case ColorMode::momentum:
        case ColorMode::speed:
        case ColorMode::energy:
        case ColorMode::stress:
            return scaled(quantities(session, color), session.world().time(), scale);
        case ColorMode::island:
            return islands(session);
        case ColorMode::sleep:
            return sleep_states(session);
        default:
            return categories(session, color);
    }
}

} // namespace rigor::viewer
