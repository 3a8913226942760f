// BodyDef and BodyState: definition and motion of a body.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "rigor/mass.h"
#include "rigor/pose.h"
#include "rigor/shape.h"

namespace rigor {

enum class BodyType : std::uint8_t {
    static_body,    ///< never moves
    kinematic_body, ///< moves with the velocity set by the caller, as if of infinite mass
    dynamic_body,   ///< moves by forces, contacts and joints
};

/// Locked degrees of freedom, in world axes; combine with |.
enum AxisLock : std::uint8_t {
    lock_tx = 1,
    lock_ty = 2,
    lock_tz = 4,
    lock_rx = 8,
    lock_ry = 16,
    lock_rz = 32,
};

struct BodyDef {
    std::string name = {}; ///< for messages and reports; need not be unique
    BodyType type = BodyType::dynamic_body;

    Vec3d position = {};         ///< of the body's frame, which need not be at its center of mass
    Quatd orientation = {};      ///< body to world; normalized if its length is within 1e-3 of 1
    Vec3d velocity = {};         ///< of the center of mass
    Vec3d angular_velocity = {}; ///< world axes

    std::vector<ShapeDef> shapes = {};
    std::optional<double> mass = {};                    ///< rescales what the densities give
    std::optional<MassProperties> mass_properties = {}; ///< replaces it; body frame

    std::uint8_t lock = 0;      ///< AxisLock bits
    double linear_damping = 0;  ///< 1/s: velocity falls as exp(-damping t)
    double angular_damping = 0; ///< 1/s: likewise angular momentum
    double gravity_scale = 1;

    bool can_sleep = true;
    bool continuous = false;  ///< never tunnels, not even through other moving bodies
    std::uint32_t group = 1;  ///< bits: the groups it belongs to
    std::uint32_t mask = ~0u; ///< bits: the groups it collides with
};

/// Where a body is and how it moves.
struct BodyState {
    Vec3d position; ///< of the center of mass
    Quatd orientation;
    Vec3d velocity; ///< of the center of mass
    Vec3d angular_velocity;
};

} // namespace rigor
