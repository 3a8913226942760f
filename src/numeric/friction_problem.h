// Contact problems with Coulomb friction cones, and solve_friction, the entry to the solvers. Find
// impulses r (or forces) and velocities u (or accelerations) of a set of contacts with
//
//     u = W r + q,     |r_T| <= mu r_n,     r_n >= 0,  u_n >= 0,  r_n u_n = 0,
//     u_T = 0  where |r_T| < mu r_n,     u_T = -lambda r_T, lambda >= 0,  elsewhere.
//
// In De Saxce's form: r is in the cone K, u + mu |u_T| n in its dual, and they are orthogonal
// [Acary 2018]. Each contact has three numbers: two tangents, then the normal.
//
// The direction of a contact that slides already is given: r_T = -mu r_n s, and only its normal
// part is unknown. W then has no symmetric form, and there may be no solution, or several
// (Painleve).
#pragma once

#include <span>
#include <vector>

#include "numeric/block_matrix.h"

namespace rigor {

struct FrictionProblem {
    BlockMatrix w;
    std::vector<Vec3d> q;
    std::vector<double> mu;
    /// The unit direction (x, y, 0) in which a contact slides, zero for one that does not. Empty:
    /// none does.
    std::vector<Vec3d> slip;
};

enum class FrictionMethod {
    automatic, ///< chosen by size and kind of the problem
    pivoting,  ///< exact, for few contacts
    nsgs,      ///< nonsmooth Gauss-Seidel, contact by contact: robust, slow
    admm,      ///< alternating directions: for many contacts with large mass ratios
    newton,    ///< nonsmooth Newton steps on all contacts: quadratic, from a good start
};

struct FrictionSettings {
    FrictionMethod method = FrictionMethod::automatic;
    double tolerance = 1e-10; ///< for the merit
    /// A merit at which `automatic` is content once its short rounds are over. The long ones take a
    /// second, where the contacts of redundant bodies are known to 1e-10 after the first.
    double sufficient = 0;
    int max_iterations = 0;  ///< of a given method; 0: chosen by the method
    bool least_norm = false; ///< of all impulses with these velocities, the one of least norm
};

struct FrictionResult {
    std::vector<Vec3d> r, u;
    double merit = 0; ///< friction_merit(problem, r)
    /// The merit is within the tolerance, and the velocities are accurate to 1e4 times it, however
    /// large r is.
    bool converged = false;
    FrictionMethod method = FrictionMethod::automatic; ///< the last one used
    int iterations = 0;
};

/// Error of r relative to max(|q|, |r|, |u|): the norm of all r - P(r - (u + mu |u_T| n)), where P
/// is the projection onto the friction cone. For a sliding contact: that of min(r_n, u_n) and of
/// r_T + mu r_n s.
double friction_merit(const FrictionProblem& problem, std::span<const Vec3d> r);

/// `start` is a guess, or empty; one that is a solution costs one product with W. Without
/// convergence the best r found is returned. Sizes that do not match, a negative mu or non-finite
/// numbers are not converged, with an infinite merit. The amount of work is bounded and the same on
/// every machine.
FrictionResult solve_friction(const FrictionProblem& problem, const FrictionSettings& settings = {},
                              std::span<const Vec3d> start = {});

} // namespace rigor
