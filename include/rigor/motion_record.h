// Motion records: the motion, forces and impulses within a step, in enough detail to check them
// without the engine (docs/design/certificates.md).
#pragma once

#include <string_view>
#include <vector>

#include "rigor/events.h"
#include "rigor/quat.h"

namespace rigor {

/// The state of a body: its center of mass, the orientation of its own frame, momentum, and angular
/// momentum about the center of mass. Of a kinematic body p and l are the velocity and the angular
/// velocity.
struct RecordedState {
    Vec3d x;
    Quatd q;
    Vec3d p, l;
};

/// A contact point with its force, or its impulse.
struct RecordedContact {
    ContactSide a, b;
    Vec3d point, normal; ///< from a to b
    Vec3d force;         ///< on b: N, or N s of an impulse
    double static_friction = 0, kinetic_friction = 0, restitution = 0;
    bool sticks = false; ///< claims that its surfaces do not slip
};

/// Force along a degree of freedom of a joint: of a limit, a motor, or dry friction.
struct RecordedAction {
    enum class Kind { limit, motor, friction } kind = Kind::limit;
    Vec3d linear, angular; ///< force and torque on b, about its anchor
    double target_rate = 0;
    double max_force = 0; ///< infinite where there is no bound
};

/// The force of a joint on b, about its anchor; on a the opposite. The actions are part of it.
struct RecordedJoint {
    JointId joint;
    Vec3d anchor, force, torque;
    std::vector<RecordedAction> actions = {};
};

/// All bodies of a record at one time, with the forces between them.
struct RecordedInstant {
    double time = 0; ///< s, since the beginning of the step
    std::vector<RecordedState> states;
    std::vector<RecordedContact> contacts = {};
    std::vector<RecordedJoint> joints = {};
};

/// A force through the center of mass of a body, and a torque, that act during the whole step.
struct RecordedLoad {
    BodyId body;
    Vec3d force, torque;
};

/// A piece of the motion of some bodies.
struct MotionRecord {
    enum class Kind {
        flight,     ///< free flight between two instants
        motion,     ///< motion under forces: the instants are the nodes of Lobatto quadrature
        rest,       ///< two instants; the forces, at the first, balance throughout
        impact,     ///< before and after; the impulses are at the first instant
        projection, ///< likewise: velocities below a threshold are removed
        substep,    ///< of time stepping: begin and end; the impulses are at the first instant
        correction, ///< positions are corrected: before and after
        loads,      ///< the forces of the caller in this step
        unrecorded, ///< something that no record can express
    };
    Kind kind = Kind::flight;
    std::vector<BodyId> bodies;
    std::vector<RecordedInstant> instants;
    std::vector<RecordedLoad> loads = {};
    std::string_view law = {};   ///< of an impact; why something is unrecorded
    double approach = 0;         ///< m/s: of an impact without approach, what the law was given
    double work_compression = 0; ///< J: of the normal impulse of the one contact that is hit
    double work_restitution = 0;
};

} // namespace rigor
