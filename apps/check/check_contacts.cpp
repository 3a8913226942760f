// Checks of contacts: position on both surfaces, material, friction cone, stick and slip.
#include "run.h"

namespace check {

double largest_force(const Record& record) {
    double largest = 1e-300;
    for (const Link& c : record.contacts)
        for (const Link::At& at : c.at) largest = std::max(largest, length(at.wrench.force));
    return largest;
}

/// The point lies on both surfaces, and the plane across the normal parts the two shapes. A mesh is
/// not convex: of it the point alone is tested.
void check_contact_place(Run& run, const Record& record, const Link& c, std::size_t node) {
    const auto& [point, normal, wrench] = c.at[node];
    const Place here = run.place(record.t[node], c.a, c.b);
    run.add(law::units, std::abs(length(normal) - 1), here);
    const bool is_inner = record.is == "motion" && node > 0 && node < 4;
    const double inner = is_inner ? 100 : 1; // those poses are interpolated
    const double beside = 300;               // an edge is passed by up to 1e-6 m before it is left
    for (const bool is_a : {true, false}) {
        const int which = is_a ? c.a : c.b;
        const Vec outward = is_a ? normal : -normal;
        const State s = run.state(record, node, which);
        const Shape& shape = run.body(which).shapes[c.shapes[is_a ? 0 : 1]];
        const double off = std::abs(distance(shape, {s.x, s.q}, point));
        run.add(law::place, off, beside, here);
        if (shape.type == "mesh") continue;
        const Piece piece = pieces_of(shape)[0];
        const double beyond = piece.form == Piece::Form::plane
                                  ? length(rotate(s.q, piece.normal) - outward)
                                  : reach(piece, {s.x, s.q}, outward) - dot(point, outward);
        run.add(law::place, beyond, inner, here);
    }
}

/// Coefficients are those of the two materials: the geometric mean of friction, the larger
/// restitution, or what the scene says of the pair. What is too slow does not bounce.
void check_material(Run& run, const Record& record, const Link& c, bool bounces) {
    const Shape& a = run.body(c.a).shapes[c.shapes[0]];
    const Shape& b = run.body(c.b).shapes[c.shapes[1]];
    double sticking = std::sqrt(a.friction[0] * b.friction[0]);
    double sliding = std::sqrt(a.friction[1] * b.friction[1]);
    double restitution = std::max(a.restitution, b.restitution);
    for (const MaterialPair& pair : run.header.pairs) {
        if (std::minmax(pair.a, pair.b) != std::minmax(a.material, b.material)) continue;
        if (pair.static_friction >= 0) sticking = pair.static_friction;
        if (pair.kinetic_friction >= 0) sliding = pair.kinetic_friction;
        if (pair.restitution >= 0) restitution = pair.restitution;
    }
    if (!bounces) restitution = 0;
    const Place here = run.place(record.t[0], c.a, c.b);
    run.add(law::material, std::abs(c.friction[0] - sticking), 1 + sticking, here);
    run.add(law::material, std::abs(c.friction[1] - sliding), 1 + sliding, here);
    run.add(law::material, std::abs(c.restitution - restitution), here);
}

void check_cone(Run& run, const Record& record, const Link& c, std::size_t node, double friction,
                double scale) {
    const auto& [point, normal, wrench] = c.at[node];
    const double push = dot(wrench.force, normal);
    const double beyond = length(across(wrench.force, normal)) - friction * std::max(push, 0.0);
    run.add(law::cone, std::max({0.0, -push, beyond}), scale, run.place(record.t[node], c.a, c.b));
}

/// What sticks does not slip; where a contact slides, friction is largest and against the slip.
void check_contacts(Run& run, const Record& record) {
    const double scale = largest_force(record);
    for (const Link& c : record.contacts) {
        check_material(run, record, c, true);
        for (std::size_t k = 0; k < c.at.size(); ++k) {
            check_contact_place(run, record, c, k);
            check_cone(run, record, c, k, c.sticks ? c.friction[0] : c.friction[1], scale);
            const auto& [point, normal, wrench] = c.at[k];
            const Vec u = run.relative(record, k, c, point).v, slip = across(u, normal);
            const double push = dot(wrench.force, normal), speed = length(slip);
            const Place here = run.place(record.t[k], c.a, c.b);
            const bool has_force = push > 1e-9 * scale;
            if (has_force) run.add(law::hold, std::abs(dot(u, normal)), here);
            if (c.sticks) run.add(law::slip, speed, here);
            constexpr double kNoDirection = 1e-8, kNoise = 1e-10; // m/s
            if (c.sticks || !has_force || speed < kNoDirection) continue;
            const Vec against = slip * (-c.friction[1] * push / speed);
            const double off = length(across(wrench.force, normal) - against) / scale;
            run.add(law::slip, std::max(0.0, off - kNoise / speed), here);
        }
    }
}

} // namespace check
