// Joint limits of a group as a linear complementarity problem, for where the simple search for
// those that act (solve_systems.h) does not end.
//
// That search lets all limits act that would be passed, and none that would pull, at once. Where
// several limits of a light body act against each other it goes round in circles: the impulses of
// joints do not belong to the limits that are left, and bodies are thrown about. Here limits border
// the matrix of joints as gears do (gear_rows.h). With u >= 0 the impulses that limits give in all,
// w >= 0 the rates at which coordinates part from them and A their response with all joints held,
//
//     w = A u + b ,   u·w = 0 :
//
// the velocities nearest to those without limits in the norm of the masses, which have no more
// energy. A has as many rows as limits act or would be passed.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace rigor::fast {

/// The solution of min ½ uᵀ A u + b·u, u >= 0, by active sets [Lawson 1974]: each has less of it
/// than the one before, so it ends. A is positive semidefinite, row by row.
class NonnegativeProblem {
  public:
    void resize(std::size_t count);
    double& a(std::size_t i, std::size_t j) { return a_[i * b.size() + j]; }
    /// Into u.
    void solve();

    std::vector<double> b, u;

  private:
    bool improve();
    void solve_for_acting();

    std::vector<double> a_, scale_, rates_, next_, factor_;
    std::vector<std::uint32_t> acting_;
};

/// The limits of one group that act or would be passed.
class LimitProblem {
  public:
    struct Limit {
        std::uint32_t joint = 0, dof = 0; ///< of the group; of the joint
        float side = 0;                   ///< 1 the lower, -1 the upper
        double open = 0;                  ///< impulse that it may take back
        double rate = 0;                  ///< that it should lose, if it acts
        double change = 0;                ///< the solution: of its impulse, with the opposite sign
        std::vector<float> coupled;       ///< rates of the rows by a unit impulse along it
        std::vector<float> carried;    ///< impulses of these that hold the rows, of opposite sign
        std::vector<double> responses; ///< rates of the limits before it, and of itself, with that
    };
    std::vector<Limit> limits;

    Limit* find(std::uint32_t joint, std::uint32_t dof);
    /// `rate` of each is as after the rows are solved without limits.
    void solve();

  private:
    NonnegativeProblem problem_;
};

} // namespace rigor::fast
