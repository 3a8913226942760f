// Target poses of drivers: keyframes, grids of key poses, scripts.
#pragma once

#include "rigor/driver.h"

namespace rigor {

/// Straight between positions, along the shorter great arc between orientations.
Posed interpolate(const Posed& a, const Posed& b, double s);

/// Finite, and with an orientation that is a unit within 1e-3.
bool is_unit_pose(const Posed& pose);
/// Both coordinates in [-1, 1].
bool is_grid_point(const GridPoint& point);

/// Requires keyframes, or a script. Before the first and after the last one the value stays, unless
/// the driver loops.
Posed keyframe_pose(const DriverDef& def, double time);
GridPoint script_point(const DriverDef& def, double time);
/// Requires a path. Throws UsageError when it gives no pose.
Posed path_pose(const DriverDef& def, double time);

} // namespace rigor
