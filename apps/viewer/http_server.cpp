#include "viewer/http_server.h"

#include <unistd.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <csignal>

#include "viewer/http_connection.h"

namespace rigor::viewer {
namespace {

constexpr int kMaxConnections = 32;

/// The port in use has its own sentence, as the user can choose another.
Error listen_error(const HttpServerOptions& options, const error_code& error) {
    const std::string port = std::to_string(options.port);
    if (error == asio::error::address_in_use)
        return {ErrorCode::io, "", "port " + port + " is in use: choose another with --port"};
    return {ErrorCode::io, "",
            "cannot listen to " + options.address + ":" + port + ": " + error.message()};
}

error_code listen(tcp::acceptor& acceptor, const tcp::endpoint& endpoint) {
    error_code error;
    acceptor.open(endpoint.protocol(), error);
    if (!error) acceptor.set_option(tcp::acceptor::reuse_address(true), error);
    if (!error) acceptor.bind(endpoint, error);
    if (!error) acceptor.listen(asio::socket_base::max_listen_connections, error);
    return error;
}

AccessOptions access_options(const HttpServerOptions& options, unsigned short port) {
    AccessOptions access{options.address, port, options.token, options.origins, {}};
    char name[256] = {};
    if (gethostname(name, sizeof name - 1) == 0) access.host_names.emplace_back(name);
    return access;
}

} // namespace

struct HttpServer::Listener {
    Listener(HttpServerOptions options, AccessOptions access, SimulationServer& simulation,
             Outbox& server_outbox)
        : hub(std::move(options), std::move(access), simulation), outbox(server_outbox) {}

    // Connections refer to the hub and live in the handlers of io. io is declared after the hub,
    // so it is destroyed before it.
    ConnectionHub hub;
    Outbox& outbox;
    asio::io_context io{1};
    tcp::acceptor acceptor{io};
    asio::signal_set signals{io};
    asio::steady_timer retry_timer{io};

    void accept() {
        acceptor.async_accept([this](error_code error, tcp::socket socket) {
            if (error) return retry_accept();
            start_connection(std::move(socket));
            accept();
        });
    }

    /// Accepting fails most likely because file descriptors ran out, which takes time to change.
    void retry_accept() {
        retry_timer.expires_after(std::chrono::milliseconds(100));
        retry_timer.async_wait([this](error_code error) {
            if (!error) accept();
        });
    }

    void start_connection(tcp::socket socket) {
        if (hub.connection_count() >= kMaxConnections) {
            hub.log("refused " + peer_address(socket) + ": 32 connections are open already");
            return;
        }
        error_code ignored;
        socket.set_option(tcp::no_delay(true), ignored);
        std::make_shared<HttpConnection>(std::move(socket), hub, ConnectionSlot(hub))->read();
    }
};

HttpServer::HttpServer(std::unique_ptr<Listener> listener) : listener_(std::move(listener)) {}

HttpServer::~HttpServer() {
    listener_->outbox.on_content({});
}

Result<std::unique_ptr<HttpServer>> HttpServer::make(HttpServerOptions options,
                                                     SimulationServer& simulation, Outbox& outbox) {
    error_code error;
    const auto address = asio::ip::make_address(options.address, error);
    if (error) {
        return Error{ErrorCode::invalid_value, "--listen",
                     "\"" + options.address + "\" is not an IP address such as 127.0.0.1"};
    }
    const tcp::endpoint endpoint(address, options.port);
    // The access rules need the port, so it is bound before the listener is made.
    asio::io_context binding_context;
    tcp::acceptor acceptor(binding_context);
    if ((error = listen(acceptor, endpoint))) return listen_error(options, error);
    AccessOptions access = access_options(options, acceptor.local_endpoint().port());
    auto listener =
        std::make_unique<Listener>(std::move(options), std::move(access), simulation, outbox);
    listener->acceptor.assign(endpoint.protocol(), acceptor.release());
    listener->accept();
    outbox.on_content([to = listener.get()] {
        asio::post(to->io, [to] { to->hub.deliver(to->outbox.take()); });
    });
    return std::unique_ptr<HttpServer>(new HttpServer(std::move(listener)));
}

unsigned short HttpServer::port() const {
    return listener_->acceptor.local_endpoint().port();
}

void HttpServer::run() {
    listener_->io.run();
}

void HttpServer::stop() {
    listener_->io.stop();
}

void HttpServer::stop_on_signals() {
    listener_->signals.add(SIGINT);
    listener_->signals.add(SIGTERM);
    listener_->signals.async_wait([this](error_code error, int) {
        if (!error) stop();
    });
}

} // namespace rigor::viewer
