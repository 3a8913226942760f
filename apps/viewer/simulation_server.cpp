#include "viewer/simulation_server.h"

#include <nlohmann/json.hpp>

namespace rigor::viewer {
namespace {

constexpr std::size_t kMaxQueuedCommands = 2000;
constexpr auto kSeekSlice = std::chrono::milliseconds(20); // between two looks at the queue

} // namespace

SimulationServer::SimulationServer(SimulationServerOptions options, Outbox& outbox)
    : options_(std::move(options)), outbox_(outbox) {}

SimulationServer::~SimulationServer() {
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
    }
    command_arrived_.notify_one();
    if (thread_.joinable()) thread_.join();
}

void SimulationServer::start() {
    thread_ = std::thread([this] { run(); });
}

bool SimulationServer::submit(Command command) {
    {
        const std::lock_guard lock(mutex_);
        // Disconnections must not be lost, so only requests are limited.
        const bool is_request = std::holds_alternative<ClientMessage>(command.content);
        if (is_request && commands_.size() >= kMaxQueuedCommands) return false;
        commands_.push_back(std::move(command));
    }
    command_arrived_.notify_one();
    return true;
}

// The time until which to wait for commands.
Clock::time_point SimulationServer::next_deadline() const {
    if (seek_target_) return Clock::now();
    Clock::time_point next = Clock::now() + std::chrono::hours(1);
    if (running_ && !worlds_.empty()) next = pacer_.due();
    if (file_watch_.is_active()) next = std::min(next, file_watch_.due());
    if (clients_.empty()) return next;
    if (frames_due_) next = std::min(next, frames_published_ + kFrameInterval);
    if (stats_due_) next = std::min(next, stats_sent_ + kStatsInterval);
    return next;
}

std::deque<Command> SimulationServer::take_commands() {
    const Clock::time_point deadline = next_deadline();
    std::unique_lock lock(mutex_);
    command_arrived_.wait_until(lock, deadline, [&] { return stopping_ || !commands_.empty(); });
    return std::exchange(commands_, {});
}

void SimulationServer::run() {
    for (;;) {
        for (const Command& command : take_commands()) handle(command);
        {
            const std::lock_guard lock(mutex_);
            if (stopping_) return;
        }
        reload_if_changed();
        if (seek_target_) {
            continue_seek();
        } else if (running_ && !worlds_.empty() && Clock::now() >= pacer_.due()) {
            step_all();
            pacer_.on_step(worlds_[0].session.state().time_step, speed_, Clock::now());
        }
        publish_if_due();
    }
}

void SimulationServer::step_all() {
    for (SimulatedWorld& world : worlds_) world.session.step();
    frames_due_ = stats_due_ = true;
    if (clients_.empty()) return;
    collect_events();
    send_driven();
}

void SimulationServer::start_seek(std::uint64_t step) {
    running_ = false;
    seek_target_ = step;
}

void SimulationServer::continue_seek() {
    const Clock::time_point deadline = Clock::now() + kSeekSlice;
    bool arrived = true;
    for (SimulatedWorld& world : worlds_)
        arrived = world.session.seek(*seek_target_, deadline) && arrived;
    if (!arrived) return;
    seek_target_.reset();
    invalidate_all();
}

void SimulationServer::invalidate_all() {
    for (SimulatedWorld& world : worlds_) world.frame_builder.invalidate();
    frames_due_ = stats_due_ = true;
    pacer_.start(Clock::now());
}

void SimulationServer::handle(const Command& command) {
    requester_ = command.client;
    request_id_.reset();
    if (std::holds_alternative<Disconnected>(command.content))
        return handle_disconnect(command.client);
    if (const auto* subscriptions = std::get_if<Subscriptions>(&command.content)) {
        subscriptions_ = *subscriptions;
        frames_due_ = stats_due_ = true;
        return;
    }
    const ClientMessage& message = std::get<ClientMessage>(command.content);
    request_id_ = message.id;
    std::visit([&](const auto& request) { handle(request); }, message.request);
}

const Session* SimulationServer::find_session(std::size_t world) const {
    return world < worlds_.size() ? &worlds_[world].session : nullptr;
}

} // namespace rigor::viewer
