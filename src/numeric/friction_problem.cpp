#include "numeric/friction_problem.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "base/deadline.h"
#include "numeric/friction_contact.h"
#include "numeric/friction_solvers.h"

namespace rigor {
namespace friction {
namespace {

// Squared norms of the natural map, in the caller's units and in those in which W is about one.
struct Sums {
    double natural = 0, scaled = 0, q = 0, r = 0, u = 0;

    double merit() const {
        const double largest = std::max({q, r, u});
        return largest > 0 ? std::sqrt(natural / largest) : 0;
    }

    // The merit is also small when impulses in the null space of W are large, as where no impulse
    // can stop the bodies. A solution must therefore also have accurate velocities.
    double stray() const {
        const double largest = std::max(q, u);
        return largest > 0 ? 1e-4 * std::sqrt(scaled / largest) : 0;
    }
};

double finite_or_infinite(double merit) {
    return std::isfinite(merit) ? merit : std::numeric_limits<double>::infinity();
}

} // namespace

void evaluate(const Problem& p, Iterate& x) {
    x.u = p.q;
    add_product(p.w, x.r, x.u);
    Sums sums;
    const double c = p.unit;
    for (std::size_t i = 0; i < p.size(); ++i) {
        const Vec3d dual = dual_velocity(x.u[i], p.mu[i]);
        sums.scaled += length_squared(x.r[i] - project(x.r[i] - dual, p.mu[i]));
        sums.natural += length_squared(x.r[i] - project(x.r[i] - dual * c, p.mu[i])) / (c * c);
        sums.q += length_squared(p.q[i]);
        sums.r += length_squared(x.r[i]) / (c * c);
        sums.u += length_squared(x.u[i]);
    }
    x.error = finite_or_infinite(std::sqrt(sums.scaled));
    x.merit = finite_or_infinite(std::max(sums.merit(), sums.stray()));
}

namespace {

bool slides(const FrictionProblem& problem, std::size_t i) {
    return i < problem.slip.size() && (problem.slip[i].x != 0 || problem.slip[i].y != 0);
}

// r of a sliding contact divided by its normal part.
Vec3d sliding_ray(const FrictionProblem& problem, std::size_t i) {
    return problem.slip[i] * -problem.mu[i] + Vec3d{0, 0, 1};
}

double typical_diagonal(const BlockMatrix& w) {
    double sum = 0;
    for (std::size_t i = 0; i < w.rows(); ++i) {
        const Mat3d& block = w.diagonal(i);
        sum += block.cx.x + block.cy.y + block.cz.z;
    }
    return sum > 0 ? sum / (3.0 * static_cast<double>(w.rows())) : 1;
}

// The row and column of a sliding contact keep their normal part, the column along the ray; its
// tangents get a decoupled problem with the solution zero.
Mat3d block_of(const FrictionProblem& problem, std::size_t row, const BlockEntry& entry) {
    Mat3d block = entry.block;
    const std::size_t column = entry.column;
    if (slides(problem, column)) block = {{}, {}, block * sliding_ray(problem, column)};
    if (slides(problem, row)) block = {{0, 0, block.cx.z}, {0, 0, block.cy.z}, {0, 0, block.cz.z}};
    return block;
}

// Whether every block is the transpose of its mirror image. Columns ascend in every row, so that
// the mirror images of successive rows are encountered in order.
bool is_symmetric(const BlockMatrix& w) {
    std::vector<std::size_t> next(w.rows(), 0);
    for (std::size_t i = 0; i < w.rows(); ++i)
        for (const BlockEntry& entry : w.row(i)) {
            const auto mirror = w.row(entry.column);
            std::size_t& at = next[entry.column];
            if (at >= mirror.size() || mirror[at].column != i) return false;
            const Mat3d difference = entry.block - transpose(mirror[at++].block);
            const double largest =
                std::max({max_component(abs(difference.cx)), max_component(abs(difference.cy)),
                          max_component(abs(difference.cz))});
            if (largest > 1e-12) return false;
        }
    return true;
}

Problem prepare(const FrictionProblem& problem) {
    Problem p;
    p.q = problem.q;
    p.mu = problem.mu;
    p.unit = typical_diagonal(problem.w);
    std::vector<BlockEntry> row;
    for (std::size_t i = 0; i < p.size(); ++i) {
        row.clear();
        for (const BlockEntry& entry : problem.w.row(i)) {
            row.push_back({entry.column, block_of(problem, i, entry) * (1 / p.unit)});
            if (entry.column == i && slides(problem, i))
                row.back().block.cx.x = row.back().block.cy.y = 1;
        }
        p.w.add_row(row);
        if (slides(problem, i)) {
            p.q[i] = {0, 0, p.q[i].z};
            p.mu[i] = 0;
        }
        p.frictionless = p.frictionless && p.mu[i] == 0;
    }
    p.symmetric = is_symmetric(p.w);
    return p;
}

std::vector<Vec3d> impulses(const FrictionProblem& problem, const Problem& p,
                            std::span<const Vec3d> r) {
    std::vector<Vec3d> out(r.begin(), r.end());
    for (std::size_t i = 0; i < out.size(); ++i)
        out[i] = (slides(problem, i) ? sliding_ray(problem, i) * r[i].z : r[i]) / p.unit;
    return out;
}

Iterate first_iterate(const Problem& p, std::span<const Vec3d> start) {
    Iterate x;
    x.r.resize(p.size());
    for (std::size_t i = 0; i < start.size(); ++i) x.r[i] = project(start[i] * p.unit, p.mu[i]);
    evaluate(p, x);
    return x;
}

// All but the entries of W: a non-finite one shows in the first product.
bool is_valid(const FrictionProblem& problem, std::span<const Vec3d> start) {
    const std::size_t n = problem.w.rows();
    const auto finite = [](const Vec3d& v) { return is_finite(v); };
    return problem.q.size() == n && problem.mu.size() == n &&
           (problem.slip.empty() || problem.slip.size() == n) &&
           (start.empty() || start.size() == n) &&
           std::all_of(problem.q.begin(), problem.q.end(), finite) &&
           std::all_of(problem.mu.begin(), problem.mu.end(),
                       [](double mu) { return mu >= 0 && std::isfinite(mu); }) &&
           std::all_of(problem.slip.begin(), problem.slip.end(), finite) &&
           std::all_of(start.begin(), start.end(), finite);
}

constexpr int kFirstSweeps = 16;
// Limit of products with a block: a second or two. A limit of work rather than of time, so that the
// result is the same on every machine and in every run.
constexpr double kMaxWork = 2e8;
// A merit that more iterations do not reduce.
constexpr double kRoundOff = 1e-15;
constexpr int kRoundsBeforeContinuation = 4;
constexpr std::size_t kFewContacts = 100, kPivotContacts = 12;

// Runs one method after another and keeps the best iterate. Gauss-Seidel and ADMM are separate
// sequences, each from the start; Newton begins at the iterates of either, and once at the start.
class Run {
  public:
    Run(const Problem& problem, const FrictionSettings& settings, Iterate start)
        : p_(problem),
          settings_(settings),
          tolerance_(std::max(settings.tolerance, kRoundOff)),
          swept_(start),
          best_(start),
          start_(std::move(start)) {
        for (std::size_t i = 0; i < p_.size(); ++i)
            blocks_ += static_cast<double>(p_.w.row(i).size());
    }

