#include "geometry/height_field.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "base/invalid_value.h"
#include "geometry/vertex_queries.h"
#include "math/number_text.h"
#include "rigor/rotation.h"

namespace rigor {
namespace {

std::optional<Error> find_bad_input(const HeightFieldDef& def) {
    if (def.columns < 2 || def.rows < 2) {
        return invalid("samples", "a height field needs at least 2 x 2 samples, got " +
                                      std::to_string(def.columns) + " x " +
                                      std::to_string(def.rows));
    }
    // Triangle indices are 32 bits.
    const auto samples =
        static_cast<std::uint64_t>(def.columns) * static_cast<std::uint64_t>(def.rows);
    if (samples > (std::uint64_t(1) << 30)) {
        return Error{
            ErrorCode::limit, "samples",
            "a height field may have at most 2^30 samples, got " + std::to_string(samples)};
    }
    if (def.heights.size() != samples) {
        return invalid("samples", std::to_string(def.columns) + " x " + std::to_string(def.rows) +
                                      " samples are " + std::to_string(samples) + " heights, got " +
                                      std::to_string(def.heights.size()));
    }
    const auto is_size = [](double v) { return v > 0 && std::isfinite(v); };
    if (!is_size(def.size_x) || !is_size(def.size_y)) {
        return invalid("size", "size must be positive and finite, got " + text(def.size_x) + " x " +
                                   text(def.size_y));
    }
    for (std::size_t i = 0; i < def.heights.size(); ++i) {
        if (std::isfinite(def.heights[i])) continue;
        return invalid("samples", "heights must be finite, got " + text(def.heights[i]) +
                                      " at sample " + std::to_string(i));
    }
    return {};
}

template <class S>
S sample(const HeightField<S>& field, int i, int j) {
    return field.heights[static_cast<std::size_t>(j) * static_cast<std::size_t>(field.columns) +
                         static_cast<std::size_t>(i)];
}

template <class S>
S x_of(const HeightField<S>& field, int i) {
    return field.left + static_cast<S>(i) * field.step_x;
}

template <class S>
S y_of(const HeightField<S>& field, int j) {
    return field.front + static_cast<S>(j) * field.step_y;
}

template <class S>
Vec3<S> vertex(const HeightField<S>& field, int i, int j) {
    return {x_of(field, i), y_of(field, j), sample(field, i, j)};
}

template <class S>
using Range = typename HeightField<S>::Range;
template <class S>
using Level = typename HeightField<S>::Level;

template <class S>
const Range<S>& range_at(const Level<S>& level, int column, int row) {
    return level.ranges[static_cast<std::size_t>(row) * static_cast<std::size_t>(level.columns) +
                        static_cast<std::size_t>(column)];
}

template <class S>
Level<S> cell_level(const HeightField<S>& field) {
    Level<S> level{field.columns - 1, field.rows - 1, {}};
    for (int j = 0; j < level.rows; ++j) {
        for (int i = 0; i < level.columns; ++i) {
            const auto [lo, hi] =
                std::minmax({sample(field, i, j), sample(field, i + 1, j), sample(field, i, j + 1),
                             sample(field, i + 1, j + 1)});
            level.ranges.push_back({lo, hi});
        }
    }
    return level;
}

template <class S>
Level<S> coarser(const Level<S>& fine) {
    Level<S> level{(fine.columns + 1) / 2, (fine.rows + 1) / 2, {}};
    for (int j = 0; j < level.rows; ++j) {
        for (int i = 0; i < level.columns; ++i) {
            Range<S> range = range_at<S>(fine, 2 * i, 2 * j);
            for (int row = 2 * j; row < std::min(2 * j + 2, fine.rows); ++row) {
                for (int column = 2 * i; column < std::min(2 * i + 2, fine.columns); ++column) {
                    const Range<S>& r = range_at<S>(fine, column, row);
                    range = {std::min(range.lo, r.lo), std::max(range.hi, r.hi)};
                }
            }
            level.ranges.push_back(range);
        }
    }
    return level;
}

template <class S>
void build_levels(HeightField<S>& field) {
    field.levels.push_back(cell_level(field));
    while (field.levels.back().ranges.size() > 1)
        field.levels.push_back(coarser<S>(field.levels.back()));
}

template <class S>
bool is_over_grid(const HeightField<S>& field, S x, S y) {
    return x >= field.left && x <= x_of(field, field.columns - 1) && y >= field.front &&
           y <= y_of(field, field.rows - 1);
}

template <class S>
bool is_in_ground(const HeightField<S>& field, const Vec3<S>& p) {
    return is_over_grid(field, p.x, p.y) && p.z < height_at(field, p.x, p.y);
}

template <class S>
HeightBlock root(const HeightField<S>& field) {
    return {static_cast<int>(field.levels.size()) - 1, 0, 0};
}

template <class S>
std::uint32_t first_triangle(const HeightField<S>& field, const HeightBlock& cell) {
    return static_cast<std::uint32_t>(2 * (cell.row * (field.columns - 1) + cell.column));
}

// Up to four children, sorted by key.
template <class S>
struct Children {
    struct Entry {
        S key;
        HeightBlock block;
    };
    std::array<Entry, 4> entries;
    int count = 0;

