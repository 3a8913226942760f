// Vehicles: a chassis on wheels, with engine, gears, brakes, steering and tires that slip.
//
// A vehicle is a value beside a world. It acts on the world through its public functions alone:
// update() before each step applies forces and sets joints. See docs/vehicle.md for the models.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "rigor/export.h"
#include "rigor/ids.h"
#include "rigor/joint.h"
#include "rigor/material.h"
#include "rigor/result.h"
#include "rigor/vec.h"

namespace rigor {

class World;

/// Brush tire model: bristles that deflect, and slide where friction is exceeded.
struct TireDef {
    double friction = 1;                ///< combined with that of the ground as for materials
    double longitudinal_stiffness = 20; ///< force per slip and load, at small slip
    double lateral_stiffness = 15;      ///< force per tan(slip angle) and load, at small slip
    double relaxation_length = 0.3;     ///< m of rolling until a deflection has followed the slip
    /// Relative decrease of friction per reference load of additional load.
    double load_sensitivity = 0;
    double reference_load = 0;     ///< N; 0: the wheel's own at rest
    double rolling_resistance = 0; ///< a length, m: the torque is this times the load
};

struct TorquePoint {
    double rpm = 0, torque = 0; ///< N m
};

/// An engine with a gearbox and an open differential. Its own inertia is not modeled.
struct EngineDef {
    std::vector<TorquePoint> torque = {}; ///< at full throttle, by ascending rpm; straight between
    double idle_rpm = 900;                ///< below it a clutch slips: the torque is that at idle
    double redline_rpm = std::numeric_limits<double>::infinity(); ///< no torque beyond
    double braking = 0;              ///< N m at the redline with a closed throttle, less below it
    std::vector<double> gears = {1}; ///< ratios, descending
    double reverse = 1;              ///< ratio
    double final_drive = 1;
    double efficiency = 1;     ///< of the transmission
    double shift_up_rpm = 0;   ///< automatic shifting; 0: 0.85 of the redline
    double shift_down_rpm = 0; ///< 0: 0.4 of the redline
    double shift_time = 0.2;   ///< s without torque
};

/// One wheel: a body on a wheel joint, or a ray.
struct WheelDef {
    BodyId body = {}; ///< null: a ray is cast instead
    JointId joint = {};
    Vec3d position = {};  ///< of the hub, in world coordinates at construction; of a ray only
    double radius = 0.3;  ///< m
    double inertia = 0.5; ///< about the axle, kg m²; of a ray only
    bool steered = false, driven = false, hand_braked = false;
};

struct VehicleDef {
    BodyId chassis = {};
    std::vector<WheelDef> wheels = {};
    Vec3d forward{1, 0, 0}, up{0, 0, 1}; ///< unit vectors, in world axes at construction
    TireDef tire = {};
    std::optional<EngineDef> engine = {};
    /// Frequency and damping of the sprung mass on the wheel, not of the wheel alone. At rest on
    /// level ground the vehicle keeps the pose in which it was built.
    SpringDef suspension{1.5, 0.4};
    Range travel{-0.15, 0.15};             ///< of the suspension, m; up is positive
    std::optional<double> brake = {};      ///< N m of each wheel; none: enough to lock it
    std::optional<double> hand_brake = {}; ///< N m of each hand-braked wheel; none: likewise
    double max_steer = 0.5;                ///< rad, of a wheel in the middle
    double steer_rate = 1.5;               ///< rad/s
    bool ackermann = true;                 ///< the axles of steered wheels meet in one point
    double drag = 0; ///< N s²/m²: air resistance is this times speed squared
    /// Friction of the tires' material with others; `tire_material` is its Material::id.
    std::vector<MaterialPair> pairs = {};
    int tire_material = -1;
};

struct VehicleInput {
    double throttle = 0; ///< 0 to 1
    double brake = 0;    ///< 0 to 1
    double steer = 0;    ///< -1 (right) to 1 (left)
    bool hand_brake = false;
    std::optional<int> gear = {}; ///< -1 reverse, 0 neutral, 1...; none: forward, automatic

