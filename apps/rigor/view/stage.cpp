#include "view/stage.h"

#include <algorithm>
#include <set>

namespace rigor::view {
namespace {

/// A step from event to event may take long; those who watch must be able to stop it.
constexpr double kLongestStep = 5; // s

std::shared_ptr<const std::vector<Member>> members_of(const Simulation& simulation) {
    std::vector<Member> members;
    for (std::size_t i = 0; i < simulation.scene().bodies.size(); ++i) {
        const BodyId id = simulation.body(i);
        if (members.size() <= id.index) members.resize(id.index + 1);
        members[id.index] = {id, std::make_shared<const SceneBody>(simulation.scene().bodies[i])};
    }
    return std::make_shared<const std::vector<Member>>(std::move(members));
}

} // namespace

// Without contacts a simulation has no joints, and could get none later.
Result<Stage> Stage::make(Scene scene, const StageOptions& options) {
    const bool is_free = scene.method == "free" && !scene.joints.empty();
    if (is_free) scene.method = "fast";
    if (!scene.settings.find("max_wall_seconds"))
        scene.settings.set("max_wall_seconds", kLongestStep);
    Result<Simulation> simulation =
        Simulation::make(std::move(scene), SimulationOptions{options.threads, false});
    if (!simulation) return simulation.error();
    if (is_free) {
        WorldSettings settings = simulation->world().settings();
        settings.method = Method::free;
        simulation->world().set_settings(settings);
    }
    return Stage(std::move(*simulation), options);
}

Stage::Stage(Simulation simulation, const StageOptions& options)
    : simulation_(std::move(simulation)), past_(options.history_bytes) {
    state_.members = members_of(simulation_);
    state_.time_step = scene().time_step;
    simulation_.world().keep_island_ledgers(true);
    keep();
    note_hash();
}

BodyId Stage::joined(std::int32_t body) const {
    return body == SceneJoint::kWorld ? BodyId{} : simulation_.body(static_cast<std::size_t>(body));
}

void Stage::keep() {
    if (past_.has(moment())) return;
    past_.keep({moment(), world().snapshot(), state_, report_, world().memory_bytes()});
}

void Stage::note_hash() {
    const auto [known, is_new] = hashes_.emplace(now(), 0);
    const std::uint64_t hash = world().state_hash();
    if (!is_new && known->second != hash && !difference_) difference_ = now();
    known->second = hash;
}

// Keyframes and hashes are of the state before the actions of their step, so that they are the same
// whenever the step is reached.
void Stage::step() {
    const Clock::time_point start = Clock::now();
    pull_holds(simulation_, state_);
    move_hands(simulation_, state_);
    report_ = simulation_.step(state_.time_step);
    step_seconds_ = std::chrono::duration<double>(Clock::now() - start).count();
    if (now() % kKeyframeEvery == 0) keep();
    if (now() % kHashEvery == 0) note_hash();
    last_ = std::max(last_, now());
    do_due_actions();
}

void Stage::do_due_actions() {
    for (; done_ < actions_.size() && actions_[done_].step <= now(); ++done_)
        (void)do_action(actions_[done_].action, simulation_,
                        state_); // it may fail as it did before
}

void Stage::restore(const Keyframe& keyframe) {
    simulation_.world().restore(keyframe.world);
    state_ = keyframe.state;
    report_ = keyframe.report;
    done_ = keyframe.at.actions;
    do_due_actions();
}

bool Stage::approach(std::uint64_t target, Clock::time_point deadline) {
    const Keyframe& nearest = past_.before({target, SIZE_MAX});
    if (target < now() || nearest.at.step > now()) restore(nearest);
    while (now() < target) {
        step();
        if (Clock::now() >= deadline) break;
    }
    return now() == target;
}

void Stage::drop_future() {
    actions_.resize(done_);
    past_.drop_after(moment());
    hashes_.erase(hashes_.upper_bound(now()), hashes_.end());
    last_ = now();
}

std::uint64_t Stage::group_of(const Action& action, std::uint64_t next) const {
    if (std::holds_alternative<PressKeys>(action.deed)) return 0;
    if (!goes_on(action)) return next;
    for (auto timed = actions_.rbegin(); timed != actions_.rend(); ++timed)
        if (timed->action.hand == action.hand && std::holds_alternative<Grab>(timed->action.deed))
            return timed->group;
    return 0;
}

Result<void> Stage::act(const Action& action, std::uint64_t group) {
    if (!goes_on(action)) keep();
    if (auto done = do_action(action, simulation_, state_); !done) return done;
    drop_future();
    undone_.clear();
    actions_.push_back({now(), group_of(action, group), action});
    ++done_;
    return {};
}

std::uint64_t Stage::group_to_undo() const {
    for (std::size_t i = done_; i-- > 0;)
        if (actions_[i].group != 0) return actions_[i].group;
    return 0;
}

std::uint64_t Stage::group_to_redo() const {
    return undone_.empty() ? 0 : undone_.back().front().group;
}

std::size_t Stage::undo_count() const {
    std::set<std::uint64_t> groups;
    for (std::size_t i = 0; i < done_; ++i) groups.insert(actions_[i].group);
    groups.erase(0);
    return groups.size();
}

void Stage::undo() {
    const std::uint64_t group = group_to_undo();
    if (group == 0) return;
    const auto is_of_group = [&](const TimedAction& timed) { return timed.group == group; };
    const auto first = std::find_if(actions_.begin(), actions_.end(), is_of_group);
    std::vector<TimedAction> undone;
    std::copy_if(first, actions_.end(), std::back_inserter(undone), is_of_group);
    const Moment before{first->step, static_cast<std::size_t>(first - actions_.begin())};
    actions_.resize(before.actions);
    past_.drop_after(before);
    restore(past_.before(before));
    while (now() < before.step) step();
    drop_future();
    undone_.push_back(std::move(undone));
}

void Stage::redo() {
    if (undone_.empty()) return;
    std::vector<TimedAction> again = std::move(undone_.back());
    undone_.pop_back();
    keep();
    drop_future();
    const std::uint64_t shift = now() - std::min(now(), again.front().step);
    for (TimedAction& timed : again) {
        timed.step += shift;
        last_ = std::max(last_, timed.step);
        actions_.push_back(timed);
    }
    do_due_actions();
}

void Stage::expect(std::vector<TimedAction> actions, std::uint64_t last_step,
                   std::map<std::uint64_t, std::uint64_t> hashes) {
    actions_ = std::move(actions);
    last_ = last_step;
    hashes_ = std::move(hashes);
    note_hash();
    do_due_actions();
}

} // namespace rigor::view
