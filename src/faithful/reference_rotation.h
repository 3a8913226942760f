// Reference rotation: how the bodies of an island would turn without any torque.
//
// An integrator that sees only the rotation by which a body differs from it (Encke's method, known
// from orbits [Encke 1854]) follows a fast spin exactly, however long its steps are: what it
// integrates is the effect of the torques alone. A body on a joint that exerts no torque turns like
// a free one, which matters where errors grow, as in the flips about an axis with the middle moment
// of inertia.
#pragma once

#include "contact_dynamics/island.h"

namespace rigor::faithful {

using namespace contact_dynamics;

class ReferenceRotation {
  public:
    struct Turn {
        Quatd q;
        Vec3d w; ///< angular velocity
    };

    /// From the state of the island on.
    ReferenceRotation(const WorldState& state, const Island& island);

    /// Where the center of mass of a body was.
    const Vec3d& start(std::size_t index) const { return bodies_[index].start.x; }
    Quatd orientation(std::size_t index, double time) const;
    Turn at(std::size_t index, double time) const;
    std::size_t size() const { return bodies_.size(); }

  private:
    struct Body {
        std::uint32_t slot = kWorldBody; ///< kWorldBody: it does not turn
        BodyMotion start;
    };

    const WorldState& state_;
    double begin_;
    std::vector<Body> bodies_;
};

} // namespace rigor::faithful
