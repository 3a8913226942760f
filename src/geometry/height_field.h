// Height field: heights over a regular grid, solid below.
//
// Each cell is two triangles, cut along the diagonal from its corner (i, j) to (i + 1, j + 1):
//
//      (i, j+1) ┌──────┐ (i+1, j+1)        y
//               │ 1  ╱ │                   ↑
//               │  ╱ 0 │                   └→ x
//        (i, j) └──────┘ (i+1, j)
//
// Triangle k of cell (i, j) has the index 2 (j (columns - 1) + i) + k. The ground is solid below
// its triangles only: there is nothing outside the grid, and the sides of the solid have no
// surface. A ray that enters through a side starts inside the ground.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "geometry/mesh_bvh.h"
#include "geometry/query_types.h"
#include "geometry/triangle.h"
#include "rigor/pose.h"
#include "rigor/result.h"
#include "rigor/shape.h"

namespace rigor {

template <class S>
struct HeightField {
    struct Range {
        S lo{}, hi{};
    };
    /// The minimum and maximum height of blocks of 2^n cells a side, for one n.
    struct Level {
        int columns = 0, rows = 0; ///< blocks
        std::vector<Range> ranges;
    };

    int columns = 0, rows = 0; ///< samples
    S left{}, front{};         ///< x and y of sample (0, 0)
    S step_x{}, step_y{};      ///< between samples
    std::vector<S> heights;    ///< along x first
    std::vector<Level> levels; ///< from single cells up to one block for all
};

/// Fails when there are fewer than 2 x 2 samples, their number is not columns times rows, a
/// height is not finite, or a size is not positive.
Result<HeightField<double>> make_height_field(const HeightFieldDef& def);

HeightField<float> to_float(const HeightField<double>& field);

/// The height at (x, y), which must be inside the grid.
template <class S>
S height_at(const HeightField<S>& field, S x, S y);

template <class S>
Triangle<S> triangle_at(const HeightField<S>& field, std::uint32_t index);

/// Of the surface: the solid is unbounded below.
template <class S>
Vec3<S> support(const HeightField<S>& field, const Vec3<S>& direction);
template <class S>
Aabb<S> bounds(const HeightField<S>& field, const Pose<S>& pose);
template <class S>
S bounding_radius(const HeightField<S>& field, const Vec3<S>& center);

/// Hits from above; a ray that starts in the ground hits at t = 0.
template <class S>
std::optional<RayHit<S>> cast_ray(const HeightField<S>& field, const Ray<S>& ray);

/// Negative distances are inside the ground.
template <class S>
SurfacePoint<S> closest_point(const HeightField<S>& field, const Vec3<S>& point);

/// A block of cells by its level and position. Traversed like a tree of boxes.
struct HeightBlock {
    int level = 0, column = 0, row = 0;
};

template <class S>
Aabb<S> block_box(const HeightField<S>& field, const HeightBlock& block);

/// Calls visit for the up to four child blocks.
template <class S, class Visit>
void visit_children(const HeightField<S>& field, const HeightBlock& block, Visit&& visit) {
    const typename HeightField<S>::Level& level =
        field.levels[static_cast<std::size_t>(block.level - 1)];
    for (int row = 2 * block.row; row < std::min(2 * block.row + 2, level.rows); ++row) {
        for (int column = 2 * block.column; column < std::min(2 * block.column + 2, level.columns);
             ++column) {
            visit(HeightBlock{block.level - 1, column, row});
        }
    }
}

/// Calls visitor(index, triangle) for the triangles whose bounding boxes touch the given one.
template <class S, class Visitor>
void visit_triangles(const HeightField<S>& field, const Aabb<S>& box, Visitor&& visitor) {
    const auto descend = [&](const auto& self, const HeightBlock& block) -> void {
        if (!overlap(block_box(field, block), box)) return;
        if (block.level > 0) {
            visit_children(field, block, [&](const HeightBlock& child) { self(self, child); });
            return;
        }
        const auto first =
            static_cast<std::uint32_t>(2 * (block.row * (field.columns - 1) + block.column));
        for (std::uint32_t index = first; index < first + 2; ++index) {
            const Triangle<S> triangle = triangle_at(field, index);
            if (overlap(bounds(triangle), box)) visitor(index, triangle);
        }
    };
    descend(descend, HeightBlock{static_cast<int>(field.levels.size()) - 1, 0, 0});
}

} // namespace rigor
