// A stage: a simulation, what users did to it, and its past.
#pragma once

#include <chrono>
#include <map>

#include "view/past.h"

namespace rigor::view {

using Clock = std::chrono::steady_clock;

/// An action and the step before which it was done.
struct TimedAction {
    std::uint64_t step = 0;
    std::uint64_t group = 0; ///< those of one group are undone together; 0: with what is before
    Action action;
};

struct StageOptions {
    int threads = 1;
    std::size_t history_bytes = std::size_t{256} << 20;
};

/// Time in a stage is a number of steps. What was known before going back stays known: stepping
/// forward does the same actions again, and the same bits come out. Acting drops that future.
class Stage {
  public:
    static constexpr std::uint64_t kKeyframeEvery = 30;
    static constexpr std::uint64_t kHashEvery = 60;

    static Result<Stage> make(Scene scene, const StageOptions& options);

    const World& world() const { return simulation_.world(); }
    const Scene& scene() const { return simulation_.scene(); }
    const StageState& state() const { return state_; }
    const StepReport& report() const { return report_; }  ///< of the last step
    double step_seconds() const { return step_seconds_; } ///< wall time of the last step

    std::uint64_t now() const { return world().step_count(); }
    /// The last step that was ever reached and not dropped.
    std::uint64_t last_step() const { return last_; }

    void step();
    /// Goes to a step, back or forward, or as far as it gets until the deadline; true when there.
    bool approach(std::uint64_t step, Clock::time_point deadline);

    /// Does it now. The caller numbers groups, ascending; what goes on with an earlier action joins
    /// its group.
    Result<void> act(const Action& action, std::uint64_t group);
    /// Goes back to before the last group and leaves it out, if there is one.
    void undo();
    /// Does again what was undone last; what of it lies ahead is done when time gets there.
    void redo();
    std::uint64_t group_to_undo() const; ///< 0: none
    std::uint64_t group_to_redo() const; ///< 0: none
    std::size_t undo_count() const;
    std::size_t redo_count() const { return undone_.size(); }

    // Recordings.
    const std::vector<TimedAction>& actions() const { return actions_; }
    /// Every kHashEvery steps.
    const std::map<std::uint64_t, std::uint64_t>& hashes() const { return hashes_; }
    /// The future of a stage that is new: as it was recorded.
    void expect(std::vector<TimedAction> actions, std::uint64_t last_step,
                std::map<std::uint64_t, std::uint64_t> hashes);
    /// The first step at which the state was not what it was the time before.
    std::optional<std::uint64_t> difference() const { return difference_; }

    /// Joint i of the scene, null or stale when it is not there.
    JointId joint(std::size_t i) const { return simulation_.joint(i); }
    /// A body of a joint of the scene; null: the world itself.
    BodyId joined(std::int32_t body) const;

    std::size_t keyframes() const { return past_.size(); }
    std::size_t history_bytes() const { return past_.bytes(); }

  private:
    Stage(Simulation simulation, const StageOptions& options);

    Moment moment() const { return {now(), done_}; }
    void keep();
    void restore(const Keyframe& keyframe);
    void do_due_actions();
    void drop_future();
    void note_hash();
    std::uint64_t group_of(const Action& action, std::uint64_t next) const;

    Simulation simulation_;
    StageState state_;
    StepReport report_;
    double step_seconds_ = 0;
    std::vector<TimedAction> actions_; ///< the first done_ are done
    std::size_t done_ = 0;
    std::uint64_t last_ = 0;
    std::vector<std::vector<TimedAction>> undone_;
    std::map<std::uint64_t, std::uint64_t> hashes_;
    std::optional<std::uint64_t> difference_;
    Past past_;
};

} // namespace rigor::view
