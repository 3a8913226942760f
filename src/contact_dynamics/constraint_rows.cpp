#include "contact_dynamics/constraint_rows.h"

#include <cmath>

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

namespace {

/// Lᵀ v for the Cholesky factor of a positive semidefinite matrix, L Lᵀ = M. Locked axes have zero
/// rows.
class CholeskyFactor {
  public:
    explicit CholeskyFactor(const Sym3d& m) {
        xx_ = std::sqrt(std::max(m.xx, 0.0));
        yx_ = xx_ > 0 ? m.xy / xx_ : 0;
        zx_ = xx_ > 0 ? m.xz / xx_ : 0;
        yy_ = std::sqrt(std::max(m.yy - yx_ * yx_, 0.0));
        zy_ = yy_ > 0 ? (m.yz - zx_ * yx_) / yy_ : 0;
        zz_ = std::sqrt(std::max(m.zz - zx_ * zx_ - zy_ * zy_, 0.0));
    }
    Vec3d transpose_multiply(const Vec3d& v) const {
        return {xx_ * v.x + yx_ * v.y + zx_ * v.z, yy_ * v.y + zy_ * v.z, zz_ * v.z};
    }

  private:
    double xx_, yx_, zx_, yy_, zy_, zz_;
};

/// The square root of the inverse mass matrix of a body, transposed, times one side of a row.
class ScaledSide {
  public:
    explicit ScaledSide(const BodyKinematics& body)
        : linear_{std::sqrt(body.inv_mass.x), std::sqrt(body.inv_mass.y),
                  std::sqrt(body.inv_mass.z)},
          angular_(body.inv_inertia) {}

    std::array<double, 6> operator()(const ConstraintRow::Side& side) const {
        const Vec3d linear = multiply(linear_, side.linear);
        const Vec3d angular = angular_.transpose_multiply(side.angular);
        return {linear.x, linear.y, linear.z, angular.x, angular.y, angular.z};
    }

  private:
    Vec3d linear_;
    CholeskyFactor angular_;
};

} // namespace

FactoredMatrix factored_couplings(std::span<const ConstraintRow> rows,
                                  std::span<const ConstraintRow> columns,
                                  std::span<const BodyKinematics> bodies, bool symmetric) {
    const std::vector<ScaledSide> scaled(bodies.begin(), bodies.end());
    FactoredMatrix m(symmetric);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        for (std::size_t s = 0; s < rows[i].side_count; ++s) {
            const ConstraintRow::Side& side = rows[i].all_sides[s];
            const std::array<double, 6> r = scaled[side.body](side),
                                        c = scaled[side.body](columns[i].all_sides[s]);
            for (std::uint32_t k = 0; k < 6; ++k)
                if (r[k] != 0 || c[k] != 0) m.add_entry(6 * side.body + k, r[k], c[k]);
        }
        m.end_row();
    }
    m.drop_empty_columns();
    return m;
}

} // namespace rigor::contact_dynamics
