// The solvers behind solve_friction, on a scaled problem.
#pragma once

#include <memory>

#include "numeric/friction_problem.h"

namespace rigor::friction {

/// Impulses are scaled so that W has diagonal entries about one and r and u are comparable. There
/// are no given sliding directions: such a contact becomes one without friction, with W projected
/// along (-mu s, 1).
struct Problem {
    BlockMatrix w;
    std::vector<Vec3d> q;
    std::vector<double> mu;
    double unit = 1; ///< r of the caller is r / unit
    bool symmetric = true;
    bool frictionless = true;

    std::size_t size() const { return q.size(); }
};

struct Iterate {
    std::vector<Vec3d> r, u;
    double merit = 0; ///< compared with the tolerance, in the caller's units
    double error = 0; ///< norm of the natural map, in units of the problem: for line searches
};

/// Computes u and both errors from r.
void evaluate(const Problem& problem, Iterate& iterate);

/// Up to `sweeps` of Gauss-Seidel from x, which becomes the last iterate; stops early when the
/// merit is reached. Returns the number of sweeps.
int nsgs(const Problem& problem, Iterate& x, double tolerance, int sweeps);

/// Nonsmooth Newton steps with line search, while they improve x.
int newton(const Problem& problem, Iterate& x, double tolerance, int steps);

/// Alternating directions (ADMM), which can be resumed.
class Admm {
  public:
    Admm(const Problem& problem, const Iterate& start);
    ~Admm();

    /// x becomes the best iterate found, if that is better.
    int run(Iterate& x, double tolerance, int iterations);

  private:
    class State;
    std::unique_ptr<State> state_;
};

/// Lemke's method on pyramids in place of the cones, then Newton. x becomes the best iterate found,
/// if that is better, which it is not where Lemke finds no solution. Returns the number of pivots
/// and steps.
int pivoting(const Problem& problem, Iterate& x, double tolerance);

/// The impulse of least norm with the velocities of r; r itself where that is not found to the
/// tolerance.
std::vector<Vec3d> shortest(const FrictionProblem& problem, std::span<const Vec3d> r,
                            double tolerance);

} // namespace rigor::friction
