// The way of a body in a step, and the first obstacle on it.
#pragma once

#include "fast/step_data.h"
#include "geometry/motion_bounds.h"

namespace rigor::fast {

/// The motion of a body from a time of the step to its end: its center of mass at a constant
/// velocity, turning at a constant rate.
struct BodyWay {
    BodyMotion start, end; ///< of the first only the pose counts
    Vec3d displacement, rotation;
    double from = 0; ///< time, as a fraction of the step
};

/// The pose after the fraction t of a way. Angular momentum turns with the body, so that a body
/// that is stopped has the kinetic energy it came with: where it would have turned to by then is
/// not known.
BodyMotion motion_after(const BodyWay& way, double t);

/// What stops a body.
struct Stop {
    double t = 1; ///< the fraction of its way that a body may make
    /// Whether the contacts of this step were there to stop it, and did not.
    bool was_in_contact = false;
    Vec3d point, normal; ///< on the body; toward the obstacle
    Vec3d velocity;      ///< of the obstacle at that point
    Vec3d carrier;       ///< what may not come nearer: the point, or the center of a ball
    double lacking = 0;  ///< of the gap to stop at, m
};

/// Sweeps bodies against those that may stop them.
class BodySweep {
  public:
    explicit BodySweep(const StepData& step);

    /// From where the body was at the beginning of the step to where it is.
    BodyWay way_of(std::uint32_t body) const;

    /// Whether any shape of a body moved so far that it may have passed through something. Bounds
    /// contain the expected motion, and pairs the shapes in them: a shape that stayed in bounds
    /// without obstacles has passed through nothing. One that is deep in a surface may pass with
    /// any motion.
    bool may_have_passed(std::uint32_t body) const;

    Stop first_stop(std::uint32_t body, const BodyWay& way) const;

  private:
    struct ShapeWay;

    template <class Visit>
    void for_each_placed(std::uint32_t body, const Visit& visit) const;
    Motion<double> motion_of(const ShapeProxy& shape) const;
    Motion<double> motion_from(const ShapeProxy& shape, double from) const;
    double thickness(const ShapeProxy& shape) const;
    bool stayed_in_bounds(const ShapeProxy& shape, const Motion<double>& motion) const;
    bool is_obstacle(const ShapeProxy& shape, const ShapeProxy& other, const BodyWay& way) const;
    void sweep(const ShapeProxy& shape, const BodyWay& way, Stop& stop) const;
    Stop stop_at(const ShapeWay& way, const ShapeProxy& other) const;
    Stop core_stop(const ShapeWay& way, const ShapeProxy& other,
                   const Motion<double>& other_motion) const;
    const ContactPair* pair_of(std::uint32_t a, std::uint32_t b) const;

    const WorldState& state_;
    const StepContext& context_;
    const CollisionShapeCache& shapes_;
    const PairStore& pairs_;
    const BitSet &near_immovable_, &deep_;
    double dt_;
};

} // namespace rigor::fast
