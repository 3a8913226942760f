#include "contact_dynamics/sensor_overlaps.h"

#include <algorithm>

#include "collide/distance.h"

namespace rigor::contact_dynamics {

std::vector<SensorEvent> find_sensor_overlaps(const WorldState& state,
                                              FunctionRef<const ShapeProxies&()> shapes) {
    std::vector<SensorEvent> found;
    for (std::uint32_t slot = 0; slot < state.shapes.pool().slot_count(); ++slot) {
        const ShapeId id = state.shapes.pool().id_at(slot);
        if (id.is_null() || !state.shapes.find(id)->sensor) continue;
        const ShapeProxies& proxies = shapes();
        const ShapeProxy& sensor = proxies[slot];
        proxies.overlap(solid_bounds(sensor.geometry, sensor.pose), ~0u,
                        [&](const ShapeProxy& other) {
                            if (other.body == sensor.body || other.sensor) return true;
                            if (!should_collide(sensor.filter, other.filter)) return true;
                            const Posed pose = relative_pose<double>(sensor.pose, other.pose);
                            if (distance(sensor.geometry, other.geometry, pose).distance <= 0)
                                found.push_back({{sensor.body, id}, {other.body, other.id}});
                            return true;
                        });
    }
    std::sort(found.begin(), found.end());
    return found;
}

} // namespace rigor::contact_dynamics
