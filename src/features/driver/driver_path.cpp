// Target poses of drivers: keyframes, grids of key poses, scripts.
#include "features/driver/driver_path.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "rigor/rotation.h"

namespace rigor {
namespace {

Posed interpolate_keys(const Keyframe& a, const Keyframe& b, double s) {
    return interpolate(a.pose, b.pose, s);
}

GridPoint interpolate_keys(const ScriptPoint& a, const ScriptPoint& b, double s) {
    return {a.input.x + (b.input.x - a.input.x) * s, a.input.y + (b.input.y - a.input.y) * s};
}

const Posed& value_of(const Keyframe& key) {
    return key.pose;
}
const GridPoint& value_of(const ScriptPoint& key) {
    return key.input;
}

// Before the first and after the last key the value stays, unless it loops.
template <class Key>
auto value_at(const std::vector<Key>& keys, bool loop, double t) {
    const double first = keys.front().time, last = keys.back().time;
    if (loop && last > first) {
        t = first + (t - first) - (last - first) * std::floor((t - first) / (last - first));
    }
    const auto next = std::upper_bound(keys.begin(), keys.end(), t,
                                       [](double time, const Key& k) { return time < k.time; });
    if (next == keys.begin()) return value_of(keys.front());
    if (next == keys.end()) return value_of(keys.back());
    const Key& a = *(next - 1);
    return interpolate_keys(a, *next, (t - a.time) / (next->time - a.time));
}

/// The cell of a grid that a coordinate is in, and where in it.
struct GridCell {
    explicit GridCell(double x) {
        const double along = std::clamp(x, -1.0, 1.0) + 1; // in [0, 2]
        index = along < 1 ? 0 : 1;
        fraction = along - index;
    }
    int index = 0;
    double fraction = 0;
};

Error bad(const char* where, std::string rule) {
    return {ErrorCode::invalid_value, where, std::move(rule)};
}

template <class Key>
bool is_ascending(const std::vector<Key>& keys) {
    const auto not_later = [](const Key& a, const Key& b) { return !(b.time > a.time); };
    return std::adjacent_find(keys.begin(), keys.end(), not_later) == keys.end() &&
           std::all_of(keys.begin(), keys.end(),
                       [](const Key& key) { return std::isfinite(key.time); });
}

// With signs for which all products of the corners' quaternions are positive, every interpolated
// quaternion is a combination of them with coefficients >= 0. Then the two that the last slerp
// joins have a positive product for every x, and the shorter arc never changes to the other side.
bool is_continuous_cell(const std::vector<Posed>& grid, std::size_t corner) {
    std::array<Quatd, 4> q{grid[corner].q, grid[corner + 1].q, grid[corner + 3].q,
                           grid[corner + 4].q};
    constexpr double kLeast = 1e-6;
    for (std::size_t i = 1; i < 4; ++i)
        if (dot(q[0], q[i]) < 0) q[i] = -q[i];
    for (std::size_t i = 0; i < 4; ++i)
        for (std::size_t j = 0; j < i; ++j)
            if (!(dot(q[i], q[j]) > kLeast)) return false;
    return true;
}

Result<void> check_grid(const DriverDef& def) {
    if (def.grid.empty()) return {};
    if (def.grid.size() != 9)
        return bad("grid",
                   "must have 9 poses, 3 rows of 3, got " + std::to_string(def.grid.size()));
    for (const Posed& pose : def.grid)
        if (!is_unit_pose(pose))
            return bad("grid", "must have finite poses with unit orientations");
    for (const std::size_t corner : {0, 1, 3, 4})
        if (!is_continuous_cell(def.grid, corner))
            return bad("grid",
                       "has neighbors turned by 180 degrees or more against each other: "
                       "orientations between them would jump");
    return {};
}

Result<void> check_script(const DriverDef& def) {
    if (def.script.empty()) return {};
    if (def.grid.empty()) return bad("script", "needs a grid: its points are grid coordinates");
    if (!is_ascending(def.script)) return bad("script", "must be in the order of time");
    for (const ScriptPoint& point : def.script)
        if (!is_grid_point(point.input)) return bad("script", "must have coordinates in [-1, 1]");
    return {};
}

} // namespace

Posed interpolate(const Posed& a, const Posed& b, double s) {
    return {a.p + (b.p - a.p) * s, slerp(a.q, b.q, s)};
}

bool is_unit_pose(const Posed& pose) {
    return is_finite(pose) && std::abs(length(pose.q) - 1) <= 1e-3;
}

bool is_grid_point(const GridPoint& point) {
    return std::abs(point.x) <= 1 && std::abs(point.y) <= 1;
}

GridPoint script_point(const DriverDef& def, double time) {
    return value_at(def.script, def.loop, time);
}

Posed keyframe_pose(const DriverDef& def, double time) {
    return value_at(def.keyframes, def.loop, time);
}

Posed path_pose(const DriverDef& def, double time) {
    Posed pose = def.path(time);
    if (!is_unit_pose(pose))
        throw UsageError(
            "the path of a driver gave a pose that is not finite, or whose "
            "orientation is not a unit within 1e-3");
    pose.q = normalize(pose.q);
    return pose;
}

Posed grid_pose(const std::vector<Posed>& grid, GridPoint at) {
    const GridCell column(at.x), row(-at.y);
    const auto corner = static_cast<std::size_t>(row.index * 3 + column.index);
    const Posed far = interpolate(grid[corner], grid[corner + 1], column.fraction);
    const Posed near = interpolate(grid[corner + 3], grid[corner + 4], column.fraction);
    return interpolate(far, near, row.fraction);
}

double regained_control(double now, double lost_at, double regained_at) {
    if (!(regained_at > lost_at)) return 1;
    return std::clamp((now - lost_at) / (regained_at - lost_at), 0.0, 1.0);
}

Result<void> check_driver(const DriverDef& def) {
    const int sources = int(!def.keyframes.empty()) + int(bool(def.path)) +
                        int(!def.input.empty() || !def.script.empty() || !def.grid.empty());
    if (sources > 1) return bad("driver", "must have one source: keyframes, a path, or a device");
    if (!(def.grip > 0) || !std::isfinite(def.grip)) return bad("grip", "must be positive");
    if (def.speed && !(*def.speed > 0)) return bad("speed", "must be positive");
    if (!std::isfinite(def.gravity_scale)) return bad("gravity_scale", "must be finite");
    if (!is_ascending(def.keyframes)) return bad("keyframes", "must be in the order of time");
    for (const Keyframe& key : def.keyframes)
        if (!is_unit_pose(key.pose))
            return bad("keyframes", "must have finite poses with unit orientations");
    if (auto grid = check_grid(def); !grid) return grid;
    return check_script(def);
}

Posed start_pose(const DriverDef& def, double time, const Posed& body) {
    if (!def.keyframes.empty()) return keyframe_pose(def, time);
    if (def.path) return path_pose(def, time);
    if (def.grid.empty()) return body;
    return grid_pose(def.grid, def.script.empty() ? GridPoint{} : script_point(def, time));
}

} // namespace rigor
