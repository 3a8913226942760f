// One WebSocket connection: reads requests, writes messages and frames, one at a time.
#pragma once

#include "viewer/beast.h"
#include "viewer/connection_hub.h"
#include "viewer/rate_limiter.h"

namespace rigor::viewer {

/// It lives as long as an asynchronous operation on it is pending.
class WebSocketConnection : public Client,
                            public std::enable_shared_from_this<WebSocketConnection> {
  public:
    WebSocketConnection(tcp::socket socket, ConnectionHub& hub, ConnectionSlot slot);
    ~WebSocketConnection();

    /// Answers the upgrade request and starts to read.
    void accept(const BeastRequest& request);

    SendQueue& queue() override { return queue_; }
    void send_next() override;
    std::shared_ptr<Client> hold() override { return shared_from_this(); }

  private:
    void read();
    void receive();
    /// False when the message was dropped or the connection is being closed.
    bool is_within_rate_limit();
    void handle(const std::string& text);
    void handle_hello(const Hello& hello, const ClientMessage& message);
    void reply(const json& message);
    void on_read_error(const error_code& error);
    /// Closes with a code and a reason, after the write in progress.
    void close(websocket::close_code code, const char* reason);
    void send_close();
    void abort();

    std::string peer_;
    websocket::stream<beast::tcp_stream> socket_;
    beast::flat_buffer buffer_;
    ConnectionHub& hub_;
    ConnectionSlot slot_;
    ClientId id_;
    RateLimiter limiter_;
    SendQueue queue_;
    SendQueue::Payload payload_; ///< being written
    websocket::close_reason close_reason_;
    bool has_joined_ = false; ///< hello was received
    bool is_writing_ = false, is_closing_ = false;
};

} // namespace rigor::viewer
