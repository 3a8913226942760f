// The methods behind solve_friction, on a problem in a form that suits them.
#pragma once

#include <memory>

#include "numeric/friction_problem.h"

namespace rigor::friction {

/// Impulses in units in which W has diagonal entries about one, so that r and u can be compared,
/// and without directions of sliding: such a contact is one without friction, W being seen along
/// (-mu s, 1).
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
    double merit = 0; ///< what is to be within the tolerance, in the units of the caller
    double error = 0; ///< length of the natural map, in those of the problem: for line searches
};

/// u and both errors from r.
void evaluate(const Problem& problem, Iterate& iterate);

/// Up to `sweeps` of Gauss-Seidel from x, which ends as the last of them; ends early where the
/// merit is reached. Returns the number of sweeps.
int nsgs(const Problem& problem, Iterate& x, double tolerance, int sweeps);

/// Nonsmooth Newton steps with line search, while they help.
int newton(const Problem& problem, Iterate& x, double tolerance, int steps);

/// Alternating directions, which can be taken up again where they were left.
class Admm {
  public:
    Admm(const Problem& problem, const Iterate& start);
    ~Admm();

    /// x becomes the best that is met, if it is better.
    int run(Iterate& x, double tolerance, int iterations);

  private:
    class State;
    std::unique_ptr<State> state_;
};

/// Lemke's method on pyramids in place of the cones, then Newton. x becomes the best that is met,
/// if it is better; it is not where Lemke finds no solution. Returns the number of pivots and
/// steps.
int pivoting(const Problem& problem, Iterate& x, double tolerance);

/// The shortest impulse with the velocities of r; r itself where that is not found to the
/// tolerance.
std::vector<Vec3d> shortest(const FrictionProblem& problem, std::span<const Vec3d> r,
                            double tolerance);

} // namespace rigor::friction