    void run(bool warm) {
        const int limit = settings_.max_iterations;
        if (done()) return;
        switch (settings_.method) {
            case FrictionMethod::automatic:
                automatic(warm);
                break;
            case FrictionMethod::pivoting:
                pivot();
                break;
            case FrictionMethod::nsgs:
                sweep(limit > 0 ? limit : 20000);
                break;
            case FrictionMethod::admm:
                alternate(limit > 0 ? limit : 5000);
                break;
            case FrictionMethod::newton:
                step(best_, limit > 0 ? limit : 200);
                break;
        }
    }

    const Iterate& best() const { return best_; }
    FrictionMethod method() const { return method_; }
    int iterations() const { return iterations_; }

  private:
    bool done() const { return best_.merit <= tolerance_; }

    // Few contacts are soon classified as open, sticking or sliding; for many, ADMM is the faster
    // way to the classification. A problem that remains unsolved gets longer and longer rounds of
    // each.
    void automatic(bool warm) {
        const bool few = p_.size() <= kFewContacts;
        if (warm && step(swept_, 3)) return;
        if (sweep(kFirstSweeps)) return;
        if (p_.frictionless && step(swept_, 12)) return;
        if ((few || swept_.merit < 1e-3) && step(swept_, 4)) return;
        for (int round = 1; round <= 64 && work_ < kMaxWork; round *= 2) {
            if (deadline_has_passed()) return;
            if (round >= kRoundsBeforeContinuation && best_.merit <= settings_.sufficient) return;
            if (alternate((few ? 50 : 400) * round)) return;
            if ((few || alternated_.merit < 1e-4) && step(alternated_, 8)) return;
            Iterate fresh = start_;
            if (round == 1 && step(fresh, 20)) return;
            if (round == 1 && p_.size() <= kPivotContacts && pivot()) return;
            if (sweep(50 * round)) return;
            if ((few || round > 1) && step(swept_, 8)) return;
            if (round >= kRoundsBeforeContinuation && continue_in_friction(round)) return;
        }
    }

