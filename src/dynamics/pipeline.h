// Pipeline: the interface between a World and the method that steps it.
//
// A World owns a WorldState and one Pipeline. The pipeline advances the state by a step, and has
// its own state between steps: contacts with their impulses, sleeping islands, its broadphase. To
// add one, derive from Pipeline (or AlwaysAwakePipeline, when nothing sleeps under it) in a folder
// of its own and add it to the table of world/pipelines.cpp.
#pragma once

#include <memory>
#include <vector>

#include "base/function_ref.h"
#include "base/hash.h"
#include "base/profile.h"
#include "base/thread_team.h"
#include "model/shape_proxies.h"
#include "model/world_state.h"
#include "rigor/events.h"
#include "rigor/motion_record.h"
#include "rigor/report.h"
#include "rigor/result.h"
#include "rigor/settings.h"

namespace rigor {

/// Input and output of a step. `report` and `events` are cleared before.
struct PipelineStep {
    WorldState& state;
    const WorldSettings& settings;
    ThreadTeam& team;
    Profile& profile;
    const ContactHooks& hooks;
    StepReport& report;
    /// Joints in `broken` are still in the state: the world removes them after the step.
    Events& events;
    /// Where set, the motion records of the step are written there, by methods that have them.
    std::vector<MotionRecord>* records = nullptr;
};

/// State of a joint that only the pipeline has.
struct JointReadout {
    double angle = 0;    ///< of a hinge or wheel, whole turns included, after the last step
    Vec3d force, torque; ///< on b, at its anchor, at the end of the last step
};

/// A value: clone() is half of a snapshot, add_to_hash() half of the state hash.
class Pipeline {
  public:
    virtual ~Pipeline() = default;
    /// A copy of its state, without scratch memory.
    virtual std::unique_ptr<Pipeline> clone() const = 0;

    /// Whether a world can be stepped with these settings, which name a method of this pipeline.
    virtual Result<void> check(const WorldSettings& settings) const;

    /// Advances the state by dt. Returns the time advanced, which is less than dt when the budget
    /// of the step was used up.
    virtual double step(const PipelineStep& step, double dt) = 0;
    /// Called after every step, when bodies are wrapped into a periodic cell. `shapes` has their
    /// poses. For pipelines whose contact detection ignores sensors.
    virtual void update_sensors(const WorldState& state, FunctionRef<const ShapeProxies&()> shapes,
                                Events& events);

    /// Every manifold of the last step, in the order of the shapes' ids.
    virtual std::vector<ContactView> contacts(const WorldState& state) const = 0;
    virtual JointReadout joint_readout(JointId joint) const;

    // Changes from outside, by slot. Added and changed: already in the state. Removed: a body is
    // still in the state, a joint is not.
    virtual void body_added(const WorldState& state, std::uint32_t body) = 0;
    virtual void body_moved(std::uint32_t body);
    virtual void body_removed(const WorldState& state, std::uint32_t body) = 0;
    /// The geometry of shapes of a body that is not dynamic; their ids stay. Sleeping bodies near
    /// the new shapes are woken, and appended to `woken`.
    virtual void shapes_changed(const WorldState& state, std::uint32_t body,
                                std::vector<std::uint32_t>& woken);
    virtual void material_changed(const WorldState& state, std::uint32_t body);
    virtual void joint_added(const WorldState& state, std::uint32_t joint) = 0;
    virtual void joint_removed(const WorldState& state, std::uint32_t joint,
                               const JointRecord& record) = 0;
    virtual void periodic_cell_changed(const WorldState& state);
    /// After any of these, and after every other change of the state.
    virtual void state_changed();

    // Sleep. Bodies that a call wakes are appended to `woken`.
    /// Slots of movable bodies that do not sleep, ascending.
    virtual const std::vector<std::uint32_t>& awake_bodies() const = 0;
    virtual bool is_awake(std::uint32_t body) const;
    virtual void wake(const WorldState& state, std::uint32_t body,
                      std::vector<std::uint32_t>& woken);
    virtual void wake_all(const WorldState& state, std::vector<std::uint32_t>& woken);
    /// Wakes the bodies near a body that does not sleep itself: they may rest on it.
    virtual void wake_around(const WorldState& state, std::uint32_t body,
                             std::vector<std::uint32_t>& woken);

    virtual void add_to_hash(Hasher& hasher) const = 0;
    virtual std::size_t memory_bytes() const = 0;
};

} // namespace rigor
