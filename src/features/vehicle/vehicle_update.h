// Update of a vehicle before each step: wheel loads, gear and steering, tire forces.
#pragma once

#include <vector>

#include "features/vehicle/brush_tire.h"
#include "features/vehicle/engine.h"
#include "features/vehicle/ground_contact.h"

namespace rigor {

/// One update of a vehicle: contacts and loads, then gear and steering, then the tires' forces.
class VehicleUpdate {
  public:
    VehicleUpdate(Vehicle& vehicle, World& world, double dt);

    /// Whether the whole vehicle sleeps and has no input: applying forces would wake it.
    bool may_sleep() const;
    void run();

  private:
    /// A wheel in the world, and the axes of its contact.
    struct Wheel {
        bool exists = false;
        bool attached = false; ///< to the chassis: it is driven, braked and steered
        Vec3d hub, axle;
        vehicle::GroundContact contact;
        Vec3d x, y; ///< forward and to the left along the ground; zero without contact
        double radius = 0, inertia = 1;
        Vec3d rolling; ///< velocity of the contact by one rad/s of spin
    };

    void find_wheels();
    void find_body_wheel(std::size_t i);
    void find_ray_wheel(std::size_t i);
    void set_contact_axes(Wheel& wheel, double radius);
    void steer(double dt);
    double steer_angle(std::size_t i) const;
    void drive();
    double brake_torque(std::size_t i) const;
    vehicle::TireStep tire_step(std::size_t i) const;
    void predict(std::size_t i, vehicle::TireStep& step);
    void apply(std::size_t i, const vehicle::TireOutcome& outcome);
    void apply_to_body_wheel(std::size_t i, const vehicle::TireOutcome& outcome);
    void transfer_moment(std::size_t wheel, const Vec3d& push);
    void apply_drag();

    const VehicleDef& def_;
    const VehicleInput& input_;
    VehicleState& state_;
    Vehicle& vehicle_;
    World& world_;
    double dt_;
    bool has_chassis_;
    Vec3d forward_, up_;
    std::vector<Wheel> wheels_;
    double touching_ = 0; ///< number of wheels on the ground
    vehicle::DriveTorque torque_;
};

} // namespace rigor
