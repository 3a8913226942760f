// Pivoting: a pyramid in place of each cone makes the problem a linear complementarity problem
// [Stewart 1996], which Lemke's method solves exactly or shows to have no solution. Newton steps
// lead from there to the cone; where they fail, the facets are refined around the directions found.
#include <array>
#include <cmath>

#include "math/trig.h"
#include "numeric/friction_solvers.h"
#include "numeric/lcp.h"

namespace rigor::friction {
namespace {

constexpr std::size_t kFacets = 8;
constexpr int kRounds = 3;
constexpr double kPi = 3.14159265358979323846;

using Directions = std::array<Vec3d, kFacets>;

// Around the force found, `width` apart, and the other three quarters of the circle.
Directions directions(const Vec3d& r, double width) {
    const double length = std::sqrt(r.x * r.x + r.y * r.y);
    const double c = length > 0 ? r.x / length : 1, s = length > 0 ? r.y / length : 0;
    const std::array<double, kFacets> angles{0,          width,   -width,   2 * width,
                                             -2 * width, kPi / 2, -kPi / 2, kPi};
    Directions out;
    for (std::size_t k = 0; k < kFacets; ++k) {
        const double x = cos(angles[k]), y = sin(angles[k]);
        out[k] = {c * x - s * y, s * x + c * y, 0};
    }
    return out;
}

// The unknowns of a contact: its normal force, the forces along its directions, and the sliding
// speed. Without friction only the first.
class Pyramids {
  public:
    Pyramids(const Problem& problem, std::span<const Vec3d> r, double width) : p_(problem) {
        for (std::size_t i = 0; i < p_.size(); ++i) {
            first_.push_back(size_);
            size_ += p_.mu[i] > 0 ? kFacets + 2 : 1;
            axes_.push_back(directions(r[i], width));
        }
    }

    LcpResult solve() const {
        DenseMatrix m(size_, size_);
        std::vector<double> q(size_, 0.0);
        for (std::size_t i = 0; i < p_.size(); ++i) {
            for (std::size_t a = 0; a < forces(i); ++a) {
                q[first_[i] + a] = dot(axis(i, a), p_.q[i]);
                for (const BlockEntry& entry : p_.w.row(i))
                    for (std::size_t b = 0; b < forces(entry.column); ++b)
                        m(first_[i] + a, first_[entry.column] + b) =
                            dot(axis(i, a), entry.block * axis(entry.column, b));
            }
            if (p_.mu[i] > 0) add_limit(m, i);
        }
        return solve_lcp(m, q);
    }

    std::vector<Vec3d> impulses(const LcpResult& answer) const {
        std::vector<Vec3d> r(p_.size());
        for (std::size_t i = 0; i < p_.size(); ++i)
            for (std::size_t a = 0; a < forces(i); ++a)
                r[i] += axis(i, a) * answer.z[first_[i] + a];
        return r;
    }

  private:
    std::size_t forces(std::size_t i) const { return p_.mu[i] > 0 ? kFacets + 1 : 1; }
    Vec3d axis(std::size_t i, std::size_t a) const {
        return a == 0 ? Vec3d{0, 0, 1} : axes_[i][a - 1];
    }

    // The sliding speed is positive only where friction is at its limit mu r_n.
    void add_limit(DenseMatrix& m, std::size_t i) const {
        const std::size_t first = first_[i], speed = first + kFacets + 1;
        m(speed, first) = p_.mu[i];
        for (std::size_t a = 1; a <= kFacets; ++a) {
            m(first + a, speed) = 1;
            m(speed, first + a) = -1;
        }
    }

    const Problem& p_;
    std::vector<std::size_t> first_;
    std::vector<Directions> axes_;
    std::size_t size_ = 0;
};

} // namespace

int pivoting(const Problem& problem, Iterate& x, double tolerance) {
    int iterations = 0;
    double width = kPi / 6;
    Iterate guess = x;
    for (int round = 0; round < kRounds; ++round, width /= 4) {
        const Pyramids pyramids(problem, guess.r, width);
        const LcpResult answer = pyramids.solve();
        iterations += answer.iterations;
        if (answer.status != LcpStatus::solved && answer.status != LcpStatus::inaccurate)
            return iterations;
        guess.r = pyramids.impulses(answer);
        evaluate(problem, guess);
        Iterate polished = guess;
        iterations += newton(problem, polished, tolerance, 20);
        if (polished.merit < x.merit) x = polished;
        if (x.merit <= tolerance) break;
    }
    return iterations;
}

} // namespace rigor::friction
