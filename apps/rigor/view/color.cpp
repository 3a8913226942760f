#include "view/color.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace rigor::view {
namespace {

constexpr std::array<std::string_view, 8> kNames{"momentum", "speed", "body",   "material",
                                                 "island",   "sleep", "energy", "stress"};
static_assert(kNames.size() == kColors.size());

/// 1, 2 or 5 times a power of ten, not less than x.
double rounded_up(double x) {
    if (!(x > 1e-6) || !std::isfinite(x)) return 1e-6;
    const double power = std::pow(10, std::floor(std::log10(x)));
    for (const double digit : {1.0, 2.0, 5.0})
        if (digit * power >= x) return digit * power;
    return 10 * power;
}

bool is_dynamic(const Member& member) {
    return !member.id.is_null() && member.made_from->def.type == BodyType::dynamic_body;
}

/// Calls visit(slot, id) for all dynamic bodies.
template <class Visit>
void for_dynamic(const Stage& stage, const Visit& visit) {
    const std::vector<Member>& members = *stage.state().members;
    for (std::size_t slot = 0; slot < members.size(); ++slot)
        if (is_dynamic(members[slot])) visit(slot, members[slot].id);
}

double kinetic_energy(const MassProperties& mass, const BodyState& s) {
    const Vec3d w = inverse_rotate(s.orientation, s.angular_velocity);
    return 0.5 * (mass.mass * length_squared(s.velocity) + dot(w, mass.inertia * w));
}

/// How hard bodies are pressed: the sum of their contact forces. What cannot move bears everything,
/// and would leave nothing of the scale for the others.
std::vector<double> stresses(const Stage& stage) {
    const std::vector<Member>& members = *stage.state().members;
    std::vector<double> all(members.size());
    const double dt = stage.state().time_step;
    for (const ContactView& contact : stage.world().contacts()) {
        double impulse = 0;
        for (int i = 0; i < contact.count; ++i)
            impulse += contact.points[static_cast<std::size_t>(i)].impulse;
        for (const std::uint32_t slot : {contact.a.body.index, contact.b.body.index})
            if (is_dynamic(members[slot])) all[slot] += impulse / dt;
    }
    return all;
}

std::vector<double> amounts(const Stage& stage, Color color) {
    if (color == Color::stress) return stresses(stage);
    const World& world = stage.world();
    std::vector<double> all(stage.state().members->size());
    for_dynamic(stage, [&](std::size_t slot, BodyId id) {
        const BodyState s = world.state(id);
        all[slot] = length(s.velocity);
        if (color == Color::momentum) all[slot] *= world.mass_properties(id).mass;
        if (color == Color::energy) all[slot] = kinetic_energy(world.mass_properties(id), s);
    });
    return all;
}

/// An impact stands out, and is forgotten after some seconds of the world's time.
void follow(double most, double time, ColorScale& scale) {
    constexpr double kForgetting = 1.0; // seconds until a third of a peak is left
    const double since = time - scale.time;
    scale.peak = since >= 0 ? std::max(most, scale.peak * std::exp(-since / kForgetting)) : most;
    scale.time = time;
    if (scale.peak > scale.max || scale.peak < scale.max / 3) scale.max = rounded_up(scale.peak);
}

std::vector<std::uint8_t> scaled(const std::vector<double>& amounts, double time,
                                 ColorScale& scale) {
    follow(amounts.empty() ? 0 : *std::max_element(amounts.begin(), amounts.end()), time, scale);
    std::vector<std::uint8_t> values(amounts.size());
    for (std::size_t i = 0; i < amounts.size(); ++i) {
        const double share = amounts[i] / scale.max;
        if (share > 0) // no number where nothing moves, nor where all is beyond measure
            values[i] = static_cast<std::uint8_t>(std::min(std::nearbyint(255 * share), 255.0));
    }
    return values;
}

/// Bodies that touch or are joined get the number of their island, in the order of slots.
std::vector<std::uint8_t> islands(const Stage& stage) {
    const World& world = stage.world();
    const std::vector<Member>& members = *stage.state().members;
    std::vector<std::uint32_t> root(members.size());
    std::iota(root.begin(), root.end(), 0u);
    const auto find = [&](std::uint32_t i) {
        while (root[i] != i) i = root[i] = root[root[i]];
        return i;
    };
    const auto join = [&](BodyId a, BodyId b) {
        if (a.is_null() || b.is_null() || a.index >= members.size() || b.index >= members.size())
            return;
        if (!is_dynamic(members[a.index]) || !is_dynamic(members[b.index])) return;
        const std::uint32_t ra = find(a.index), rb = find(b.index);
        root[std::max(ra, rb)] = std::min(ra, rb);
    };
    for (const ContactView& contact : world.contacts()) join(contact.a.body, contact.b.body);
    for (std::size_t i = 0; i < stage.scene().joints.size(); ++i) {
        const SceneJoint& joint = stage.scene().joints[i];
        if (world.is_valid(stage.joint(i))) join(stage.joined(joint.a), stage.joined(joint.b));
    }
    std::vector<std::uint8_t> values(members.size());
    std::vector<std::uint8_t> number(members.size());
    std::uint8_t next = 0;
    for_dynamic(stage, [&](std::size_t slot, BodyId) {
        const std::uint32_t r = find(static_cast<std::uint32_t>(slot));
        if (r == slot) number[r] = next = static_cast<std::uint8_t>(next % 255 + 1);
        values[slot] = number[r];
    });
    return values;
}

std::vector<std::uint8_t> sleepers(const Stage& stage) {
    std::vector<std::uint8_t> values(stage.state().members->size());
    for_dynamic(stage, [&](std::size_t slot, BodyId id) {
        values[slot] = stage.world().is_awake(id) ? 1 : 2;
    });
    for (const std::uint32_t slot : stage.state().frozen) values[slot] = 3;
    return values;
}

std::vector<std::uint8_t> categories(const Stage& stage, Color color) {
    const std::vector<Member>& members = *stage.state().members;
    std::vector<std::uint8_t> values(members.size());
    for (std::size_t slot = 0; slot < members.size(); ++slot) {
        if (members[slot].id.is_null()) continue;
        if (color == Color::body) values[slot] = static_cast<std::uint8_t>(slot % 256);
        const std::vector<ShapeDef>& shapes = members[slot].made_from->def.shapes;
        if (color == Color::material && !shapes.empty())
            values[slot] = static_cast<std::uint8_t>(shapes[0].material.id + 1);
    }
    return values;
}

const char* unit_of(Color color) {
    switch (color) {
        case Color::momentum:
            return "kg m/s";
        case Color::speed:
            return "m/s";
        case Color::energy:
            return "J";
        case Color::stress:
            return "N";
        default:
            return "";
    }
}

} // namespace

std::string_view name(Color color) {
    return kNames[static_cast<std::size_t>(color)];
}

std::optional<Color> color_named(std::string_view text) {
    for (const Color color : kColors)
        if (name(color) == text) return color;
    return std::nullopt;
}

std::vector<std::uint8_t> color_values(const Stage& stage, Color color, ColorScale& scale) {
    scale.unit = unit_of(color);
    switch (color) {
        case Color::momentum:
        case Color::speed:
        case Color::energy:
        case Color::stress:
            return scaled(amounts(stage, color), stage.world().time(), scale);
        case Color::island:
            return islands(stage);
        case Color::sleep:
            return sleepers(stage);
        default:
            return categories(stage, color);
    }
}

} // namespace rigor::view
