// Vehicles in the messages to pages: their parts, and the dials of the head-up display.

#include <cmath>
#include <nlohmann/json.hpp>

#include "viewer/describe.h"

namespace rigor::viewer {
namespace {

/// What a dial can show: less would be sent again for nothing.
double rounded(double x, double step) {
    return std::round(x / step) * step;
}

} // namespace

json describe_vehicle_parts(const Session& session) {
    json all = json::array();
    for (std::size_t i = 0; i < session.vehicles().size(); ++i) {
        const VehicleDef& def = session.vehicles()[i].def();
        json wheels = json::array();
        for (const WheelDef& wheel : def.wheels)
            if (!wheel.body.is_null()) wheels.push_back(wheel.body.index);
        all.push_back({{"name", session.scene().vehicles[i].name},
                       {"chassis", def.chassis.index},
                       {"wheels", std::move(wheels)}});
    }
    return all;
}

json describe_vehicles(const Session& session) {
    json all = json::array();
    for (const Vehicle& vehicle : session.vehicles()) {
        const VehicleState& state = vehicle.state();
        all.push_back({{"chassis", vehicle.def().chassis.index},
                       {"speed", rounded(state.speed, 0.01)},
                       {"gear", state.gear},
                       {"rpm", rounded(state.rpm, 10)},
                       {"throttle", vehicle.input().throttle},
                       {"brake", vehicle.input().brake},
                       {"hand_brake", vehicle.input().hand_brake}});
    }
    return all;
}

} // namespace rigor::viewer
