// Tracks: joints whose rows come from a curve. They are few and need the curve in double, so they
// are solved one by one: after the other joints in the forward iteration, before them in the
// backward one; in parts of their own until they fit where the velocities lead.
#pragma once

#include "dynamics/joints/track.h"
#include "fast/joint_constraints.h"
#include "fast/joint_kernels.h"

namespace rigor::fast {

struct TrackConstraint {
    std::uint32_t joint = 0; ///< slot
    JointBlock<1> block;     ///< its coordinate is relative to `reference`: a float has few digits
    const TrackCurve* curve = nullptr;
    double start = 0;     ///< coordinate where the memory of the way begins
    double reference = 0; ///< coordinate at the beginning of the step

    // At the beginning of the step.
    Vec3d anchor_a, anchor_b; ///< from the centers of mass: the point of a, the frame of the curve
    Vec3d gap;                ///< from the one to the other
    Quatd frame_b;

    // Now.
    JointPose<double> pose;
    TrackCurve::Place place;
    TrackNormals normals;
};

/// Once it is known which bodies only smooth joints act on.
TrackConstraint make_track(const JointConstraint& constraint, const WorldState& state,
                           const SolverBodies& bodies, std::vector<JointMemory>& memory, float h);

// As those of joint_kernels.h.
void update_rows(TrackConstraint& track, const SolverBodies& bodies, float moved_for);
void predict_drift(TrackConstraint& track, const SolverBodies& bodies, float h);
/// The drift with which the velocities as they are lead to the displacements `ahead`. Returns how
/// far it is from what it was, as an angle: by so much the track does not fit there.
double find_drift(TrackConstraint& track, const SolverBodies& bodies, const SolverBody* ahead,
                  float h);

/// Impulses and place, for the next step.
void store_impulses(const TrackConstraint& track, JointMemory& memory, float h);

} // namespace rigor::fast
