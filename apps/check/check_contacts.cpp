// Checks of contacts: position on both surfaces, material, friction cone, stick and slip.
#include "run.h"

namespace check {

/// The point lies on both surfaces, and the plane across the normal parts the two shapes. A mesh is
/// not convex: of it the point alone is tested.
void check_contact_place(Run& run, const Link& c, int node) {
    const Vec point = c.at[node].point, normal = c.at[node].normal;
    const Place here = run.at(run.r.t[node], c);
    here.add("unit vectors", std::abs(length(normal) - 1));
    const double inner = node > 0 && node < 4 ? 100 : 1; // those poses are interpolated
    const double beside = 300; // an edge is passed by up to 1e-6 m before it is left
    for (const bool is_a : {true, false}) {
        const int i = is_a ? c.a : c.b;
        const Vec outward = is_a ? normal : -normal;
        const State s = run.state(i, node);
        const Shape& shape = run.body(i).shapes.at(c.shapes[is_a ? 0 : 1]);
        here.add("contact place", std::abs(distance(shape, {s.x, s.q}, point)), beside);
        if (shape.type == "mesh") continue;
        const Piece piece = pieces_of(shape)[0];
        const double beyond = shape.type == "plane"
                                  ? length(rotate(s.q, piece.axis) - outward)
                                  : reach(piece, {s.x, s.q}, outward) - dot(point, outward);
        here.add("contact place", beyond, inner);
    }
}

/// Coefficients are those of the two materials: the geometric mean of friction, the larger
/// restitution, or what the scene says of the pair. What is too slow does not bounce.
void check_material(Run& run, const Link& c, bool bounces) {
    const Shape& a = run.body(c.a).shapes.at(c.shapes[0]);
    const Shape& b = run.body(c.b).shapes.at(c.shapes[1]);
    double sticking = std::sqrt(a.friction[0] * b.friction[0]);
    double sliding = std::sqrt(a.friction[1] * b.friction[1]);
    double restitution = std::max(a.restitution, b.restitution);
    for (const MaterialPair& pair : run.header.pairs) {
        if (std::minmax(pair.a, pair.b) != std::minmax(a.material, b.material)) continue;
        if (pair.static_friction >= 0) sticking = pair.static_friction;
        if (pair.kinetic_friction >= 0) sliding = pair.kinetic_friction;
        if (pair.restitution >= 0) restitution = pair.restitution;
    }
    const Place here = run.at(run.r.t[0], c);
    here.add("material", std::abs(c.friction[0] - sticking), 1 + sticking);
    here.add("material", std::abs(c.friction[1] - sliding), 1 + sliding);
    here.add("material", std::abs(c.restitution - (bounces ? restitution : 0)));
}

double beyond_cone(const Link::At& at, double friction) {
    const double push = dot(at.wrench.lin, at.normal);
    const double rub = length(across(at.wrench.lin, at.normal));
    return std::max(-push, rub - friction * std::max(push, 0.0));
}

/// What sticks does not slip; where a contact slides, friction is largest and against the slip.
void check_contacts(Run& run) {
    const double scale = run.largest_force();
    for (const Link& c : run.r.contacts) {
        check_material(run, c, true);
        for (int k = 0; k < std::ssize(c.at); ++k) {
            check_contact_place(run, c, k);
            const Link::At& at = c.at[k];
            const Place here = run.at(run.r.t[k], c);
            here.add("cone", beyond_cone(at, c.friction[c.sticks ? 0 : 1]), scale);
            const Vec slip = across(at.u.lin, at.normal);
            const double push = dot(at.wrench.lin, at.normal), speed = length(slip);
            const bool has_force = push > 1e-9 * scale;
            if (has_force) here.add("normal rate", std::abs(dot(at.u.lin, at.normal)));
            if (c.sticks) here.add("slip", speed);
            constexpr double kNoDirection = 1e-8, kNoise = 1e-10; // m/s
            if (c.sticks || !has_force || speed < kNoDirection) continue;
            const Vec against = slip * (-c.friction[1] * push / speed);
            const double off = length(across(at.wrench.lin, at.normal) - against) / scale;
            here.add("slip", off - kNoise / speed);
        }
    }
}

} // namespace check
