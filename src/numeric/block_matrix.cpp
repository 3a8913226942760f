#include "numeric/block_matrix.h"

#include "base/assert.h"

namespace rigor {

void BlockMatrix::add_row(std::span<const BlockEntry> entries) {
    const std::size_t row = rows();
    std::size_t diagonal = SIZE_MAX;
    for (const BlockEntry& entry : entries) {
        if (entry.column == row) diagonal = entries_.size();
        entries_.push_back(entry);
    }
    RIGOR_ASSERT(diagonal != SIZE_MAX);
    diagonal_.push_back(diagonal);
    starts_.push_back(entries_.size());
}

void BlockMatrix::clear() {
    entries_.clear();
    diagonal_.clear();
    starts_.assign(1, 0);
}

void add_product(const BlockMatrix& w, std::span<const Vec3d> x, std::span<Vec3d> y) {
    for (std::size_t i = 0; i < w.rows(); ++i)
        for (const BlockEntry& entry : w.row(i)) y[i] += entry.block * x[entry.column];
}

} // namespace rigor
