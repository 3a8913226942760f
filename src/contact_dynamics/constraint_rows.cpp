#include "contact_dynamics/constraint_rows.h"

namespace rigor::contact_dynamics {
double rate(const ConstraintRow& row, std::span<const BodyKinematics> bodies) {
    double sum = 0;
    for (const ConstraintRow::Side& s : row.sides())
        sum += dot(s.linear, bodies[s.body].v) + dot(s.angular, bodies[s.body].w);
    return sum;
}

double rate(const ConstraintRow& row, std::span<const SpatialVector> velocities) {
    double sum = 0;
    for (const ConstraintRow::Side& s : row.sides())
        sum +=
            dot(s.linear, velocities[s.body].linear) + dot(s.angular, velocities[s.body].angular);
    return sum;
}

void add_impulse(const ConstraintRow& row, double lambda, std::span<SpatialVector> impulses) {
    for (const ConstraintRow::Side& s : row.sides()) {
        impulses[s.body].linear += s.linear * lambda;
        impulses[s.body].angular += s.angular * lambda;
    }
}

SpatialVector response(const BodyKinematics& body, const SpatialVector& impulse) {
    return {multiply(body.inv_mass, impulse.linear), body.inv_inertia * impulse.angular};
}

ConstraintRow velocity_response(const ConstraintRow& row, std::span<const BodyKinematics> bodies) {
    ConstraintRow result = row;
    for (ConstraintRow::Side& s : result.sides()) {
        const SpatialVector velocity = response(bodies[s.body], {s.linear, s.angular});
        s.linear = velocity.linear;
        s.angular = velocity.angular;
    }
    return result;
}

double coupling(const ConstraintRow& row, const ConstraintRow& velocities) {
    double sum = 0;
    for (const ConstraintRow::Side& s : row.sides())
        for (const ConstraintRow::Side& t : velocities.sides())
            if (s.body == t.body) sum += dot(s.linear, t.linear) + dot(s.angular, t.angular);
    return sum;
}

ConstraintRow combine(const ConstraintRow& a, double scale_a, const ConstraintRow& b,
                      double scale_b) {
    ConstraintRow row = a;
    for (std::size_t i = 0; i < 2; ++i) {
        row.all_sides[i].linear = a.all_sides[i].linear * scale_a + b.all_sides[i].linear * scale_b;
        row.all_sides[i].angular =
            a.all_sides[i].angular * scale_a + b.all_sides[i].angular * scale_b;
    }
    return row;
}

std::array<ConstraintRow, 3> contact_rows(const ContactFrame& frame, std::uint32_t a,
                                          std::uint32_t b) {
    const auto row = [&](const Vec3d& d, double bias_acceleration, double error) {
        return ConstraintRow{{{{a, -d, -cross(frame.arm_a, d)}, {b, d, cross(frame.arm_b, d)}}},
                             bias_acceleration,
                             error};
    };
    return {row(frame.tangent_1, frame.bias_acceleration.x, 0),
            row(frame.tangent_2, frame.bias_acceleration.y, 0),
            row(frame.normal, frame.bias_acceleration.z, frame.gap)};
}

DenseMatrix couplings(std::span<const ConstraintRow> rows, std::span<const ConstraintRow> columns,
                      std::span<const BodyKinematics> bodies) {
    DenseMatrix m(rows.size(), columns.size());
    for (std::size_t j = 0; j < columns.size(); ++j) {
        const ConstraintRow column = velocity_response(columns[j], bodies);
        for (std::size_t i = 0; i < rows.size(); ++i) m(i, j) = coupling(rows[i], column);
    }
    return m;
}

} // namespace rigor::contact_dynamics
