// A session: a simulation, the actions of users, and its history.
#pragma once

#include <chrono>
#include <map>

#include "viewer/action.h"
#include "viewer/history.h"

namespace rigor::viewer {

using Clock = std::chrono::steady_clock;

/// An action and the step before which it was applied.
struct TimedAction {
    std::uint64_t step = 0;
    std::uint64_t group = 0; ///< actions of one group are undone together; 0: not on its own
    UserAction action;
};

struct SessionOptions {
    int threads = 1;
    std::size_t history_bytes = std::size_t{256} << 20;
};

/// What it takes to simulate a stretch of the past again, beside the session itself.
struct SessionCopy {
    Scene scene;
    Keyframe keyframe;
    std::vector<TimedAction> actions; ///< those that were applied
};

/// Time is counted in steps. Seeking back keeps the future: stepping forward applies the same
/// actions again and gives the same bits. A new action discards that future.
class Session {
  public:
    static constexpr std::uint64_t kKeyframeInterval = 30;
    static constexpr std::uint64_t kHashInterval = 60;

    static Result<Session> make(Scene scene, const SessionOptions& options);
    /// A session of its own, at the keyframe of the copy.
    static Result<Session> make(SessionCopy copy, const SessionOptions& options);
    /// From the latest keyframe at or before a step.
    SessionCopy copy_from(std::uint64_t step) const;

    const Simulation& simulation() const { return simulation_; }
    const World& world() const { return simulation_.world(); }
    const Scene& scene() const { return simulation_.scene(); }
    const std::vector<Vehicle>& vehicles() const { return simulation_.vehicles(); }
    const SessionState& state() const { return state_; }
    const StepReport& report() const { return report_; }  ///< of the last step
    double step_seconds() const { return step_seconds_; } ///< wall time of the last step

    std::uint64_t current_step() const { return world().step_count(); }
    /// The last step that was reached and not discarded since.
    std::uint64_t last_step() const { return last_step_; }

    void step();
    /// Goes to a step, back or forward. Returns false when the deadline came first; then call it
    /// again to go on.
    bool seek(std::uint64_t step, Clock::time_point deadline);

    /// Applies an action now. The caller numbers groups, ascending. MoveGrab and Release join the
    /// group of their Grab.
    Result<void> act(const UserAction& action, std::uint64_t group);
    /// Goes back to before the last group and removes it, if there is one.
    void undo();
    /// Applies the group that was undone last. Its later actions are applied when their step comes.
    void redo();
    std::uint64_t group_to_undo() const; ///< 0: none
    std::uint64_t group_to_redo() const; ///< 0: none
    std::size_t undo_count() const;
    std::size_t redo_count() const { return undone_.size(); }

    /// The number of actions() that are applied; the others are in the future.
    std::size_t applied_actions() const { return applied_; }
    /// World::keep_motion_records.
    void keep_motion_records() { simulation_.world().keep_motion_records(true); }

    // Recordings.
    const std::vector<TimedAction>& actions() const { return actions_; }
    /// State hashes by step, every kHashInterval steps.
    const std::map<std::uint64_t, std::uint64_t>& hashes() const { return hashes_; }
    /// Sets the future of a new session to what was recorded.
    void set_future(std::vector<TimedAction> actions, std::uint64_t last_step,
                    std::map<std::uint64_t, std::uint64_t> hashes);
    /// The first step whose hash was not the one recorded before.
    std::optional<std::uint64_t> divergence() const { return divergence_; }

    /// Bodies that broke in the last step.
    const std::vector<FractureEvent>& fractures() const { return simulation_.fractures(); }
    /// Bodies of the scene that are made of pieces from the start.
    const std::vector<Simulation::Bonded>& bonded() const { return simulation_.bonded(); }

    /// Joint i of the scene; null or stale when it does not exist.
    JointId joint(std::size_t i) const { return simulation_.joint(i); }
    /// A body of a joint of the scene; null for the world.
    BodyId joint_body(std::int32_t body) const;

    std::size_t keyframes() const { return history_.size(); }
    std::size_t history_bytes() const { return history_.bytes(); }

  private:
    Session(Simulation simulation, const SessionOptions& options);

    HistoryPosition position() const { return {current_step(), applied_}; }
    void save_keyframe();
    void restore(const Keyframe& keyframe);
    void apply_due_actions();
    void discard_future();
    void record_hash();
    std::uint64_t group_of(const UserAction& action, std::uint64_t new_group) const;

    Simulation simulation_;
    SessionState state_;
    StepReport report_;
    double step_seconds_ = 0;
    std::vector<TimedAction> actions_; ///< by step; the first applied_ are applied
    std::size_t applied_ = 0;
    std::uint64_t last_step_ = 0;
    std::vector<std::vector<TimedAction>> undone_;
    std::map<std::uint64_t, std::uint64_t> hashes_;
    std::optional<std::uint64_t> divergence_;
    History history_;
};

} // namespace rigor::viewer
