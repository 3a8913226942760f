#include "viewer/session.h"

#include <algorithm>
#include <set>

#include "viewer/apply_action.h"
#include "viewer/drag.h"
#include "viewer/driver_input.h"
#include "viewer/fracture_bodies.h"
#include "viewer/keyboard_control.h"

namespace rigor::viewer {
namespace {

/// An event-driven step may take long; clients must be able to stop it.
constexpr double kMaxStepSeconds = 5;

} // namespace

Result<Session> Session::make(Scene scene, const SessionOptions& options) {
    if (!scene.settings.find("max_wall_seconds"))
        scene.settings.set("max_wall_seconds", kMaxStepSeconds);
    Result<Simulation> simulation =
        Simulation::make(std::move(scene), {.threads = options.threads, .has_input = true});
    if (!simulation) return simulation.error();
    return Session(std::move(*simulation), options);
}

Session::Session(Simulation simulation, const SessionOptions& options)
    : simulation_(std::move(simulation)), history_(options.history_bytes) {
    state_.bodies = std::make_shared<const std::vector<SessionBody>>(scene_bodies(simulation_));
    state_.time_step = scene().time_step;
    simulation_.world().keep_island_ledgers(true);
    save_keyframe();
    record_hash();
}

SessionCopy Session::copy_from(std::uint64_t step) const {
    const auto applied = actions_.begin() + static_cast<std::ptrdiff_t>(applied_);
    return {scene(), history_.latest_before({step, SIZE_MAX}), {actions_.begin(), applied}};
}

Result<Session> Session::make(SessionCopy copy, const SessionOptions& options) {
    Result<Session> session = make(std::move(copy.scene), options);
    if (!session) return session;
    session->actions_ = std::move(copy.actions);
    session->restore(copy.keyframe);
    session->history_.add(std::move(copy.keyframe));
    return session;
}

BodyId Session::joint_body(std::int32_t body) const {
    return body == SceneJoint::kWorld ? BodyId{} : simulation_.body(static_cast<std::size_t>(body));
}

void Session::save_keyframe() {
    if (history_.contains(position())) return;
    history_.add({position(), simulation_.snapshot(), state_, report_, world().memory_bytes()});
}

void Session::record_hash() {
    const auto [known, is_new] = hashes_.emplace(current_step(), 0);
    const std::uint64_t hash = simulation_.state_hash();
    if (!is_new && known->second != hash && !divergence_) divergence_ = current_step();
    known->second = hash;
}

// Keyframes and hashes are taken before the actions of their step, so they are the same each time
// the step is reached.
void Session::step() {
    const Clock::time_point start = Clock::now();
    apply_drag_forces(simulation_, state_);
    apply_keys_to_drivers(simulation_, state_);
    drive_vehicles(simulation_, state_);
    report_ = simulation_.step(state_.time_step);
    apply_fractures(simulation_, state_);
    step_seconds_ = std::chrono::duration<double>(Clock::now() - start).count();
    if (current_step() % kKeyframeInterval == 0) save_keyframe();
    if (current_step() % kHashInterval == 0) record_hash();
    last_step_ = std::max(last_step_, current_step());
    apply_due_actions();
}

void Session::apply_due_actions() {
    for (; applied_ < actions_.size() && actions_[applied_].step <= current_step(); ++applied_) {
        // An action that failed when it was recorded fails again, with nothing changed.
        (void)apply_action(actions_[applied_].action, simulation_, state_);
    }
}

void Session::restore(const Keyframe& keyframe) {
    simulation_.restore(keyframe.simulation);
    state_ = keyframe.state;
    report_ = keyframe.report;
    applied_ = keyframe.at.actions;
    apply_due_actions();
}

bool Session::seek(std::uint64_t target, Clock::time_point deadline) {
    const Keyframe& nearest = history_.latest_before({target, SIZE_MAX});
    if (target < current_step() || nearest.at.step > current_step()) restore(nearest);
    while (current_step() < target) {
        step();
        if (Clock::now() >= deadline) break;
    }
    return current_step() == target;
}

void Session::discard_future() {
    actions_.resize(applied_);
    history_.discard_after(position());
    hashes_.erase(hashes_.upper_bound(current_step()), hashes_.end());
    last_step_ = current_step();
}

std::uint64_t Session::group_of(const UserAction& action, std::uint64_t new_group) const {
    if (is_device_input(action)) return 0;
    if (!continues_drag(action)) return new_group;
    for (auto timed = actions_.rbegin(); timed != actions_.rend(); ++timed)
        if (timed->action.user == action.user && std::holds_alternative<Grab>(timed->action.action))
            return timed->group;
    return 0;
}

Result<void> Session::act(const UserAction& action, std::uint64_t group) {
    if (!continues_drag(action) && !is_device_input(action)) save_keyframe();
    if (auto done = apply_action(action, simulation_, state_); !done) return done;
    discard_future();
    undone_.clear();
    actions_.push_back({current_step(), group_of(action, group), action});
    ++applied_;
    return {};
}

std::uint64_t Session::group_to_undo() const {
    for (std::size_t i = applied_; i-- > 0;)
        if (actions_[i].group != 0) return actions_[i].group;
    return 0;
}

std::uint64_t Session::group_to_redo() const {
    return undone_.empty() ? 0 : undone_.back().front().group;
}

std::size_t Session::undo_count() const {
    std::set<std::uint64_t> groups;
    for (std::size_t i = 0; i < applied_; ++i) groups.insert(actions_[i].group);
    groups.erase(0);
    return groups.size();
}

void Session::undo() {
    const std::uint64_t group = group_to_undo();
    if (group == 0) return;
    const auto is_of_group = [&](const TimedAction& timed) { return timed.group == group; };
    const auto first = std::find_if(actions_.begin(), actions_.end(), is_of_group);
    std::vector<TimedAction> undone;
    std::copy_if(first, actions_.end(), std::back_inserter(undone), is_of_group);
    const HistoryPosition before{first->step, static_cast<std::size_t>(first - actions_.begin())};
    actions_.resize(before.actions);
    history_.discard_after(before);
    restore(history_.latest_before(before));
    while (current_step() < before.step) step();
    discard_future();
    undone_.push_back(std::move(undone));
}

void Session::redo() {
    if (undone_.empty()) return;
    std::vector<TimedAction> redone = std::move(undone_.back());
    undone_.pop_back();
    save_keyframe();
    discard_future();
    const std::uint64_t shift = current_step() - std::min(current_step(), redone.front().step);
    for (TimedAction& timed : redone) {
        timed.step += shift;
        last_step_ = std::max(last_step_, timed.step);
        actions_.push_back(timed);
    }
    apply_due_actions();
}

void Session::set_future(std::vector<TimedAction> actions, std::uint64_t last_step,
                         std::map<std::uint64_t, std::uint64_t> hashes) {
    actions_ = std::move(actions);
    last_step_ = last_step;
    hashes_ = std::move(hashes);
    record_hash();
    apply_due_actions();
}

} // namespace rigor::viewer
