// Nonsmooth Gauss-Seidel (NSGS): contact after contact is solved exactly with all others fixed
// [Jourdan 1998]. W may have any rank, and it rarely fails, but a change propagates only one
// contact further in a sweep.
#include "base/deadline.h"
#include "numeric/friction_contact.h"
#include "numeric/friction_solvers.h"

namespace rigor::friction {
namespace {

constexpr int kBetweenChecks = 8; // the merit costs as much as a sweep

Vec3d row_product(const Problem& p, std::size_t i, std::span<const Vec3d> r) {
    Vec3d sum{};
    for (const BlockEntry& entry : p.w.row(i))
        if (entry.column != i) sum += entry.block * r[entry.column];
    return sum;
}

} // namespace

int nsgs(const Problem& problem, Iterate& x, double tolerance, int sweeps) {
    std::vector<Contact> contacts;
    contacts.reserve(problem.size());
    for (std::size_t i = 0; i < problem.size(); ++i)
        contacts.emplace_back(problem.w.diagonal(i), problem.mu[i]);
    for (int sweep = 1; sweep <= sweeps; ++sweep) {
        for (std::size_t i = 0; i < problem.size(); ++i) {
            const auto r = contacts[i].solve(problem.q[i] + row_product(problem, i, x.r), x.r[i]);
            if (r) x.r[i] = *r;
        }
        if (sweep % kBetweenChecks != 0 && sweep != sweeps) continue;
        evaluate(problem, x);
        if (!(x.merit > tolerance) || deadline_has_passed()) return sweep;
    }
    return sweeps;
}

} // namespace rigor::friction
