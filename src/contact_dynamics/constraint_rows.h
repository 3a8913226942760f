// Constraint rows: Jacobian rows of contacts and joints over the bodies of an island.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "contact_dynamics/contact_geometry.h"
#include "numeric/block_matrix.h"
#include "numeric/factored_matrix.h"

namespace rigor::contact_dynamics {

/// One row J of the constraint Jacobian. Its rate J v is the sum of linear·v + angular·w over its
/// bodies; an impulse lambda along it changes their momenta by Jᵀ lambda.
struct ConstraintRow {
    struct Side {
        std::uint32_t body = 0; ///< index among the bodies of the island
        Vec3d linear, angular;
    };
    std::array<Side, 4> all_sides; ///< two bodies; up to four of a gear
    double bias_acceleration = 0;  ///< dJ/dt v: how the rate changes at constant velocities
    double error = 0;              ///< position error of a joint, gap of a contact
    std::uint32_t side_count = 2;

    std::span<Side> sides() { return {all_sides.data(), side_count}; }
    std::span<const Side> sides() const { return {all_sides.data(), side_count}; }
};

/// Linear and angular part of a wrench, impulse, velocity or acceleration of a body.
struct SpatialVector {
    Vec3d linear, angular;
};

double rate(const ConstraintRow& row, std::span<const BodyKinematics> bodies);
/// J v for these velocities (or J a for accelerations), by body.
double rate(const ConstraintRow& row, std::span<const SpatialVector> velocities);
/// Adds Jᵀ lambda.
void add_impulse(const ConstraintRow& row, double lambda, std::span<SpatialVector> impulses);
/// Change of velocity: M⁻¹ times the impulse.
SpatialVector response(const BodyKinematics& body, const SpatialVector& impulse);
/// M⁻¹ Jᵀ: the changes of velocity that a unit impulse along the row causes, stored as a row.
ConstraintRow velocity_response(const ConstraintRow& row, std::span<const BodyKinematics> bodies);
/// J M⁻¹ Jᵀ of two rows; the second is given by its velocity_response().
double coupling(const ConstraintRow& row, const ConstraintRow& velocities);

ConstraintRow combine(const ConstraintRow& a, double scale_a, const ConstraintRow& b,
                      double scale_b);

/// The two tangents and the normal of a contact between two bodies of an island.
std::array<ConstraintRow, 3> contact_rows(const ContactFrame& frame, std::uint32_t a,
                                          std::uint32_t b);

/// M(i, j) = coupling(rows[i], columns[j]).
DenseMatrix couplings(std::span<const ConstraintRow> rows, std::span<const ConstraintRow> columns,
                      std::span<const BodyKinematics> bodies);

/// The same as a product of factors with a column for each direction in which a body may move.
FactoredMatrix factored_couplings(std::span<const ConstraintRow> rows,
                                  std::span<const ConstraintRow> columns,
                                  std::span<const BodyKinematics> bodies, bool symmetric);

} // namespace rigor::contact_dynamics