    friend bool operator==(const VehicleInput&, const VehicleInput&) = default;
};

/// Current state of a wheel. x is forward, y to the left, along the ground.
struct WheelState {
    double spin = 0;          ///< rad/s, forward is positive
    double steer = 0;         ///< rad, left is positive
    double travel = 0;        ///< of the suspension, m; up is positive
    double load = 0;          ///< N along the normal of the ground
    double deflection[2]{};   ///< of the bristles, m
    double force[2]{};        ///< of the tire on the vehicle, mean of the last step, N
    double velocity[2]{};     ///< of the hub over the contact, against the ground, m/s
    double acceleration[2]{}; ///< by forces other than that of the tire, m/s²
    double drive_torque = 0, brake_torque = 0; ///< means of the last step, N m
    Vec3d hub;                                 ///< where it was before the last step
    bool touches = false;                      ///< the ground
};

struct VehicleState {
    double speed = 0; ///< m/s, forward is positive
    double rpm = 0;
    int gear = 1;
    double steer = 0;    ///< rad
    double shifting = 0; ///< s until the next gear is in
    double last_dt = 0;  ///< s; 0: not stepped yet
    std::vector<WheelState> wheels = {};
};

/// A value: a copy, with a snapshot of the world, is the state at one time.
class RIGOR_API Vehicle {
  public:
    /// Takes control of the bodies and joints: friction and rolling resistance of the wheels'
    /// contacts are set to zero, since the tire model replaces them; springs and limits of the
    /// joints are set.
    ///
    /// Fails, leaving the world unchanged, when the chassis is not a dynamic body, a wheel is
    /// listed twice or has no wheel joint to the chassis, or a number is out of range.
    static Result<Vehicle> make(World& world, VehicleDef def);

    const VehicleDef& def() const { return def_; }
    const VehicleInput& input() const { return input_; }
    /// Throws UsageError when a number is out of its range or there is no such gear.
    void set_input(const VehicleInput& input);
    const VehicleState& state() const { return state_; }

    /// Applies the forces for the following step of `dt`. Contact points and loads of the wheels
    /// are those of the last step. Bodies that were removed from the world are ignored.
    void update(World& world, double dt);

    /// The suspension of ray-cast wheels at this time step: a frequency above 0.6/(2 pi dt) is
    /// lowered, and a damping rate above 0.8/dt. Wheel bodies use the suspension as given.
    SpringDef suspension_at(double dt) const;

    /// 64 bits over all state but the definition.
    std::uint64_t state_hash() const;

  private:
    friend class VehicleUpdate;

    void adopt_wheels(World& world);
    void choose_brakes();
    double load_factor(std::size_t wheel, double load) const; ///< of friction

    VehicleDef def_;
    VehicleInput input_;
    VehicleState state_;
    Vec3d local_forward_, local_up_;    ///< seen from the chassis
    std::vector<Vec3d> local_hubs_;     ///< likewise, at rest
    std::vector<Vec3d> local_axles_;    ///< seen from the wheels
    Vec3d local_middle_;                ///< of the hubs
    std::vector<double> static_loads_;  ///< N, at rest on level ground
    std::vector<double> sprung_masses_; ///< kg on each wheel
    std::vector<double> motor_torques_; ///< N m of the brakes, as they are set
};

/// Force of a brush tire that rolls steadily, on the vehicle: x forward, y to the left.
struct TireForce {
    double x = 0, y = 0;
};

/// `slip_x`, `slip_y`: velocity of the vehicle over the contact, less that of rolling, over the
/// speed of rolling. `friction` is that of tire and ground together at this load.
RIGOR_API TireForce brush_tire_force(const TireDef& tire, double slip_x, double slip_y,
                                     double friction, double load);

} // namespace rigor
