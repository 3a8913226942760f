// One contact with Coulomb friction: projection onto the friction cone, and the one-contact problem
// solved exactly.
#pragma once

#include <optional>

#include "rigor/mat.h"

namespace rigor::friction {

/// Projection onto the cone |x_T| <= mu x_n.
Vec3d project(const Vec3d& x, double mu);
/// Its derivative.
Mat3d projection_derivative(const Vec3d& x, double mu);

/// u + mu |u_T| n: De Saxce's velocity, which is in the dual cone and normal to r at a solution.
Vec3d dual_velocity(const Vec3d& u, double mu);

/// u = W r + q of one contact alone, solved repeatedly in the sweeps of Gauss-Seidel.
class Contact {
  public:
    Contact(const Mat3d& w, double mu);

    /// The impulse that solves it: none when the contact opens by itself, the sticking one if that
    /// is in the cone, else the sliding one, whose direction is a root of a quartic [Bonnefon
    /// 2011]. It is found by Newton's method from the direction of `guess`, and by the quartic only
    /// if that fails. Returns nothing where no solution exists: W then lets friction press the
    /// bodies together (Painleve), or the bodies are immovable.
    std::optional<Vec3d> solve(const Vec3d& q, const Vec3d& guess) const;

  private:
    std::optional<Vec3d> slide(const Vec3d& q, const Vec3d& direction) const;

    Mat3d w_, inverse_;
    double mu_;
};

} // namespace rigor::friction
