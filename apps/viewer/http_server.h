// The listener: HTTP and WebSocket connections for a SimulationServer, all in one thread.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "rigor/result.h"
#include "viewer/simulation_server.h"

namespace rigor::viewer {

struct HttpServerOptions {
    std::string address = "127.0.0.1";
    unsigned short port = 0;          ///< 0: any free port
    std::string token;                ///< required of every request, unless it is empty
    std::vector<std::string> origins; ///< further origins that may connect
    std::filesystem::path scenes;     ///< the gallery's folder
    std::filesystem::path page;       ///< empty: the embedded page
    /// Called with one line for each refused request or connection, at most ten times a second.
    std::function<void(const std::string&)> log = {};
};

class HttpServer {
  public:
    /// Fails when the address cannot be listened to.
    static Result<std::unique_ptr<HttpServer>> make(HttpServerOptions options,
                                                    SimulationServer& simulation, Outbox& outbox);
    ~HttpServer();

    unsigned short port() const;
    /// Returns after stop(), or on SIGINT or SIGTERM after stop_on_signals().
    void run();
    void stop(); ///< from any thread
    void stop_on_signals();

  private:
    struct Listener;
    explicit HttpServer(std::unique_ptr<Listener> listener);
    std::unique_ptr<Listener> listener_;
};

} // namespace rigor::viewer
