// Sparse square matrix of 3x3 blocks (Delassus matrix): how impulses at contacts change the
// velocities there. Two contacts have a block when they share a movable body.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rigor/mat.h"

namespace rigor {

struct BlockEntry {
    std::uint32_t column = 0;
    Mat3d block;
};

/// Rows are added in their order; within a row columns ascend.
class BlockMatrix {
  public:
    std::size_t rows() const { return starts_.size() - 1; }
    std::span<const BlockEntry> row(std::size_t i) const {
        return std::span(entries_).subspan(starts_[i], starts_[i + 1] - starts_[i]);
    }
    /// The block at (i, j), zero where there is none.
    Mat3d at(std::size_t i, std::size_t j) const {
        for (const BlockEntry& entry : row(i))
            if (entry.column == j) return entry.block;
        return Mat3d::zero();
    }
    const Mat3d& diagonal(std::size_t i) const { return entries_[diagonal_[i]].block; }

    /// Every row has its diagonal block.
    void add_row(std::span<const BlockEntry> entries);
    void clear();

  private:
    std::vector<BlockEntry> entries_;
    std::vector<std::size_t> starts_{0}, diagonal_;
};

/// y += W x.
void add_product(const BlockMatrix& w, std::span<const Vec3d> x, std::span<Vec3d> y);

} // namespace rigor
