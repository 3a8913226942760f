// Rows: directions in which contacts push and joints hold, over the bodies of an island.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "contact_dynamics/contact_geometry.h"
#include "model/joint_store.h"
#include "numeric/block_matrix.h"
#include "numeric/matrix.h"

namespace rigor::contact_dynamics {

/// The rate of a row is the sum of linear·v + angular·w over its two bodies; an impulse along it
/// changes their momenta by as much of linear and angular.
struct Row {
    struct Side {
        std::uint32_t body = 0; ///< place among the bodies of the island
        Vec3d linear, angular;
    };
    std::array<Side, 2> sides;
    double drift = 0; ///< how the rate changes while the velocities stay
    double error = 0; ///< of a joint: how far it is from being kept; of a contact its gap
};

/// Momentum and angular momentum, of forces or of impulses.
struct Push {
    Vec3d linear, angular;
};

double rate(const Row& row, std::span<const BodyMoment> bodies);
/// The change of rate that these changes of velocity make.
double rate(const Row& row, std::span<const Push> velocities);
/// Adds the row times lambda.
void push(const Row& row, double lambda, std::span<Push> pushes);
/// What pushes do to velocities.
Push response(const BodyMoment& body, const Push& push);
/// The row with what an impulse along it does to the velocities of its bodies, instead of itself.
Row moved(const Row& row, std::span<const BodyMoment> bodies);
/// How an impulse along a row, which moved() tells of, changes the rate of another.
double coupling(const Row& row, const Row& moved);

Row combine(const Row& a, double scale_a, const Row& b, double scale_b);

/// Tangents and normal of a contact between two bodies of an island.
std::array<Row, 3> contact_rows(const ContactFrame& frame, std::uint32_t a, std::uint32_t b,
                                std::span<const BodyMoment> bodies);

/// Whether the joints of a type are kept here.
bool is_kept(const JointRecord& joint);
/// Adds the rows of the freedoms that a joint takes away. The world is a body that stands still at
/// the origin.
void add_joint_rows(const JointRecord& joint, std::uint32_t a, std::uint32_t b,
                    std::span<const BodyMoment> bodies, std::vector<Row>& rows);

/// M(i, j) = coupling(rows[i], columns[j]).
DenseMatrix couplings(std::span<const Row> rows, std::span<const Row> columns,
                      std::span<const BodyMoment> bodies);

} // namespace rigor::contact_dynamics
