#include "numeric/shifted_blocks.h"

#include <Eigen/Dense>
#include <algorithm>
#include <utility>

namespace rigor {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

constexpr std::size_t kMaxGroupSize = 8; // larger groups make the search for a basis too slow
constexpr double kRelativeZero =
    1e-12; // of the largest eigenvalue: smaller ones are zero to rounding

bool same_columns(std::span<const BlockEntry> a, std::span<const BlockEntry> b) {
    return std::equal(
        a.begin(), a.end(), b.begin(), b.end(),
        [](const BlockEntry& x, const BlockEntry& y) { return x.column == y.column; });
}

// The components of a group's vector that belong to its k-th contact.
Vec3d part(const double* column, std::size_t k) {
    return {column[3 * k], column[3 * k + 1], column[3 * k + 2]};
}

} // namespace

ShiftedBlocks::ShiftedBlocks(const BlockMatrix& w, Symmetry symmetry)
    : group_of_(w.rows()), place_in_group_(w.rows()) {
    find_groups(w, symmetry == Symmetry::definite);
    for (Group& group : groups_) {
        find_basis(w, group);
        group.place = std::exchange(size_, size_ + group.rank);
    }
    reduced_.resize(static_cast<std::size_t>(size_));
    solver_.emplace(size_, reduce(w), symmetry);
}

void ShiftedBlocks::find_groups(const BlockMatrix& w, bool merge) {
    std::vector<bool> taken(w.rows(), false);
    for (std::size_t i = 0; i < w.rows(); ++i) {
        if (taken[i]) continue;
        Group group;
        group.first = members_.size();
        for (const BlockEntry& entry : w.row(i)) {
            const std::size_t j = entry.column;
            if (j != i && (!merge || taken[j] || group.count == kMaxGroupSize)) continue;
            if (j != i && (j < i || !same_columns(w.row(i), w.row(j)))) continue;
            taken[j] = true;
            group_of_[j] = groups_.size();
            place_in_group_[j] = group.count++;
            members_.push_back(j);
        }
        groups_.push_back(group);
    }
}

// The eigenvectors of the group's own block with nonzero eigenvalues. For a positive semidefinite W
// the others are in the null space of the whole W; if rounding violates that, all are kept.
void ShiftedBlocks::find_basis(const BlockMatrix& w, Group& group) {
    const Index n = static_cast<Index>(3 * group.count);
    group.basis = basis_.size();
    group.rank = static_cast<int>(n);
    MatrixXd basis = MatrixXd::Identity(n, n);
    if (group.count > 1) {
        MatrixXd own(n, n);
        for (std::size_t i = 0; i < group.count; ++i)
            for (std::size_t j = 0; j < group.count; ++j) {
                const Mat3d block = w.at(members_[group.first + i], members_[group.first + j]);
                for (int a = 0; a < 3; ++a)
                    for (int b = 0; b < 3; ++b)
                        own(static_cast<Index>(3 * i) + a, static_cast<Index>(3 * j) + b) =
                            block(a, b);
            }
        const Eigen::SelfAdjointEigenSolver<MatrixXd> eigen(own);
        const double zero = kRelativeZero * eigen.eigenvalues()(n - 1);
        Index dropped = 0;
        while (dropped < n && eigen.eigenvalues()(dropped) <= zero) ++dropped;
        const auto moves_nothing = [&](Index k) {
            const double* v = eigen.eigenvectors().col(k).data();
            const std::size_t columns = w.row(members_[group.first]).size();
            for (std::size_t c = 0; c < columns; ++c) {
                Vec3d sum{};
                for (std::size_t i = 0; i < group.count; ++i)
                    sum +=
                        transpose_multiply(w.row(members_[group.first + i])[c].block, part(v, i));
                if (!(max_component(abs(sum)) <= zero)) return false;
            }
            return true;
        };
        bool redundant = eigen.info() == Eigen::Success;
        for (Index k = 0; k < dropped && redundant; ++k) redundant = moves_nothing(k);
        if (redundant) {
            basis = eigen.eigenvectors().rightCols(n - dropped);
            group.rank = static_cast<int>(n - dropped);
        }
    }
    basis_.insert(basis_.end(), basis.data(), basis.data() + basis.size());
}

// V = Bᵀ W B, group by group.
std::vector<MatrixEntry> ShiftedBlocks::reduce(const BlockMatrix& w) const {
    std::vector<MatrixEntry> entries;
    std::vector<std::size_t> linked;
    std::vector<std::vector<double>> sums(groups_.size());
    for (const Group& p : groups_) {
        linked.clear();
        for (std::size_t i = 0; i < p.count; ++i)
            for (const BlockEntry& entry : w.row(members_[p.first + i])) {
                const std::size_t at = group_of_[entry.column];
                const Group& q = groups_[at];
                if (sums[at].empty()) {
                    linked.push_back(at);
                    sums[at].assign(static_cast<std::size_t>(p.rank * q.rank), 0.0);
                }
                for (int b = 0; b < q.rank; ++b) {
                    const double* column =
                        &basis_[q.basis + static_cast<std::size_t>(b) * 3 * q.count];
                    const Vec3d moved = entry.block * part(column, place_in_group_[entry.column]);
                    for (int a = 0; a < p.rank; ++a)
                        sums[at][static_cast<std::size_t>(a * q.rank + b)] += dot(
                            part(&basis_[p.basis + static_cast<std::size_t>(a) * 3 * p.count], i),
                            moved);
                }
            }
        for (const std::size_t at : linked) {
            const Group& q = groups_[at];
            for (int a = 0; a < p.rank; ++a)
                for (int b = 0; b < q.rank; ++b)
                    if (const double value = sums[at][static_cast<std::size_t>(a * q.rank + b)];
                        value != 0)
                        entries.push_back({p.place + a, q.place + b, value});
            sums[at].clear();
        }
    }
    return entries;
}

bool ShiftedBlocks::factor(double shift) {
    shift_ = shift;
    return solver_->factor(shift);
}

void ShiftedBlocks::solve(std::span<Vec3d> b) {
    const auto column = [&](const Group& group, int k) {
        return &basis_[group.basis + static_cast<std::size_t>(k) * 3 * group.count];
    };
    for (const Group& group : groups_)
        for (int k = 0; k < group.rank; ++k) {
            double sum = 0;
            for (std::size_t i = 0; i < group.count; ++i)
                sum += dot(part(column(group, k), i), b[members_[group.first + i]]);
            reduced_[static_cast<std::size_t>(group.place + k)] = sum;
        }
    // The component outside the range of B is divided by the shift alone; its part in the range was
    // included there and is subtracted.
    std::vector<double> seen = reduced_;
    solver_->solve(reduced_);
    for (std::size_t k = 0; k < seen.size(); ++k) reduced_[k] -= seen[k] / shift_;
    for (const Group& group : groups_)
        for (std::size_t i = 0; i < group.count; ++i) {
            Vec3d& x = b[members_[group.first + i]];
            x *= 1 / shift_;
            for (int k = 0; k < group.rank; ++k)
                x +=
                    part(column(group, k), i) * reduced_[static_cast<std::size_t>(group.place + k)];
        }
}

} // namespace rigor
