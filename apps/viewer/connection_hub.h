// The state that all connections share: clients, access rules, files, and the log. Network thread
// only.
#pragma once

#include <map>
#include <memory>
#include <utility>

#include "viewer/access_control.h"
#include "viewer/assets.h"
#include "viewer/gallery.h"
#include "viewer/http_server.h"
#include "viewer/send_queue.h"

namespace rigor::viewer {

/// Writes at most ten lines a second; further lines are counted.
class RateLimitedLog {
  public:
    explicit RateLimitedLog(std::function<void(const std::string&)> write)
        : write_(std::move(write)) {}

    void operator()(const std::string& line);

  private:
    static constexpr int kLinesPerSecond = 10;

    std::function<void(const std::string&)> write_;
    Clock::time_point second_began_{};
    int written_ = 0, suppressed_ = 0;
};

/// A client that has sent hello, as the hub sees it.
class Client {
  public:
    virtual ~Client() = default;
    virtual SendQueue& queue() = 0;
    /// Starts to send what the queue holds, unless a write is in progress.
    virtual void send_next() = 0;
    /// Keeps the client alive for as long as the pointer lives.
    virtual std::shared_ptr<Client> hold() = 0;
};

class ConnectionHub {
  public:
    ConnectionHub(HttpServerOptions options, AccessOptions access_options,
                  SimulationServer& simulation_server);

    const HttpServerOptions options;
    const AccessControl access;
    SimulationServer& simulation;
    Gallery gallery;
    const Assets assets;
    RateLimitedLog log;

    int connection_count() const { return connections_; }
    ClientId new_client_id() { return ++last_client_; }
    void add(ClientId id, Client& client) { clients_[id] = &client; }
    void remove(ClientId id);

    /// The newest frames; null before the first.
    const FrameSet* frames() const { return frames_.get(); }
    /// Tells the simulation server what all clients together subscribe to, when that changed.
    void update_subscriptions();
    /// Hands messages and frames of the simulation server to the clients.
    void deliver(Outbox::Content content);

  private:
    friend class ConnectionSlot;

    int connections_ = 0;
    ClientId last_client_ = 0;
    std::map<ClientId, Client*> clients_;
    std::shared_ptr<const FrameSet> frames_;
    Subscriptions subscriptions_;
};

/// Counts one connection for as long as it lives. An HTTP connection that is upgraded to a
/// WebSocket passes its slot on.
class ConnectionSlot {
  public:
    explicit ConnectionSlot(ConnectionHub& hub) : hub_(&hub) { ++hub.connections_; }
    ConnectionSlot(ConnectionSlot&& other) noexcept : hub_(std::exchange(other.hub_, nullptr)) {}
    ConnectionSlot& operator=(ConnectionSlot&&) = delete;
    ~ConnectionSlot() {
        if (hub_) --hub_->connections_;
    }

  private:
    ConnectionHub* hub_;
};

} // namespace rigor::viewer