    // Continuation in mu: without friction the problem is convex, and each solution is a start for
    // a problem with more friction. Where there are several solutions, or the way to one turns
    // back, another number of stages finds another way.
    bool continue_in_friction(int stages) {
        Problem partial = p_;
        Iterate x = start_;
        x.r.assign(p_.size(), {});
        for (int k = 0; k <= stages && !deadline_has_passed(); ++k) {
            for (std::size_t i = 0; i < p_.size(); ++i) partial.mu[i] = p_.mu[i] * k / stages;
            partial.frictionless = k == 0;
            for (std::size_t i = 0; i < p_.size(); ++i) x.r[i] = project(x.r[i], partial.mu[i]);
            evaluate(partial, x);
            for (int tries = 0; tries < 4 && x.merit > tolerance_; ++tries) {
                count(nsgs(partial, x, tolerance_, 50));
                if (x.merit > tolerance_) count(newton(partial, x, tolerance_, 8));
            }
        }
        evaluate(p_, x);
        return keep(x, FrictionMethod::newton) || step(x, 8);
    }

    bool sweep(int sweeps) {
        count(nsgs(p_, swept_, tolerance_, sweeps));
        return keep(swept_, FrictionMethod::nsgs);
    }
    bool step(Iterate& from, int steps) {
        count(newton(p_, from, tolerance_, steps));
        return keep(from, FrictionMethod::newton);
    }
    bool alternate(int iterations) {
        if (!admm_) {
            admm_.emplace(p_, start_);
            alternated_ = start_;
        }
        count(admm_->run(alternated_, tolerance_, iterations));
        return keep(alternated_, FrictionMethod::admm);
    }
    bool pivot() {
        Iterate pivoted = best_;
        count(pivoting(p_, pivoted, tolerance_));
        return keep(pivoted, FrictionMethod::pivoting);
    }
    void count(int iterations) {
        iterations_ += iterations;
        work_ += blocks_ * iterations;
    }
    bool keep(const Iterate& x, FrictionMethod method) {
        method_ = method;
        if (x.merit < best_.merit) best_ = x;
        return done();
    }

    const Problem& p_;
    const FrictionSettings& settings_;
    double tolerance_, blocks_ = 0, work_ = 0;
    Iterate swept_, alternated_, best_, start_;
    std::optional<Admm> admm_;
    FrictionMethod method_ = FrictionMethod::automatic;
    int iterations_ = 0;
};

Sums sums_of(const FrictionProblem& problem, std::span<const Vec3d> r, std::span<const Vec3d> u) {
    Sums sums;
    const double c = typical_diagonal(problem.w);
    for (std::size_t i = 0; i < r.size(); ++i) {
        const double mu = problem.mu[i];
        if (slides(problem, i)) {
            const double normal = std::min(r[i].z, u[i].z), scaled = std::min(r[i].z * c, u[i].z);
            sums.natural +=
                length_squared(r[i] - sliding_ray(problem, i) * r[i].z) + normal * normal;
            sums.scaled += scaled * scaled;
        } else {
            const Vec3d dual = dual_velocity(u[i], mu), rc = r[i] * c;
            sums.natural += length_squared(r[i] - project(r[i] - dual, mu));
            sums.scaled += length_squared(rc - project(rc - dual, mu));
        }
        sums.q += length_squared(problem.q[i]);
        sums.r += length_squared(r[i]);
        sums.u += length_squared(u[i]);
    }
    return sums;
}

FrictionResult report(const FrictionProblem& problem, std::vector<Vec3d> r, double tolerance) {
    FrictionResult result;
    result.r = std::move(r);
    result.u = problem.q;
    add_product(problem.w, result.r, result.u);
    const Sums sums = sums_of(problem, result.r, result.u);
    result.merit = finite_or_infinite(sums.merit());
    result.converged = result.merit <= tolerance && sums.stray() <= tolerance;
    return result;
}

void make_shortest(const FrictionProblem& problem, double tolerance, FrictionResult& result) {
    const FrictionMethod method = result.method;
    const int iterations = result.iterations;
    result = report(problem, shortest(problem, result.r, tolerance), tolerance);
    result.method = method;
    result.iterations = iterations;
}

} // namespace
} // namespace friction

double friction_merit(const FrictionProblem& problem, std::span<const Vec3d> r) {
    std::vector<Vec3d> u = problem.q;
    add_product(problem.w, r, u);
    return friction::finite_or_infinite(friction::sums_of(problem, r, u).merit());
}

FrictionResult solve_friction(const FrictionProblem& problem, const FrictionSettings& settings,
                              std::span<const Vec3d> start) {
    using namespace friction;
    FrictionResult result;
    result.merit = std::numeric_limits<double>::infinity();
    if (!is_valid(problem, start)) return result;
    std::vector<Vec3d> first(start.begin(), start.end());
    first.resize(problem.q.size());
    result = report(problem, std::move(first), settings.tolerance);
    if (!std::isfinite(result.merit)) return result;
    if (!result.converged) {
        const Problem p = prepare(problem);
        Run run(p, settings, first_iterate(p, start));
        run.run(!start.empty());
        result = report(problem, impulses(problem, p, run.best().r), settings.tolerance);
        result.method = run.method();
        result.iterations = run.iterations();
    }
    if (settings.least_norm && result.converged) make_shortest(problem, settings.tolerance, result);
    return result;
}

} // namespace rigor