    void insert(S key, const HeightBlock& block) {
        int i = count++;
        for (; i > 0 && entries[static_cast<std::size_t>(i - 1)].key > key; --i) {
            entries[static_cast<std::size_t>(i)] = entries[static_cast<std::size_t>(i - 1)];
        }
        entries[static_cast<std::size_t>(i)] = {key, block};
    }
};

// Descends block by block, those with the least key first, as long as key(box) is at most the bound
// that visiting triangles returns.
template <class S, class Key, class Visit>
S descend(const HeightField<S>& field, const HeightBlock& block, S bound, const Key& key,
          const Visit& visit) {
    if (block.level == 0) {
        const std::uint32_t first = first_triangle(field, block);
        return visit(first + 1, visit(first, bound));
    }
    Children<S> children;
    visit_children(field, block, [&](const HeightBlock& child) {
        children.insert(key(block_box(field, child), bound), child);
    });
    for (int i = 0; i < children.count; ++i) {
        const auto& entry = children.entries[static_cast<std::size_t>(i)];
        if (!(entry.key <= bound) || entry.key == Aabb<S>::kInfinity) break;
        bound = descend(field, entry.block, bound, key, visit);
    }
    return bound;
}

} // namespace

Result<HeightField<double>> make_height_field(const HeightFieldDef& def) {
    if (const std::optional<Error> error = find_bad_input(def)) return *error;
    HeightField<double> field;
    field.columns = def.columns;
    field.rows = def.rows;
    field.left = -def.size_x / 2;
    field.front = -def.size_y / 2;
    field.step_x = def.size_x / (def.columns - 1);
    field.step_y = def.size_y / (def.rows - 1);
    field.heights = def.heights;
    build_levels(field);
    return field;
}

HeightField<float> to_float(const HeightField<double>& field) {
    HeightField<float> result;
    result.columns = field.columns;
    result.rows = field.rows;
    result.left = static_cast<float>(field.left);
    result.front = static_cast<float>(field.front);
    result.step_x = static_cast<float>(field.step_x);
    result.step_y = static_cast<float>(field.step_y);
    result.heights.reserve(field.heights.size());
    for (const double h : field.heights) result.heights.push_back(static_cast<float>(h));
    build_levels(result);
    return result;
}

template <class S>
S height_at(const HeightField<S>& field, S x, S y) {
    const S u = (x - field.left) / field.step_x, v = (y - field.front) / field.step_y;
    const int i = std::clamp(static_cast<int>(u), 0, field.columns - 2);
    const int j = std::clamp(static_cast<int>(v), 0, field.rows - 2);
    const S fx = u - static_cast<S>(i), fy = v - static_cast<S>(j);
    const S near = sample(field, i, j), far = sample(field, i + 1, j + 1);
    const S corner = fx >= fy ? sample(field, i + 1, j) : sample(field, i, j + 1);
    return fx >= fy ? near + fx * (corner - near) + fy * (far - corner)
                    : near + fy * (corner - near) + fx * (far - corner);
}

template <class S>
Triangle<S> triangle_at(const HeightField<S>& field, std::uint32_t index) {
    const auto cell = static_cast<int>(index / 2);
    const int i = cell % (field.columns - 1), j = cell / (field.columns - 1);
    const Vec3<S> near = vertex(field, i, j), far = vertex(field, i + 1, j + 1);
    if (index % 2 == 0) return {near, vertex(field, i + 1, j), far};
    return {near, far, vertex(field, i, j + 1)};
}

template <class S>
Aabb<S> block_box(const HeightField<S>& field, const HeightBlock& block) {
    const Range<S>& z =
        range_at<S>(field.levels[static_cast<std::size_t>(block.level)], block.column, block.row);
    const int i0 = block.column << block.level, j0 = block.row << block.level;
    const int i1 = std::min((block.column + 1) << block.level, field.columns - 1);
    const int j1 = std::min((block.row + 1) << block.level, field.rows - 1);
    return {{x_of(field, i0), y_of(field, j0), z.lo}, {x_of(field, i1), y_of(field, j1), z.hi}};
}

template <class S>
auto vertices_of(const HeightField<S>& field) {
    return [&field](const auto& visit) {
        for (int j = 0; j < field.rows; ++j)
            for (int i = 0; i < field.columns; ++i) visit(vertex(field, i, j));
    };
}

template <class S>
Vec3<S> support(const HeightField<S>& field, const Vec3<S>& direction) {
    return support_of_vertices(vertex(field, 0, 0), direction, vertices_of(field));
}

template <class S>
Aabb<S> bounds(const HeightField<S>& field, const Pose<S>& pose) {
    return bounds_of_vertices(pose, vertices_of(field));
}

template <class S>
S bounding_radius(const HeightField<S>& field, const Vec3<S>& center) {
    return radius_of_vertices(center, vertices_of(field));
}

template <class S>
std::optional<RayHit<S>> cast_ray(const HeightField<S>& field, const Ray<S>& ray) {
    if (!is_finite(ray.origin) || !is_finite(ray.direction) || !(ray.max_t >= S(0))) return {};
    if (is_in_ground(field, ray.origin)) {
        const Vec3<S> back = -normalize(ray.direction);
        return RayHit<S>{S(0), back != Vec3<S>{} ? back : closest_point(field, ray.origin).normal,
                         0, true};
    }
    const RaySlabs<S> slabs(ray);
    const S enter = slabs.enter(block_box(field, root(field)), ray.max_t);
    if (ray.direction == Vec3<S>{} || enter == Aabb<S>::kInfinity) return {};

    RayShear<S> shear(ray);
    std::optional<RayHit<S>> best;
    const auto key = [&](const Aabb<S>& box, S max_t) { return slabs.enter(box, max_t); };
    descend(field, root(field), ray.max_t, key, [&](std::uint32_t index, S max_t) {
        shear.max_t = max_t;
        const auto hit = cast_ray(triangle_at(field, index), shear);
        if (!hit || hit->from_behind) return max_t;
        if (best && hit->t == best->t && index > best->feature) return max_t;
        best = RayHit<S>{hit->t, normal(triangle_at(field, index)), index, false};
        return hit->t;
    });
    return best;
}

template <class S>
SurfacePoint<S> closest_point(const HeightField<S>& field, const Vec3<S>& point) {
    Vec3<S> nearest;
    std::uint32_t triangle = 0;
    S smallest = Aabb<S>::kInfinity;
    const auto key = [&](const Aabb<S>& box, S) { return distance_squared(box, point); };
    descend(field, root(field), Aabb<S>::kInfinity, key, [&](std::uint32_t index, S bound) {
        const Vec3<S> on = closest_point(triangle_at(field, index), point).point;
        const S d = length_squared(point - on);
        if (d < smallest || (d == smallest && index < triangle)) {
            nearest = on;
            triangle = index;
            smallest = d;
        }
        return std::min(bound, d);
    });
    const Vec3<S> away = point - nearest;
    const bool inside = is_in_ground(field, point);
    const Vec3<S> unit = normalize(away);
    const Vec3<S> n = unit == Vec3<S>{} ? normal(triangle_at(field, triangle))
                      : inside          ? -unit
                                        : unit;
    return {nearest, n, inside ? -length(away) : length(away), triangle};
}

#define RIGOR_INSTANTIATE(S)                                                          \
    template S height_at(const HeightField<S>&, S, S);                                \
    template Triangle<S> triangle_at(const HeightField<S>&, std::uint32_t);           \
    template Aabb<S> block_box(const HeightField<S>&, const HeightBlock&);            \
    template Vec3<S> support(const HeightField<S>&, const Vec3<S>&);                  \
    template Aabb<S> bounds(const HeightField<S>&, const Pose<S>&);                   \
    template S bounding_radius(const HeightField<S>&, const Vec3<S>&);                \
    template std::optional<RayHit<S>> cast_ray(const HeightField<S>&, const Ray<S>&); \
    template SurfacePoint<S> closest_point(const HeightField<S>&, const Vec3<S>&);
RIGOR_INSTANTIATE(float)
RIGOR_INSTANTIATE(double)
#undef RIGOR_INSTANTIATE

} // namespace rigor
