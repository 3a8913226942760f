// HTTP and WebSocket for the show, in one thread. Boost.Beast is in server.cpp alone.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "rigor/result.h"
#include "view/gate.h"
#include "view/show.h"

namespace rigor::view {

struct ServerOptions {
    std::string address = "127.0.0.1";
    unsigned short port = 0; ///< 0: any that is free
    std::string token;       ///< asked of every request, unless it is empty
    std::vector<std::string> origins;
    std::filesystem::path scenes; ///< the gallery's folder
    std::filesystem::path page;   ///< empty: the embedded page
    /// One line for everything that was refused, at most ten a second.
    std::function<void(const std::string&)> log = {};
};

class Server {
  public:
    /// Fails when the address cannot be listened to.
    static Result<std::unique_ptr<Server>> make(ServerOptions options, Show& show,
                                                Mailbox& mailbox);
    ~Server();

    unsigned short port() const;
    /// Until stop(), or Ctrl-C when it was asked for.
    void run();
    void stop(); ///< from any thread
    void stop_on_signals();

  private:
    struct Impl;
    explicit Server(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

} // namespace rigor::view
