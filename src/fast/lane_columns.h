// Columns of numbers, one for each lane.
#pragma once

#include <array>
#include <cstddef>

#include "rigor/mat.h"
#include "rigor/quat.h"

namespace rigor::fast {

template <int W>
using Column = std::array<float, W>;

template <int W>
void set(std::array<Column<W>, 3>& columns, std::size_t lane, const Vec3f& v) {
    columns[0][lane] = v.x;
    columns[1][lane] = v.y;
    columns[2][lane] = v.z;
}

template <int W>
void set(std::array<Column<W>, 4>& columns, std::size_t lane, const Quatf& q) {
    columns[0][lane] = q.w;
    columns[1][lane] = q.x;
    columns[2][lane] = q.y;
    columns[3][lane] = q.z;
}

template <int W>
void set(std::array<Column<W>, 6>& columns, std::size_t lane, const Sym3<float>& m) {
    columns[0][lane] = m.xx;
    columns[1][lane] = m.yy;
    columns[2][lane] = m.zz;
    columns[3][lane] = m.xy;
    columns[4][lane] = m.xz;
    columns[5][lane] = m.yz;
}

template <int W>
Vec3f vector_at(const std::array<Column<W>, 3>& columns, std::size_t lane) {
    return {columns[0][lane], columns[1][lane], columns[2][lane]};
}

} // namespace rigor::fast
