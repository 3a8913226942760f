// The contacts of one island, solved together to convergence by Newton's method.
//
// A substep of `fast` sweeps over contacts one after the other. Here all velocities of an island
// are unknowns of one convex problem [Castro 2022]: with v* the velocities without contacts,
//
//     min  ½ (v - v*)ᵀ M (v - v*)  +  Σ ½ γᵀ R γ ,    γ = P(R⁻¹ (b - J v)) ,
//
// where J v is the relative velocity at a point (normal, two tangents), b the wanted one, R a small
// compliance and P the projection on the friction cone in the norm of R. γ are the impulses. So a
// load of any size finds its way through bodies of any mass, and redundant points share it alike.
//
// At a point that slides, the convex problem lets the bodies part at the speed μ|slip|. This is
// subtracted from b, and the problem solved again until it agrees [Acary 2011]: then it is
// Coulomb's law.
#pragma once

#include <cstdint>

#include "math/block_cholesky.h"
#include "rigor/mat.h"

namespace rigor::fast {

/// A contact point between two bodies of the island, or one of them and something immovable.
struct NewtonPoint {
    static constexpr std::uint32_t kImmovable = UINT32_MAX;

    std::uint32_t a = kImmovable, b = kImmovable; ///< bodies of the problem
    Vec3d normal, tangent_1, tangent_2;
    Vec3d arm_a, arm_b;  ///< from the centers of mass
    Vec3d drive;         ///< velocity by what is not unknown, in the axes of the point
    double wanted = 0;   ///< relative normal velocity, at which there is no impulse
    double friction = 0; ///< coefficient
    double parting = 0;  ///< by which `wanted` is reduced, where it slides
    Vec3d impulse;       ///< normal, tangents: the result
    bool slides = false; ///< the result: at the limit of friction
};

/// Workspace, reused from step to step.
class ContactNewton {
  public:
    static constexpr int kMaxIterations = 100; ///< at rest it takes one or two

    /// Compliances of all points: velocity per impulse, along normals and along tangents.
    struct Compliance {
        double normal = 0, tangential = 0;
    };

    std::vector<NewtonPoint> points;

    /// Bodies by number; their mass and inertia in world axes.
    void reset(std::size_t bodies);
    void set_mass(std::size_t body, double mass, const Sym3d& inertia);
    void set_compliance(const Compliance& compliance) { compliance_ = compliance; }
    /// After `points` have their bodies.
    void find_envelope();
    /// Velocities without contacts, and a guess of those with them.
    void set_velocity(std::size_t body, const Vec6d& without, const Vec6d& guess);
    const Vec6d& velocity(std::size_t body) const { return v_[body]; }

    /// False when it did not converge: velocities are as good as they got.
    bool solve(int max_iterations = kMaxIterations);

  private:
    /// The impulse at a relative velocity, and its negative derivative: symmetric, in the axes of
    /// normal and tangents.
    struct Law {
        Vec3d impulse;
        Sym3d stiffness;
        bool slides = false;
    };
    /// Sums of the sizes of impulses, which bound their rounding.
    struct Load {
        double linear = 0, angular = 0;
    };

    bool solve_convex();
    Vec3d velocity_at(const NewtonPoint& point, const std::vector<Vec6d>& v) const;
    Law law_of(const NewtonPoint& point, const Vec3d& velocity) const;
    void find_gradient();
    void push_back(std::uint32_t body, const Vec3d& push, const Vec3d& arm);
    bool is_converged() const;
    bool step();
    void add_curvature(const NewtonPoint& point, const Law& law);
    double line_search();
    double slope(double part) const;

    std::vector<double> mass_;
    std::vector<Mat3d> inertia_;
    std::vector<Sym3d> inv_inertia_;
    std::vector<std::size_t> first_;
    std::vector<Vec6d> free_, v_, gradient_, direction_;
    std::vector<Load> load_;
    std::vector<Law> laws_;                   // of the points, at v_
    std::vector<Vec3d> velocities_, changes_; // of the points: at v_, and along the direction
    double inertial_slope_ = 0, inertial_curvature_ = 0;
    BlockCholesky hessian_;
    Compliance compliance_;
    int iterations_ = 0, max_iterations_ = kMaxIterations;
};

} // namespace rigor::fast
