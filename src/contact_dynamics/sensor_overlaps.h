// Which shapes overlap sensors.
#pragma once

#include "base/function_ref.h"
#include "model/shape_proxies.h"
#include "rigor/events.h"

namespace rigor::contact_dynamics {

/// In order. `shapes` gives where they are now; it is called only when there are sensors.
std::vector<SensorEvent> find_sensor_overlaps(const WorldState& state,
                                              FunctionRef<const ShapeProxies&()> shapes);

} // namespace rigor::contact_dynamics
